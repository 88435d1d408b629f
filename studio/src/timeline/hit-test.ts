// Finds the plant under the pointer, and which part of its bar.

import { type DragKind } from '../state/plant-edits'
import { state } from '../state/state'
import { LABEL_WIDTH, type Layout } from './layout'

/** How far from a bar's edge the mouse still grabs it, in pixels. */
const MOUSE_REACH = 6
/** The same for a finger, which hides what it points at. */
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
  let nearest: (Hit & { distance: number }) | null = null as (Hit & { distance: number }) | null
  const offer = (plant: number, kind: DragKind, distance: number) => {
    if (!nearest || distance < nearest.distance) nearest = { plant, kind, distance }
  }
  state.plants.forEach(({ leg, point, first, last }, n) => {
    if (leg !== row.leg || point !== row.point) return
    const left = layout.xOfFrame(first)
    const right = layout.xOfFrame(last + 1)
    // The middle third of a short bar moves the bar as a whole.
    const inside = Math.min(reach, (right - left) / 3)
    if (x >= left - reach && x <= left + inside) offer(n, 'first', Math.abs(x - left))
    if (x >= right - inside && x <= right + reach) offer(n, 'last', Math.abs(x - right))
    if (x > left && x < right) offer(n, 'bar', reach + 1)
  })
  return nearest
}
