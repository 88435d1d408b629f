// The minimap: the whole clip below a timeline that shows a part of it, with the plants, what needs a look, the markers
// and the visible part.

import { openItems } from '../panels/review-panel'
import { state } from '../state/state'
import { coverageOf } from './coverage'
import { type Drawing, legColour } from './drawing'
import { LABEL_WIDTH, type Layout, MINIMAP_HEIGHT, RIGHT_MARGIN } from './layout'

/** Space above and below the rows of the minimap, in pixels. */
const INSET = 3
/** Width of a mark for an item of the review, in pixels. */
const MARK = 2

const widthOf = (layout: Layout) => Math.max(1, Math.floor(layout.width - LABEL_WIDTH - RIGHT_MARGIN))

/** The frame at a position on the minimap. */
export function minimapFrame(layout: Layout, x: number) {
  return ((x - LABEL_WIDTH) / widthOf(layout)) * state.clip.frames
}

/** The position of a frame on the minimap. */
export function minimapX(layout: Layout, frame: number) {
  return LABEL_WIDTH + (frame / state.clip.frames) * widthOf(layout)
}

export function drawMinimap(drawing: Drawing) {
  const { context, layout, colour } = drawing
  if (!layout.hasMinimap) return
  const top = layout.bottom
  context.fillStyle = colour('ground')
  context.fillRect(LABEL_WIDTH, top, widthOf(layout), MINIMAP_HEIGHT)
  context.fillStyle = colour('quiet')
  context.fillText('whole clip', 14, top + MINIMAP_HEIGHT / 2, LABEL_WIDTH - 20)
  drawPlants(drawing, top)
  drawItems(drawing, top)
  const left = minimapX(layout, layout.from)
  context.strokeStyle = colour('ink')
  context.strokeRect(left, top + 0.5, minimapX(layout, layout.to) - left, MINIMAP_HEIGHT - 1)
}

function drawPlants({ context, layout, colour }: Drawing, top: number) {
  const { rows } = layout
  const columns = { from: 0, to: state.clip.frames, count: widthOf(layout) }
  const height = (MINIMAP_HEIGHT - 2 * INSET) / Math.max(1, rows.length)
  rows.forEach(({ leg, point }, row) => {
    const own = state.plants.filter(plant => plant.leg === leg && plant.point === point)
    context.fillStyle = colour(legColour(leg))
    coverageOf(own, columns).forEach((share, column) => {
      if (!share) return
      context.globalAlpha = share
      context.fillRect(LABEL_WIDTH + column, top + INSET + row * height, 1, height - 0.5)
    })
  })
  context.globalAlpha = 1
}

/** Marks what needs a look, and the markers of the user. */
function drawItems({ context, layout, colour }: Drawing, top: number) {
  const mark = (frame: number) =>
    context.fillRect(minimapX(layout, frame) - MARK / 2, top, MARK, MINIMAP_HEIGHT)
  context.fillStyle = colour('bad')
  for (const { frame, kind } of openItems()) if (frame !== null && kind !== 'note') mark(frame)
  context.fillStyle = colour('warn')
  state.markers.forEach(mark)
}
