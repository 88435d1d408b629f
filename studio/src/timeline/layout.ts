// Where frames and rows are on the timeline's canvas, and which frames are visible. All sizes in CSS pixels.

import type { PlantPoint } from '../messages'
import { clamp } from '../numbers'
import { state } from '../state/state'

/** Width of the row labels. */
export const LABEL_WIDTH = 92
export const RULER_HEIGHT = 20
export const ROW_HEIGHT = 25
/** Space between the ruler and the first row. */
const ROWS_GAP = 4
/** Space right of the last frame, so that its edge can be grabbed. */
export const RIGHT_MARGIN = 10
/** Height of the minimap. */
export const MINIMAP_HEIGHT = 22
/** Longest clip that is shown as a whole when it opens, in seconds. In a longer one bars would be too thin to grab. */
const WHOLE_SECONDS = 60
/** How much of a longer clip is shown when it opens, in seconds. */
const START_SECONDS = 20
/** Fewest frames on display at the highest zoom. */
const MIN_SPAN = 8

/** A row of the timeline: one foot point. */
export interface Row {
  leg: number
  point: PlantPoint
  name: string
}

export class Layout {
  /** The visible frames; fractional while zooming. */
  from = 0
  to = 1

  constructor(private canvas: HTMLCanvasElement) {}

  get rows(): Row[] {
    if (!state.isOpen) return []
    // Toe tips are rarely planted: their rows appear with the first plant.
    const hasToes = state.plants.some(({ point }) => point === 'toe')
    const points: PlantPoint[] = hasToes ? ['heel', 'ball', 'toe'] : ['heel', 'ball']
    return state.clip.legs.flatMap(({ side }, leg) =>
      points.map(point => ({ leg, point, name: `${side} ${point}` })),
    )
  }

  get width() {
    return this.canvas.clientWidth
  }

  get height() {
    return this.canvas.clientHeight
  }

  /** Whether only a part of the clip is visible. */
  get hasMinimap() {
    return this.to - this.from < this.frames - 0.5
  }

  /** The y below everything but the minimap. */
  get bottom() {
    return this.height - (this.hasMinimap ? MINIMAP_HEIGHT : 0)
  }

  get pixelsPerFrame() {
    return (this.width - LABEL_WIDTH - RIGHT_MARGIN) / Math.max(this.to - this.from, 1)
  }

  xOfFrame(frame: number) {
    return LABEL_WIDTH + (frame - this.from) * this.pixelsPerFrame
  }

  frameAtX(x: number) {
    return (x - LABEL_WIDTH) / this.pixelsPerFrame + this.from
  }

  yOfRow(row: number) {
    return RULER_HEIGHT + ROWS_GAP + row * ROW_HEIGHT
  }

  rowAtY(y: number) {
    return Math.floor((y - RULER_HEIGHT - ROWS_GAP) / ROW_HEIGHT)
  }

  /** The y below the last row. */
  get rowsBottom() {
    return this.yOfRow(this.rows.length)
  }

  private get frames() {
    return state.isOpen ? state.clip.frames : 1
  }

  showAll() {
    this.from = 0
    this.to = this.frames
  }

  /** Shows a clip that has just been opened. */
  showStart() {
    this.showAll()
    if (!state.isOpen || this.frames <= WHOLE_SECONDS * state.clip.fps) return
    this.to = Math.round(START_SECONDS * state.clip.fps)
  }

  /** Scales the visible range and keeps the frame `around` in its place. */
  zoom(factor: number, around: number) {
    const span = Math.min(this.frames, Math.max(MIN_SPAN, (this.to - this.from) * factor))
    const share = (around - this.from) / (this.to - this.from)
    this.show(around - share * span, span)
  }

  pan(frames: number) {
    this.show(this.from + frames, this.to - this.from)
  }

  private show(from: number, span: number) {
    this.from = clamp(from, 0, this.frames - span)
    this.to = this.from + span
  }
}
