// One figure of the view: bones, markers on heels and balls, and the trails of those points.

import {
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  DynamicDrawUsage,
  type Group,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  type Matrix4,
  MeshBasicMaterial,
  MeshLambertMaterial,
  SphereGeometry,
  Vector3,
} from 'three'
import { LegCurve, type MotionData } from '../state/motion-data'
import { state } from '../state/state'
import { BonePlacer } from './bone-placer'
import { addInstances, scratchMatrix } from './instances'
import type { Palette } from './palette'

/** A planted point that moves faster than this skates, in m/s: the same limit as in the figures. */
const SKATE_SPEED = 0.1
/** A point lower than this counts as below the floor, in metres: less is not visible. */
const PENETRATION = -0.002
/** How much time a trail covers before and after the current frame, in seconds. */
const TRAIL_SECONDS = 1
/** Radius of a marker as a fraction of the figure's height. */
const MARKER_RADIUS = 0.013
/** Opacity of the captured figure where it overlaps the cleaned one. */
const GHOST_OPACITY = 0.48
/** The foot points that have a marker and a trail. */
const MARKED_POINTS = ['heel', 'ball'] as const

/** Whether the figure is the capture (the ghost) or the cleaned motion. */
export type FigureKind = 'captured' | 'cleaned'

export class Figure {
  private bones: InstancedMesh | null = null
  private markers: InstancedMesh | null = null
  private trails: Line[] = []
  private placer = new BonePlacer(1)

  constructor(
    private readonly kind: FigureKind,
    private readonly motion: MotionData,
    private readonly palette: Palette,
  ) {}

  /** Makes the meshes for the open clip. `size` is the height of the figure in metres. */
  build(world: Group, size: number) {
    const isGhost = this.kind === 'captured'
    const { legs } = state.clip
    this.placer = new BonePlacer(size)
    const material = new MeshLambertMaterial({
      color: this.palette.get(isGhost ? 'ghost' : 'body'),
      transparent: isGhost,
    })
    const capsule = new CapsuleGeometry(0.5, 1, 4, 10)
    this.bones = addInstances(world, new InstancedMesh(capsule, material, this.placer.bones.length))
    const markerMaterial = new MeshBasicMaterial({
      transparent: true,
      opacity: isGhost ? 0.7 : 1,
      depthTest: false,
    })
    const sphere = new SphereGeometry(MARKER_RADIUS * size, 16, 12)
    const count = MARKED_POINTS.length * legs.length
    this.markers = addInstances(world, new InstancedMesh(sphere, markerMaterial, Math.max(1, count)), 2)
    this.markers.count = count
    this.trails = legs.flatMap((_, leg) => MARKED_POINTS.map(point => this.makeTrail(leg, point === 'ball')))
    world.add(...this.trails)
  }

  private makeTrail(leg: number, isBall: boolean) {
    const capacity = 2 * Math.ceil(TRAIL_SECONDS * state.clip.fps) + 2
    const geometry = new BufferGeometry()
    const positions = new BufferAttribute(new Float32Array(3 * capacity), 3)
    geometry.setAttribute('position', positions.setUsage(DynamicDrawUsage))
    const legColour = leg % 2 ? 'right' : 'left'
    const color = this.palette.get(this.kind === 'captured' ? 'bad' : legColour)
    const material = new LineBasicMaterial({ color, transparent: true, opacity: isBall ? 0.9 : 0.5 })
    const line = new Line(geometry, material)
    line.frustumCulled = false
    return line
  }

  setVisible(bones: boolean, markers: boolean, trails: boolean) {
    if (this.bones) this.bones.visible = bones
    if (this.markers) this.markers.visible = markers
    this.trails.forEach(trail => (trail.visible = trails))
  }

  /** Shows the captured figure as a ghost, or as solid as the cleaned one. */
  setSolid(isSolid: boolean) {
    if (!this.bones) return
    const material = this.bones.material as MeshLambertMaterial
    material.opacity = isSolid ? 1 : GHOST_OPACITY
    material.depthWrite = isSolid
  }

  /** Poses the figure at a frame, moved aside by an offset in metres. */
  pose(frame: number, aside: Vector3) {
    const { bones, markers } = this
    if (!bones || !markers) return
    this.placer.place(bones, this.motion, frame, aside)
    state.clip.legs.forEach((_, leg) => {
      MARKED_POINTS.forEach((_, point) => {
        const index = MARKED_POINTS.length * leg + point
        markers.setMatrixAt(index, this.markerMatrix(frame, leg, point, aside))
        markers.setColorAt(index, this.palette.get(this.markerColour(frame, leg, point)))
        this.updateTrail(index, frame, this.footPoint(leg, point), aside)
      })
    })
    markers.instanceMatrix.needsUpdate = true
    if (markers.instanceColor) markers.instanceColor.needsUpdate = true
  }

  /** Index of a foot point in the positions of a frame. */
  private footPoint(leg: number, point: number) {
    return state.clip.joints.length + 3 * leg + point
  }

  private markerMatrix(frame: number, leg: number, point: number, aside: Vector3): Matrix4 {
    const [x, y, z] = this.motion.position(frame, this.footPoint(leg, point))
    return scratchMatrix.makeTranslation(x + aside.x, y, z + aside.z)
  }

  private markerColour(frame: number, leg: number, point: number) {
    const name = MARKED_POINTS[point]
    const isPlanted = state.plants.some(
      plant => plant.leg === leg && plant.point === name && plant.first <= frame && frame <= plant.last,
    )
    if (this.motion.curve(frame, leg, LegCurve.HeelHeight + point) < PENETRATION) return 'warn'
    if (!isPlanted) return 'ghost'
    return this.motion.curve(frame, leg, LegCurve.HeelSpeed + point) > SKATE_SPEED ? 'bad' : 'accent'
  }

  private updateTrail(index: number, frame: number, point: number, aside: Vector3) {
    const trail = this.trails[index]
    if (!trail) return
    const { fps, frames } = state.clip
    const around = Math.ceil(TRAIL_SECONDS * fps)
    const start = Math.max(0, frame - around)
    const end = Math.min(frames, frame + around + 1)
    const positions = trail.geometry.getAttribute('position') as BufferAttribute
    for (let f = start; f < end; f++) {
      const [x, y, z] = this.motion.position(f, point)
      positions.setXYZ(f - start, x + aside.x, y, z + aside.z)
    }
    positions.needsUpdate = true
    trail.geometry.setDrawRange(0, end - start)
  }
}
