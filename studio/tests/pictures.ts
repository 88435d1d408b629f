// Takes the screenshots for the documentation: `cargo xtask pictures`. Look at each before committing it. With
// `npm run pictures -- FOLDER` they are written to another folder.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Viewpoint } from '../src/view/camera.ts'
import { drawn, onBar } from './actions.ts'
import { command, folder, launchBrowser, ready, routePage, serve, walk } from './setup.ts'
import { TASKS } from './tasks.ts'

const output = process.argv[2] ?? '../book/src/pictures'
command('sample', 'walk', '--skate', 'scale', '-o', walk)
const { address, server } = await serve()
const browser = await launchBrowser()

async function open(colorScheme: 'light' | 'dark', options: BrowserContextOptions = {}) {
  const viewport = { width: 1280, height: 800 }
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce', ...options })
  await routePage(context)
  const page = await context.newPage()
  await page.goto(address)
  await ready(page)
  return page
}

async function show(page: Page, frame: number, viewpoint: Viewpoint = 'start') {
  await page.evaluate(
    ([f, from]) => {
      window.studio.timeline.onFrame(f)
      window.studio.view.look(from)
    },
    [frame, viewpoint] as const,
  )
}

async function take(page: Page, name: string) {
  await page.evaluate(() => {
    ;(document.activeElement as HTMLElement | null)?.blur()
    const message = document.getElementById('message')!
    message.className = ''
    message.style.transition = 'none'
  })
  await drawn(page)
  await page.screenshot({ path: join(output, `studio-${name}.png`) })
}

const light = await open('light')
await light.click('#hide-hint')
await show(light, 90)
await take(light, 'light')
await light.click('[data-tab=settings]')
await light.keyboard.press('b')
await show(light, 90)
await light.mouse.move(5, 5)
await take(light, 'settings')
await light.keyboard.press('b')
await light.click('[data-tab=rig]')
await show(light, 90, 'feet')
await light.click('[data-aim="0 ball"]')
const ball = await light.evaluate(() => {
  const { state, view } = window.studio
  return view.handles.onScreen(state.clip.legs[0]!.ball.joint)
})
await light.mouse.move(...ball)
await take(light, 'rig')

const dark = await open('dark')
await dark.click('#hide-hint')
await show(dark, 128)
// An edge is dragged until it snaps.
const [x, y] = await onBar(dark, 3, 1)
await dark.mouse.move(x, y)
await dark.mouse.down()
for (let dx = 0; dx < 60; dx++) {
  await dark.mouse.move(x + dx, y)
  if (await dark.evaluate(() => window.studio.timeline.snap)) break
}
await take(dark, 'dark')
await dark.mouse.up()
await dark.keyboard.press('v')
await show(dark, 128)
await take(dark, 'wipe')

const tablet = await open('light', {
  viewport: { width: 1024, height: 768 },
  hasTouch: true,
  isMobile: true,
})
await tablet.click('#hide-hint')
await show(tablet, 90)
await take(tablet, 'tablet')
for (const { steps } of TASKS) {
  const page = await open('light', { viewport: { width: 1024, height: 700 } })
  for (const { picture, run } of steps) {
    await run(page)
    await drawn(page)
    if (picture) await page.screenshot({ path: join(output, `studio-${picture}.png`) })
  }
  await page.context().close()
}
await browser.close()
server.kill()
rmSync(folder, { recursive: true })
