// The soles of a figure's feet, shaped by heel, ball and toe and coloured by the state of heel and ball.

import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  DoubleSide,
  Mesh,
  MeshLambertMaterial,
  Vector3,
} from 'three'
import type { MotionData } from '../state/motion-data'
import { state } from '../state/state'
import { floorPlane } from './floor'

/** Thickness of a sole as a fraction of its length. */
const THICKNESS = 0.07
/** Position of the ball along a foot whose toe tip is unknown. */
const BALL_AT = 0.72

/** One mesh for the soles of all feet of a figure. */
export class Soles {
  readonly mesh: Mesh
  private readonly positions: BufferAttribute
  private readonly colours: BufferAttribute
  private readonly heel = new Vector3()
  private readonly ball = new Vector3()
  private readonly toe = new Vector3()
  private readonly across = new Vector3()
  private readonly at = new Vector3()

  constructor(opacity: number) {
    const { legs, body } = state.clip
    const corners = 2 * body.sole.length * legs.length
    const geometry = new BufferGeometry()
    this.positions = new BufferAttribute(new Float32Array(3 * corners), 3)
    this.colours = new BufferAttribute(new Float32Array(3 * corners), 3)
    geometry.setAttribute('position', this.positions)
    geometry.setAttribute('color', this.colours)
    geometry.setIndex(legs.flatMap((_, leg) => triangles(2 * body.sole.length * leg, body.sole.length)))
    const material = new MeshLambertMaterial({
      vertexColors: true,
      flatShading: true,
      side: DoubleSide,
      transparent: opacity < 1,
      opacity,
    })
    this.mesh = new Mesh(geometry, material)
    this.mesh.frustumCulled = false
  }

  /** Places the soles at a frame. `colourOf` gives the colour of a heel (0) or ball (1). */
  place(motion: MotionData, frame: number, aside: Vector3, colourOf: (leg: number, point: number) => Color) {
    state.clip.legs.forEach((_, leg) =>
      this.placeSole(motion, frame, leg, aside, [colourOf(leg, 0), colourOf(leg, 1)]),
    )
    this.positions.needsUpdate = true
    this.colours.needsUpdate = true
  }

  private placeSole(motion: MotionData, frame: number, leg: number, aside: Vector3, colours: [Color, Color]) {
    const { heel, ball, toe, across, at } = this
    const first = state.clip.joints.length + 3 * leg
    heel.set(...motion.position(frame, first))
    ball.set(...motion.position(frame, first + 1))
    toe.set(...motion.position(frame, first + 2))
    const rear = heel.distanceTo(ball)
    const front = ball.distanceTo(toe)
    const hasToe = front > 0.05 * rear
    if (!hasToe) toe.lerpVectors(heel, ball, 1 / BALL_AT)
    const bend = hasToe ? Math.max(rear / (rear + front), 0.05) : BALL_AT
    const length = heel.distanceTo(toe)
    const { sole, outer } = state.clip.body
    across.subVectors(ball, heel).cross(floorPlane.normal).negate().normalize()
    across.multiplyScalar((outer[leg] ?? 1) * length)
    sole.forEach(([along, outwards], corner) => {
      if (along < bend) at.lerpVectors(heel, ball, along / bend)
      else at.lerpVectors(ball, toe, (along - bend) / (1 - bend))
      at.addScaledVector(across, outwards).add(aside)
      const colour = along < 0.45 ? colours[0] : colours[1]
      const index = 2 * (leg * sole.length + corner)
      this.positions.setXYZ(index, at.x, at.y, at.z)
      at.addScaledVector(floorPlane.normal, THICKNESS * length)
      this.positions.setXYZ(index + 1, at.x, at.y, at.z)
      this.colours.setXYZ(index, colour.r, colour.g, colour.b)
      this.colours.setXYZ(index + 1, colour.r, colour.g, colour.b)
    })
  }
}

/** Triangles of a sole: its lower and upper side, and the edge between them. Lower corners have even numbers. */
function triangles(first: number, corners: number): number[] {
  const lower = (corner: number) => first + 2 * (corner % corners)
  const upper = (corner: number) => lower(corner) + 1
  const all: number[] = []
  for (let corner = 0; corner < corners; corner++) {
    all.push(
      lower(corner),
      lower(corner + 1),
      upper(corner),
      upper(corner),
      lower(corner + 1),
      upper(corner + 1),
    )
  }
  // The corner opposite to a corner is on the other side of the foot, so strips across the foot fill both sides.
  for (let corner = 0; corner < corners / 2; corner++) {
    const [here, next] = [corner, corner + 1]
    const [across, acrossNext] = [corners - corner, corners - corner - 1]
    for (const side of [lower, upper]) {
      all.push(side(here), side(next), side(across), side(across), side(next), side(acrossNext))
    }
  }
  return all
}
