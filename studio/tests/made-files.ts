// Small motion files of every format, made from the sample walk.

import { fbxFile } from './fbx-maker.ts'

/** A joint of a BVH file with its three angles, in degrees, in each frame. */
export interface Joint {
  name: string
  parent: number
  offset: number[]
  /** The end of the last bone of a chain. */
  end?: number[]
  /** The column of the first angle, about Z; those about X and Y follow. */
  column: number
}

export interface Walk {
  joints: Joint[]
  rows: number[][]
  fps: number
}

/** Reads the sample walk, whose root has six channels and whose other joints have three, in the order Z, X, Y. */
export function parseBvh(text: string): Walk {
  const [head = '', motion = ''] = text.split('MOTION')
  const joints: Joint[] = []
  /** The joints whose braces are open; the end of a bone counts as its joint. */
  const open: number[] = []
  for (const line of head.split('\n')) {
    const [word = '', ...rest] = line.trim().split(/\s+/)
    if (word === 'ROOT' || word === 'JOINT') {
      const column = 3 + 3 * joints.length
      open.push(joints.push({ name: rest[0]!, parent: open.at(-1) ?? -1, offset: [], column }) - 1)
    }
    if (word === 'End') open.push(open.at(-1)!)
    if (word === 'OFFSET') {
      const joint = joints[open.at(-1)!]!
      const offset = rest.map(Number)
      if (joint.offset.length) joint.end = offset
      else joint.offset = offset
    }
    if (word === '}') open.pop()
  }
  const [, , time = '', ...lines] = motion.split('\n')
  const rows = lines.filter(line => line.trim()).map(line => line.trim().split(/\s+/).map(Number))
  return { joints, rows, fps: Math.round(1 / Number(time.split(':')[1])) }
}

/** The walk as a binary FBX file: BVH turns by Y first, then X, then Z, which is an order of FBX too. */
export function walkAsFbx({ joints, rows, fps }: Walk) {
  return fbxFile(
    joints.map(({ name, parent, offset, column }) => ({
      name,
      parent,
      offset,
      angles: [1, 2, 0].map(at => rows.map(row => row[column + at]!)),
      ...(parent < 0 ? { positions: [0, 1, 2].map(axis => rows.map(row => row[axis]!)) } : {}),
    })),
    fps,
  )
}

/** The legs and the spine of the walk as an Acclaim pair. A bone of Acclaim ends where its children begin. */
export function walkAsAcclaim({ joints, rows }: Walk) {
  const length = (v: number[]) => Math.hypot(...v)
  const bones: string[] = []
  const children: string[] = []
  const moving: Joint[] = []
  const addBone = (name: string, parent: string, way: number[], dof: string) => {
    const direction = way.map(x => x / length(way)).join(' ')
    bones.push(`begin\n id ${bones.length + 1}\n name ${name}\n direction ${direction}\n`)
    bones.push(` length ${length(way)}\n axis 0 0 0 XYZ\n${dof}end\n`)
    children.push(` ${parent} ${name}\n`)
  }
  joints.forEach((joint, n) => {
    if (n === 0 || /Shoulder|Arm|Hand/.test(joint.name)) return
    const next = joints.find(({ parent, name }) => parent === n && !name.includes('Shoulder'))
    const above = joints[joint.parent]!
    const isFirst = joint.parent === 0
    if (isFirst) addBone(`${joint.name}Start`, 'root', joint.offset, '')
    const parent = isFirst ? `${joint.name}Start` : above.name
    addBone(joint.name, parent, next?.offset ?? joint.end!, ' dof ry rx rz\n')
    moving.push(joint)
  })
  const skeleton =
    ':version 1.10\n:name walk\n:units\n mass 1.0\n length 0.393700787401575\n angle deg\n:root\n' +
    ' order TX TY TZ RY RX RZ\n axis YXZ\n position 0 0 0\n orientation 0 0 0\n:bonedata\n' +
    `${bones.join('')}:hierarchy\n begin\n${children.join('')} end\n`
  const frame = (row: number[], n: number) => {
    const angles = (column: number) => [row[column + 2]!, row[column + 1]!, row[column]!].join(' ')
    const lines = moving.map(({ name, column }) => `${name} ${angles(column)}\n`)
    return `${n + 1}\nroot ${row.slice(0, 3).join(' ')} ${angles(3)}\n${lines.join('')}`
  }
  const motion = `#!OML:ASF walk.ASF\n:FULLY-SPECIFIED\n:DEGREES\n${rows.map(frame).join('')}`
  return { skeleton, motion }
}

/** The joints of the sample walk in the order of SMPL's 22 joints. */
const SMPL = [
  ...['Hips', 'LeftUpLeg', 'RightUpLeg', 'Spine', 'LeftLeg', 'RightLeg', 'Spine1', 'LeftFoot', 'RightFoot'],
  ...['Spine2', 'LeftToeBase', 'RightToeBase', 'Neck', 'LeftShoulder', 'RightShoulder', 'Head', 'LeftArm'],
  ...['RightArm', 'LeftForeArm', 'RightForeArm', 'LeftHand', 'RightHand'],
]

/** An array of joint positions. `position` gives those of a joint by its name. */
export function positionsAsNpy(frames: number, position: (frame: number, joint: string) => number[]) {
  const values: number[] = []
  for (let frame = 0; frame < frames; frame++) {
    for (const name of SMPL) values.push(...position(frame, name))
  }
  const shape = `(${frames}, ${SMPL.length}, 3)`
  const head = `{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}, }`
  const padded = head.padEnd(Math.ceil((head.length + 11) / 64) * 64 - 11) + '\n'
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, padded.length & 255, padded.length >> 8])
  return Buffer.concat([start, Buffer.from(padded), Buffer.from(new Float32Array(values).buffer)])
}
