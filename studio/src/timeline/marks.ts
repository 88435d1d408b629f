// Markers and the repeated range, in the ruler.

import { state } from '../state/state'
import type { Drawing } from './drawing'
import { LABEL_WIDTH, RULER_HEIGHT } from './layout'

/** Opacity of the frames outside the range. */
const OUTSIDE = 0.55
/** Half the width of a marker, in pixels. */
const MARKER = 4

export function drawMarks(drawing: Drawing) {
  if (state.range) drawRange(drawing, state.range)
  for (const marker of state.markers) drawMarker(drawing, marker)
}

/** Covers the frames that playback leaves out. */
function drawRange({ context, layout, colour }: Drawing, [first, last]: [number, number]) {
  const left = Math.max(LABEL_WIDTH, layout.xOfFrame(first))
  const right = Math.max(LABEL_WIDTH, layout.xOfFrame(last + 1))
  context.fillStyle = colour('panel')
  context.globalAlpha = OUTSIDE
  context.fillRect(LABEL_WIDTH, 0, left - LABEL_WIDTH, layout.height)
  context.fillRect(right, 0, Math.max(0, layout.width - right), layout.height)
  context.globalAlpha = 1
  context.fillStyle = colour('accent')
  context.fillRect(left, RULER_HEIGHT - 3, right - left, 3)
}

function drawMarker({ context, layout, colour }: Drawing, frame: number) {
  const x = Math.round(layout.xOfFrame(frame)) + 0.5
  if (x < LABEL_WIDTH || x > layout.width) return
  context.fillStyle = colour('warn')
  context.beginPath()
  context.moveTo(x - MARKER, 0)
  context.lineTo(x + MARKER, 0)
  context.lineTo(x + MARKER, 8)
  context.lineTo(x, 13)
  context.lineTo(x - MARKER, 8)
  context.fill()
  context.fillRect(x - 0.5, 13, 1, layout.rowsBottom - 13)
}
