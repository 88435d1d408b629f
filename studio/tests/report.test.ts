// The report opened from disk in a browser without a network.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { command, launchBrowser } from './setup.js'

/** What the report's player shows, for tests. */
interface Player {
  clip: { frames: number; start: number; names: string[] }
  state: { time: number; layout: string; framing: string; isPlaying: boolean; view: { turn: number } }
  seek(time: number): void
}
declare global {
  interface Window {
    surefootPlayer: Player
  }
}

const folder = mkdtempSync(join(tmpdir(), 'report-'))
const report = join(folder, 'walk.report.html')
let browser: Browser

before(async () => {
  command('demo', '-o', folder)
  browser = await launchBrowser()
})
after(async () => {
  await browser.close()
  rmSync(folder, { recursive: true })
})

/** Opens the report from disk without a network; fails on script errors and on any request but the file itself. */
async function open(run: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    offline: true,
    ...options,
  })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', error => problems.push(error.message))
  page.on('console', message => message.type() === 'error' && problems.push(message.text()))
  page.on('request', request => request.url() !== pathToFileURL(report).href && problems.push(request.url()))
  await page.goto(pathToFileURL(report).href)
  await page.waitForFunction(() => window.surefootPlayer.clip.frames > 0)
  await run(page)
  assert.deepEqual(problems, [])
  await context.close()
}

/** The share of the canvas that is not background, after the next picture. */
const drawn = (page: Page) =>
  page.evaluate(async () => {
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const canvas = document.querySelector('canvas')!
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    let different = 0
    for (let at = 4; at < data.length; at += 4) {
      if (data[at] !== data[0] || data[at + 1] !== data[1] || data[at + 2] !== data[2]) different++
    }
    return different / (data.length / 4)
  })

const picture = (page: Page) =>
  page.evaluate(async () => {
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return document.querySelector('canvas')!.toDataURL()
  })
const player = (page: Page) => page.evaluate(() => window.surefootPlayer.state)

test('the report opens on the worst moment, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await open(
      async page => {
        const { time } = await player(page)
        assert.equal(time, await page.evaluate(() => window.surefootPlayer.clip.start))
        assert.ok(time > 0, 'the demo slides in the middle')
        assert.ok((await drawn(page)) > 0.1, 'the bodies are drawn')
        const top = await page.locator('canvas').evaluate(canvas => canvas.getBoundingClientRect().bottom)
        assert.ok(top < 900, `the motion is on the first screen, it ends at ${top}`)
      },
      { colorScheme },
    )
  }
  assert.ok(statSync(report).size < 600_000)
})

test('the motion plays, and stops at the frame that is chosen', () =>
  open(async page => {
    await page.getByRole('button', { name: 'Play' }).click()
    const start = (await player(page)).time
    await page.waitForFunction(from => window.surefootPlayer.state.time > from + 5, start)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByLabel('frame', { exact: true }).fill('100')
    assert.equal((await player(page)).time, 100)
    await page.locator('output').filter({ hasText: 'frame 100' }).waitFor()
    await page.locator('canvas').press('ArrowRight')
    assert.equal((await player(page)).time, 101)
    await page.getByRole('button', { name: 'Worst moment' }).click()
    assert.equal((await player(page)).time, await page.evaluate(() => window.surefootPlayer.clip.start))
  }))

test('a click on the contacts goes to that time', () =>
  open(async page => {
    const track = page.locator('.track').first()
    const box = (await track.boundingBox())!
    await page.mouse.click(box.x + box.width / 2, box.y + 10)
    const { frames } = await page.evaluate(() => window.surefootPlayer.clip)
    const { time } = await player(page)
    assert.ok(Math.abs(time - (frames - 1) / 2) < 2, `time ${time} of ${frames}`)
  }))

test('every arrangement and framing gives another picture, and dragging turns the camera', () =>
  open(async page => {
    const seen = new Set([await picture(page)])
    for (const name of ['Wipe', 'Overlay', 'Feet', 'Side by side']) {
      const button = page.getByRole('button', { name, exact: true })
      await button.click()
      await page.waitForFunction(
        text => [...document.querySelectorAll('[aria-pressed=true]')].some(item => item.textContent === text),
        name,
      )
      seen.add(await picture(page))
    }
    assert.equal(seen.size, 5)
    const box = (await page.locator('canvas').boundingBox())!
    const { turn } = (await player(page)).view
    await page.mouse.move(box.x + 200, box.y + 200)
    await page.mouse.down()
    await page.mouse.move(box.x + 300, box.y + 200, { steps: 4 })
    await page.mouse.up()
    assert.notEqual((await player(page)).view.turn, turn)
    assert.ok(!seen.has(await picture(page)))
  }))

test('nothing is cut off on a phone, a tablet or a screen', async () => {
  for (const { width, height } of [
    { width: 390, height: 844 },
    { width: 820, height: 1180 },
    { width: 1280, height: 800 },
  ]) {
    await open(
      async page => {
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.ok(over <= 0, `${width}: the page is ${over} pixels too wide`)
        for (const button of await page.locator('.controls button').all()) {
          const { x, width: wide } = (await button.boundingBox())!
          assert.ok(x >= 0 && x + wide <= width, `${await button.textContent()} at ${x}`)
        }
      },
      { viewport: { width, height } },
    )
  }
})

test('in print a picture takes the place of the player', () =>
  open(async page => {
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.locator('.player').isVisible(), false)
    assert.ok(await page.locator('.still > svg').isVisible())
  }))

test('without scripts the report shows a picture', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true })
  const page = await context.newPage()
  await page.goto(pathToFileURL(report).href)
  assert.ok(await page.locator('.still > svg').isVisible())
  assert.equal(await page.locator('.player').isVisible(), false)
  await context.close()
})
