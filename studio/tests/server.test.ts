// The server: when it ends, which pages may use it, and the page without it as a static site.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanedByCommand, digest, drop, opened } from './actions.ts'
import { browser, builtPage, closeStudio, openStudio, ready, serve, useStudio, walk } from './setup.ts'

useStudio()

test('the server ends when the last window has closed and the time to linger has passed', async () => {
  const { address, server } = await serve(walk, '--linger', '1s')
  const ended = once(server, 'exit')
  await closeStudio(await openStudio(address))
  assert.deepEqual(await ended, [0, null])
  await assert.rejects(fetch(address))
})

test('a reload does not end the server', async () => {
  // However long the reload takes, it takes less than the time to linger.
  const { address, server } = await serve(walk, '--linger', '86400s')
  const page = await openStudio(address)
  const motion = await digest(page)
  await page.reload()
  await ready(page)
  assert.equal(await digest(page), motion)
  assert.equal(server.exitCode, null)
  await closeStudio(page)
})

test('other pages can neither read nor write, and the page loads nothing from elsewhere', async () => {
  const { address } = await serve(walk)
  const context = await browser.newContext()
  const page = await context.newPage()
  const { origin } = new URL(address)
  const foreign: string[] = []
  page.on('request', request => {
    const from = new URL(request.url()).origin
    if (from !== origin && from !== 'null') foreign.push(request.url())
  })
  await page.goto(address)
  await ready(page)
  assert.deepEqual(foreign, [])
  const results = await page.evaluate(async url => {
    const otherHost = url.replace('127.0.0.1', 'localhost')
    const wrongToken = url.replace(/[0-9a-f](?=\/$)/, digit => (digit === '0' ? '1' : '0'))
    const status = (target: string, options?: RequestInit) =>
      fetch(target, options).then(
        response => response.status,
        () => 'refused',
      )
    const outside = url + 'api/save?name=..%2Fa'
    return [
      await status(otherHost),
      await status(wrongToken),
      await status(outside, { method: 'POST', body: 'x' }),
    ]
  }, address)
  assert.deepEqual(results, ['refused', 403, 400])
  await context.close()
})

test('the built page works as a static site: it opens, cleans and saves a file by itself', async () => {
  const types: Record<string, string> = {
    html: 'text/html',
    js: 'text/javascript',
    css: 'text/css',
    wasm: 'application/wasm',
  }
  const site = createServer(({ url }, response) => {
    const name = url === '/' ? 'index.html' : (url ?? '').slice(1)
    if (!readdirSync(builtPage).includes(name)) {
      response.writeHead(404).end()
      return
    }
    const type = types[name.split('.').pop() ?? ''] ?? 'text/plain'
    response.writeHead(200, { 'content-type': type }).end(readFileSync(join(builtPage, name)))
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const { port } = site.address() as AddressInfo
  const page = await openStudio(`http://127.0.0.1:${port}/`)
  const sent: string[] = []
  page.on('request', request => {
    if (request.method() !== 'GET') sent.push(request.url())
  })
  await drop(page, 'mine.bvh', readFileSync(walk))
  await opened(page, 'mine.bvh')
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')])
  assert.equal(download.suggestedFilename(), 'mine.clean.bvh')
  assert.ok(readFileSync(await download.path()).equals(cleanedByCommand(walk)))
  assert.deepEqual(sent, [], 'nothing is sent anywhere')
  await closeStudio(page)
  site.close()
})
