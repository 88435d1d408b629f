// The tasks of the book's page for newcomers. Each step is done with what the page shows: labels, bars and keys that the
// page names. The tests check where they lead to, and `pictures.ts` takes their pictures.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { drawn, onBar } from './actions.ts'
import { walk } from './setup.ts'

/** A step of a task; one with a picture is shown in the book under this name. */
export interface Step {
  picture?: string
  run: (page: Page) => Promise<unknown>
}

export interface Task {
  name: string
  steps: Step[]
}

const review = (page: Page) =>
  page.evaluate(
    () => (window.studio.state.figures?.review ?? []).filter(({ kind }) => kind !== 'note').length,
  )

/** Waits until the present plants have been measured. */
async function measured(page: Page) {
  await page.evaluate(() => window.studio.state.measure())
  await drawn(page)
}

/** The bar that the second task makes too long, and the frames that it gets. */
const BAR = 3
const TOO_LONG = 20

/** Drags the right end of a bar by some frames, as the book says: with Ctrl, so that it does not snap. */
async function dragEnd(page: Page, frames: number) {
  const [x, y] = await onBar(page, BAR, 1)
  const pixels = await page.evaluate(() => window.studio.timeline.layout.pixelsPerFrame)
  await page.keyboard.down('Control')
  await page.keyboard.up('Control')
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.keyboard.down('Control')
  await page.mouse.move(x + (frames * pixels) / 2, y)
  await page.mouse.move(x + frames * pixels, y)
  await page.mouse.up()
  await page.keyboard.up('Control')
  await measured(page)
}

export const TASKS: Task[] = [
  {
    name: 'see what cleaning did',
    steps: [
      { picture: 'task-start', run: page => page.click('text="Got it"') },
      { run: page => page.keyboard.press(' ') },
      { run: page => page.waitForFunction(() => window.studio.state.frame > 20) },
      { run: page => page.keyboard.press(' ') },
      { picture: 'task-side-by-side', run: page => page.click('text="Side by side"') },
      {
        run: async page => {
          const { apart, ghost, wipe } = await page.evaluate(() => window.studio.view.display)
          assert.deepEqual({ apart, ghost, wipe }, { apart: true, ghost: false, wipe: false })
        },
      },
    ],
  },
  {
    name: 'find and fix a wrong plant',
    steps: [
      { run: page => page.click('text="Got it"') },
      { run: async page => assert.equal(await review(page), 0) },
      { run: page => dragEnd(page, TOO_LONG) },
      { picture: 'task-review', run: page => page.click('#notes') },
      { run: async page => assert.ok((await review(page)) > 0, 'the review names the plant') },
      { picture: 'task-item', run: page => page.click('#tab-notes .notes button >> nth=0') },
      {
        run: async page => {
          const { first, last } = await page.evaluate(n => window.studio.state.plants[n]!, BAR)
          const frame = await page.evaluate(() => window.studio.state.frame)
          assert.ok(
            frame >= first && frame <= last + 30,
            `the item is at frame ${frame}, not ${first}–${last}`,
          )
        },
      },
      { picture: 'task-fixed', run: page => dragEnd(page, -TOO_LONG) },
      { run: async page => assert.equal(await review(page), 0) },
    ],
  },
  {
    name: 'work through several clips',
    steps: [
      { run: page => page.click('text="Got it"') },
      {
        run: page =>
          page.setInputFiles(
            '#file',
            ['monday.bvh', 'tuesday.bvh', 'wednesday.bvh'].map(name => ({
              name,
              mimeType: 'text/plain',
              buffer: readFileSync(walk),
            })),
          ),
      },
      {
        run: page =>
          page.waitForFunction(() => window.studio.project.clips.filter(clip => clip.review).length === 3),
      },
      { picture: 'task-clips', run: page => page.click('text="tuesday.bvh"') },
      { run: page => page.waitForFunction(() => window.studio.state.clip.name === 'tuesday.bvh') },
      { run: page => page.keyboard.press('PageDown') },
      { run: page => page.waitForFunction(() => window.studio.state.clip.name !== 'tuesday.bvh') },
    ],
  },
]
