// Finds what needs review: the worst frame of the result, and the plants that are least certain.

import type { ReviewItem } from '../messages'
import { openItems } from '../panels/review-panel'
import { state } from '../state/state'
import { view } from './editor'
import { jumpTo } from './playback'
import { showMessage } from './status'

/** The text of the item that was shown last. */
let shownItem = ''

/** Shows an item of the review: its frame, and the foot that it is about. */
export function showItem({ frame, text }: ReviewItem) {
  shownItem = text
  if (frame === null) return
  jumpTo(frame)
  const leg = state.clip.legs.findIndex(({ side }) => text.includes(`${side} `))
  if (leg >= 0 && view.display.focus) view.lookAtFoot(leg)
  showMessage(text)
}

/** Shows the item that is `by` further in the review, among those that have a frame and are not accepted. */
export function stepReview(by: 1 | -1) {
  if (!state.figures) state.measure()
  const items = openItems().filter(({ frame }) => frame !== null)
  const present = items.findIndex(({ text }) => text === shownItem)
  const next =
    items[present < 0 ? (by > 0 ? 0 : items.length - 1) : (present + by + items.length) % items.length]
  if (next) showItem(next)
  else showMessage('Nothing to review: every plant is held, and nothing new is visible')
}

/** Jumps to the worst artefact that cleaning introduced; if there is none, to the largest remaining drift. */
export function jumpToWorstFrame() {
  if (!state.figures) state.measure()
  const event = state.figures?.worst_event
  if (event) {
    jumpTo(event.frame)
    return showMessage(`Worst of the result: ${event.text}`)
  }
  const drift = largestDrift()
  if (!drift) return showMessage('Nothing to review: no new artefacts, and every plant is held at its spot')
  jumpTo(drift.frame)
  showMessage(`Frame ${drift.frame}: ${drift.point} is ${drift.text} from its spot; no new artefacts`)
}

/** The plant that is furthest from its spot after cleaning; null if the solver holds all plants. */
function largestDrift() {
  const { drifts, plants } = state
  const loose = [...plants.keys()].filter(n => !state.isHeld(n))
  const [worst] = loose.sort((a, b) => (drifts[b] ?? 0) - (drifts[a] ?? 0))
  const plant = worst === undefined ? undefined : plants[worst]
  if (worst === undefined || !plant) return null
  const side = state.clip.legs[plant.leg]?.side
  const text = `${(1000 * (drifts[worst] ?? 0)).toFixed(1)} mm`
  return { frame: furthestFrame(worst), point: `${side} ${plant.point}`, text }
}

/** The frame at which a planted point is furthest from its spot. */
function furthestFrame(n: number) {
  const plant = state.plants[n]
  const spot = state.spots[n]
  if (!plant || !spot) return plant?.first ?? 0
  // After the joints follow heel, ball and toe of each leg.
  const index = state.clip.joints.length + 3 * plant.leg + ['heel', 'ball', 'toe'].indexOf(plant.point)
  let furthest = { frame: plant.first, distance: -1 }
  for (let frame = plant.first; frame <= plant.last; frame++) {
    const [x, y, z] = state.after.position(frame, index)
    const distance = Math.hypot(x - spot[0], y - spot[1], z - spot[2])
    if (distance > furthest.distance) furthest = { frame, distance }
  }
  return furthest.frame
}

/** Position in the list of plants by confidence. */
let uncertainIndex = -1

/** Selects the plant with the lowest detection confidence; each further call selects the next one. */
export function selectNextUncertain() {
  const confidence = (n: number) => state.plants[n]?.confidence ?? 1
  const order = [...state.plants.keys()].sort((a, b) => confidence(a) - confidence(b))
  if (!order.length) return showMessage('There are no plants')
  uncertainIndex = (uncertainIndex + 1) % order.length
  selectAndShow(order[uncertainIndex] ?? 0)
  const [plant] = state.selectedPlants
  if (!plant) return
  const { leg, point, first, last } = plant
  const percent = Math.round(100 * (plant.confidence ?? 1))
  showMessage(`${state.clip.legs[leg]?.side} ${point}, frames ${first}–${last}: ${percent} % confidence`)
}

/** Selects the plant that is `by` further in the list. */
export function selectNeighbour(by: 1 | -1) {
  const count = state.plants.length
  if (!count) return
  const [current = by > 0 ? -1 : 0] = state.selection
  selectAndShow((current + by + count) % count)
}

function selectAndShow(n: number) {
  state.select([n])
  jumpTo(state.plants[n]?.first ?? 0)
  showFootOf(n)
  state.notify()
}

/** Moves the camera close to the foot of a plant, if the user wants that. */
export function showFootOf(n: number) {
  const plant = state.plants[n]
  if (plant && view.display.focus) view.lookAtFoot(plant.leg)
}
