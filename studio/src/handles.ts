// The rig by hand: joints that can be picked in the view, and points of feet that can be dragged.

import { Color, InstancedMesh, Matrix4, MeshBasicMaterial, SphereGeometry, Vector3 } from 'three'
import { Three } from './core'
import { state } from './state'
import type { View } from './view'

export type Role = 'hip' | 'knee' | 'ankle' | 'heel' | 'ball' | 'toe'
export const JOINTS: Role[] = ['hip', 'knee', 'ankle'], POINTS: Role[] = ['heel', 'ball', 'toe']

export class Handles {
  on = false
  /** The role that the next click on a joint fills. */
  armed: [leg: number, role: Role] | null = null
  onPick: (leg: number, role: Role, joint: number) => void = () => {}
  onMoved: (leg: number, role: Role, place: Three) => void = () => {}
  private mesh: InstancedMesh | null = null
  private hovered: number | null = null
  private moved: { n: number; place: Vector3 } | null = null
  private label = document.getElementById('joint')!
  constructor(private view: View) {}

  build() {
    const about = state.about!, count = about.joints.length + 3 * about.legs.length
    this.mesh = this.view.add(new InstancedMesh(new SphereGeometry(1, 16, 12), new MeshBasicMaterial({ depthTest: false, transparent: true }), count), 3)
    this.hovered = this.moved = null
  }

  /** Where a joint is, or after the joints, heel, ball and toe of each leg; as captured. */
  private place(n: number) { return this.moved?.n === n ? this.moved.place : new Vector3(...this.view.place(state.before, Math.round(state.frame), n)) }
  private point(leg: number, role: Role) { return state.about!.joints.length + 3 * leg + POINTS.indexOf(role) }
  at(leg: number, role: Role) { return this.place(POINTS.includes(role) ? this.point(leg, role) : state.about!.legs[leg][role as 'hip']) }

  show() {
    const { view, mesh } = this, about = state.about!, matrix = new Matrix4(), grey = view.colour('quiet'), colour = new Color(), size = new Vector3()
    if (!mesh) return
    mesh.visible = this.on
    if (!this.on) return
    const joints = about.joints.length, roles = new Map<number, number>()
    about.legs.forEach((leg, n) => JOINTS.forEach(role => roles.set(leg[role as 'hip'], n)))
    for (let n = 0; n < joints + 3 * about.legs.length; n++) {
      const leg = n < joints ? roles.get(n) : Math.floor((n - joints) / 3), place = this.place(n)
      // As large on the screen from near and far.
      const pixels = (n >= joints ? 7 : leg === undefined ? 3.5 : 6) * (this.hovered === n ? 1.4 : 1)
      mesh.setMatrixAt(n, matrix.makeTranslation(place.x, place.y, place.z).scale(size.setScalar(pixels * this.view.pixel(place))))
      mesh.setColorAt(n, colour.copy(this.hovered === n ? view.colour('ink') : n >= joints ? view.colour('warn') : leg === undefined ? grey : view.colour(leg % 2 ? 'right' : 'left')))
    }
    mesh.instanceMatrix.needsUpdate = true
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true
  }

  /** The nearest of these to the pointer, if it is near: further off for a finger. */
  private nearest(event: PointerEvent, from: number, to: number): number | null {
    const reach = event.pointerType === 'touch' ? 30 : 16
    let best: number | null = null, least = Infinity
    for (let n = from; n < to; n++) {
      const [x, y, deep] = this.view.project(this.place(n)), far = Math.hypot(x - event.clientX, y - event.clientY)
      // Of two in one place the one in front.
      if (far < reach && far + deep < least) { best = n; least = far + deep }
    }
    return best
  }
  private get joints() { return state.about!.joints.length }

  /** Fills the armed role, if the press is on a joint. */
  press(event: PointerEvent): boolean {
    if (!this.armed) return false
    const joint = this.nearest(event, 0, this.joints)
    if (joint === null) return false
    const [leg, role] = this.armed
    this.armed = null; this.onPick(leg, role, joint)
    return true
  }
  grabbed(event: PointerEvent): [number, Role] | null {
    const n = this.nearest(event, this.joints, this.joints + 3 * state.about!.legs.length)
    return n === null ? null : [Math.floor((n - this.joints) / 3), POINTS[(n - this.joints) % 3]]
  }
  move(leg: number, role: Role, place: Vector3) { this.moved = { n: this.point(leg, role), place: place.clone() }; this.show(); this.view.draw() }
  release(leg: number, role: Role) {
    const moved = this.moved
    if (!moved) return
    this.moved = null
    this.onMoved(leg, role, moved.place.toArray() as Three)
  }

  /** Names what is under the pointer; answers with the pointer's shape. */
  hover(event: PointerEvent): string {
    const about = state.about!, joints = this.joints
    const n = this.armed ? this.nearest(event, 0, joints) : this.nearest(event, joints, joints + 3 * about.legs.length) ?? this.nearest(event, 0, joints)
    this.label.hidden = n === null
    if (n !== null) {
      const leg = Math.floor((n - joints) / 3)
      this.label.textContent = n < joints ? about.joints[n].name || `joint ${n}` : `${about.legs[leg].side} ${POINTS[(n - joints) % 3]}: drag it`
      const box = this.label.parentElement!.getBoundingClientRect()
      this.label.style.left = `${event.clientX - box.left + 14}px`; this.label.style.top = `${event.clientY - box.top - 10}px`
    }
    if (n !== this.hovered) { this.hovered = n; this.show(); this.view.draw() }
    return n === null ? (this.armed ? 'crosshair' : '') : n < joints ? (this.armed ? 'pointer' : 'default') : 'grab'
  }
  leave() { this.label.hidden = true; if (this.hovered !== null) { this.hovered = null; this.show(); this.view.draw() } }

  /** Where on the screen a joint is, for tests. */
  onScreen(n: number): [number, number] { const [x, y] = this.view.project(this.place(n)); return [x, y] }
}
