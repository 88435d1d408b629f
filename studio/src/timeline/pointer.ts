// Mouse and touch on the timeline: scrubbing, panning, drawing new plants and dragging existing ones.

import { attempt } from '../app/status'
import { FrameTask } from '../frame-task'
import type { Plant } from '../messages'
import { clamp } from '../numbers'
import { type DragKind, addPlant, draggedPlant, freeRange, splitPlants } from '../state/plant-edits'
import { state } from '../state/state'
import { hitTest } from './hit-test'
import { LABEL_WIDTH, RULER_HEIGHT } from './layout'
import { minimapFrame } from './minimap'
import { findSnap } from './snap'
import type { Timeline } from './timeline'

/** Zoom per unit of wheel movement: a notch of a common mouse wheel (100) zooms by 16 %. */
const WHEEL_ZOOM = 0.0015

/** The current drag. Frames are fractional. */
type Gesture =
  | { kind: 'scrub' }
  | { kind: 'minimap' }
  | { kind: 'pan'; x: number; from: number }
  | { kind: 'draw'; row: number; start: number }
  | PlantDrag

/** Dragging the selected plants, with the plants as they were at the start. */
interface PlantDrag {
  kind: DragKind
  start: number
  /** The plant under the pointer. */
  plant: number
  plants: Plant[]
  selection: Set<number>
}

export class TimelinePointer {
  private gesture: Gesture | null = null
  private readonly solving = new FrameTask()

  constructor(
    private readonly timeline: Timeline,
    private readonly canvas: HTMLCanvasElement,
  ) {
    canvas.addEventListener('pointerdown', event => this.down(event))
    canvas.addEventListener('pointermove', event => this.move(event))
    canvas.addEventListener('pointerup', () => this.up())
    canvas.addEventListener('pointercancel', () => this.up())
    canvas.addEventListener('wheel', event => this.wheel(event), { passive: false })
    canvas.addEventListener('dblclick', ({ offsetX, offsetY }) => {
      const hit = hitTest(this.layout, offsetX, offsetY)
      if (hit) attempt(() => splitPlants([hit.plant], Math.round(this.layout.frameAtX(offsetX))))
    })
  }

  private get layout() {
    return this.timeline.layout
  }

  private down(event: PointerEvent) {
    if (!state.isOpen) return
    const { offsetX: x, offsetY: y } = event
    this.canvas.setPointerCapture(event.pointerId)
    if (event.button === 1 || event.altKey) {
      this.gesture = { kind: 'pan', x, from: this.layout.from }
      return
    }
    if (this.layout.hasMinimap && y > this.layout.bottom) {
      this.gesture = { kind: 'minimap' }
      return this.showPart(x)
    }
    const row = this.layout.rowAtY(y)
    const hit = hitTest(this.layout, x, y, event.pointerType === 'touch')
    if (hit && (event.shiftKey || event.ctrlKey || event.metaKey)) this.toggleSelected(hit.plant)
    else if (hit) this.startDrag(hit.plant, hit.kind, x)
    else if (y > RULER_HEIGHT && row >= 0 && row < this.layout.rows.length && x > LABEL_WIDTH) {
      this.gesture = { kind: 'draw', row, start: this.layout.frameAtX(x) }
      state.select([])
      state.notify()
    } else {
      this.gesture = { kind: 'scrub' }
      this.scrub(x)
    }
  }

  private toggleSelected(plant: number) {
    if (!state.selection.delete(plant)) state.selection.add(plant)
    state.notify()
  }

  private startDrag(plant: number, kind: DragKind, x: number) {
    if (!state.selection.has(plant)) state.select([plant])
    state.remember()
    const selection = new Set(state.selection)
    const start = this.layout.frameAtX(x)
    this.gesture = { kind, start, plant, plants: structuredClone(state.plants), selection }
    const grabbed = state.plants[plant]
    if (grabbed) this.timeline.onFrame(shownFrame(grabbed, kind, start))
    this.timeline.onPlant(plant)
    state.notify()
  }

  private scrub(x: number) {
    this.timeline.onFrame(clamp(Math.round(this.layout.frameAtX(x)), 0, state.clip.frames - 1))
  }

  /** Shows the part of the clip around a position on the minimap, and goes there. */
  private showPart(x: number) {
    const frame = minimapFrame(this.layout, x)
    this.timeline.pan(frame - (this.layout.from + this.layout.to) / 2)
    this.timeline.onFrame(clamp(Math.round(frame), 0, state.clip.frames - 1))
  }

  private move(event: PointerEvent) {
    const { gesture } = this
    const { offsetX: x } = event
    if (!gesture) return this.updateCursor(event)
    if (gesture.kind === 'scrub') return this.scrub(x)
    if (gesture.kind === 'minimap') return this.showPart(x)
    if (gesture.kind === 'pan') {
      this.layout.from = gesture.from
      return this.timeline.pan((gesture.x - x) / this.layout.pixelsPerFrame)
    }
    if (gesture.kind === 'draw') {
      const ends = [Math.round(gesture.start), Math.round(this.layout.frameAtX(x))]
      this.timeline.newPlant = { row: gesture.row, first: Math.min(...ends), last: Math.max(...ends) }
      return this.timeline.draw()
    }
    this.dragPlants(gesture, event)
  }

  private updateCursor({ offsetX: x, offsetY: y }: PointerEvent) {
    const hit = hitTest(this.layout, x, y)
    const isInRows = y > RULER_HEIGHT && y < this.layout.rowsBottom
    const overBar = hit?.kind === 'bar' ? 'grab' : 'ew-resize'
    this.canvas.style.cursor = hit ? overBar : isInRows ? 'crosshair' : 'default'
  }

  private dragPlants(gesture: PlantDrag, event: PointerEvent) {
    const by = Math.round(this.layout.frameAtX(event.offsetX) - gesture.start)
    const canSnap = !(event.ctrlKey || event.metaKey)
    const plants = gesture.plants.map((plant, n) => {
      if (!gesture.selection.has(n)) return plant
      const range = freeRange(gesture.plants, n, gesture.selection)
      return draggedPlant(plant, gesture.kind, this.target(plant, gesture.kind, by, canSnap), range)
    })
    const { offsetX: x, offsetY: y } = event
    this.solving.schedule(() =>
      attempt(() => {
        state.select(gesture.selection)
        const dragged = plants[gesture.plant]
        if (dragged) this.showDragged(dragged, gesture.kind, x, y)
        state.drag(plants)
      }),
    )
  }

  /** Moves the playhead to the dragged edge, and shows the frame and the duration beside the pointer. */
  private showDragged(plant: Plant, kind: DragKind, x: number, y: number) {
    const frame = shownFrame(plant, kind, this.layout.frameAtX(x))
    const seconds = (plant.last - plant.first + 1) / state.clip.fps
    const frames = kind === 'bar' ? `${plant.first}–${plant.last}` : String(frame)
    this.timeline.pointerText = { x, y, text: `${frames} · ${seconds.toFixed(2)} s` }
    this.timeline.onFrame(frame)
  }

  /** The frame that a plant or its edge is dragged to, snapped if possible. */
  private target(plant: Plant, kind: DragKind, by: number, canSnap: boolean) {
    // The right edge of a bar lies at the frame after the last one.
    const behind = kind === 'last' ? 1 : 0
    const frame = (kind === 'last' ? plant.last : plant.first) + by + behind
    const snap = canSnap && kind !== 'bar' ? findSnap(frame, plant, this.layout.pixelsPerFrame) : null
    this.timeline.snap = snap
    return (snap?.frame ?? frame) - behind
  }

  private up() {
    this.solving.flush()
    const { newPlant } = this.timeline
    const row = newPlant && this.layout.rows[newPlant.row]
    this.gesture = this.timeline.snap = this.timeline.newPlant = this.timeline.pointerText = null
    if (newPlant && row) {
      const first = Math.max(newPlant.first, state.clip.first)
      attempt(() => addPlant(row.leg, row.point, first, Math.min(newPlant.last, state.clip.frames - 1)))
    }
    this.timeline.draw()
  }

  private wheel(event: WheelEvent) {
    event.preventDefault()
    const { deltaX, deltaY } = event
    if (event.shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) {
      this.timeline.pan((deltaX || deltaY) / this.layout.pixelsPerFrame)
    } else this.timeline.zoom(Math.exp(deltaY * WHEEL_ZOOM), this.layout.frameAtX(event.offsetX))
  }
}

/** The frame to look at while a plant or one of its edges is dragged. */
function shownFrame({ first, last }: Plant, kind: DragKind, pointer: number) {
  if (kind === 'first') return first
  return kind === 'last' ? last : clamp(Math.round(pointer), first, last)
}
