// The clips of a project, each with its own plants and settings. The one that is open is in the state of the editor.

import { type BackgroundCore, Cancelled } from '../background-core'
import { backgroundCoreFor } from '../core'
import { bytesOf } from '../file-bytes'
import type { Settings } from '../messages'
import type { FileToOpen } from '../state/opened-file'
import { state } from '../state/state'
import { NO_SETTINGS, type Work } from '../state/work'
import { type ClipReview, compareReviews, countItems, reviewIn } from './clip-review'

export interface ProjectClip {
  name: string
  file: Blob
  /** The user's work on it; none before it was opened. */
  work?: Work
  /** What needs a look; none before it was measured. */
  review?: ClipReview
  /** Why it cannot be opened. */
  problem?: string
}

class Project {
  clips: ProjectClip[] = []
  /** The clip that is open. */
  current: ProjectClip | null = null
  /** Called after every change of the list. */
  onChange: () => void = () => undefined
  private core: BackgroundCore | null = null
  /** Counts the reviews, so that one that was stopped does not go on. */
  private reviews = 0
  private isUnderWay = false

  /** Whether there is more than one clip. */
  get isShown() {
    return this.clips.length > 1
  }

  /** Whether the worker is still looking at clips. */
  get isReviewing() {
    return this.isUnderWay
  }

  /** The clips, those that need a look most urgently first; those that cannot be opened and those to come, last. */
  get ranked() {
    const rank = ({ review, problem }: ProjectClip) => (review ? 0 : problem ? 1 : 2)
    return [...this.clips].sort(
      (a, b) => rank(a) - rank(b) || (a.review && b.review ? compareReviews(a.review, b.review) : 0),
    )
  }

  /** Adds clips. A clip of the same name is replaced. */
  add(clips: ProjectClip[]) {
    const names = new Set(clips.map(({ name }) => name))
    this.clips = [...this.clips.filter(({ name }) => !names.has(name)), ...clips]
    this.onChange()
  }

  remove(clip: ProjectClip) {
    this.clips = this.clips.filter(other => other !== clip)
    this.onChange()
  }

  /** Keeps the work on the open clip, before another one opens. */
  keepWork() {
    if (this.current && state.isOpen && this.current.name === state.clip.name) this.current.work = state.work
  }

  /** Takes over the review of the open clip. */
  keepReview() {
    const { current } = this
    if (!current || !state.figures || current.name !== state.clip.name || state.isOpening) return
    const review = countItems(state.figures.review)
    if (JSON.stringify(review) === JSON.stringify(current.review)) return
    current.review = review
    this.onChange()
  }

  /** Uses the cleaning and detection settings of the open clip for all clips. */
  shareSettings() {
    this.keepWork()
    const { file, cleaning } = state.settings
    for (const clip of this.clips) {
      if (clip === this.current) continue
      const own = clip.work?.settings ?? NO_SETTINGS
      const settings = { cleaning, file: { ...file, ...ownDescription(own) } }
      clip.work = { ...(clip.work ?? UNTOUCHED), settings }
      delete clip.review
    }
    this.stopReview()
    void this.reviewAll()
  }

  /** What to open for a clip. */
  async fileOf({ name, file, work }: ProjectClip): Promise<FileToOpen> {
    const bytes = await bytesOf(name, file)
    // Plants that are as detected are detected again: the settings may have changed.
    return {
      name,
      bytes,
      settings: work?.settings ?? NO_SETTINGS,
      work: work?.plantsAreDetected ? undefined : work,
    }
  }

  /** Opens, cleans and measures in the worker all clips that have not been looked at, one after the other. */
  async reviewAll() {
    if (this.isUnderWay || !this.isShown) return
    this.isUnderWay = true
    const own = ++this.reviews
    let core: BackgroundCore | null = null
    this.onChange()
    for (let clip = this.nextToReview(); clip; clip = this.nextToReview()) {
      try {
        const file = await this.fileOf(clip)
        core = await backgroundCoreFor(file.settings, file.bytes, core)
        if (own !== this.reviews) return core.end()
        this.core = core
        const review = await reviewIn(core, file)
        // The clip may have been opened and edited in the meantime.
        clip.review ??= review
      } catch (error) {
        if (error instanceof Cancelled || own !== this.reviews) return
        clip.problem = (error as Error).message
      }
      this.onChange()
    }
    this.stopReview()
    this.onChange()
  }

  private nextToReview() {
    return this.clips.find(clip => !clip.review && clip.problem === undefined && clip !== this.current)
  }

  private stopReview() {
    this.reviews++
    this.isUnderWay = false
    this.core?.end()
    this.core = null
  }
}

/** Work on a clip that was never opened. */
const UNTOUCHED: Omit<Work, 'settings'> = { plants: [], ground: null, plantsAreDetected: true }

/** The settings that describe one file, and are never shared: its legs, floor, unit and axis. */
const DESCRIPTION = [
  'animation',
  'fps',
  'floor',
  'floor_cell',
  'floor_file',
  'floor_height',
  'floor_origin',
  'floor_unit',
  'floor_up',
  'joints',
  'legs',
  'rig',
  'rotations',
  'unit',
  'up',
]

function ownDescription({ file }: Settings) {
  return Object.fromEntries(DESCRIPTION.map(key => [key, file[key]]))
}

export const project = new Project()
