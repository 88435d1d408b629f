// A mesh that is moved by matrices from the core.

import { type BufferGeometry, DataTexture, FloatType, Matrix4, Mesh, RGBAFormat } from 'three'

/** Pixels of a texture that hold one matrix. */
const PIXELS = 4

/** The matrices of all bones, in a texture that the graphics processor reads. */
export class BoneMatrices {
  readonly boneTexture: DataTexture
  private readonly numbers: Float32Array

  constructor(bones: number) {
    const size = Math.max(PIXELS, Math.ceil(Math.sqrt(PIXELS * bones) / PIXELS) * PIXELS)
    this.numbers = new Float32Array(4 * size * size)
    this.boneTexture = new DataTexture(this.numbers, size, size, RGBAFormat, FloatType)
  }

  set(matrices: Float32Array) {
    this.numbers.set(matrices)
    this.boneTexture.needsUpdate = true
  }

  /** The renderer calls this before it draws; the matrices are up to date then. */
  update() {
    return undefined
  }
}

/**
 * A mesh whose vertices follow bones. It has what the renderer needs of three.js' own class of this kind, without the
 * scene graph of bones behind that class, which the core replaces.
 */
export class BoneMesh extends Mesh {
  readonly isSkinnedMesh = true
  /** Both are the identity: the matrices of the bones lead from the space of the mesh to the world. */
  readonly bindMatrix = new Matrix4()
  readonly bindMatrixInverse = new Matrix4()

  constructor(
    geometry: BufferGeometry,
    material: Mesh['material'],
    readonly skeleton: BoneMatrices,
  ) {
    super(geometry, material)
    // The bounding volume of the modelled mesh says nothing about the posed one.
    this.frustumCulled = false
  }
}
