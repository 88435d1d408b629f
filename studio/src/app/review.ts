// Finds what needs review: the worst frame, and the plants that are least certain.

import { LegCurve } from '../state/motion-data'
import { state } from '../state/state'
import { jumpTo } from './playback'
import { showMessage } from './status'

/** Jumps to the frame at which a planted point drifts fastest in the capture. */
export function jumpToWorstFrame() {
  let fastest = -1
  let worst = 0
  for (const { leg, point, first, last } of state.plants) {
    const curve = point === 'ball' ? LegCurve.BallSpeed : LegCurve.HeelSpeed
    // The speed at the first frame is that of the movement into the plant.
    for (let frame = first + 1; frame <= last; frame++) {
      const speed = state.before.curve(frame, leg, curve)
      if (speed > fastest) {
        fastest = speed
        worst = frame
      }
    }
  }
  jumpTo(worst)
  showMessage(`Frame ${worst}: a planted point drifts at ${fastest.toFixed(2)} m/s in the capture`)
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
  state.notify()
}
