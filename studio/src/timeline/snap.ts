// Snaps a dragged edge to the nearest frame at which the foot point comes to rest or leaves the ground.

import type { Plant } from '../messages'
import { LegCurve } from '../state/motion-data'
import { state } from '../state/state'

/** A point slower than this is at rest, in m/s. Higher values snap earlier at heel strike, later at toe off. */
const REST_SPEED = 0.3
/** A point is down within this height above the lowest position of its plant, in metres. */
const DOWN_HEIGHT = 0.02
/** How near an edge has to be to snap, in pixels. */
const REACH_PIXELS = 6

/** The frame that an edge snapped to, and the curve that crosses its threshold there. */
export interface Snap {
  frame: number
  to: 'speed' | 'height'
}

/** The nearest threshold crossing within reach of a frame; null if there is none. */
export function findSnap(frame: number, plant: Plant, pixelsPerFrame: number): Snap | null {
  // There are no curves of toe tips.
  if (plant.point === 'toe') return null
  const reach = Math.max(1, Math.round(REACH_PIXELS / pixelsPerFrame))
  const isDown = thresholds(plant)
  let best: Snap | null = null
  const last = Math.min(state.clip.frames - 1, frame + reach)
  for (let f = Math.max(1, frame - reach); f <= last; f++) {
    for (const to of ['speed', 'height'] as const) {
      const isCrossing = isDown[to](f - 1) !== isDown[to](f)
      const isNearer = !best || Math.abs(f - frame) < Math.abs(best.frame - frame)
      if (isCrossing && isNearer) best = { frame: f, to }
    }
  }
  return best
}

/** Tests by frame: whether the captured point is slow, and whether it is low. */
function thresholds({ leg, point, first, last }: Plant) {
  const isBall = point === 'ball'
  const height = (f: number) => state.before.curve(f, leg, isBall ? LegCurve.BallHeight : LegCurve.HeelHeight)
  const speed = (f: number) => state.before.curve(f, leg, isBall ? LegCurve.BallSpeed : LegCurve.HeelSpeed)
  let lowest = Infinity
  for (let f = first; f <= last; f++) lowest = Math.min(lowest, height(f))
  return {
    speed: (f: number) => speed(f) <= REST_SPEED,
    height: (f: number) => height(f) <= lowest + DOWN_HEIGHT,
  }
}
