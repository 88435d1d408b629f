// Edits of plants: each function is one undoable step.

import type { Plant, PlantHold, PlantKind, PlantPoint, Vec3 } from '../messages'
import { clamp } from '../numbers'
import { state } from './state'
import { withoutSpot } from './work'

/** Length of a plant added by keyboard, in seconds: a quick footstep. */
const NEW_PLANT_SECONDS = 0.2

const isInRow = (plant: Plant, leg: number, point: PlantPoint) => plant.leg === leg && plant.point === point

/** Adds a plant, merges it with the plants of its row that it touches, and selects it. */
export function addPlant(leg: number, point: PlantPoint, first: number, last: number) {
  if (last < first) return
  const touches = (plant: Plant) =>
    isInRow(plant, leg, point) && plant.first <= last + 1 && first <= plant.last + 1
  const touched = state.plants.filter(touches)
  const plant: Plant = {
    leg,
    point,
    first: Math.min(first, ...touched.map(other => other.first)),
    last: Math.max(last, ...touched.map(other => other.last)),
    confidence: 1,
  }
  state.change([...state.plants.filter(other => !touches(other)), plant])
  state.select([state.plants.findIndex(other => isInRow(other, leg, point) && other.first === plant.first)])
  state.notify()
}

/** Adds a short plant at the current frame, in the row of the selected plant. */
export function addPlantHere() {
  const { leg, point } = state.selectedPlants[0] ?? { leg: 0, point: 'heel' }
  const { frames, fps } = state.clip
  const first = Math.round(state.frame)
  addPlant(leg, point, first, Math.min(frames - 1, first + Math.round(fps * NEW_PLANT_SECONDS)))
}

/** Splits plants before a frame. */
export function splitPlants(indices: Iterable<number>, frame: number) {
  const split = new Set(indices)
  const plants = state.plants.flatMap((plant, n) => {
    if (!split.has(n) || frame <= plant.first || frame > plant.last) return [plant]
    const half = withoutSpot(plant)
    return [
      { ...half, last: frame - 1 },
      { ...half, first: frame },
    ]
  })
  if (plants.length !== state.plants.length) state.change(plants)
}

/** Joins the selected plants of each row into one. */
export function joinSelected() {
  const joined = new Map<string, Plant>()
  const rowOf = (plant: Plant) => `${plant.leg} ${plant.point}`
  for (const plant of state.selectedPlants) {
    const row = rowOf(plant)
    const other = joined.get(row)
    if (!other) joined.set(row, { ...plant })
    else {
      const first = Math.min(other.first, plant.first)
      const last = Math.max(other.last, plant.last)
      joined.set(row, { ...withoutSpot(other), first, last })
    }
  }
  const isCovered = (plant: Plant) => {
    const cover = joined.get(rowOf(plant))
    return cover !== undefined && plant.first >= cover.first && plant.last <= cover.last
  }
  if (joined.size) state.change([...state.plants.filter(plant => !isCovered(plant)), ...joined.values()])
}

/** Deletes the selected plants. */
export function deleteSelected() {
  if (!state.selection.size) return
  const plants = state.plants.filter((_, n) => !state.selection.has(n))
  state.select([])
  state.change(plants)
}

/** Moves the first and last frame of the selected plants by some frames. */
export function moveSelectedFrames(firstBy: number, lastBy: number) {
  const { first: start, frames } = state.clip
  if (!state.selection.size) return
  const plants = mapSelected(plant => ({
    ...plant,
    first: Math.max(start, plant.first + firstBy),
    last: Math.min(frames - 1, plant.last + lastBy),
  }))
  if (!plants.some(plant => plant.first > plant.last)) state.change(plants)
}

/** Moves the spots of the selected plants, in metres. */
export function moveSelectedSpots(by: Vec3) {
  if (!state.selection.size) return
  const moved = ([x, y, z]: Vec3): Vec3 => [x + by[0], y + by[1], z + by[2]]
  state.change(
    mapSelected((plant, n) => {
      const spot = state.spots[n]
      return spot ? { ...plant, spot: moved(spot) } : plant
    }),
  )
}

/** Sets what the selected plants hold of their points. */
export function setSelectedHold(hold: PlantHold) {
  changeSelected(plant => withField(plant, 'hold', hold === 'full' ? undefined : hold))
}

/** Sets how strongly the selected plants hold, from 0 to 1. */
export function setSelectedStrength(strength: number) {
  const share = clamp(strength, 0, 1)
  changeSelected(plant => withField(plant, 'strength', share === 1 ? undefined : share))
}

/** Labels the captured feet of the selected plants as standing or sliding; undefined removes the label. */
export function setSelectedKind(kind: PlantKind | undefined) {
  changeSelected(plant => withField(plant, 'kind', kind))
}

/** Moves the selected plants to another point of their feet, unless a plant of that point is in the way. */
export function setSelectedPoint(point: PlantPoint) {
  const moved = state.selectedPlants
  const inTheWay = (plant: Plant) =>
    state.plants.some(
      other =>
        !moved.includes(other) &&
        isInRow(other, plant.leg, point) &&
        other.first <= plant.last &&
        plant.first <= other.last,
    )
  if (moved.some(inTheWay)) throw new Error(`The ${point} of that foot is planted already in these frames`)
  changeSelected(plant => withoutSpot({ ...plant, point }))
}

/** A copy of a plant with a field set, or without it. */
function withField<K extends 'hold' | 'strength' | 'kind'>(
  plant: Plant,
  field: K,
  value: Plant[K] | undefined,
) {
  const copy = { ...plant }
  if (value === undefined) delete copy[field]
  else copy[field] = value
  return copy
}

/** Edits the selected plants and keeps them selected. */
function changeSelected(edit: (plant: Plant) => Plant) {
  if (!state.selection.size) return
  const edited = mapSelected(edit)
  const keys = new Set(edited.filter((_, n) => state.selection.has(n)).map(keyOf))
  state.change(edited)
  state.select([...state.plants.keys()].filter(n => keys.has(keyOf(state.plants[n]!))))
  state.notify()
}

const keyOf = ({ leg, point, first, last }: Plant) => [leg, point, first, last].join()

/** Lets the solver decide where the selected plants are held. */
export function resetSelectedSpots() {
  if (state.selection.size) state.change(mapSelected(withoutSpot))
}

function mapSelected(edit: (plant: Plant, n: number) => Plant) {
  return state.plants.map((plant, n) => (state.selection.has(n) ? edit(plant, n) : plant))
}

/** Frames that a plant may cover without touching another plant of its row; the `moving` ones do not count. */
export function freeRange(plants: Plant[], n: number, moving: Set<number>): [number, number] {
  const plant = plants[n]
  let low = state.clip.first
  let high = state.clip.frames - 1
  if (!plant) return [low, high]
  plants.forEach((other, m) => {
    if (moving.has(m) || m === n || !isInRow(other, plant.leg, plant.point)) return
    if (other.last < plant.first) low = Math.max(low, other.last + 1)
    if (other.first > plant.last) high = Math.min(high, other.first - 1)
  })
  return [low, high]
}

/** How the selected plants follow the pointer: as a whole, or only their first or last frame. */
export type DragKind = 'bar' | 'first' | 'last'

/** Moves a plant, or one end of it, by some frames within `range`. */
export function draggedPlant(plant: Plant, kind: DragKind, to: number, range: [number, number]): Plant {
  const [low, high] = range
  if (kind === 'first') return { ...plant, first: clamp(to, low, plant.last) }
  if (kind === 'last') return { ...plant, last: clamp(to, plant.first, high) }
  const by = clamp(to - plant.first, low - plant.first, high - plant.last)
  return { ...withoutSpot(plant), first: plant.first + by, last: plant.last + by }
}
