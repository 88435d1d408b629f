// Long clips: opened and measured in a worker, with progress and a way to cancel.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  cleanedByCommand,
  cleaningSetting,
  digest,
  drawn,
  drop,
  messageContains,
  opened,
  plants,
  press,
  put,
  writtenByPage,
} from './actions.ts'
import { closeStudio, command, folder, openStudio, serve, useStudio } from './setup.ts'

useStudio()

/** Makes a walk of some seconds and returns its path. */
function makeWalk(seconds: number) {
  const path = join(folder, `walk${seconds}.bvh`)
  command('sample', 'walk', '--skate', 'scale', '--seconds', String(seconds), '-o', path, '--force')
  return path
}

/** Waits until the worker has measured the motion. */
const measured = (page: Page) => page.waitForFunction(() => window.studio.state.figures !== null)

test('a clip of ten minutes shows its captured motion first, and progress until it can be edited', async () => {
  const path = makeWalk(600)
  const page = await openStudio()
  await page.evaluate(() => {
    const times = { start: 0, progress: 0, longestGap: 0, isOpen: 0 }
    let last = 0
    const tick = (now: number) => {
      const { state } = window.studio
      if (times.start && last) times.longestGap = Math.max(times.longestGap, now - last)
      last = now
      if (!times.start && state.isOpening) times.start = now
      if (!times.progress && !document.getElementById('progress')!.hidden) times.progress = now
      if (times.start && !state.isOpening) times.isOpen = now
      else requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
    Object.assign(window, { times })
  })
  await page.setInputFiles('#file', path)
  await page.locator('#progress').waitFor()
  assert.match((await page.textContent('#progress')) ?? '', /Opening walk600\.bvh.*\d s/s)
  await opened(page, 'walk600.bvh')
  await page.waitForFunction(() => (window as unknown as { times: { isOpen: number } }).times.isOpen > 0)
  const times = await page.evaluate(() => {
    const { start, progress, longestGap, isOpen } = (window as unknown as { times: Record<string, number> })
      .times as { start: number; progress: number; longestGap: number; isOpen: number }
    const captured = window.studio.activity.capturedMs
    return { captured: captured - start, progress: progress - start, open: isOpen - start, longestGap }
  })
  assert.equal(await page.isVisible('#progress'), false)
  await measured(page)
  const text = Object.entries(times).map(([name, ms]) => `${name} ${Math.round(ms)} ms`)
  console.log(`# 10 minutes at 60 fps: ${text.join(', ')}`)
  // The worker does the work: the page draws all the time, and shows the capture long before the result.
  assert.ok(times.captured < times.open, 'the captured motion comes first')
  assert.ok(times.longestGap < times.open / 2, `no picture for ${times.longestGap} ms`)
  assert.equal(await page.evaluate(() => window.studio.state.clip.frames), 36_001)
  await closeStudio(page)
})

test('a long clip that was opened and edited is saved as the bytes of the command', async () => {
  const path = makeWalk(60)
  const page = await openStudio()
  await page.setInputFiles('#file', path)
  await opened(page, 'walk60.bvh')
  assert.ok((await writtenByPage(page, 'motion')).equals(cleanedByCommand(path)))
  // The worker measures the same motion as the page would.
  await measured(page)
  const figures = () =>
    page.evaluate(() => {
      const bytes = window.studio.call({ kind: 'figures' })
      return [JSON.parse(new TextDecoder().decode(bytes)) as unknown, window.studio.state.figures] as const
    })
  const [fromPage, fromWorker] = await figures()
  assert.deepEqual(fromWorker, fromPage)
  await page.focus('#time')
  await press(page, ']', ']', '>', '>', '>')
  await page.waitForFunction(
    old => JSON.stringify(window.studio.state.figures) !== old,
    JSON.stringify(fromWorker),
  )
  const [edited, measuredAgain] = await figures()
  assert.deepEqual(measuredAgain, edited)
  const saved = put('walk60.plants.json', await writtenByPage(page, 'plants'))
  assert.ok((await writtenByPage(page, 'motion')).equals(cleanedByCommand(path, '--plants', saved)))
  await closeStudio(page)
})

test('motion and report of a long clip are written in a worker, as by the command', async () => {
  const path = makeWalk(60)
  const { address } = await serve(path)
  const page = await openStudio(address)
  page.on('dialog', dialog => dialog.accept())
  await page.focus('#time')
  await press(page, ']', '>', '>')
  const motion = await writtenByPage(page, 'motion')
  await press(page, 'Control+s')
  await messageContains(page, 'walk60.clean.bvh saved')
  assert.ok(readFileSync(join(folder, 'walk60.clean.bvh')).equals(motion))
  await page.click('#more summary')
  await page.click('[data-save=report]')
  await messageContains(page, 'walk60.report.html saved')
  const plantsFile = put('held.json', await writtenByPage(page, 'plants'))
  const report = join(folder, 'command.html')
  const output = join(folder, 'walk60.clean.bvh')
  command('clean', path, '-o', output, '--plants', plantsFile, '--report', report, '--force')
  assert.ok(readFileSync(join(folder, 'walk60.report.html')).equals(readFileSync(report)))
  await closeStudio(page)
})

test('settings of a long clip change in the worker, keep the edits, and are undone', async () => {
  const page = await openStudio()
  await page.setInputFiles('#file', makeWalk(60))
  await opened(page, 'walk60.bvh')
  await page.focus('#time')
  await press(page, ']', '>', '>')
  const edited = await plants(page)
  const before = await digest(page)
  await page.click('[data-tab=settings]')
  await page.click('.presets button:text("Paper")')
  await cleaningSetting(page, 'preset', 'paper')
  await page.waitForFunction(() => !window.studio.state.isOpening)
  assert.deepEqual(await plants(page), edited)
  assert.notEqual(await digest(page), before)
  await page.click('#undo')
  await page.waitForFunction(() => window.studio.state.settings.cleaning.preset === undefined)
  assert.equal(await digest(page), before)
  assert.deepEqual(await plants(page), edited)
  await closeStudio(page)
})

test('opening is cancelled with the button or Escape, and the file before stays open and can be edited', async () => {
  const path = makeWalk(600)
  const page = await openStudio()
  const [before, digestBefore] = [await plants(page), await digest(page)]
  for (const cancel of [() => page.click('#progress-cancel'), () => press(page, 'Escape')]) {
    await page.setInputFiles('#file', path)
    await page.locator('#progress').waitFor()
    await cancel()
    await messageContains(page, 'walk600.bvh was not opened')
    assert.equal(await page.isVisible('#progress'), false)
    assert.equal(await page.evaluate(() => window.studio.state.clip.name), 'walk.bvh')
    assert.deepEqual(await plants(page), before)
    assert.equal(await digest(page), digestBefore)
  }
  await page.focus('#time')
  await press(page, ']', '>')
  assert.notDeepEqual(await plants(page), before)
  await drawn(page)
  await closeStudio(page)
})

test('a long file that is broken is refused with its line, and the file before stays open', async () => {
  const text = readFileSync(makeWalk(60), 'latin1')
  const page = await openStudio()
  const before = await plants(page)
  await drop(page, 'broken.bvh', text.slice(0, -2000) + ' nonsense\n')
  await messageContains(page, 'broken.bvh: line')
  assert.equal(await page.evaluate(() => window.studio.state.clip.name), 'walk.bvh')
  assert.deepEqual(await plants(page), before)
  await closeStudio(page)
})

test('a file that needs more memory than a page can have is refused before it is read', async () => {
  const head = readFileSync(join(folder, 'walk.bvh'), 'latin1').replace(/Frames: \d+/, 'Frames: 4000000')
  const page = await openStudio()
  await page.evaluate(() => {
    File.prototype.arrayBuffer = () => Promise.reject(new Error('the file was read'))
  })
  await drop(page, 'week.bvh', head)
  await messageContains(page, 'week.bvh is too large for a browser: 4000000 frames of 24 joints (18.5 hours)')
  assert.equal(await page.evaluate(() => window.studio.state.clip.name), 'walk.bvh')
  await closeStudio(page)
})
