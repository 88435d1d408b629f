// The character of the file: its own mesh, which the graphics processor moves with the bones of a frame.
//
// The captured and the cleaned figure share geometry and images; each has its own bones.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  FrontSide,
  type Group,
  MeshBasicMaterial,
  MeshLambertMaterial,
  RepeatWrapping,
  SRGBColorSpace,
  Texture,
  type Vector3,
} from 'three'
import { callForNumbers } from '../core'
import { type FootUniforms, colouredFeet, footUniforms } from './foot-colours'
import { type MaterialData, type MeshData, parseMesh } from './mesh-data'
import { BoneMatrices, BoneMesh } from './skinned-mesh'

/** The longest side of an image on the screen, in pixels: more would take memory and show nothing. */
const MAX_IMAGE_SIZE = 1024

/** The mesh of a file with its images. */
export class Character {
  private readonly geometry: BufferGeometry

  private constructor(
    /** The mesh as the core has sent it. */
    readonly bytes: Uint8Array,
    private readonly data: MeshData,
    private readonly images: (Texture | null)[],
  ) {
    this.geometry = makeGeometry(data)
  }

  /** Reads the mesh of the open file; null if there is none. */
  static async load(bytes: Uint8Array): Promise<Character | null> {
    const data = parseMesh(bytes)
    return data && new Character(bytes, data, await Promise.all(data.images.map(decode)))
  }

  /** The height of the highest vertex of the capture at a frame, in metres. */
  top(frame: number) {
    const { positions, weights, boneIndices, vertices } = this.data
    const matrices = callForNumbers({ kind: 'bones', after: false, start: frame, end: frame + 1 })
    let top = -Infinity
    for (let vertex = 0; vertex < vertices; vertex++) {
      const [x = 0, y = 0, z = 0] = positions.subarray(3 * vertex, 3 * vertex + 3)
      let height = 0
      for (let n = 4 * vertex; n < 4 * vertex + 4; n++) {
        const [a = 0, , , , b = 0, , , , c = 0, , , , d = 0] = matrices.subarray(
          16 * (boneIndices[n] ?? 0) + 1,
        )
        height += (weights[n] ?? 0) * (a * x + b * y + c * z + d)
      }
      top = Math.max(top, height)
    }
    return top
  }

  /** Adds the character of a motion to the world: the capture, which can be a ghost, or the cleaned motion. */
  addTo(world: Group, after: boolean, ghost: { colour: Color; opacity: number }) {
    const figure = new CharacterFigure(this.geometry, this.data, this.images, after, ghost)
    world.add(...figure.meshes)
    return figure
  }
}

/** The character in one motion. */
export class CharacterFigure {
  /** The mesh, and, for a ghost, the mesh that hides what is behind its surface. */
  readonly meshes: BoneMesh[]
  private readonly bones: BoneMatrices
  /** The number of bones. */
  private readonly count: number
  private readonly solid: MeshLambertMaterial[]
  private readonly ghost: MeshLambertMaterial
  private readonly front: MeshBasicMaterial
  private readonly feet: FootUniforms = footUniforms()
  private isVisible = false
  private isSolid = true
  /** The frame whose bones have to be fetched. */
  private frameDue: number | null = null

  constructor(
    geometry: BufferGeometry,
    data: MeshData,
    images: (Texture | null)[],
    private readonly after: boolean,
    { colour, opacity }: { colour: Color; opacity: number },
  ) {
    this.count = data.bones
    this.bones = new BoneMatrices(data.bones)
    this.solid = data.materials.map(material =>
      colouredFeet(new MeshLambertMaterial(lookOf(material, images)), this.feet),
    )
    this.ghost = colouredFeet(
      new MeshLambertMaterial({ color: colour, transparent: true, opacity, depthWrite: false }),
      this.feet,
    )
    // Only the front of a ghost is drawn: without it, arms and back would show through the chest.
    this.front = new MeshBasicMaterial({ colorWrite: false, transparent: true })
    for (const material of [this.front, this.ghost]) {
      // Where both figures are in the same place, the ghost is behind.
      Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 4 })
    }
    this.meshes = [this.makeMesh(geometry, this.solid, 2), this.makeMesh(geometry, this.front, 1)]
  }

  private makeMesh(geometry: BufferGeometry, material: BoneMesh['material'], renderOrder: number) {
    const mesh = new BoneMesh(geometry, material, this.bones)
    mesh.renderOrder = renderOrder
    mesh.visible = false
    return mesh
  }

  /** Frees what the graphics processor holds, besides the geometry. */
  dispose() {
    this.bones.boneTexture.dispose()
    for (const material of [...this.solid, this.ghost, this.front]) {
      if ('map' in material) material.map?.dispose()
      material.dispose()
    }
  }

  setVisible(isVisible: boolean) {
    this.isVisible = isVisible
    if (isVisible) this.applyPose()
    this.update()
  }

  /** Shows the character with its own materials, or as a ghost. */
  setSolid(isSolid: boolean) {
    this.isSolid = isSolid
    this.update()
  }

  private update() {
    const [mesh, front] = this.meshes
    if (!mesh || !front) return
    mesh.visible = this.isVisible
    mesh.material = this.isSolid ? this.solid : this.ghost
    front.visible = this.isVisible && !this.isSolid
  }

  /** Poses the character at a frame. `colourOf` gives the colour of a heel (0) or ball (1); null for its own one. */
  pose(frame: number, aside: Vector3, colourOf: (leg: number, point: number) => Color | null) {
    this.feet.set(colourOf)
    this.meshes.forEach(mesh => mesh.position.copy(aside))
    this.frameDue = frame
    if (this.isVisible) this.applyPose()
  }

  /** Fetches the bones of the frame that is due. A figure that is not visible fetches none. */
  private applyPose() {
    const { frameDue: frame, after } = this
    if (frame === null) return
    this.frameDue = null
    const matrices = callForNumbers({ kind: 'bones', after, start: frame, end: frame + 1 })
    // While another file is opened, its scene is not made yet.
    if (matrices.length === 16 * this.count) this.bones.set(matrices)
  }
}

function makeGeometry(data: MeshData) {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(data.positions, 3))
  geometry.setAttribute('normal', new BufferAttribute(data.normals, 3))
  geometry.setAttribute('uv', new BufferAttribute(data.uvs, 2))
  geometry.setAttribute('skinIndex', new BufferAttribute(data.boneIndices, 4))
  geometry.setAttribute('skinWeight', new BufferAttribute(data.weights, 4))
  geometry.setAttribute('footPoint', new BufferAttribute(data.footPoints, 1))
  geometry.setIndex(new BufferAttribute(data.indices, 1))
  if (data.normals.every(number => number === 0)) geometry.computeVertexNormals()
  let start = 0
  for (const { triangles, material } of data.parts) {
    geometry.addGroup(start, 3 * triangles, material)
    start += 3 * triangles
  }
  return geometry
}

function lookOf({ colour, image, cutoff, double_sided }: MaterialData, images: (Texture | null)[]) {
  const [red, green, blue] = colour
  return {
    color: new Color().setRGB(red, green, blue),
    map: (image === null ? null : images[image]) ?? null,
    alphaTest: cutoff,
    side: double_sided ? DoubleSide : FrontSide,
  }
}

/** An image as a texture; null if the browser cannot decode it: the colour of the material is shown then. */
async function decode(bytes: Uint8Array): Promise<Texture | null> {
  try {
    const blob = new Blob([bytes as BlobPart])
    const full = await createImageBitmap(blob)
    const shrink = Math.min(1, MAX_IMAGE_SIZE / Math.max(full.width, full.height))
    const size = {
      resizeWidth: Math.max(1, Math.round(full.width * shrink)),
      resizeHeight: Math.max(1, Math.round(full.height * shrink)),
    }
    const texture = new Texture(shrink < 1 ? await createImageBitmap(full, size) : full)
    texture.flipY = false
    texture.colorSpace = SRGBColorSpace
    texture.wrapS = texture.wrapT = RepeatWrapping
    texture.needsUpdate = true
    return texture
  } catch {
    return null
  }
}
