// The state of the open file: the file, the user's work on it, and the results of the core.

import { call } from '../core'
import type { CleanResult, ClipInfo, Figures, Leg, Plant, Settings, Vec3 } from '../messages'
import { MotionData } from './motion-data'
import { NO_SETTINGS, type Work } from './work'

/** A plant that drifts further than this from its spot is not held, in metres: the solver's own tolerance. */
const HELD_WITHIN = 1e-6

export class ClipState {
  bytes = new Uint8Array()
  plants: Plant[] = []
  ground: Vec3 | null = null
  /** True while the plants are exactly as detected. */
  plantsAreDetected = true
  settings: Settings = NO_SETTINGS
  /** Per plant: where it is held, in metres. */
  spots: CleanResult['spots'] = []
  /** Per plant: the largest remaining distance from its spot, in metres. */
  drifts: number[] = []
  /** Per plant: why it is not held; null if it is. */
  reasons: CleanResult['reasons'] = []
  /** Null until the cleaned motion has been measured. */
  figures: Figures | null = null
  /** The mesh of the character, once it is known: see `meshBytes`. */
  protected mesh: Uint8Array | null = null
  readonly before = new MotionData(false)
  readonly after = new MotionData(true)
  markers: number[] = []
  /** The first and the last frame that playback repeats; null for the whole clip. */
  range: [number, number] | null = null
  /** Indices of the selected plants. */
  selection = new Set<number>()
  /** The frame on display; fractional during playback. */
  frame = 0
  solveMs = 0
  /** Frames that the last edit solved again. */
  solvedFrames = 0
  protected opened: ClipInfo | null = null
  private listeners: (() => void)[] = []
  /** Whether a file is being opened in the worker: its captured motion is shown and cannot be edited yet. */
  isOpening = false

  get isOpen() {
    return this.opened !== null
  }

  /** The open clip. Only code that runs while a file is open may use it. */
  get clip(): ClipInfo {
    if (!this.opened) throw new Error('no file is open')
    return this.opened
  }

  /** The name of a joint for display: joints without a name are numbered. */
  jointName(joint: number) {
    const name = this.clip.joints[joint]?.name ?? ''
    return name === '' ? `joint ${joint}` : name
  }

  subscribe(listener: () => void) {
    this.listeners.push(listener)
  }

  notify() {
    this.listeners.forEach(listener => listener())
  }

  get selectedPlants(): Plant[] {
    return [...this.selection].flatMap(n => this.plants[n] ?? [])
  }

  /** Whether the solver could hold a plant in place. */
  isHeld(plant: number) {
    return (this.drifts[plant] ?? 0) <= HELD_WITHIN
  }

  select(plants: Iterable<number>) {
    this.selection = new Set(plants)
  }

  get work(): Work {
    return {
      plants: this.plants,
      ground: this.ground,
      plantsAreDetected: this.plantsAreDetected,
      settings: this.settings,
      ...(this.markers.length ? { markers: this.markers } : {}),
      ...(this.range ? { range: this.range } : {}),
    }
  }

  /** Whether these bytes are the mesh of the open file. */
  hasMesh(bytes: Uint8Array) {
    return this.mesh === bytes && this.clip.has_mesh
  }

  /** The mesh of the character; empty for a file without one. */
  meshBytes(): Uint8Array {
    this.mesh ??= call({ kind: 'mesh' })
    return this.mesh
  }

  /** The legs in a form that can be edited. Points of detected legs are left out: they are detected again. */
  get editableLegs(): Leg[] {
    const { given_legs, legs } = this.clip
    return structuredClone(
      given_legs ?? legs.map(({ side, hip, knee, ankle }) => ({ side, hip, knee, ankle })),
    )
  }
}
