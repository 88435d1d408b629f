// Markers on the timeline, the range that playback repeats, and copies of plants. Each edit is one undoable step.

import type { Plant } from '../messages'
import { freeRange } from './plant-edits'
import { state } from './state'
import { withoutSpot } from './work'

/** Adds a marker at a frame, or removes the one that is there. */
export function toggleMarker(frame: number) {
  const others = state.markers.filter(marker => marker !== frame)
  const markers = others.length < state.markers.length ? others : [...others, frame]
  state.mark({ markers: markers.sort((a, b) => a - b) })
}

/** The next marker after a frame; after the last one the first. */
export const markerAfter = (frame: number) => state.markers.find(marker => marker > frame) ?? state.markers[0]

/** Lets the range start or end at a frame. */
export function setRangeEnd(end: 'start' | 'end', frame: number) {
  const [first, last] = state.range ?? [0, state.clip.frames - 1]
  if (end === 'start') state.mark({ range: [frame, last > frame ? last : state.clip.frames - 1] })
  else state.mark({ range: [first < frame ? first : 0, frame] })
}

/** Plants to paste, in any clip. */
let copied: Plant[] = []

/** Copies the selected plants; returns their number. */
export function copySelected() {
  if (state.selection.size) copied = state.selectedPlants.map(withoutSpot)
  return state.selection.size
}

/** Pastes the copied plants from a frame on, each where it is free. Returns how many there are and how many fit. */
export function pastePlants(frame: number) {
  const by = frame - Math.min(...copied.map(({ first }) => first))
  const moved = copied.map(plant => ({
    ...plant,
    first: plant.first + by,
    last: plant.last + by,
    confidence: 1,
  }))
  const fitting = moved.filter(isFree)
  if (fitting.length) {
    const isPasted = (plant: Plant) =>
      fitting.some(
        ({ leg, point, first }) => plant.leg === leg && plant.point === point && plant.first === first,
      )
    state.change([...state.plants, ...fitting])
    state.select(state.plants.flatMap((plant, n) => (isPasted(plant) ? [n] : [])))
    state.notify()
  }
  return { copied: copied.length, pasted: fitting.length }
}

/** Whether a plant lies in the clip and touches no other plant of its row. */
function isFree(plant: Plant) {
  if (plant.leg >= state.clip.legs.length) return false
  const overlaps = ({ leg, point, first, last }: Plant) =>
    leg === plant.leg && point === plant.point && first <= plant.last && plant.first <= last
  if (state.plants.some(overlaps)) return false
  const [low, high] = freeRange([...state.plants, plant], state.plants.length, new Set())
  return plant.first >= low && plant.last <= high
}
