// The studio served by the binary to a real browser, for every test. SUREFOOT names the binary.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { chromium } from 'playwright-core'

export const surefoot = process.env.SUREFOOT ?? '../target/debug/surefoot'
export const folder = mkdtempSync(join(tmpdir(), 'studio-')), file = join(folder, 'walk.bvh')
export let address, browser
const servers = []

/** Serves a file, or none; answers with its address and its process. */
export async function serve(...args) {
  const server = spawn(surefoot, ['studio', '--no-open', ...args])
  servers.push(server)
  const address = await new Promise((done, fail) => { server.stdout.once('data', line => done(String(line).trim())); server.once('exit', fail) })
  return { address, server }
}
/** What the command writes; throws where it fails. */
export const command = (...args) => execFileSync(surefoot, args, { stdio: ['ignore', 'pipe', 'ignore'] })
/** What the command says is wrong: its sentence, and the line of the file it names. */
export function refused(...args) {
  const { status, stderr } = spawnSync(surefoot, args, { encoding: 'utf8' })
  if (status !== 2) throw new Error(`${args.join(' ')} was not refused: ${stderr}`)
  return { sentence: stderr.match(/^error: (.*)$/m)[1], line: stderr.match(/--> .*?:(\d+):\d+/)?.[1] }
}

before(async () => {
  command('sample', 'walk', '--skate', 'scale', '-o', file)
  rmSync(join(folder, 'walk.plants.json'), { force: true })
  address = (await serve(file)).address
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
})
after(async () => { await browser?.close(); servers.forEach(server => server.kill()); rmSync(folder, { recursive: true }) })

/** A page in a context of its own: nothing of another test is kept in it. */
export async function page(where = address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options }), page = await context.newPage()
  page.errors = []
  page.on('pageerror', error => page.errors.push(error.message))
  await page.goto(where)
  await measured(page)
  return page
}
export const done = page => page.context().close()
export const measured = page => page.waitForFunction(() => window.studio?.state.figures && document.body.dataset.ready)
/** Measured now, not in a moment. */
export const settled = page => page.evaluate(() => window.studio.state.measure())
export const plants = page => page.evaluate(() => window.studio.state.plants)
export const digest = page => page.evaluate(() => window.studio.state.after.reduce((sum, x, n) => (sum * 31 + Math.round(x * 1e6) + n) % 1e9, 0))
export const said = (page, what) => page.waitForFunction(what => document.getElementById('say').textContent.includes(what), what)
/** What the core would write, as bytes. */
export const written = async (page, what) => Buffer.from(await page.evaluate(what => Array.from(window.studio.ask({ ask: 'write', what })), what))
/** Where on the screen a plant's bar is: `share` of its length along. */
export const onBar = (page, n, share) => page.evaluate(([n, share]) => {
  const { state, time } = window.studio, p = state.plants[n], box = document.getElementById('time').getBoundingClientRect()
  const row = time.rows.findIndex(r => r.leg === p.leg && r.point === p.point)
  return [box.left + time.x(p.first) + share * (time.x(p.last + 1) - time.x(p.first)), box.top + time.rowY(row) + 12]
}, [n, share])
export const painted = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
export async function drag(page, [x, y], dx, dy = 0) {
  await page.mouse.move(x, y); await page.mouse.down(); await page.mouse.move(x + dx / 2, y + dy / 2); await page.mouse.move(x + dx, y + dy)
  await painted(page)
  await page.mouse.up()
}
/** Drops a file on the page. */
export const drop = (page, name, bytes) => page.evaluate(([name, letters]) => {
  const data = new DataTransfer(); data.items.add(new File([Uint8Array.from(letters, c => c.charCodeAt(0))], name))
  dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }))
}, [name, Buffer.from(bytes).toString('latin1')])
