// The ruler of frame numbers, and the mark of a snapped edge in it.

import { type Drawing, strokeLine } from './drawing'
import { RULER_HEIGHT } from './layout'
import type { Snap } from './snap'

/** Distances between numbers, in frames; the first that leaves enough space is used. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000]
/** Least space for a number, in pixels. */
const MIN_SPACING = 64
/** A number this close to the right border would be cut off, in pixels. */
const NUMBER_WIDTH = 34

export function drawRuler({ context, layout, colour }: Drawing) {
  const step = STEPS.find(frames => frames * layout.pixelsPerFrame > MIN_SPACING) ?? 100000
  context.fillStyle = colour('quiet')
  context.strokeStyle = colour('line')
  context.lineWidth = 1
  for (let frame = Math.ceil(layout.from / step) * step; frame <= layout.to; frame += step) {
    const x = Math.round(layout.xOfFrame(frame)) + 0.5
    strokeLine(context, [x, RULER_HEIGHT - 4], [x, layout.bottom])
    if (x < layout.width - NUMBER_WIDTH) context.fillText(String(frame), x + 4, RULER_HEIGHT / 2)
  }
}

/** Marks the frame that an edge snapped to, with the name of the curve that crosses its threshold. */
export function drawSnap({ context, layout, colour }: Drawing, { frame, to }: Snap) {
  const x = Math.round(layout.xOfFrame(frame)) + 0.5
  context.strokeStyle = colour('accent')
  context.setLineDash([3, 3])
  strokeLine(context, [x, RULER_HEIGHT], [x, layout.rowsBottom])
  context.setLineDash([])
  context.fillStyle = colour('panel')
  context.fillRect(x + 1, 0, context.measureText(to).width + 8, RULER_HEIGHT)
  context.fillStyle = colour('accent')
  context.fillText(to, x + 5, RULER_HEIGHT / 2)
}

/** Text beside the pointer, inside the timeline. */
export function drawPointerText(
  { context, layout, colour }: Drawing,
  at: { x: number; y: number; text: string },
) {
  const width = context.measureText(at.text).width + 12
  const x = Math.min(at.x + 14, layout.width - width)
  const y = Math.max(at.y - 26, 0)
  context.fillStyle = colour('ink')
  context.fillRect(x, y, width, 20)
  context.fillStyle = colour('panel')
  context.fillText(at.text, x + 6, y + 10)
}
