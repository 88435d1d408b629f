// Places a capsule along each bone and along the sole of each foot.

import { type InstancedMesh, Quaternion, Vector3 } from 'three'
import type { MotionData } from '../state/motion-data'
import { state } from '../state/state'
import { scratchMatrix } from './instances'

/** The axis along which a capsule is modelled. */
const CAPSULE_AXIS = new Vector3(0, 1, 0)
/** Thickness of a long bone as a fraction of the figure's height. */
const THICKNESS = 0.026
/** Bones at least this long, as a fraction of the height, have about full thickness; short ones are thinner. */
const LONG_BONE = 0.22
const SHORTEST_THICKNESS = 0.45

export class BonePlacer {
  /** Pairs of point indices: start and end of each capsule. */
  readonly bones: [number, number][]
  private readonly start = new Vector3()
  private readonly end = new Vector3()
  private readonly middle = new Vector3()
  private readonly scale = new Vector3()
  private readonly rotation = new Quaternion()

  /** `size` is the height of the figure in metres. */
  constructor(private readonly size: number) {
    this.bones = state.isOpen ? [...skeletonBones(), ...soleBones()] : []
  }

  place(mesh: InstancedMesh, motion: MotionData, frame: number, aside: Vector3) {
    this.bones.forEach(([start, end], n) => {
      this.start.set(...motion.position(frame, start))
      this.end.set(...motion.position(frame, end))
      mesh.setMatrixAt(n, this.capsuleMatrix(aside))
    })
    mesh.instanceMatrix.needsUpdate = true
  }

  private capsuleMatrix(aside: Vector3) {
    const { start, end, size } = this
    const length = start.distanceTo(end)
    const thickness = THICKNESS * size * Math.min(1, SHORTEST_THICKNESS + length / (LONG_BONE * size))
    this.middle.addVectors(start, end).multiplyScalar(0.5).add(aside)
    const direction = end.sub(start).normalize()
    // A bone of length zero has no direction.
    this.rotation.setFromUnitVectors(CAPSULE_AXIS, direction.lengthSq() ? direction : CAPSULE_AXIS)
    // The modelled capsule is two units long including its caps.
    this.scale.set(thickness, (length + thickness) / 2, thickness)
    return scratchMatrix.compose(this.middle, this.rotation, this.scale)
  }
}

function skeletonBones(): [number, number][] {
  return state.clip.joints.flatMap(({ parent }, joint) =>
    parent === null ? [] : [[parent, joint] as [number, number]],
  )
}

/** Ankle to heel, heel to ball, ankle to ball and ball to toe of each foot. */
function soleBones(): [number, number][] {
  const joints = state.clip.joints.length
  return state.clip.legs.flatMap(({ ankle }, leg) => {
    const heel = joints + 3 * leg
    const ball = heel + 1
    const toe = heel + 2
    return [
      [ankle, heel],
      [heel, ball],
      [ankle, ball],
      [ball, toe],
    ] as [number, number][]
  })
}
