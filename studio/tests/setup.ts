// Starts the studio's server and a browser for the tests of one file.
//
// Environment: SUREFOOT is the binary to test, CHROMIUM the browser, and STUDIO_PAGE a folder with a built page
// to use instead of the one inside the binary.

import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before } from 'node:test'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium,
} from 'playwright-core'

export const surefoot = process.env.SUREFOOT ?? '../target/debug/surefoot'
/** The folder of the built page. */
export const builtPage = process.env.STUDIO_PAGE ?? '../crates/surefoot-studio/page'
/** Most time for any step of a test, in milliseconds: only a page that hangs takes that long. */
const TIMEOUT_MS = 600_000

/** A folder for the files of the tests, with the sample walk. */
export const folder = mkdtempSync(join(tmpdir(), 'studio-'))
export const walk = join(folder, 'walk.bvh')
export let address = ''
export let browser: Browser
const servers: ChildProcess[] = []

/** A page of the studio and the errors that its scripts did not catch. */
export type StudioPage = Page & { errors: string[] }

/** Runs `surefoot`; throws if it fails. */
export function command(...args: string[]) {
  execFileSync(surefoot, args, { stdio: ['ignore', 'pipe', 'ignore'] })
}

/** The error of a `surefoot` command that must refuse its input, and the line of the file it names. */
export function refusal(...args: string[]) {
  const { status, stderr } = spawnSync(surefoot, args, { encoding: 'utf8' })
  assert.equal(status, 2, `${args.join(' ')} was not refused: ${stderr}`)
  const message = /^error: (.*)$/m.exec(stderr)?.[1]
  assert.ok(message, stderr)
  return { message, line: /--> .*?:(\d+):\d+/.exec(stderr)?.[1] }
}

/** Starts `surefoot studio` and waits for its address. */
export async function serve(...args: string[]) {
  const server = spawn(surefoot, ['studio', '--no-open', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  servers.push(server)
  const ended = once(server, 'exit').then(([code]) => {
    throw new Error(`surefoot studio ${args.join(' ')} ended with ${code} before it had an address`)
  })
  const line = once(createInterface(server.stdout), 'line') as Promise<[string]>
  const [address] = await Promise.race([line, ended])
  // From here on the end of the server is up to the test.
  ended.catch(() => undefined)
  return { address: address.trim(), server }
}

export function launchBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    timeout: TIMEOUT_MS,
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** Starts server and browser before the tests of a file, and ends both after them. */
export function useStudio() {
  before(async () => {
    command('sample', 'walk', '--skate', 'scale', '-o', walk)
    rmSync(join(folder, 'walk.plants.json'), { force: true })
    address = (await serve(walk)).address
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    servers.forEach(server => server.kill())
    rmSync(folder, { recursive: true })
  })
}

/** Serves the page of the folder `STUDIO_PAGE`, if the environment has it. */
export async function routePage(context: BrowserContext) {
  if (!process.env.STUDIO_PAGE) return
  await context.route(/\/(studio\.js|studio\.css|worker\.js|formats\.js|surefoot(-full)?\.wasm)?$/, route => {
    const name = new URL(route.request().url()).pathname.split('/').pop() ?? ''
    return route.fulfill({ path: join(builtPage, name === '' ? 'index.html' : name) })
  })
}

/** Opens the studio in a browser context of its own, so that tests share no storage. */
export async function openStudio(url = address, options: BrowserContextOptions = {}): Promise<StudioPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  context.setDefaultTimeout(TIMEOUT_MS)
  await routePage(context)
  const page = Object.assign(await context.newPage(), { errors: [] as string[] })
  page.on('pageerror', error => page.errors.push(error.message))
  await page.goto(url)
  await ready(page)
  return page
}

/** Closes a page and checks that its scripts have thrown no error. */
export async function closeStudio(page: StudioPage) {
  assert.deepEqual(page.errors, [])
  await page.context().close()
}

/** Waits until the page has opened its file and measured it. */
export function ready(page: Page) {
  return page.waitForFunction(() => window.studio?.activity.isStarted && window.studio.state.figures)
}
