// The state of the editor and its changes. Each change is solved, stored and measured.

import { call, callForJson, currentSession, returnTo } from '../core'
import type { CleanResult, ClipInfo, Plant, PlantSet, Settings, Vec3 } from '../messages'
import { Autosave } from './autosave'
import { ClipState } from './clip-state'
import { History } from './history'
import { Measuring } from './measuring'
import type { FrameData } from './motion-data'
import { type FileToOpen, type OpenedFile, isLong } from './opened-file'
import { NO_SETTINGS, type Work, describesAlike, detectsDifferently, fittingPlants } from './work'

class State extends ClipState {
  readonly autosave = new Autosave()
  /** Opens a file in the worker and shows the progress. */
  openInWorker: (file: FileToOpen) => Promise<void> = () => Promise.reject(new Error('there is no worker'))
  private history = new History()
  readonly measuring = new Measuring(
    () => ({ plants: this.plants, ground: this.ground }),
    figures => {
      this.figures = figures
      this.notify()
    },
  )

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
    const { spots, drifts, reasons, figures, selection, frame, opened, mesh, markers, range } = this
    const history = this.history.copy()
    const data = [this.before.rememberClip(), this.after.rememberClip()]
    return () => {
      Object.assign(this, { bytes, plants, ground, plantsAreDetected, settings })
      Object.assign(this, {
        spots,
        drifts,
        reasons,
        figures,
        selection,
        frame,
        opened,
        mesh,
        markers,
        range,
        history,
      })
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
    this.measuring.background = null
    const isSameFile = name === this.opened?.name && bytes === this.bytes
    if (!isSameFile || !describesAlike(settings, this.settings)) this.mesh = null
    this.opened = clip
    this.bytes = bytes as Uint8Array<ArrayBuffer>
    this.settings = settings
    this.figures = null
    this.selection = new Set()
    this.frame = isSameFile ? Math.min(this.frame, clip.frames - 1) : 0
    if (work || !isSameFile) this.takeMarks(work)
    if (work?.plants) {
      this.plants = fittingPlants(work.plants, clip.legs.length, clip.frames)
      this.ground = work.ground ?? null
      this.plantsAreDetected = work.plantsAreDetected ?? false
    } else this.detect()
    this.solve(true)
  }

  /**
   * Opens the same file with other settings: a long one in the worker. Edited plants stay unless the detection
   * changes.
   */
  reopen(settings: Settings): void | Promise<void> {
    const detectAgain = this.plantsAreDetected || detectsDifferently(settings, this.settings)
    const work = detectAgain ? undefined : this.work
    const { bytes, clip } = this
    if (isLong(bytes)) return this.openInWorker({ name: clip.name, bytes, settings, work })
    this.transact(() => {
      this.remember()
      this.load(clip.name, bytes, settings, work)
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
      // The worker measures the motion with the same notes.
      this.measuring.background?.call({ kind: 'read_plants', name }, bytes).catch(() => undefined)
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
    this.finishChange(isNewFile)
  }

  /** Stores and measures the result of a change. */
  private finishChange(isNewFile: boolean) {
    this.autosave.schedule(
      () => ({ work: { ...this.work, name: this.clip.name }, bytes: this.bytes }),
      isNewFile,
    )
    this.measuring.schedule()
  }

  /** Shows the captured motion of a file that is being opened in the worker. Returns a function that goes back. */
  preview(clip: ClipInfo, captured: FrameData) {
    this.autosave.flush()
    this.measuring.drop()
    const goBack = this.rememberAll()
    Object.assign(this, { opened: clip, plants: [], ground: null, spots: [], drifts: [], figures: null })
    // The core of the page does not have this file yet.
    this.showFrames({ ...clip, has_mesh: false }, captured, captured)
    this.notify()
    return goBack
  }

  private showFrames(clip: ClipInfo, before: FrameData, after: FrameData) {
    this.opened = clip
    this.selection = new Set()
    this.frame = Math.min(this.frame, clip.frames - 1)
    this.before.take(clip, before)
    this.after.take(clip, after)
  }

  /** Takes over a file that was opened in the worker. The core has its session already. */
  adopt({ bytes, settings, work, found, result, clip, before, after, mesh, solveMs }: OpenedFile) {
    const isNewFile = bytes !== this.bytes
    if (isNewFile || !describesAlike(settings, this.settings)) this.mesh = mesh
    if (isNewFile) {
      this.history = new History()
      this.takeMarks(work)
    } else this.remember()
    const { plants, ground, areDetected } = found
    Object.assign(this, {
      bytes,
      settings,
      plants,
      ground,
      plantsAreDetected: areDetected,
      figures: null,
      solveMs,
    })
    this.showFrames(clip, before, after)
    this.solvedFrames = clip.frames
    this.replacePlants(result)
    this.finishChange(isNewFile)
    this.notify()
  }

  /** Takes over the plants in the core's order and keeps the selection. */
  private replacePlants({ plants, spots, drifts, reasons }: CleanResult) {
    const key = ({ leg, point, first, last }: Plant) => [leg, point, first, last].join()
    const selected = new Set(this.selectedPlants.map(key))
    this.plants = plants
    this.spots = spots
    this.drifts = drifts
    this.reasons = reasons
    if (selected.size) this.select(plants.flatMap((plant, n) => (selected.has(key(plant)) ? [n] : [])))
  }

  /** Measures the cleaned motion as it would be written. */
  measure() {
    this.measuring.run()
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

  /** Changes markers or range as one undoable step. */
  mark(marks: Pick<Work, 'markers' | 'range'>) {
    this.remember()
    Object.assign(this, marks)
    this.finishChange(false)
    this.notify()
  }

  private takeMarks(work?: Partial<Work>) {
    this.markers = work?.markers ?? []
    this.range = work?.range ?? null
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
    this.takeMarks(work)
    if (JSON.stringify(work.settings) !== JSON.stringify(this.settings)) {
      this.load(this.clip.name, this.bytes, work.settings, work)
    } else this.replace(work.plants, work.ground, work.plantsAreDetected)
  }

  private snapshot() {
    return JSON.stringify(this.work)
  }
}

export const state = new State()
export type { State }

/** The sample walk as a BVH file. */
export const sampleWalk = () => call({ kind: 'sample' })
