// The user's work on a file: everything that is not derived from the file by the core.

import type { Plant, Settings, Vec3 } from '../messages'

/** The part of the state that undo, share links and the browser's storage keep. */
export interface Work {
  plants: Plant[]
  /** Velocity of the ground in m/s, for example of a treadmill; null if the ground is at rest. */
  ground: Vec3 | null
  /** True while the plants are exactly as detected. */
  plantsAreDetected: boolean
  settings: Settings
  /** Frames that the user has marked, in ascending order. */
  markers?: number[]
  /** The first and the last frame that playback repeats; null for the whole clip. */
  range?: [number, number] | null
}

export const NO_SETTINGS: Settings = { file: {}, cleaning: {} }

/** The settings of the detection. Changing one of them, or the animation, replaces the plants by newly detected ones. */
const DETECTION_SETTINGS = [
  'animation',
  'detector',
  'edges',
  'enter_speed',
  'exit_speed',
  'swing_speed_fraction',
  'max_edge_drift',
  'min_gap',
  'min_plant',
]

/** Whether two sets of settings detect plants differently. */
export function detectsDifferently(a: Settings, b: Settings) {
  return DETECTION_SETTINGS.some(key => a.file[key] !== b.file[key])
}

/** Whether two sets of settings describe a file in the same way. */
export function describesAlike(a: Settings, b: Settings) {
  return JSON.stringify(a.file) === JSON.stringify(b.file)
}

/** The plants that fit into a clip of this many legs and frames. */
export function fittingPlants(plants: Plant[], legs: number, frames: number) {
  return plants.filter(plant => plant.leg < legs && plant.last < frames)
}

/** A copy of a plant whose position is decided by the solver. */
export function withoutSpot(plant: Plant): Plant {
  const copy = { ...plant }
  delete copy.spot
  return copy
}
