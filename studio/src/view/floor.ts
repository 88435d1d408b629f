// The floor: a grid for a plane, or a surface for a floor with heights.

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  Plane,
  Vector3,
} from 'three'
import { state } from '../state/state'
import type { Palette } from './palette'

/** Squares of the grid around the path of the motion. */
const MARGIN_SQUARES = 6
/** Most grid lines in one direction: over a longer path the squares are larger. */
const MAX_LINES = 1200
/** Side of a square in metres, for figures of human size and for smaller ones. */
const SQUARE = 0.5
const SMALL_SQUARE = 0.1
/** Figures below this height have the small squares, in metres. */
const SMALL_FIGURE = 0.6

/** The plane of the floor. A surface has the plane that was last in use, which is level by default. */
export const floorPlane = new Plane(new Vector3(0, 1, 0), 0)

/** Makes the floor of the open clip. `size` is the height of the figure in metres. */
export function makeFloor(palette: Palette, size: number) {
  const { mesh, floor } = state.clip
  if (mesh) {
    const geometry = geometryOf(mesh)
    geometry.computeVertexNormals()
    const color = palette.get('grid')
    return new Mesh(geometry, new MeshLambertMaterial({ color, side: DoubleSide, flatShading: true }))
  }
  const [x, y, z, offset] = floor ?? [0, 1, 0, 0]
  floorPlane.set(new Vector3(x, y, z), -offset)
  const lines = gridLines(size, (px, pz) => [px, (offset - x * px - z * pz) / y, pz])
  return new LineSegments(geometryOf(lines), new LineBasicMaterial({ color: palette.get('grid') }))
}

function geometryOf(positions: number[]) {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3))
  return geometry
}

/** Line segments of a grid under the path of the root. `onFloor` gives the floor point at x and z. */
function gridLines(size: number, onFloor: (x: number, z: number) => number[]) {
  const square = size > SMALL_FIGURE ? SQUARE : SMALL_SQUARE
  const { minX, maxX, minZ, maxZ } = pathBounds()
  const left = Math.floor(minX / square) - MARGIN_SQUARES
  const right = Math.ceil(maxX / square) + MARGIN_SQUARES
  const back = Math.floor(minZ / square) - MARGIN_SQUARES
  const front = Math.ceil(maxZ / square) + MARGIN_SQUARES
  const step = Math.max(1, Math.ceil(Math.max(right - left, front - back) / MAX_LINES))
  const lines: number[] = []
  const addLine = (x1: number, z1: number, x2: number, z2: number) => {
    lines.push(...onFloor(x1 * square, z1 * square), ...onFloor(x2 * square, z2 * square))
  }
  for (let x = left; x <= right; x += step) addLine(x, back, x, front)
  for (let z = back; z <= front; z += step) addLine(left, z, right, z)
  return lines
}

function pathBounds() {
  const bounds = { minX: Infinity, maxX: -Infinity, minZ: Infinity, maxZ: -Infinity }
  for (let frame = 0; frame < state.clip.frames; frame++) {
    const [x, , z] = state.before.position(frame, state.clip.body.pelvis)
    bounds.minX = Math.min(bounds.minX, x)
    bounds.maxX = Math.max(bounds.maxX, x)
    bounds.minZ = Math.min(bounds.minZ, z)
    bounds.maxZ = Math.max(bounds.maxZ, z)
  }
  return bounds
}
