// Mouse and touch on the view: footprints and rig handles are grabbed before the camera turns.

import { Plane, Raycaster, Vector2, Vector3 } from 'three'
import { FrameTask } from '../frame-task'
import { state } from '../state/state'
import { floorPlane } from './floor'
import type { LegPoint } from './rig-handles'
import type { View } from './view'

export class ViewPointer {
  private readonly ray = new Raycaster()
  private readonly hit = new Vector3()
  /** The plane in which the grabbed footprint or foot point moves. */
  private readonly dragPlane = new Plane()
  private plant: number | null = null
  private point: LegPoint | null = null
  private readonly solving = new FrameTask()

  constructor(
    private readonly view: View,
    private readonly canvas: HTMLCanvasElement,
  ) {
    canvas.addEventListener('pointerdown', event => this.down(event), { capture: true })
    canvas.addEventListener('pointermove', event => this.move(event))
    canvas.addEventListener('pointerup', () => this.release())
    canvas.addEventListener('pointercancel', () => this.release())
    canvas.addEventListener('pointerleave', () => view.handles.leave())
  }

  private aim({ clientX, clientY }: PointerEvent) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect()
    const screen = new Vector2(((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2)
    this.ray.setFromCamera(screen, this.view.camera.camera)
  }

  private down(event: PointerEvent) {
    if (event.button || !state.isOpen) return
    this.aim(event)
    if (this.view.handles.isOn ? this.grabHandle(event) : this.grabFootprint()) {
      this.view.camera.controls.enabled = false
      this.canvas.setPointerCapture(event.pointerId)
      event.stopImmediatePropagation()
    }
  }

  private grabHandle(event: PointerEvent): boolean {
    const { handles, camera } = this.view
    if (handles.tryPick(event)) return true
    this.point = handles.pointAt(event)
    if (!this.point) return false
    const direction = camera.camera.getWorldDirection(new Vector3())
    this.dragPlane.setFromNormalAndCoplanarPoint(direction, handles.positionOf(this.point))
    return true
  }

  private grabFootprint(): boolean {
    const plant = this.view.footprints.hit(this.ray)
    if (plant === undefined) return false
    this.plant = plant
    state.select([plant])
    state.remember()
    const grabbed = state.plants[plant]
    if (grabbed) this.view.onGrab(grabbed)
    return true
  }

  private move(event: PointerEvent) {
    if (!state.isOpen) return
    const { handles, footprints } = this.view
    this.aim(event)
    if (this.point) {
      if (this.ray.ray.intersectPlane(this.dragPlane, this.hit)) handles.drag(this.point, this.hit)
    } else if (handles.isOn) this.canvas.style.cursor = handles.hover(event)
    else if (this.plant !== null) this.dragFootprint(this.plant)
    else this.canvas.style.cursor = footprints.hit(this.ray) === undefined ? '' : 'grab'
  }

  /** Moves the spot of a plant parallel to the floor. */
  private dragFootprint(plant: number) {
    const spot = state.spots[plant]
    this.dragPlane.setFromNormalAndCoplanarPoint(floorPlane.normal, new Vector3(...(spot ?? [0, 0, 0])))
    if (!this.ray.ray.intersectPlane(this.dragPlane, this.hit)) return
    const to = this.hit.toArray()
    this.solving.schedule(() => this.view.onSpot(plant, to))
  }

  private release() {
    this.solving.flush()
    if (this.point) this.view.handles.release(this.point)
    // The camera would move under the pointer during the drag.
    if (this.plant !== null) this.view.onRelease(this.plant)
    this.plant = this.point = null
    this.view.camera.controls.enabled = true
  }
}
