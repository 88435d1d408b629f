// The limbs of a body: tapered solids with a ball at each end, all drawn in one call.

import {
  CapsuleGeometry,
  InstancedBufferAttribute,
  InstancedMesh,
  type Material,
  Quaternion,
  Vector3,
} from 'three'
import type { MotionData } from '../state/motion-data'
import { state } from '../state/state'
import { scratchMatrix } from './instances'

/** The axis along which a limb is modelled, from its first end to its second. */
const AXIS = new Vector3(0, 1, 0)
const UNIT = new Vector3(1, 1, 1)

/**
 * Replaces the vertex position: each vertex belongs to the ball of one end, at which it lies along its normal.
 * `limb` holds both radii and the length.
 */
const VERTEX = `
  float end = step(0.0, position.y);
  vec3 transformed = normal * mix(limb.x, limb.y, end) + vec3(0.0, end * limb.z, 0.0);
`

/** Lets a material draw limbs. */
export function drawsLimbs<M extends Material>(material: M): M {
  material.onBeforeCompile = shader => {
    shader.vertexShader = shader.vertexShader
      .replace('void main() {', 'attribute vec3 limb;\nvoid main() {')
      .replace('#include <begin_vertex>', VERTEX)
  }
  return material
}

/** The limbs of the open clip, and where they are in a frame. */
export class Limbs {
  readonly mesh: InstancedMesh
  private readonly shape: InstancedBufferAttribute
  private readonly start = new Vector3()
  private readonly end = new Vector3()
  private readonly rotation = new Quaternion()

  constructor(material: Material) {
    const { limbs } = state.clip.body
    const geometry = new CapsuleGeometry(1, 1, 5, 14)
    this.shape = new InstancedBufferAttribute(new Float32Array(3 * limbs.length), 3)
    geometry.setAttribute('limb', this.shape)
    this.mesh = new InstancedMesh(geometry, material, limbs.length)
  }

  /** Places the limbs at a frame, moved aside by an offset in metres. */
  place(motion: MotionData, frame: number, aside: Vector3) {
    const { start, end, rotation, mesh, shape } = this
    state.clip.body.limbs.forEach(({ ends, radii }, index) => {
      start.set(...motion.position(frame, ends[0]))
      end.set(...motion.position(frame, ends[1])).sub(start)
      const length = end.length()
      shape.setXYZ(index, radii[0], radii[1], length)
      // A ball has no direction.
      rotation.setFromUnitVectors(AXIS, length > 0 ? end.divideScalar(length) : AXIS)
      mesh.setMatrixAt(index, scratchMatrix.compose(start.add(aside), rotation, UNIT))
    })
    shape.needsUpdate = true
    mesh.instanceMatrix.needsUpdate = true
  }
}
