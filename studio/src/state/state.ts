// The state of the editor: the open file, the user's work on it, and the results of the core.

import { call, callForJson, currentSession, returnTo } from '../core'
import type { CleanResult, ClipInfo, Figures, Leg, Plant, PlantSet, Settings, Vec3 } from '../messages'
import { Autosave } from './autosave'
import { History } from './history'
import { MotionData } from './motion-data'
import { NO_SETTINGS, type Work, detectsDifferently, fittingPlants } from './work'

/**
 * Shortest pause after an edit before the motion is measured, in milliseconds. Measuring a long clip takes
 * longer than solving an edit, so it waits until the user stops dragging.
 */
const MEASURE_DELAY_MS = 120

/** A plant that drifts further than this from its spot is not held, in metres: the solver's own tolerance. */
const HELD_WITHIN = 1e-6

class State {
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
  /** Null until the cleaned motion has been measured. */
  figures: Figures | null = null
  readonly before = new MotionData(false)
  readonly after = new MotionData(true)
  /** Indices of the selected plants. */
  selection = new Set<number>()
  /** The frame on display; fractional during playback. */
  frame = 0
  solveMs = 0
  measureMs = 0
  /** Frames that the last edit solved again. */
  solvedFrames = 0
  readonly autosave = new Autosave()
  private opened: ClipInfo | null = null
  private history = new History()
  private listeners: (() => void)[] = []
  private measureTimer = 0

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

  /** Runs a change. If it fails, the page and the core are as they were before. */
  private transact(change: () => void) {
    const goBack = this.rememberAll()
    try {
      change()
    } catch (error) {
      goBack()
      throw error
    } finally {
      this.notify()
    }
  }

  /** Returns a function that brings back the present state of the page and of the core. */
  private rememberAll() {
    const session = currentSession()
    const { bytes, plants, ground, plantsAreDetected, settings } = this
    const { spots, drifts, figures, selection, frame, opened } = this
    const history = this.history.copy()
    const data = [this.before.rememberClip(), this.after.rememberClip()]
    return () => {
      Object.assign(this, { bytes, plants, ground, plantsAreDetected, settings })
      Object.assign(this, { spots, drifts, figures, selection, frame, opened, history })
      data.forEach(goBack => goBack())
      returnTo(session)
    }
  }

  /** Opens a file. Without `work`, plants are detected. If the file cannot be opened, nothing changes. */
  open(name: string, bytes: Uint8Array, settings = NO_SETTINGS, work?: Partial<Work>) {
    this.transact(() => {
      this.load(name, bytes, settings, work)
      this.history = new History()
    })
  }

  private load(name: string, bytes: Uint8Array, settings: Settings, work?: Partial<Work>) {
    const clip = callForJson<ClipInfo>({ kind: 'open', name, ...settings }, bytes)
    const isSameFile = name === this.opened?.name && bytes === this.bytes
    this.opened = clip
    this.bytes = bytes as Uint8Array<ArrayBuffer>
    this.settings = settings
    this.figures = null
    this.selection = new Set()
    this.frame = isSameFile ? Math.min(this.frame, clip.frames - 1) : 0
    if (work?.plants) {
      this.plants = fittingPlants(work.plants, clip.legs.length, clip.frames)
      this.ground = work.ground ?? null
      this.plantsAreDetected = work.plantsAreDetected ?? false
    } else this.detect()
    this.solve(true)
  }

  /** Opens the same file with other settings. Edited plants stay unless the detection changes. */
  reopen(settings: Settings) {
    const detectAgain = this.plantsAreDetected || detectsDifferently(settings, this.settings)
    this.transact(() => {
      this.remember()
      this.load(this.clip.name, this.bytes, settings, detectAgain ? undefined : this.work)
    })
  }

  /** Replaces the plants by detected ones. */
  detectAgain() {
    this.transact(() => {
      this.remember()
      this.detect()
      this.solve()
    })
  }

  /** Replaces the plants by those of a plants file. */
  readPlants(name: string, bytes: Uint8Array) {
    this.transact(() => {
      const { plants, ground } = callForJson<PlantSet>({ kind: 'read_plants', name }, bytes)
      this.remember()
      this.replace(plants, ground, false)
    })
  }

  private detect() {
    const { plants, ground } = callForJson<PlantSet>({ kind: 'detect' })
    this.plants = plants
    this.ground = ground
    this.plantsAreDetected = true
  }

  /** Cleans the motion. Solves and fetches only the frames that can change, unless the file is a new one. */
  private solve(isNewFile = false) {
    const start = performance.now()
    const result = callForJson<CleanResult>({ kind: 'clean', plants: this.plants, ground: this.ground })
    this.solveMs = performance.now() - start
    this.replacePlants(result)
    this.solvedFrames = result.ranges.reduce((sum, [first, end]) => sum + end - first, 0)
    if (isNewFile || result.all_frames_changed) {
      this.opened = callForJson<ClipInfo>({ kind: 'about' })
      this.before.fetchAll(this.opened)
      this.after.fetchAll(this.opened)
    } else this.after.fetch(result.ranges)
    this.autosave.schedule(
      () => ({ work: { ...this.work, name: this.clip.name }, bytes: this.bytes }),
      isNewFile,
    )
    this.scheduleMeasuring()
  }

  /** Takes over the plants in the core's order and keeps the selection. */
  private replacePlants({ plants, spots, drifts }: CleanResult) {
    const key = ({ leg, point, first, last }: Plant) => [leg, point, first, last].join()
    const selected = new Set(this.selectedPlants.map(key))
    this.plants = plants
    this.spots = spots
    this.drifts = drifts
    if (selected.size) this.select(plants.flatMap((plant, n) => (selected.has(key(plant)) ? [n] : [])))
  }

  private scheduleMeasuring() {
    clearTimeout(this.measureTimer)
    const delay = Math.max(MEASURE_DELAY_MS, 3 * this.measureMs)
    this.measureTimer = window.setTimeout(() => this.measure(), delay)
  }

  /** Measures the cleaned motion as it would be written. */
  measure() {
    // A measurement that is due would give the same figures again.
    clearTimeout(this.measureTimer)
    const start = performance.now()
    try {
      this.figures = callForJson<Figures>({ kind: 'figures' })
    } catch (error) {
      const headline = (error as Error).message
      this.figures = { headline, cost: null, table: '', drifts: [], notes: [], review: [], worst_event: null }
    }
    this.measureMs = performance.now() - start
    this.notify()
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

  /** Records the state for undo. Call it before a change; `change` does so itself. */
  remember() {
    this.history.remember(this.snapshot())
  }

  /** Replaces the plants as one undoable step. */
  change(plants: Plant[], ground = this.ground) {
    this.transact(() => {
      this.remember()
      this.replace(plants, ground, false)
    })
  }

  /** Replaces the plants during a drag, whose start has recorded the undo step. */
  drag(plants: Plant[]) {
    this.transact(() => this.replace(plants, this.ground, false))
  }

  private replace(plants: Plant[], ground: Vec3 | null, areDetected: boolean) {
    this.plants = plants
    this.ground = ground
    this.plantsAreDetected = areDetected
    this.solve()
  }

  get canUndo() {
    return this.history.canUndo
  }

  get canRedo() {
    return this.history.canRedo
  }

  undo() {
    this.transact(() => this.restore(this.history.undo(this.snapshot())))
  }

  redo() {
    this.transact(() => this.restore(this.history.redo(this.snapshot())))
  }

  private restore(snapshot: string | undefined) {
    if (snapshot === undefined) return
    const work = JSON.parse(snapshot) as Work
    if (JSON.stringify(work.settings) !== JSON.stringify(this.settings)) {
      this.load(this.clip.name, this.bytes, work.settings, work)
    } else this.replace(work.plants, work.ground, work.plantsAreDetected)
  }

  get work(): Work {
    return {
      plants: this.plants,
      ground: this.ground,
      plantsAreDetected: this.plantsAreDetected,
      settings: this.settings,
    }
  }

  private snapshot() {
    return JSON.stringify(this.work)
  }

  /** The legs in a form that can be edited. Points of detected legs are left out: they are detected again. */
  get editableLegs(): Leg[] {
    const { given_legs, legs } = this.clip
    return structuredClone(
      given_legs ?? legs.map(({ side, hip, knee, ankle }) => ({ side, hip, knee, ankle })),
    )
  }
}

export const state = new State()
export type { State }

/** The sample walk as a BVH file. */
export const sampleWalk = () => call({ kind: 'sample' })
