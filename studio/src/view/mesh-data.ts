// The mesh of the open file as the core delivers it: a line of JSON, then arrays of numbers and images. The order is that
// of crates/surefoot-studio/src/page_mesh.rs.

/** The look of a surface. */
export interface MaterialData {
  /** Red, green, blue and opacity, linear, from 0 to 1. */
  colour: [number, number, number, number]
  /** The image that the colour is multiplied with. */
  image: number | null
  /** Opacity below which nothing is drawn; 0 for a surface without holes. */
  cutoff: number
  double_sided: boolean
}

interface Header {
  vertices: number
  triangles: number
  bones: number
  /** Triangles with one material, in order. */
  parts: { triangles: number; material: number }[]
  materials: MaterialData[]
  /** The sizes of the images in bytes. */
  images: number[]
}

export interface MeshData extends Omit<Header, 'images'> {
  positions: Float32Array
  /** All zero where the file has none. */
  normals: Float32Array
  uvs: Float32Array
  /** Four weights for each vertex. */
  weights: Float32Array
  indices: Uint32Array
  /** Four bones for each vertex. */
  boneIndices: Uint16Array
  /** Per vertex: 0, or 1 + 2 · leg for a heel, and 1 more for a ball. */
  footPoints: Uint8Array
  /** Images as files of their own. */
  images: Uint8Array[]
}

/** The mesh in the answer of the core; null if there is none. */
export function parseMesh(bytes: Uint8Array): MeshData | null {
  if (!bytes.length) return null
  const line = bytes.indexOf('\n'.charCodeAt(0)) + 1
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, line))) as Header
  const { vertices, triangles, images } = header
  const buffer = bytes.buffer as ArrayBuffer
  let at = line
  const take = (size: number) => {
    at += size
    return at - size
  }
  return {
    ...header,
    positions: new Float32Array(buffer, take(12 * vertices), 3 * vertices),
    normals: new Float32Array(buffer, take(12 * vertices), 3 * vertices),
    uvs: new Float32Array(buffer, take(8 * vertices), 2 * vertices),
    weights: new Float32Array(buffer, take(16 * vertices), 4 * vertices),
    indices: new Uint32Array(buffer, take(12 * triangles), 3 * triangles),
    boneIndices: new Uint16Array(buffer, take(8 * vertices), 4 * vertices),
    footPoints: bytes.subarray(take(vertices), at),
    images: images.map(size => bytes.subarray(take(size), at)),
  }
}
