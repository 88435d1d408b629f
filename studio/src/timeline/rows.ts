// The rows of plants: one bar per plant, paler where the detection was less confident.

import type { Plant, PlantHold } from '../messages'
import { state } from '../state/state'
import { coverageOf } from './coverage'
import { type Drawing, legColour, strokeLine } from './drawing'
import { LABEL_WIDTH, ROW_HEIGHT, type Row } from './layout'

/** Space above a bar within its row, in pixels. */
const BAR_INSET = 3
const BAR_HEIGHT = ROW_HEIGHT - 7
/** Height of the bar of a plant without strength, in pixels. */
const LOWEST_BAR = 3

/** A plant that is being drawn with the pointer. */
export interface NewPlant {
  row: number
  first: number
  last: number
}

export function drawRows(drawing: Drawing) {
  const { context, layout, colour } = drawing
  layout.rows.forEach((row, index) => {
    const y = layout.yOfRow(index)
    context.fillStyle = colour('ink')
    context.fillText(row.name, 14, y + ROW_HEIGHT / 2, LABEL_WIDTH - 20)
    context.strokeStyle = colour('line')
    const bottom = y + ROW_HEIGHT - 0.5
    strokeLine(context, [LABEL_WIDTH, bottom], [layout.width, bottom])
    context.save()
    context.beginPath()
    context.rect(LABEL_WIDTH - 1, y, layout.width - LABEL_WIDTH + 1, ROW_HEIGHT)
    context.clip()
    drawBars(drawing, row, y)
    context.restore()
  })
}

/** Frames per pixel from which bars would run into each other. */
const MANY_FRAMES = 6

/** The plants of a row where many frames share a pixel: the higher a column, the more of it is planted. */
function drawCoverage({ context, layout, colour }: Drawing, row: Row, y: number) {
  const { from, to } = layout
  const own = [...state.plants.entries()].filter(
    ([, { leg, point }]) => leg === row.leg && point === row.point,
  )
  const count = Math.max(1, Math.round((to - from) * layout.pixelsPerFrame))
  const columns = { from, to, count }
  const draw = (shares: Float32Array) =>
    shares.forEach((share, column) => {
      const height = Math.ceil(BAR_HEIGHT * share)
      context.fillRect(LABEL_WIDTH + column, y + BAR_INSET + BAR_HEIGHT - height, 1, height)
    })
  context.fillStyle = colour(legColour(row.leg))
  draw(
    coverageOf(
      own.map(([, plant]) => plant),
      columns,
    ),
  )
  const loose = own.filter(([n]) => !state.isHeld(n))
  context.fillStyle = colour('bad')
  draw(
    coverageOf(
      loose.map(([, plant]) => plant),
      columns,
    ),
  )
}

function drawBars(drawing: Drawing, row: Row, y: number) {
  const { from, to } = drawing.layout
  if (drawing.layout.pixelsPerFrame < 1 / MANY_FRAMES) return drawCoverage(drawing, row, y)
  state.plants.forEach((plant, n) => {
    const isInRow = plant.leg === row.leg && plant.point === row.point
    if (isInRow && plant.last >= from && plant.first <= to) drawBar(drawing, plant, n, y)
  })
}

function drawBar({ context, layout, colour }: Drawing, plant: Plant, n: number, y: number) {
  const left = layout.xOfFrame(plant.first)
  const right = layout.xOfFrame(plant.last + 1)
  const width = Math.max(right - left, 2)
  context.globalAlpha = 0.25 + 0.6 * (plant.confidence ?? 1)
  context.fillStyle = colour(legColour(plant.leg))
  context.beginPath()
  // The height of the bar shows the strength of the plant.
  const height = Math.max(LOWEST_BAR, BAR_HEIGHT * (plant.strength ?? 1))
  context.roundRect(left, y + BAR_INSET + BAR_HEIGHT - height, width, height, 4)
  context.fill()
  context.globalAlpha = 1
  if (plant.kind === 'skate') drawHatching(context, colour('panel'), left, y + BAR_INSET, width)
  if (!state.isHeld(n)) {
    context.fillStyle = colour('bad')
    context.fillRect(left, y + ROW_HEIGHT - 6, width, 2)
  }
  if (state.selection.has(n)) {
    context.strokeStyle = colour('ink')
    context.lineWidth = 1.5
    context.stroke()
    context.lineWidth = 1
  }
  if (plant.hold) {
    context.fillStyle = colour('panel')
    drawHold(context, plant.hold, left, y, width)
  }
  if (plant.spot) {
    context.fillStyle = colour('panel')
    context.beginPath()
    context.arc((left + right) / 2, y + ROW_HEIGHT / 2 - 1, 2.5, 0, 2 * Math.PI)
    context.fill()
  }
}

/** Marks of the holds, on bars that are wide enough. */
const HOLD_MARKS: Record<PlantHold, string> = { full: '', pivot: '↻', height: '↕', ground: '↔' }
const MARK_WIDTH = 14

function drawHold(
  context: CanvasRenderingContext2D,
  hold: PlantHold,
  left: number,
  y: number,
  width: number,
) {
  if (width >= MARK_WIDTH) context.fillText(HOLD_MARKS[hold], left + 3, y + ROW_HEIGHT / 2)
}

/** Distance between the strokes over the bar of a foot that slides, in pixels. */
const HATCHING_STEP = 6

/** Strokes over the bar of a foot that slides. */
function drawHatching(
  context: CanvasRenderingContext2D,
  colour: string,
  left: number,
  top: number,
  width: number,
) {
  context.save()
  context.beginPath()
  context.rect(left, top, width, BAR_HEIGHT)
  context.clip()
  context.strokeStyle = colour
  for (let x = left - BAR_HEIGHT; x < left + width; x += HATCHING_STEP) {
    strokeLine(context, [x, top + BAR_HEIGHT], [x + BAR_HEIGHT, top])
  }
  context.restore()
}

export function drawNewPlant({ context, layout, colour }: Drawing, { row, first, last }: NewPlant) {
  const left = layout.xOfFrame(first)
  context.fillStyle = colour('accent')
  context.globalAlpha = 0.4
  context.fillRect(left, layout.yOfRow(row) + BAR_INSET, layout.xOfFrame(last + 1) - left, BAR_HEIGHT)
  context.globalAlpha = 1
}
