// The states of the page that a user can meet. Accessibility and the kept pictures are checked in each of them.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { drawn, drop, onBar } from './actions.ts'
import { walk } from './setup.ts'

/** A state of the page, and how to bring a page that has just opened the sample walk into it. */
export interface PageState {
  name: string
  enter: (page: Page) => Promise<unknown>
}

/** A skeleton without legs. */
const TAIL = `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Tail
  {
    OFFSET 0 0 -30
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 0 -20
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
0 90 0 0 0 0 0 0 0
0 90 0 0 0 0 0 20 0
`

/** Frame on display: the left foot stands, the right one swings. */
const FRAME = 90

const tab = (name: string) => (page: Page) => page.click(`[data-tab=${name}]`)
const toggle = (name: string) => (page: Page) => page.click(`[data-toggle=${name}]`)

/** Lifts the spot of a heel as high as a table. */
async function liftHeel(page: Page) {
  await page.evaluate(() => {
    const { state } = window.studio
    const [x, y, z] = state.spots[3]!
    state.select([3])
    state.change(state.plants.map((plant, n) => (n === 3 ? { ...plant, spot: [x, y + 1.5, z] } : plant)))
    window.studio.timeline.onFrame(state.plants[3]!.first)
  })
  await page.waitForFunction(() => window.studio.state.figures)
}

/** Shows a part of the clip, with a marker and a range. */
const zoomIn = (page: Page) =>
  page.evaluate(() => {
    const { state, timeline } = window.studio
    state.mark({ markers: [80, 130], range: [60, 140] })
    timeline.zoom(0.35, 100)
  })

async function openTwoClips(page: Page) {
  const buffer = readFileSync(walk)
  await page.setInputFiles(
    '#file',
    ['first.bvh', 'second.bvh'].map(name => ({ name, mimeType: 'text/plain', buffer })),
  )
  await page.waitForFunction(() => window.studio.project.clips.filter(({ review }) => review).length === 2)
}

const showProgress = (page: Page) =>
  page.evaluate(() => {
    const texts = { title: 'Opening walk.bvh', step: 'finding the plants', seconds: '1.0 s' }
    for (const [part, text] of Object.entries(texts)) {
      document.getElementById(`progress-${part}`)!.textContent = text
    }
    document.querySelector('progress')!.value = 0.6
    document.getElementById('progress')!.hidden = false
  })

export const STATES: PageState[] = [
  {
    name: 'first-visit',
    enter: page => page.evaluate(() => (document.getElementById('hint')!.hidden = false)),
  },
  { name: 'figures', enter: () => Promise.resolve() },
  { name: 'review', enter: tab('notes') },
  { name: 'settings', enter: tab('settings') },
  { name: 'rig', enter: tab('rig') },
  { name: 'side-by-side', enter: toggle('apart') },
  { name: 'wipe', enter: toggle('wipe') },
  { name: 'plant', enter: async page => page.mouse.click(...(await onBar(page, 3, 0.5))) },
  { name: 'lifted-heel', enter: liftHeel },
  { name: 'zoomed', enter: zoomIn },
  { name: 'clips', enter: openTwoClips },
  { name: 'progress', enter: showProgress },
  { name: 'menu', enter: page => page.click('#more summary') },
  { name: 'shortcuts', enter: page => page.click('#keys') },
  { name: 'drop', enter: page => page.evaluate(() => (document.getElementById('drop')!.hidden = false)) },
  { name: 'error', enter: page => drop(page, 'broken.bvh', 'HIERARCHY\nnonsense\n') },
  { name: 'no-legs', enter: page => drop(page, 'tail.bvh', TAIL) },
  { name: 'floor-image', enter: page => drop(page, 'floor.pgm', 'P2\n2 2\n255\n0 0\n0 0\n') },
]

/** Brings a page that has opened the sample walk into a state, always in the same way. */
export async function enter(page: Page, state: PageState) {
  await page.evaluate(frame => {
    document.getElementById('hint')!.hidden = true
    window.studio.timeline.onFrame(frame)
    window.studio.view.look('start')
  }, FRAME)
  await state.enter(page)
  await drawn(page)
}

/** Takes the focus away from all controls, so that no picture depends on the last click. */
export async function rest(page: Page) {
  await page.evaluate(() => {
    ;(document.activeElement as HTMLElement | null)?.blur()
    // The time that the last edit took differs from run to run, and with its digits the place of the buttons beside it.
    const solved = document.getElementById('solved')!
    solved.textContent = solved.textContent && '100 frames in 10.0 ms'
    solved.style.visibility = 'hidden'
    document.getElementById('message')!.style.transition = 'none'
  })
  await page.mouse.move(2, 2)
  await drawn(page)
}
