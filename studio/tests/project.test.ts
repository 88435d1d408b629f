// A day's work: several clips with a ranked list, markers, a range, copied plants and camera bookmarks.

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { cleanedByCommand, cleaningSetting, digest, opened, plants, press } from './actions.ts'
import { closeStudio, command, folder, openStudio, ready, serve, useStudio } from './setup.ts'

useStudio()

/** Makes three walks in a folder: one that does not skate, one that does, and one that is short. */
function makeClips() {
  const day = join(folder, 'day')
  mkdirSync(day, { recursive: true })
  const make = (name: string, ...args: string[]) => {
    command('sample', 'walk', '-o', join(day, name), '--force', ...args)
    return join(day, name)
  }
  return {
    day,
    paths: [
      make('good.bvh', '--seconds', '4'),
      make('skating.bvh', '--skate', 'scale', '--seconds', '6'),
      make('short.bvh', '--skate', 'scale=1.3', '--seconds', '4'),
    ],
  }
}

/** The rows of the list: name and remark. */
const rows = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('#tab-clips .clip')].map(button => [
      button.querySelector('b')!.textContent,
      button.querySelector('span')!.textContent,
    ]),
  )

/** Waits until the worker has looked at every clip. */
const reviewed = (page: Page, count: number) =>
  page.waitForFunction(clips => {
    const { project } = window.studio
    const isDone = project.clips.every(({ review, problem }) => review ?? problem)
    return project.clips.length === clips && !project.isReviewing && isDone
  }, count)

/** A page without a served file, so that files are saved as downloads. */
async function openPage() {
  const { address } = await serve()
  return openStudio(address)
}

test('several files become a list that starts with what needs a look, and each clip keeps its edits', async () => {
  const page = await openPage()
  const { paths } = makeClips()
  writeFileSync(join(folder, 'day', 'broken.bvh'), 'HIERARCHY\nnonsense\n')
  await page.setInputFiles('#file', [...paths, join(folder, 'day', 'broken.bvh')])
  await reviewed(page, 4)
  assert.equal(await page.textContent('#clips'), 'Clips 4')
  const list = await rows(page)
  assert.match(list.at(-1)!.join(), /^broken\.bvh,.*line 2/)
  const urgency = await page.evaluate(() =>
    window.studio.project.ranked.flatMap(({ review }) =>
      review ? [1e6 * review.introduced + 1e3 * review.slides + review.unsure] : [],
    ),
  )
  assert.deepEqual(
    urgency,
    [...urgency].sort((a, b) => b - a),
  )
  // The list says what the page itself says of the clip.
  for (const name of ['good.bvh', 'skating.bvh']) {
    await page.click(`#tab-clips .clip:has-text("${name}")`)
    await opened(page, name)
    const before = await rows(page)
    await page.waitForFunction(() => window.studio.state.figures)
    assert.deepEqual(await rows(page), before)
  }
  // A plant that lasts too long needs a look, and brings its clip to the top.
  await page.focus('#time')
  await press(page, ']', ']', ']', ']', ...Array.from({ length: 20 }, () => '>'))
  await page.waitForFunction(() => {
    const [first] = window.studio.project.ranked
    return first?.name === 'skating.bvh' && (first.review?.introduced ?? 0) + (first.review?.slides ?? 0) > 0
  })
  assert.match((await rows(page))[0]!.join(), /^skating\.bvh,\d+ (introduced|sliding)/)
  const edited = await plants(page)
  await page.click('#tab-clips .clip:has-text("short.bvh")')
  await opened(page, 'short.bvh')
  assert.notDeepEqual(await plants(page), edited)
  await page.click('#tab-clips .clip:has-text("skating.bvh")')
  await opened(page, 'skating.bvh')
  assert.deepEqual(await plants(page), edited)
  // The same after a reload.
  await page.waitForFunction(() => window.studio.state.autosave.isDone)
  await page.reload()
  await ready(page)
  await reviewed(page, 4)
  assert.deepEqual(await plants(page), edited)
  assert.equal((await rows(page)).length, 4)
  await page.focus('#time')
  await press(page, 'PageDown')
  await page.waitForFunction(() => window.studio.state.clip.name !== 'skating.bvh')
  await closeStudio(page)
})

test('settings are shared with all clips, and all motions are saved as the command writes them', async () => {
  const page = await openPage()
  const { paths } = makeClips()
  await page.setInputFiles('#file', paths)
  await reviewed(page, 3)
  await page.click('[data-tab=settings]')
  await page.click('.presets button:text("Paper")')
  await cleaningSetting(page, 'preset', 'paper')
  await page.click('#clips')
  await page.click('button:text("Use these settings for all")')
  await reviewed(page, 3)
  const downloads: Promise<[string, string]>[] = []
  page.on('download', download =>
    downloads.push(download.path().then(path => [download.suggestedFilename(), path])),
  )
  await page.click('button:text("Save all motions")')
  await page.waitForFunction(() => document.getElementById('message')?.textContent === '3 motions saved')
  // The browser reports a download after the page has started it.
  for (let tries = 0; tries < 250 && downloads.length < 3; tries++) await page.waitForTimeout(20)
  const saved = new Map(await Promise.all(downloads))
  assert.deepEqual([...saved.keys()].sort(), ['good.clean.bvh', 'short.clean.bvh', 'skating.clean.bvh'])
  const short = readFileSync(saved.get('short.clean.bvh')!)
  assert.ok(short.equals(cleanedByCommand(paths[2]!, '--paper')))
  await closeStudio(page)
})

test('a folder is opened as a list of its motions', async () => {
  const page = await openPage()
  const { day } = makeClips()
  writeFileSync(join(day, 'readme.txt'), 'not a motion')
  await page.setInputFiles('#folder', day)
  await reviewed(page, 4)
  const names = (await rows(page)).map(([name]) => name).sort()
  assert.deepEqual(names, ['broken.bvh', 'good.bvh', 'short.bvh', 'skating.bvh'])
  await closeStudio(page)
})

test('copied plants are pasted at the playhead where they fit, in one undoable step', async () => {
  const page = await openStudio()
  const before = await plants(page)
  await page.focus('#time')
  await press(page, ']', 'Control+c', 'Control+v')
  assert.deepEqual(await plants(page), before, 'there is a plant already')
  const { leg, point, first, last } = before[0]!
  await press(page, 'Delete', 'Control+v')
  const pasted = await plants(page)
  assert.equal(pasted.length, before.length)
  const own = pasted.find(plant => plant.leg === leg && plant.point === point && plant.first === first)
  assert.equal(own?.last, last)
  await press(page, 'Control+z', 'Control+z')
  assert.deepEqual(await plants(page), before)
  await closeStudio(page)
})

test('playback repeats the range, and markers are kept and undone', async () => {
  const page = await openStudio()
  const show = (frame: number) => page.evaluate(to => window.studio.timeline.onFrame(to), frame)
  const frame = () => page.evaluate(() => Math.round(window.studio.state.frame))
  await page.focus('#time')
  await show(100)
  await press(page, 'i', 'x')
  await show(110)
  await press(page, 'Shift+I')
  assert.deepEqual(await page.evaluate(() => window.studio.state.range), [100, 110])
  await show(0)
  await press(page, ' ')
  await page.waitForFunction(() => window.studio.state.frame >= 100)
  // Longer than the range lasts.
  for (let n = 0; n < 20; n++) {
    await page.waitForTimeout(20)
    assert.ok((await frame()) >= 100 && (await frame()) <= 110, `frame ${await frame()}`)
  }
  await press(page, ' ')
  await show(0)
  await press(page, 'Shift+X')
  assert.equal(await frame(), 100)
  const before = await digest(page)
  await press(page, 'Alt+i', 'x')
  assert.deepEqual(await page.evaluate(() => window.studio.state.markers), [])
  await press(page, 'Control+z')
  assert.deepEqual(await page.evaluate(() => window.studio.state.markers), [100])
  assert.equal(await digest(page), before)
  await press(page, 'Control+z')
  assert.deepEqual(await page.evaluate(() => window.studio.state.range), [100, 110])
  await page.waitForFunction(() => window.studio.state.autosave.isDone)
  await page.reload()
  await ready(page)
  assert.deepEqual(await page.evaluate(() => window.studio.state.range), [100, 110])
  await closeStudio(page)
})

test('a camera bookmark shows the body from the same side in another frame', async () => {
  const page = await openStudio()
  const place = () => page.evaluate(() => window.studio.view.camera.place)
  await page.focus('#time')
  await press(page, '4', 'Shift+Digit7')
  const kept = await place()
  await page.evaluate(() => window.studio.timeline.onFrame(200))
  await press(page, '2')
  assert.notDeepEqual(await place(), kept)
  await press(page, 'Digit7')
  const shown = await place()
  shown.camera.forEach((x, axis) => assert.ok(Math.abs(x - kept.camera[axis]!) < 1e-6))
  await closeStudio(page)
})
