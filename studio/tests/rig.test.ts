// The rig set by hand: joints picked, foot points dragged, and the rig file compared with the command.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  type Point,
  cleanedByCommand,
  digest,
  drag,
  legs,
  messageContains,
  press,
  put,
  writtenByPage,
} from './actions.ts'
import { closeStudio, openStudio, useStudio, walk } from './setup.ts'

useStudio()

/** Where a joint is on the screen; foot points come after the joints. */
const handle = (page: Page, index: number): Promise<Point> =>
  page.evaluate(n => window.studio.view.handles.onScreen(n), index)

const jointNamed = (page: Page, pattern: string) =>
  page.evaluate(
    text => window.studio.state.clip.joints.findIndex(({ name }) => new RegExp(text, 'i').test(name)),
    pattern,
  )

async function pickInView(page: Page, role: string, joint: number) {
  await page.click(`[data-aim="${role}"]`)
  await page.mouse.click(...(await handle(page, joint)))
}

test('a rig is picked and dragged in the view, and its file gives the same motion in the command', async () => {
  const page = await openStudio()
  const motion = await digest(page)
  await page.click('#hide-hint')
  await page.click('[data-tab=rig]')
  await page.evaluate(() => {
    window.studio.view.look('side')
    window.studio.view.show()
  })
  const before = await legs(page)
  const { joint } = before[0]!.ball
  // Seen from the left, the left toe joint is in front.
  await pickInView(page, '0 heel', joint)
  assert.deepEqual((await legs(page))[0]!.heel, { joint, offset: [0, 0, 0] })
  assert.notEqual(await digest(page), motion)
  await press(page, 'Control+z')
  assert.deepEqual(await legs(page), before)
  assert.equal(await digest(page), motion)
  // A heel on the head is refused.
  await pickInView(page, '0 heel', await jointNamed(page, '^head'))
  await messageContains(page, 'the heel of the left leg is neither on its ankle nor on a joint below it')
  assert.deepEqual(await legs(page), before)
  assert.equal(await digest(page), motion)
  // The list of joints works without the view; a knee on the spine is refused or can be undone.
  const spine = await jointNamed(page, 'spine')
  await page.selectOption('[aria-label="left knee: joint"]', String(spine))
  if ((await legs(page))[0]!.knee === spine) await press(page, 'Control+z')
  assert.deepEqual(await legs(page), before)
  // The heel is dragged back and down.
  await page.evaluate(() => window.studio.view.look('feet'))
  const joints = await page.evaluate(() => window.studio.state.clip.joints.length)
  await drag(page, await handle(page, joints), -9, 5)
  const heel = (await legs(page))[0]!.heel
  const oldHeel = before[0]!.heel
  assert.equal(heel.joint, oldHeel.joint)
  const distance = Math.hypot(...heel.offset.map((x, axis) => x - oldHeel.offset[axis]!))
  assert.ok(distance > 0.5, JSON.stringify(heel))
  assert.notEqual(await digest(page), motion)
  const rig = put('walk.rig.toml', await writtenByPage(page, 'rig'))
  assert.ok((await writtenByPage(page, 'motion')).equals(cleanedByCommand(walk, '--rig', rig)))
  await press(page, 'Control+z')
  assert.equal(await digest(page), motion)
  await press(page, 'Control+Shift+z')
  assert.deepEqual((await legs(page))[0]!.heel, heel)
  await closeStudio(page)
})
