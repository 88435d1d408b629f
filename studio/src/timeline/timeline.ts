// The timeline: a row of bars per foot point, a curve below, all on one canvas.

import { cssColour } from '../dom'
import { state } from '../state/state'
import { type CurveName, drawCurves } from './curves'
import { contextOf, startDrawing, strokeLine } from './drawing'
import { LABEL_WIDTH, Layout } from './layout'
import { drawMarks } from './marks'
import { drawMinimap, minimapX } from './minimap'
import { TimelinePointer } from './pointer'
import { RowBackground } from './row-background'
import { type NewPlant, drawNewPlant, drawRows } from './rows'
import { drawPointerText, drawRuler, drawSnap } from './ruler'
import type { Snap } from './snap'

export class Timeline {
  readonly layout: Layout
  curve: CurveName = 'height'
  /** Called with the frame that the user scrubs to. */
  onFrame: (frame: number) => void = () => undefined
  /** The plant being drawn with the pointer. */
  newPlant: NewPlant | null = null
  /** Called with a plant that the pointer selects or drags. */
  onPlant: (plant: number) => void = () => undefined
  /** Text beside the pointer during a drag, and its place in the canvas. */
  pointerText: { x: number; y: number; text: string } | null = null
  /** The frame that the dragged edge has snapped to. */
  snap: Snap | null = null
  /** Curve points in the last drawing, so that tests can bound the work of a redraw. */
  curvePoints = 0
  private readonly background = new RowBackground()
  /** The timeline without the playhead, so that playback does not redraw the bars and curves. */
  private withoutPlayhead: HTMLCanvasElement | null = null

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.layout = new Layout(canvas)
    new ResizeObserver(() => this.draw()).observe(canvas)
    new TimelinePointer(this, canvas)
  }

  showAll() {
    this.layout.showAll()
    this.draw()
  }

  /** Shows a clip that has just been opened. */
  showStart() {
    this.layout.showStart()
    this.draw()
  }

  zoom(factor: number, around = state.frame) {
    this.layout.zoom(factor, around)
    this.draw()
  }

  pan(frames: number) {
    this.layout.pan(frames)
    this.draw()
  }

  /** Pans so that a frame is visible. */
  reveal(frame: number) {
    const { from, to } = this.layout
    if (frame < from || frame > to) this.pan(frame - (from + to) / 2)
  }

  draw() {
    const { layout } = this
    if (!state.isOpen || !layout.width) return
    const drawing = startDrawing(this.canvas, layout)
    drawRuler(drawing)
    this.curvePoints = this.background.draw(drawing)
    drawRows(drawing)
    drawMarks(drawing)
    if (this.newPlant) drawNewPlant(drawing, this.newPlant)
    const band = { top: layout.rowsBottom + 8, bottom: layout.bottom - 8 }
    this.curvePoints += drawCurves(drawing, this.curve, band)
    drawMinimap(drawing)
    if (this.snap) drawSnap(drawing, this.snap)
    if (this.pointerText) drawPointerText(drawing, this.pointerText)
    this.withoutPlayhead = null
    this.drawPlayhead()
  }

  /** Moves the playhead to the current frame. */
  drawPlayhead() {
    const { canvas, layout } = this
    const context = contextOf(canvas)
    if (!this.withoutPlayhead) this.withoutPlayhead = copyOf(canvas)
    else if (this.withoutPlayhead.width !== canvas.width || this.withoutPlayhead.height !== canvas.height) {
      return this.draw()
    } else restore(context, this.withoutPlayhead)
    if (layout.hasMinimap) {
      const at = Math.round(minimapX(layout, state.frame)) + 0.5
      context.strokeStyle = cssColour('ink')
      strokeLine(context, [at, layout.bottom], [at, layout.height])
    }
    const x = Math.round(layout.xOfFrame(state.frame)) + 0.5
    if (x < LABEL_WIDTH || x > layout.width) return
    context.strokeStyle = context.fillStyle = cssColour('ink')
    strokeLine(context, [x, 8], [x, layout.bottom])
    context.beginPath()
    context.moveTo(x - 5, 1)
    context.lineTo(x + 5, 1)
    context.lineTo(x, 9)
    context.fill()
  }
}

function copyOf(canvas: HTMLCanvasElement) {
  const copy = document.createElement('canvas')
  copy.width = canvas.width
  copy.height = canvas.height
  contextOf(copy).drawImage(canvas, 0, 0)
  return copy
}

function restore(context: CanvasRenderingContext2D, image: HTMLCanvasElement) {
  context.save()
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, image.width, image.height)
  context.drawImage(image, 0, 0)
  context.restore()
}
