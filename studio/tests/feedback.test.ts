// What the page shows about the plant that is edited: the inset, the reason beside a footprint, and the minimap.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { coverageOf } from '../src/timeline/coverage.ts'
import { drawn, onBar, press } from './actions.ts'
import { closeStudio, openStudio, useStudio } from './setup.ts'

useStudio()

/** The bytes of a picture of one half of the inset. */
const half = async (page: Page, n: number) => {
  const box = (await page.locator('#inset span').nth(n).boundingBox())!
  // Without border and label.
  const clip = { x: box.x + 3, y: box.y + 24, width: box.width - 6, height: box.height - 28 }
  return (await page.screenshot({ clip })).toString('base64')
}

test('the inset shows the foot of the selected plant, captured and cleaned', async () => {
  const page = await openStudio()
  await page.click('#hide-hint')
  assert.equal(await page.isVisible('#inset'), false, 'nothing is selected')
  await page.mouse.click(...(await onBar(page, 3, 0.9)))
  await drawn(page)
  assert.equal(await page.isVisible('#inset'), true)
  const captured = await half(page, 0)
  assert.notEqual(captured, await half(page, 1), 'the captured foot has slid')
  // Both pictures look at the spot from one place: the cleaned foot stays while the plant lasts.
  await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft')
  await drawn(page)
  assert.notEqual(await half(page, 0), captured)
  await press(page, 'h')
  await drawn(page)
  assert.equal(await page.isVisible('#inset'), false)
  await closeStudio(page)
})

test('a footprint that cannot be reached says why beside it', async () => {
  const page = await openStudio()
  await page.mouse.click(...(await onBar(page, 3, 0.5)))
  await drawn(page)
  assert.equal(await page.isVisible('#why'), false)
  await page.evaluate(() => {
    const { state } = window.studio
    const [n] = state.selection
    const [x, y, z] = state.spots[n!]!
    const spot: [number, number, number] = [x, y + 1.5, z]
    state.change(state.plants.map((plant, m) => (m === n ? { ...plant, spot } : plant)))
    window.studio.view.look('start')
  })
  await page.locator('#why').waitFor()
  // The heel is held where it was moved to, and the ball of the same foot cannot stay where it was.
  const why = (await page.textContent('#why')) ?? ''
  assert.match(why, /^(left|right) (heel|ball): .* mm off: the spots of heel and ball do not fit/)
  const label = (await page.locator('#why').boundingBox())!
  const [x, y] = await page.evaluate(() => {
    const { state, view } = window.studio
    const isCurrent = (n: number) =>
      state.plants[n]!.first <= state.frame && state.frame <= state.plants[n]!.last
    return view.footprintOnScreen([...state.plants.keys()].find(n => !state.isHeld(n) && isCurrent(n))!)
  })
  assert.ok(Math.abs(label.y + label.height / 2 - y) < 4, `the label is at ${label.y}, the footprint at ${y}`)
  assert.ok(Math.min(Math.abs(label.x - x), Math.abs(label.x + label.width - x)) < 20)
  await page.focus('#time')
  await press(page, 'r')
  await drawn(page)
  assert.equal(await page.isVisible('#why'), false)
  await closeStudio(page)
})

test('the minimap appears with the zoom and goes anywhere in the clip', async () => {
  const page = await openStudio()
  const layout = () =>
    page.evaluate(() => {
      const { from, to, hasMinimap, bottom, width } = window.studio.timeline.layout
      return { from, to, hasMinimap, bottom, width }
    })
  assert.equal((await layout()).hasMinimap, false)
  await page.focus('#time')
  await press(page, '+', '+', '+', '+')
  const zoomed = await layout()
  assert.equal(zoomed.hasMinimap, true)
  const box = (await page.locator('#time').boundingBox())!
  await page.mouse.click(box.x + zoomed.width - 12, box.y + zoomed.bottom + 8)
  const { frames, frame } = await page.evaluate(() => ({
    frames: window.studio.state.clip.frames,
    frame: window.studio.state.frame,
  }))
  assert.equal(Math.round((await layout()).to), frames)
  assert.ok(frame > frames - 5, `frame ${frame} of ${frames}`)
  await press(page, '0')
  assert.equal((await layout()).hasMinimap, false)
  await closeStudio(page)
})

test('a column of pixels knows how much of it is planted', () => {
  const plant = (first: number, last: number) => ({ leg: 0, point: 'heel' as const, first, last })
  const shares = coverageOf([plant(5, 14), plant(20, 29), plant(95, 200)], { from: 0, to: 100, count: 10 })
  assert.deepEqual(
    [...shares].map(share => Math.round(100 * share)),
    [50, 50, 100, 0, 0, 0, 0, 0, 0, 50],
  )
})
