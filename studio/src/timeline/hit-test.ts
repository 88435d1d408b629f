// Finds the plant under the pointer, and which part of its bar.

import { type DragKind } from '../state/plant-edits'
import { state } from '../state/state'
import { LABEL_WIDTH, type Layout } from './layout'

/** How far from a bar's edge the mouse still grabs it, in pixels. */
const MOUSE_REACH = 6
/** How far from a bar's edge a finger still grabs it, in pixels: a finger covers the bar that it touches. */
const TOUCH_REACH = 18

export interface Hit {
  plant: number
  kind: DragKind
}

/** The bar or bar edge nearest to a position; null if there is none within reach. */
export function hitTest(layout: Layout, x: number, y: number, isTouch = false): Hit | null {
  const row = layout.rows[layout.rowAtY(y)]
  if (!row || x < LABEL_WIDTH) return null
  const reach = isTouch ? TOUCH_REACH : MOUSE_REACH
  const hits = state.plants.flatMap(({ leg, point, first, last }, plant) => {
    if (leg !== row.leg || point !== row.point) return []
    return hitsOfBar(x, layout.xOfFrame(first), layout.xOfFrame(last + 1), reach).map(hit => ({
      ...hit,
      plant,
    }))
  })
  return hits.sort((a, b) => a.distance - b.distance)[0] ?? null
}

/** The parts of a bar from `left` to `right` that x hits, with the distance to the pointer. */
function hitsOfBar(x: number, left: number, right: number, reach: number) {
  const hits: { kind: DragKind; distance: number }[] = []
  // The middle third of a short bar moves the bar as a whole.
  const inside = Math.min(reach, (right - left) / 3)
  if (x >= left - reach && x <= left + inside) hits.push({ kind: 'first', distance: Math.abs(x - left) })
  if (x >= right - inside && x <= right + reach) hits.push({ kind: 'last', distance: Math.abs(x - right) })
  // An edge within reach is always nearer than the bar itself.
  if (x > left && x < right) hits.push({ kind: 'bar', distance: reach + 1 })
  return hits
}
