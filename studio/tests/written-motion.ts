// The motion of a file as the command reads it, and its distance from what another reader finds in the file.

import { Matrix4, Quaternion, Vector3 } from 'three'
import type { Scene } from './three-reader.ts'

type Triple = [number, number, number]

interface Joint {
  name: string
  parent: number | null
  offset: Triple
}

interface Frame {
  root: Triple
  rotations: [number, number, number, number][]
  offsets?: [number, number, number, number][]
}

interface Header {
  fps: number
  joints: Joint[]
  legs: Record<string, { joint: string; offset: Triple } | string>[]
}

interface PlantsFile {
  ground_m_per_s?: Triple
  plants: { foot: string; point: string; first: number; last: number }[]
}

/** A motion in metres, Y up. */
export class WrittenMotion {
  readonly header: Header
  readonly positions: Vector3[][]
  private readonly rotations: Quaternion[][] = []

  /** Parses what `surefoot convert FILE - --to ndjson` prints. */
  constructor(lines: string) {
    const [header, ...frames] = lines.trim().split('\n')
    this.header = JSON.parse(header ?? '') as Header
    this.positions = frames
      .map(line => JSON.parse(line) as Frame | { end: unknown })
      .filter(frame => 'root' in frame)
      .map(frame => this.place(frame))
  }

  private place(frame: Frame): Vector3[] {
    const offsets = this.header.joints.map(joint => joint.offset)
    offsets[0] = frame.root
    for (const [joint, ...offset] of frame.offsets ?? []) offsets[joint] = offset
    const positions: Vector3[] = []
    const rotations: Quaternion[] = []
    this.header.joints.forEach(({ parent }, n) => {
      const offset = new Vector3(...(offsets[n] ?? [0, 0, 0]))
      const rotation = new Quaternion(...(frame.rotations[n] ?? [0, 0, 0, 1]))
      const turn = rotations[parent ?? -1]
      const origin = positions[parent ?? -1]
      positions.push(turn && origin ? offset.applyQuaternion(turn).add(origin) : offset)
      rotations.push(turn ? turn.clone().multiply(rotation) : rotation)
    })
    this.rotations.push(rotations)
    return positions
  }

  /** The largest distance of each joint from the object of the same name, in metres. */
  distances(scene: Scene, unit: number): number[] {
    return this.header.joints.map(({ name }, joint) => {
      const object = scene.names.indexOf(name)
      const apart = this.positions.map((positions, frame) => {
        const theirs = matrix(scene, frame, object, unit)
        return new Vector3().setFromMatrixPosition(theirs).distanceTo(positions[joint] ?? new Vector3())
      })
      return Math.max(...apart)
    })
  }

  /**
   * How far a planted point gets from where its plant began, in metres. A point is fixed to its object where it is at
   * frame 0 of this motion, which is the captured one.
   */
  drift(plants: PlantsFile, before: Scene, after: Scene, unit: number): number {
    const ground = new Vector3(...(plants.ground_m_per_s ?? [0, 0, 0])).divideScalar(this.header.fps)
    let worst = 0
    for (const { foot, point, first, last } of plants.plants) {
      const spec = this.header.legs.find(leg => leg.side === foot)?.[point]
      if (typeof spec !== 'object') throw new Error(`no ${point} of the ${foot} foot`)
      const object = before.names.indexOf(spec.joint)
      const joint = this.header.joints.findIndex(({ name }) => name === spec.joint)
      const turn = this.rotations[0]?.[joint] ?? new Quaternion()
      const start = matrix(before, 0, object, unit)
      const place = new Vector3(...spec.offset).applyQuaternion(turn)
      const local = place.add(new Vector3().setFromMatrixPosition(start)).applyMatrix4(start.invert())
      let spot: Vector3 | undefined
      for (let frame = first; frame <= last; frame++) {
        const at = local.clone().applyMatrix4(matrix(after, frame, object, unit))
        at.addScaledVector(ground, first - frame)
        spot ??= at
        worst = Math.max(worst, at.distanceTo(spot))
      }
    }
    return worst
  }
}

/** The matrix of an object in metres. */
function matrix(scene: Scene, frame: number, object: number, unit: number): Matrix4 {
  const found = scene.frames[frame]?.[object]
  if (!found) throw new Error(`frame ${frame} has no object ${object}`)
  return new Matrix4().fromArray(found).premultiply(new Matrix4().makeScale(unit, unit, unit))
}
