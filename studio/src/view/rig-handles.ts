// Handles for editing the rig in the view: joints that can be picked, foot points that can be dragged.

import { type Group, InstancedMesh, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three'
import { byId } from '../dom'
import type { AttachedPoint, Leg, Vec3 } from '../messages'
import { state } from '../state/state'
import type { Camera } from './camera'
import { addInstances, scratchMatrix } from './instances'
import type { Palette } from './palette'

export const JOINT_ROLES = ['hip', 'knee', 'ankle'] as const
export const POINT_ROLES = ['heel', 'ball', 'toe'] as const
export type JointRole = (typeof JOINT_ROLES)[number]
export type PointRole = (typeof POINT_ROLES)[number]
/** The role of a joint or point in a leg. */
export type Role = JointRole | PointRole

export const isPointRole = (role: Role): role is PointRole => (POINT_ROLES as readonly Role[]).includes(role)

/** The joint that has a role in a leg, or that carries the point of that role. */
export function jointOf(leg: Required<Leg>, role: Role): number {
  const part: number | AttachedPoint = leg[role]
  return typeof part === 'number' ? part : part.joint
}

/** Radius of handles on screen, in pixels. */
const RADIUS = { footPoint: 7, legJoint: 6, otherJoint: 3.5 }
const HOVERED_SCALE = 1.4
/** How far from a handle the pointer still hits it, in pixels. A finger is less precise. */
const MOUSE_REACH = 16
const TOUCH_REACH = 30

/** A role of a leg. */
export interface LegRole {
  leg: number
  role: Role
}

/** A foot point of a leg. */
export interface LegPoint {
  leg: number
  role: PointRole
}

/** Handles are numbered like the positions of a frame: joints, then heel, ball and toe of each leg. */
export class RigHandles {
  isOn = false
  /** The role that the next click on a joint fills. */
  picking: LegRole | null = null
  onPick: (picked: LegRole, joint: number) => void = () => undefined
  onMoved: (moved: LegPoint, position: Vec3) => void = () => undefined
  /** Called when the handles have to be drawn again. */
  onChange: () => void = () => undefined
  private mesh: InstancedMesh | null = null
  private hovered: number | null = null
  private dragged: { handle: number; position: Vector3 } | null = null
  private readonly label = byId('joint')

  constructor(
    private readonly world: Group,
    private readonly camera: Camera,
    private readonly palette: Palette,
  ) {}

  private get jointCount() {
    return state.clip.joints.length
  }

  private get count() {
    return this.jointCount + POINT_ROLES.length * state.clip.legs.length
  }

  /** Makes the handles of the open clip. */
  build() {
    const material = new MeshBasicMaterial({ depthTest: false, transparent: true })
    const mesh = new InstancedMesh(new SphereGeometry(1, 16, 12), material, this.count)
    this.mesh = addInstances(this.world, mesh, 3)
    this.hovered = this.dragged = null
  }

  private position(handle: number) {
    if (this.dragged?.handle === handle) return this.dragged.position
    return new Vector3(...state.before.position(Math.round(state.frame), handle))
  }

  private handleOf({ leg, role }: LegPoint) {
    return this.jointCount + POINT_ROLES.length * leg + POINT_ROLES.indexOf(role)
  }

  positionOf(point: LegPoint) {
    return this.position(this.handleOf(point))
  }

  private pointOf(handle: number): LegPoint | null {
    const index = handle - this.jointCount
    const role = POINT_ROLES[index % POINT_ROLES.length]
    return index >= 0 && role ? { leg: Math.floor(index / POINT_ROLES.length), role } : null
  }

  /** Places and colours the handles. */
  show() {
    const { mesh } = this
    if (!mesh) return
    mesh.visible = this.isOn
    if (!this.isOn) return
    const legOfJoint = new Map<number, number>()
    state.clip.legs.forEach((leg, n) => JOINT_ROLES.forEach(role => legOfJoint.set(leg[role], n)))
    const scale = new Vector3()
    for (let handle = 0; handle < this.count; handle++) {
      const position = this.position(handle)
      const { radius, colour } = this.look(handle, legOfJoint.get(handle))
      // The handle has the same size on screen at any distance.
      scale.setScalar(radius * this.camera.pixelSize(position))
      scratchMatrix.makeTranslation(position).scale(scale)
      mesh.setMatrixAt(handle, scratchMatrix)
      mesh.setColorAt(handle, this.palette.get(colour))
    }
    mesh.instanceMatrix.needsUpdate = true
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true
  }

  /** Radius in pixels and colour of a handle; `leg` is the leg that a joint belongs to. */
  private look(handle: number, leg: number | undefined) {
    const isPoint = handle >= this.jointCount
    const kind = isPoint ? 'footPoint' : leg === undefined ? 'otherJoint' : 'legJoint'
    const colours = { footPoint: 'warn', otherJoint: 'quiet', legJoint: (leg ?? 0) % 2 ? 'right' : 'left' }
    return this.hovered === handle
      ? { radius: HOVERED_SCALE * RADIUS[kind], colour: 'ink' }
      : { radius: RADIUS[kind], colour: colours[kind] }
  }

  /** The handle nearest to the pointer, from `start` to before `end`; null if none is within reach. */
  private nearest(event: PointerEvent, start: number, end: number): number | null {
    const reach = event.pointerType === 'touch' ? TOUCH_REACH : MOUSE_REACH
    let best: number | null = null
    let least = Infinity
    for (let handle = start; handle < end; handle++) {
      const [x, y, depth] = this.camera.project(this.position(handle))
      const distance = Math.hypot(x - event.clientX, y - event.clientY)
      // The depth decides between handles at the same position: the one in front wins.
      if (distance < reach && distance + depth < least) {
        best = handle
        least = distance + depth
      }
    }
    return best
  }

  private nearestJoint(event: PointerEvent) {
    return this.nearest(event, 0, this.jointCount)
  }

  private nearestPoint(event: PointerEvent) {
    return this.nearest(event, this.jointCount, this.count)
  }

  /** Fills the role being picked, if the pointer is on a joint. */
  tryPick(event: PointerEvent): boolean {
    const { picking } = this
    const joint = picking && this.nearestJoint(event)
    if (!picking || joint === null) return false
    this.picking = null
    this.onPick(picking, joint)
    return true
  }

  /** The foot point under the pointer. */
  pointAt(event: PointerEvent): LegPoint | null {
    const handle = this.nearestPoint(event)
    return handle === null ? null : this.pointOf(handle)
  }

  drag(point: LegPoint, position: Vector3) {
    this.dragged = { handle: this.handleOf(point), position: position.clone() }
    this.redraw()
  }

  release(point: LegPoint) {
    const { dragged } = this
    this.dragged = null
    if (dragged) this.onMoved(point, dragged.position.toArray())
  }

  /** Names the handle under the pointer and returns the pointer's CSS cursor. */
  hover(event: PointerEvent): string {
    const joint = () => this.nearestJoint(event)
    const handle = this.picking ? joint() : (this.nearestPoint(event) ?? joint())
    this.showLabel(handle, event)
    if (handle !== this.hovered) {
      this.hovered = handle
      this.redraw()
    }
    if (handle === null) return this.picking ? 'crosshair' : ''
    if (handle >= this.jointCount) return 'grab'
    return this.picking ? 'pointer' : 'default'
  }

  private showLabel(handle: number | null, { clientX, clientY }: PointerEvent) {
    const { label } = this
    label.hidden = handle === null
    if (handle === null) return
    const { legs } = state.clip
    const point = this.pointOf(handle)
    label.textContent = point
      ? `${legs[point.leg]?.side} ${point.role}: drag to move`
      : state.jointName(handle)
    const box = label.parentElement?.getBoundingClientRect()
    label.style.left = `${clientX - (box?.left ?? 0) + 14}px`
    label.style.top = `${clientY - (box?.top ?? 0) - 10}px`
  }

  leave() {
    this.label.hidden = true
    if (this.hovered === null) return
    this.hovered = null
    this.redraw()
  }

  private redraw() {
    this.show()
    this.onChange()
  }

  /** Client coordinates of a handle, for tests. */
  onScreen(handle: number): [number, number] {
    const [x, y] = this.camera.project(this.position(handle))
    return [x, y]
  }
}
