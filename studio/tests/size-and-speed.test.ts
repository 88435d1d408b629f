// The size of the page, and work that does not grow with the length of the clip.

import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { drawn, opened } from './actions.ts'
import { builtPage, closeStudio, command, folder, openStudio, useStudio } from './setup.ts'

useStudio()

/** Largest size of the compressed page, in bytes: one second at 5 Mbit/s. */
const MAX_PAGE_BYTES = 600_000
/** The files of the page that a first visit fetches: not the worker and the full module. */
const FIRST_LOAD = ['index.html', 'studio.css', 'studio.js', 'surefoot.wasm']

test('the first load of the page has at most 600 KB after compression', async () => {
  const page = await openStudio()
  await drawn(page)
  const addresses = await page.evaluate(() =>
    ['navigation', 'resource'].flatMap(type => performance.getEntriesByType(type).map(({ name }) => name)),
  )
  await closeStudio(page)
  const fetched = addresses.map(name => new URL(name).pathname.replace(/\/$/, '/index.html').split('/').pop())
  const names = readdirSync(builtPage).filter(name => fetched.includes(name))
  assert.deepEqual(names.sort(), FIRST_LOAD)
  const sizes = names.map(name => ({
    name,
    size: gzipSync(readFileSync(join(builtPage, name)), { level: 9 }).length,
  }))
  const total = sizes.reduce((sum, { size }) => sum + size, 0)
  console.log(`# ${total} bytes: ${sizes.map(({ name, size }) => `${name} ${size}`).join(', ')}`)
  assert.ok(total <= MAX_PAGE_BYTES, `${total} bytes`)
})

/** What the page does for a clip that is zoomed, scrubbed and edited. */
function exercise(page: Page) {
  return page.evaluate(async () => {
    const { state, view, timeline } = window.studio
    const nextPicture = () =>
      new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const time = async (count: number, work: (n: number) => unknown) => {
      const start = performance.now()
      for (let n = 0; n < count; n++) await work(n)
      return (performance.now() - start) / count
    }
    const { frames } = state.clip
    let curvePoints = timeline.curvePoints
    for (let n = 0; n < 40; n++) {
      timeline.zoom(0.8, frames / 2)
      curvePoints = Math.max(curvePoints, timeline.curvePoints)
    }
    timeline.showAll()
    await nextPicture()
    const scrubMs = await time(20, n => {
      timeline.onFrame(Math.round((n / 20) * frames))
      return nextPicture()
    })
    const edits = Array.from({ length: 9 }, (_, n) => {
      const edited = structuredClone(state.plants)
      edited[Math.floor(edited.length / 2)]!.last += n % 2 ? 1 : -1
      state.change(edited)
      return { frames: state.solvedFrames, ms: state.solveMs }
    }).slice(1)
    const drawMs = await time(5, () => timeline.draw())
    state.measure()
    return {
      frames,
      plants: state.plants.length,
      drawCalls: view.stats.calls,
      curvePoints,
      width: timeline.layout.width,
      scrubMs,
      drawMs,
      measureMs: state.measuring.ms,
      solvedFrames: Math.max(...edits.map(edit => edit.frames)),
      solveMs: edits.map(edit => edit.ms).sort((a, b) => a - b)[4]!,
    }
  })
}

async function workFor(seconds: number) {
  const name = `long${seconds}.bvh`
  command(
    'sample',
    'walk',
    '--skate',
    'scale',
    '--seconds',
    String(seconds),
    '-o',
    join(folder, name),
    '--force',
  )
  const page = await openStudio()
  const countElements = () => page.evaluate(() => document.querySelectorAll('*').length)
  const before = await countElements()
  const start = Date.now()
  await page.setInputFiles('#file', join(folder, name))
  await opened(page, name)
  const openMs = Date.now() - start
  await drawn(page)
  const work = await exercise(page)
  const elements = (await countElements()) - before
  console.log(
    `# ${work.frames} frames, ${work.plants} plants: opened in ${openMs} ms; scrubbing ` +
      `${work.scrubMs.toFixed(1)} ms per picture; ${work.drawCalls} draw calls, ${work.curvePoints} curve points, ` +
      `timeline ${work.drawMs.toFixed(1)} ms; edge moved: ${work.solvedFrames} frames in ` +
      `${work.solveMs.toFixed(1)} ms; measured in ${Math.round(work.measureMs)} ms`,
  )
  await closeStudio(page)
  return { ...work, elements }
}

test('drawing and solving do not grow with the clip: 2,000 and 20,000 frames', async () => {
  const short = await workFor(34)
  const long = await workFor(334)
  assert.ok(long.frames >= 20_000, `${long.frames}`)
  assert.equal(long.drawCalls, short.drawCalls)
  // Eight curves behind the bars and eight below, two points per pixel each, and some at both ends.
  for (const { curvePoints, width } of [short, long]) {
    assert.ok(curvePoints <= 16 * (2 * width + 4), `${curvePoints} points on ${width} pixels`)
  }
  const solved = `${long.solvedFrames} frames solved again, in the short clip ${short.solvedFrames}`
  assert.ok(long.solvedFrames <= 2 * short.solvedFrames, solved)
  // A longer clip may have more notes, but nothing else may grow.
  const elements = `${long.elements} more elements, in the short clip ${short.elements}`
  assert.ok(long.elements - short.elements < 400, elements)
})
