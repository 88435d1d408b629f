// What a person makes: plants and settings. All else is derived from them by the core.

import { About, Cleaned, Figures, Known, Leg, Plant, Three, asJson, asNumbers, ask } from './core'
import { store } from './kept'

export interface Settings { told: Record<string, unknown>; how: Record<string, unknown> }
/** All that a person made of a file; `found` while the plants are as they were found. */
export interface Work { plants: Plant[]; ground: Three | null; found: boolean; settings: Settings }
/** Settings that say how plants are found: a change of them finds the plants anew. */
const FINDS = ['method', 'edges', 'starts_below', 'strays', 'shortest_plant']

class State {
  about: About | null = null
  bytes = new Uint8Array()
  plants: Plant[] = []
  ground: Three | null = null
  found = true
  settings: Settings = { told: {}, how: {} }
  spots: Cleaned['spots'] = []
  slides: number[] = []
  figures: Figures | null = null
  before: Float32Array = new Float32Array(); after: Float32Array = new Float32Array()
  curvesBefore: Float32Array = new Float32Array(); curvesAfter: Float32Array = new Float32Array()
  chosen = new Set<number>()
  frame = 0
  solveMs = 0; measureMs = 0; solvedFrames = 0
  private past: string[] = []; private future: string[] = []
  private listeners: (() => void)[] = []
  private slow = 0

  on(listener: () => void) { this.listeners.push(listener) }
  tell() { this.listeners.forEach(listener => listener()) }

  /** Opens a file; without plants, they are found. If it cannot be opened, all stays as it was. */
  open(name: string, bytes: Uint8Array, settings: Settings = { told: {}, how: {} }, work?: Partial<Work>) {
    const about = asJson<About>(ask({ ask: 'open', name, ...settings }, bytes))
    const isOther = name !== this.about?.name || bytes !== this.bytes
    Object.assign(this, { about, bytes, settings, figures: null, chosen: new Set(), past: [], future: [] })
    this.frame = isOther ? 0 : Math.min(this.frame, about.frames - 1)
    if (work?.plants) {
      const fits = (p: Plant) => p.leg < about.legs.length && p.last < about.frames
      Object.assign(this, { plants: work.plants.filter(fits), ground: work.ground ?? null, found: work.found ?? false })
    } else Object.assign(this, asJson<Known>(ask({ ask: 'detect' })), { found: true })
    this.solve(true)
  }

  /** The same file with other settings. Plants that a person touched stay, unless they are to be found anew. */
  reopen(settings: Settings, findAnew = this.found || FINDS.some(key => settings.told[key] !== this.settings.told[key])) {
    const now = this.snapshot(), { past } = this
    this.open(this.about!.name, this.bytes, settings, findAnew ? undefined : this)
    this.past = [...past, now]
    this.tell()
  }

  /** Numbers a frame has in `before` and `after`. */
  get stride() { return 3 * (this.about!.joints.length + 3 * this.about!.legs.length) }
  get curveStride() { return 1 + this.about!.curves_each_leg * this.about!.legs.length }
  private places(after: boolean, start: number, end: number) { return asNumbers(ask({ ask: 'places', after, start, end })) }
  private curves(after: boolean, start: number, end: number) { return asNumbers(ask({ ask: 'curves', after, start, end })) }
  /** A curve's number: heights of heel and ball are 0 and 1, their speeds 2 and 3, then knee and stretch. */
  curve(from: Float32Array, frame: number, leg: number, which: number) { return from[frame * this.curveStride + 1 + this.about!.curves_each_leg * leg + which] }

  /** Cleans again: only the frames that can change are solved and fetched, unless all is `fresh`. */
  solve(fresh = false) {
    const began = performance.now()
    const answer = asJson<Cleaned>(ask({ ask: 'clean', plants: this.plants, ground: this.ground }))
    this.solveMs = performance.now() - began
    // The core sorts; what was chosen is chosen still.
    const key = ({ leg, point, first, last }: Plant) => [leg, point, first, last].join(), chosen = new Set([...this.chosen].filter(n => n < this.plants.length).map(n => key(this.plants[n])))
    this.plants = answer.plants
    if (chosen.size) this.chosen = new Set(this.plants.flatMap((plant, n) => (chosen.has(key(plant)) ? [n] : [])))
    this.solvedFrames = answer.runs.reduce((sum, [start, end]) => sum + end - start, 0)
    this.spots = answer.spots; this.slides = answer.slides
    if (fresh || answer.is_new) {
      // The ground or the floor is another one.
      const { frames } = this.about = asJson<About>(ask({ ask: 'about' }))
      this.before = this.places(false, 0, frames); this.after = this.places(true, 0, frames)
      this.curvesBefore = this.curves(false, 0, frames); this.curvesAfter = this.curves(true, 0, frames)
    } else for (const [start, end] of answer.runs) {
      this.after.set(this.places(true, start, end), start * this.stride)
      this.curvesAfter.set(this.curves(true, start, end), start * this.curveStride)
    }
    this.keep(fresh)
    clearTimeout(this.slow)
    // A long clip takes longer to measure: while a person drags, not at all.
    this.slow = window.setTimeout(() => this.measure(), Math.max(120, 3 * this.measureMs))
    this.tell()
  }

  measure() {
    const began = performance.now()
    try { this.figures = asJson<Figures>(ask({ ask: 'figures' })) } catch (why) { this.figures = { headline: (why as Error).message, price: null, table: '', drifts: [], notes: [] } }
    this.measureMs = performance.now() - began
    this.tell()
  }

  private snapshot() { const { plants, ground, found, settings } = this; return JSON.stringify({ plants, ground, found, settings }) }
  /** Before a change: what undo goes back to. */
  remember() {
    this.past.push(this.snapshot()); this.future = []
    if (this.past.length > 500) this.past.shift()
  }
  change(plants: Plant[], ground = this.ground) { this.remember(); this.plants = plants; this.ground = ground; this.found = false; this.solve() }
  findAnew() { this.remember(); Object.assign(this, asJson<Known>(ask({ ask: 'detect' })), { found: true }); this.solve() }
  /** While a person drags: the change is remembered already. */
  drag(plants: Plant[]) { this.plants = plants; this.found = false; this.solve() }
  get canUndo() { return this.past.length > 0 }
  get canRedo() { return this.future.length > 0 }
  undo() { this.step(this.past, this.future) }
  redo() { this.step(this.future, this.past) }
  private step(from: string[], to: string[]) {
    const now = this.snapshot()
    let kept = from.pop()
    // A bar that was only clicked is no change.
    while (kept === now) kept = from.pop()
    if (!kept) return this.tell()
    to.push(now)
    const work: Work = JSON.parse(kept), { past, future } = this
    if (JSON.stringify(work.settings) !== JSON.stringify(this.settings)) {
      this.open(this.about!.name, this.bytes, work.settings, work)
      this.past = past; this.future = future
    } else { Object.assign(this, work); this.solve() }
    this.tell()
  }

  /** The legs as a person would give them: those given already, else those found, whose points are found anew. */
  get legs(): Leg[] {
    const about = this.about!
    return structuredClone(about.given_legs ?? about.legs.map(({ side, hip, knee, ankle }) => ({ side, hip, knee, ankle })))
  }

  /** Unsaved work survives a reload. */
  private kept = 0; private isFresh = false
  private keep(fresh: boolean) {
    clearTimeout(this.kept); this.isFresh ||= fresh
    this.kept = window.setTimeout(() => {
      store({ ...JSON.parse(this.snapshot()), name: this.about!.name }, this.isFresh ? this.bytes : null); this.isFresh = false
    }, 300)
  }
}

export const state = new State()
