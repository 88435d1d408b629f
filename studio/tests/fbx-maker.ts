// Writes small binary FBX files.

/** A joint and its curves. Angles are about X, Y and Z, in degrees, one list of values for each. */
export interface FbxJoint {
  name: string
  parent: number
  offset: number[]
  angles: number[][]
  positions?: number[][]
}

type Property =
  { int: number } | { long: number } | { double: number } | string | Int32Array | Float32Array | BigInt64Array
type Node = [name: string, properties: Property[], children?: Node[]]

const VERSION = 7400
/** Units of time per second. */
const TICKS = 46186158000
/** The frame rates of FBX by their numbers. */
const TIME_MODES: Record<number, number> = { 120: 1, 60: 3, 30: 6 }
/** The rotation order that turns by Y first, then X, then Z. */
const YXZ = 3
const STACK = 10
const LAYER = 20

export function fbxFile(joints: FbxJoint[], fps: number) {
  const objects: Node[] = []
  const connections: Node[] = []
  const connect = (child: number, parent: number, property?: string) =>
    connections.push([
      'C',
      [property ? 'OP' : 'OO', { long: child }, { long: parent }, ...(property ? [property] : [])],
    ])
  const frames = joints[0]!.angles[0]!.length
  objects.push(['AnimationStack', [{ long: STACK }, 'Take\0\x01AnimStack', ''], [stackTimes(frames, fps)]])
  objects.push(['AnimationLayer', [{ long: LAYER }, 'Base\0\x01AnimLayer', ''], []])
  connect(LAYER, STACK)
  joints.forEach(({ name, parent, offset, angles, positions }, n) => {
    const id = 1000 + n
    objects.push(['Model', [{ long: id }, `${name}\0\x01Model`, 'LimbNode'], [placed(offset)]])
    objects.push(['NodeAttribute', [{ long: id + 1000 }, '\0\x01NodeAttribute', 'LimbNode'], []])
    connect(id + 1000, id)
    connect(id, parent < 0 ? 0 : 1000 + parent)
    const curves = [
      ['Lcl Rotation', angles],
      ['Lcl Translation', positions],
    ] as const
    curves.forEach(([property, values], kind) => {
      if (!values) return
      const curveNode = 10000 + 100 * n + 10 * kind
      objects.push(['AnimationCurveNode', [{ long: curveNode }, 'T\0\x01AnimCurveNode', ''], []])
      connect(curveNode, LAYER)
      connect(curveNode, id, property)
      values.forEach((numbers, axis) => {
        objects.push(curve(curveNode + 1 + axis, numbers, fps))
        connect(curveNode + 1 + axis, curveNode, `d|${'XYZ'[axis]}`)
      })
    })
  })
  return file([settings(fps), ['Objects', [], objects], ['Connections', [], connections]])
}

function settings(fps: number): Node {
  const number = (name: string, int: number): Node => ['P', [name, 'int', 'Integer', '', { int }]]
  const unit: Node = ['P', ['UnitScaleFactor', 'double', 'Number', '', { double: 1 }]]
  const table = [number('UpAxis', 1), number('UpAxisSign', 1), number('TimeMode', TIME_MODES[fps]!), unit]
  return ['GlobalSettings', [], [['Properties70', [], table]]]
}

function stackTimes(frames: number, fps: number): Node {
  const time = (name: string, long: number): Node => ['P', [name, 'KTime', 'Time', '', { long }]]
  const end = Math.round(((frames - 1) / fps) * TICKS)
  return ['Properties70', [], [time('LocalStart', 0), time('LocalStop', end)]]
}

function placed(offset: number[]): Node {
  const place: Node = [
    'P',
    ['Lcl Translation', 'Lcl Translation', '', 'A', ...offset.map(double => ({ double }))],
  ]
  const number = (name: string, int: number): Node => ['P', [name, 'enum', '', '', { int }]]
  return ['Properties70', [], [place, number('RotationActive', 1), number('RotationOrder', YXZ)]]
}

function curve(id: number, values: number[], fps: number): Node {
  const times = BigInt64Array.from(values, (_, key) => BigInt(Math.round((key / fps) * TICKS)))
  return [
    'AnimationCurve',
    [{ long: id }, '\0\x01AnimCurve', ''],
    [
      ['KeyVer', [{ int: 4009 }]],
      ['KeyTime', [times]],
      ['KeyValueFloat', [Float32Array.from(values)]],
      ['KeyAttrFlags', [Int32Array.of(4)]],
      ['KeyAttrDataFloat', [new Float32Array(4)]],
      ['KeyAttrRefCount', [Int32Array.of(values.length)]],
    ],
  ]
}

function file(nodes: Node[]) {
  const version = Buffer.alloc(4)
  version.writeUInt32LE(VERSION)
  let all = Buffer.concat([Buffer.from('Kaydara FBX Binary  \0\x1a\0', 'latin1'), version])
  for (const node of nodes) all = Buffer.concat([all, record(node, all.length)])
  const footer = Buffer.concat([Buffer.alloc(13), Buffer.from('a mark of footer')])
  const padding = Buffer.alloc(16 - ((all.length + footer.length) % 16) + 4)
  const end = Buffer.from('f85a8c6adef5d97eece90ce3758f290b', 'hex')
  return Buffer.concat([all, footer, padding, version, Buffer.alloc(120), end])
}

/** A record at a position in the file: its header states where it ends. */
function record([name, properties, children = []]: Node, start: number): Buffer<ArrayBuffer> {
  const own = Buffer.concat(properties.map(property))
  const parts = [Buffer.alloc(13), Buffer.from(name), own]
  let length = 13 + name.length + own.length
  for (const child of children) {
    const bytes = record(child, start + length)
    parts.push(bytes)
    length += bytes.length
  }
  if (children.length) {
    parts.push(Buffer.alloc(13))
    length += 13
  }
  const header = parts[0]!
  header.writeUInt32LE(start + length, 0)
  header.writeUInt32LE(properties.length, 4)
  header.writeUInt32LE(own.length, 8)
  header.writeUInt8(name.length, 12)
  return Buffer.concat(parts)
}

function property(value: Property): Buffer<ArrayBuffer> {
  if (typeof value === 'string')
    return Buffer.concat([head('S', Buffer.byteLength(value)), Buffer.from(value)])
  if ('int' in value) return scalar('I', 4, at => at.writeInt32LE(value.int, 1))
  if ('long' in value) return scalar('L', 8, at => at.writeBigInt64LE(BigInt(value.long), 1))
  if ('double' in value) return scalar('D', 8, at => at.writeDoubleLE(value.double, 1))
  const kind = value instanceof Int32Array ? 'i' : value instanceof Float32Array ? 'f' : 'l'
  return Buffer.concat([
    head(kind, value.length, 0, value.byteLength),
    Buffer.from(value.buffer as ArrayBuffer),
  ])
}

function head(kind: string, ...numbers: number[]) {
  const bytes = Buffer.alloc(1 + 4 * numbers.length)
  bytes.write(kind)
  numbers.forEach((number, n) => bytes.writeUInt32LE(number, 1 + 4 * n))
  return bytes
}

function scalar(kind: string, size: number, write: (bytes: Buffer) => void) {
  const bytes = Buffer.alloc(1 + size)
  bytes.write(kind)
  write(bytes)
  return bytes
}
