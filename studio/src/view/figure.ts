// One figure of the view: a body with volume, soles coloured by the state of the feet, and the trails of heels and balls.

import {
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  DynamicDrawUsage,
  type Group,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  MeshLambertMaterial,
  type Vector3,
} from 'three'
import { LegCurve, type MotionData } from '../state/motion-data'
import { state } from '../state/state'
import { BonePlacer } from './bone-placer'
import type { Character, CharacterFigure } from './character'
import { addInstances } from './instances'
import { Limbs, drawsLimbs } from './limbs'
import type { Palette } from './palette'
import { Soles } from './soles'

/** A planted point that moves faster than this skates, in m/s: the same limit as in the figures. */
const SKATE_SPEED = 0.1
/** A point lower than this counts as below the floor, in metres: less is not visible. */
const PENETRATION = -0.002
/** How much time a trail covers before and after the current frame, in seconds. */
const TRAIL_SECONDS = 1
/** Opacity of the captured figure where it overlaps the cleaned one. */
const GHOST_OPACITY = 0.48
/** The foot points that have a trail. */
const MARKED_POINTS = ['heel', 'ball'] as const

/** Whether the figure is the capture (the ghost) or the cleaned motion. */
export type FigureKind = 'captured' | 'cleaned'

/** How a figure is drawn: as the mesh of the file, with volume, as the bones of its skeleton, or not at all. */
export type FigureStyle = 'mesh' | 'body' | 'bones' | 'hidden'

export class Figure {
  private bones: InstancedMesh | null = null
  private limbs: Limbs | null = null
  private soles: Soles | null = null
  private character: CharacterFigure | null = null
  private material = new MeshLambertMaterial()
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
    this.character?.dispose()
    this.character = null
    // Where both figures are in the same place, the ghost is behind.
    const behind = { polygonOffset: isGhost, polygonOffsetFactor: 2, polygonOffsetUnits: 4 }
    const look = { color: this.palette.get(isGhost ? 'ghost' : 'body'), transparent: isGhost, ...behind }
    this.placer = new BonePlacer(size)
    this.material = drawsLimbs(new MeshLambertMaterial(look))
    const capsule = new CapsuleGeometry(0.5, 1, 4, 10)
    const bones = new InstancedMesh(capsule, new MeshLambertMaterial(look), this.placer.bones.length)
    this.bones = addInstances(world, bones)
    this.limbs = new Limbs(this.material)
    addInstances(world, this.limbs.mesh)
    this.soles = new Soles(isGhost ? GHOST_OPACITY : 1)
    world.add(this.soles.mesh)
    this.trails = legs.flatMap((_, leg) => MARKED_POINTS.map(point => this.makeTrail(leg, point === 'ball')))
    this.trails.forEach(trail => world.add(trail))
  }

  /** Adds the character of the file, which then takes the place of the plain body. */
  addCharacter(character: Character, world: Group) {
    const ghost = { colour: this.palette.get('ghost'), opacity: GHOST_OPACITY }
    this.character = character.addTo(world, this.kind === 'cleaned', ghost)
  }

  get hasCharacter() {
    return this.character !== null
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

  /** A clip without legs has no body and is always drawn as bones. */
  setVisible(style: FigureStyle, trails: boolean) {
    if (!this.limbs) return
    const hasBody = state.clip.body.limbs.length > 0
    const showsMesh = style === 'mesh' && this.character !== null
    const showsBody = (style === 'body' || style === 'mesh') && hasBody && !showsMesh
    if (this.bones) this.bones.visible = style !== 'hidden' && !showsBody && !showsMesh
    this.limbs.mesh.visible = showsBody
    if (this.soles) this.soles.mesh.visible = showsBody || showsMesh
    this.character?.setVisible(showsMesh)
    this.trails.forEach(trail => (trail.visible = trails))
  }

  /** Shows the captured figure as a ghost, or as solid as the cleaned one. */
  setSolid(isSolid: boolean) {
    const materials = [this.material, this.bones?.material, this.soles?.mesh.material]
    for (const material of materials as (MeshLambertMaterial | undefined)[]) {
      if (!material) continue
      material.opacity = isSolid ? 1 : GHOST_OPACITY
      material.depthWrite = isSolid
    }
    this.character?.setSolid(isSolid || this.kind === 'cleaned')
  }

  /** Poses the figure at a frame, moved aside by an offset in metres. */
  pose(frame: number, aside: Vector3) {
    if (!this.bones || !this.limbs || !this.soles) return
    this.placer.place(this.bones, this.motion, frame, aside)
    this.limbs.place(this.motion, frame, aside)
    this.soles.place(this.motion, frame, aside, (leg, point) =>
      this.palette.get(this.footColour(frame, leg, point)),
    )
    this.character?.pose(frame, aside, (leg, point) => {
      const colour = leg < state.clip.legs.length ? this.footColour(frame, leg, point) : 'ghost'
      return colour === 'ghost' ? null : this.palette.get(colour)
    })
    state.clip.legs.forEach((_, leg) => {
      MARKED_POINTS.forEach((_, point) => {
        this.updateTrail(MARKED_POINTS.length * leg + point, frame, this.footPoint(leg, point), aside)
      })
    })
  }

  /** Index of a foot point in the positions of a frame. */
  private footPoint(leg: number, point: number) {
    return state.clip.joints.length + 3 * leg + point
  }

  /** The colour of a heel or ball in this figure, by its state in this figure's motion. */
  private footColour(frame: number, leg: number, point: number) {
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
