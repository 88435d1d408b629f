// Changes glTF files: adds a mesh and a second animation, and moves the buffer into a file of its own.

import { deflateSync } from 'node:zlib'

/** The parts of a glTF document that are changed here. */
interface Document {
  asset: object
  nodes: { name?: string; mesh?: number; skin?: number; translation?: number[]; children?: number[] }[]
  scenes?: { nodes: number[] }[]
  meshes?: object[]
  skins?: object[]
  materials?: object[]
  textures?: object[]
  images?: object[]
  animations: { name?: string; channels: object[]; samplers: object[] }[]
  accessors: object[]
  bufferViews: object[]
  buffers: { byteLength: number; uri?: string }[]
}

function read(glb: Buffer): { document: Document; buffer: Buffer } {
  const json = glb.readUInt32LE(12)
  return {
    document: JSON.parse(glb.toString('utf8', 20, 20 + json)) as Document,
    buffer: glb.subarray(28 + json),
  }
}

function write({ document, buffer }: { document: Document; buffer: Buffer }) {
  document.buffers[0]!.byteLength = buffer.length
  const text = JSON.stringify(document)
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4))
  const numbers = (...all: number[]) => Buffer.from(Uint32Array.from(all).buffer)
  const length = 28 + json.length + buffer.length
  const jsonHead = [numbers(length, json.length), Buffer.from('JSON'), json]
  return Buffer.concat([
    Buffer.from('glTF'),
    numbers(2),
    ...jsonHead,
    numbers(buffer.length),
    Buffer.from('BIN\0'),
    buffer,
  ])
}

/** The file with its buffer in a file of its own. */
export function splitGltf(glb: Buffer, name: string) {
  const { document, buffer } = read(glb)
  document.buffers[0] = { byteLength: buffer.length, uri: name }
  return { gltf: Buffer.from(JSON.stringify(document)), buffer }
}

/** The file with a second animation, which shares the keys of the first. */
export function withSecondAnimation(glb: Buffer, name: string) {
  const file = read(glb)
  const [first] = file.document.animations
  file.document.animations.push({ ...structuredClone(first!), name })
  return write(file)
}

/** Size of the box around each joint, in metres. */
const BOX = 0.06

/** The file with a skin: a box around each joint, half of them red and half of them with an image. */
export function withSkin(glb: Buffer) {
  const file = read(glb)
  const { document } = file
  // The ends of bones are the last nodes.
  const joints = document.nodes.flatMap(({ name }, n) => (name?.endsWith('_end') ? [] : [n]))
  const view = (bytes: Buffer) => {
    const at = Math.ceil(file.buffer.length / 4) * 4
    file.buffer = Buffer.concat([file.buffer, Buffer.alloc(at - file.buffer.length), bytes])
    return document.bufferViews.push({ buffer: 0, byteOffset: at, byteLength: bytes.length }) - 1
  }
  const accessor = (type: string, componentType: number, count: number, bytes: Buffer) =>
    document.accessors.push({ bufferView: view(bytes), componentType, count, type }) - 1
  const corners = joints.flatMap(() => [0, 1, 2, 3, 4, 5, 6, 7])
  const count = corners.length
  const positions = Float32Array.from(
    corners.flatMap(n => [n & 1, (n >> 1) & 1, n >> 2].map(bit => BOX * (bit - 0.5))),
  )
  const weights = Float32Array.from(corners.flatMap(() => [1, 0, 0, 0]))
  const bones = Uint16Array.from(corners.flatMap((_, n) => [n >> 3, 0, 0, 0]))
  const uvs = Float32Array.from(corners.flatMap(n => [n & 1, (n >> 1) & 1]))
  const box = [
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7,
    5,
  ]
  const half = joints.length >> 1
  const indices = (from: number, to: number) =>
    Uint16Array.from(joints.slice(from, to).flatMap(n => box.map(corner => 8 * n + corner)))
  const bytes = (array: Float32Array | Uint16Array) => Buffer.from(array.buffer)
  const attributes = {
    POSITION: accessor('VEC3', 5126, count, bytes(positions)),
    TEXCOORD_0: accessor('VEC2', 5126, count, bytes(uvs)),
    JOINTS_0: accessor('VEC4', 5123, count, bytes(bones)),
    WEIGHTS_0: accessor('VEC4', 5126, count, bytes(weights)),
  }
  const primitive = (from: number, to: number, material: number) => {
    const all = indices(from, to)
    return { attributes, material, indices: accessor('SCALAR', 5123, all.length, bytes(all)) }
  }
  document.images = [{ bufferView: view(image()), mimeType: 'image/png' }]
  document.textures = [{ source: 0 }]
  document.materials = [
    { pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1] } },
    { pbrMetallicRoughness: { baseColorTexture: { index: 0 } } },
  ]
  document.meshes = [{ primitives: [primitive(0, half, 0), primitive(half, joints.length, 1)] }]
  document.skins = [{ joints }]
  const node = document.nodes.push({ name: 'boxes', mesh: 0, skin: 0 }) - 1
  document.scenes?.[0]?.nodes.push(node)
  return write(file)
}

/** A green PNG image of one pixel. */
function image() {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const head = Buffer.alloc(4)
    head.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([head, body, sum])
  }
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
  const pixel = deflateSync(Buffer.from([0, 0, 255, 0]))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixel),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crc32(bytes: Buffer) {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}
