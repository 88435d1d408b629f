// Access without a mouse: touch, keyboard alone, and names for screen readers.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  type Point,
  cleaningSetting,
  drawn,
  messageContains,
  onBar,
  plants,
  press,
  writtenByPage,
} from './actions.ts'
import { closeStudio, folder, openStudio, ready, serve, useStudio } from './setup.ts'

useStudio()

/** Visible controls that lie beyond the borders of the window. */
const controlsOutside = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, select, summary')]
      .filter(element => element.offsetParent && !element.closest('[hidden], .menu > div, [role=tabpanel]'))
      .filter(element => {
        const { left, right } = element.getBoundingClientRect()
        return right > innerWidth + 1 || left < 0
      })
      .map(element => element.textContent),
  )

test('on a tablet a finger drags an edge and moves the divider', async () => {
  const tablet = {
    viewport: { width: 1024, height: 768 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  }
  const page = await openStudio(undefined, tablet)
  const before = await plants(page)
  const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  assert.equal(content, width)
  assert.deepEqual(await controlsOutside(page), [])
  const touch = await page.context().newCDPSession(page)
  const swipe = async ([x, y]: Point, dx: number) => {
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints })
    await send('touchStart', [{ x, y }])
    for (let n = 1; n <= 5; n++) await send('touchMove', [{ x: x + (dx * n) / 5, y }])
    await send('touchEnd', [])
    await drawn(page)
  }
  await swipe(await onBar(page, 3, 1), 30)
  assert.ok((await plants(page))[3]!.last > before[3]!.last)
  await page.tap('#undo')
  assert.deepEqual(await plants(page), before)
  await page.tap('#hide-hint')
  await page.tap('[data-toggle=wipe]')
  const box = await page.locator('#wipe i').boundingBox()
  assert.ok(box)
  await swipe([box.x + 13, box.y + 20], -150)
  assert.ok(Number(await page.getAttribute('#wipe', 'aria-valuenow')) < 40)
  await closeStudio(page)
})

/** A short name of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { id, dataset, textContent } = document.activeElement as HTMLElement
    return id || (dataset.tab ?? dataset.view ?? dataset.toggle ?? textContent.trim())
  })

test('Tab reaches every control, and every control has a name', async () => {
  const page = await openStudio()
  const reached = new Set<string>()
  for (let n = 0; n < 60; n++) {
    await press(page, 'Tab')
    reached.add(await focused(page))
  }
  const expected =
    'open save theme keys view side wipe figures back play on speed loop worst unsure curve time hide-hint'
  for (const name of expected.split(' ')) {
    assert.ok(reached.has(name), `Tab does not reach ${name}: ${[...reached].join(', ')}`)
  }
  await page.focus('#hide-hint')
  await press(page, 'Enter')
  assert.equal(await page.isVisible('#hint'), false)
  for (const tab of ['settings', 'rig']) {
    await page.click(`[data-tab=${tab}]`)
    assert.deepEqual(await namelessControls(page), [])
  }
  await closeStudio(page)
})

/** Controls without a name for screen readers. */
const namelessControls = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, select, input, canvas, summary, [role=slider]')]
      .filter(element => {
        const { labels } = element as HTMLInputElement
        const names = [element.getAttribute('aria-label'), element.textContent, labels?.[0]?.textContent]
        return !names.some(name => name?.trim())
      })
      .map(element => element.outerHTML.slice(0, 80)),
  )

test('plants are selected, moved, split, deleted and restored with keys alone', async () => {
  const page = await openStudio()
  const before = await plants(page)
  await page.focus('#time')
  await press(page, ']', ']', '>', '>')
  assert.equal((await plants(page))[1]!.last, before[1]!.last + 2)
  await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 's')
  assert.equal((await plants(page)).length, before.length + 1)
  await press(page, 'Control+z', 'Control+z', 'Control+z')
  assert.deepEqual(await plants(page), before)
  // The spot moves by a centimetre to the right and by one away from the camera.
  await page.focus('#time')
  await press(page, '[', ']')
  const selectedSpot = () =>
    page.evaluate(() => {
      const { spots, selection } = window.studio.state
      return spots[[...selection][0]!]!
    })
  const spot = await selectedSpot()
  await press(page, 'Alt+Shift+ArrowRight', 'Alt+Shift+ArrowUp')
  const moved = await selectedSpot()
  const distance = Math.hypot(...moved.map((x, axis) => x - spot[axis]!))
  assert.ok(Math.abs(distance - Math.SQRT2 / 100) < 1e-6, `${distance} m`)
  await press(page, 'Control+z', 'Control+z')
  assert.deepEqual(await plants(page), before)
  await press(page, 'Control+Shift+z', 'Control+z', 'a', 'Delete')
  assert.deepEqual(await plants(page), [])
  await press(page, 'Control+z')
  assert.deepEqual(await plants(page), before)
  await closeStudio(page)
})

test('tabs, settings, the rig, the list of shortcuts and saving work with keys alone', async () => {
  const page = await openStudio()
  await page.focus('[data-tab=figures]')
  await press(page, 'ArrowRight', 'ArrowRight')
  assert.equal(await focused(page), 'settings')
  await page.focus('#set-stretch')
  await page.keyboard.type('0')
  await press(page, 'Enter')
  await cleaningSetting(page, 'stretch', 0)
  await page.focus('[data-tab=settings]')
  await press(page, 'ArrowRight')
  await page.focus('[aria-label="left heel: y offset from its joint, in the file\'s unit"]')
  await press(page, 'Control+a')
  await page.keyboard.type('-8.5')
  await press(page, 'Enter')
  await page.waitForFunction(() => window.studio.state.clip.legs[0]?.heel.offset[1] === -8.5)
  await page.focus('#time')
  await press(page, '?')
  assert.match((await page.textContent('#list')) ?? '', /side by side, wipe/)
  await press(page, 'Escape')
  page.on('dialog', dialog => dialog.accept())
  const motion = await writtenByPage(page, 'motion')
  await page.focus('#time')
  await press(page, 'Control+s')
  await messageContains(page, 'walk.clean.bvh saved')
  assert.ok(readFileSync(join(folder, 'walk.clean.bvh')).equals(motion))
  await closeStudio(page)
})

test('the first visit shows the sample walk and a hint of three steps, the next visit no hint', async () => {
  const { address } = await serve()
  const page = await openStudio(address)
  assert.equal(await page.isVisible('#hint'), true)
  assert.equal(await page.locator('#hint li').count(), 3)
  assert.match((await page.textContent('#name')) ?? '', /^walk\.bvh/)
  await page.click('#hide-hint')
  await page.reload()
  await ready(page)
  assert.equal(await page.isVisible('#hint'), false)
  await closeStudio(page)
})
