// What a person makes: plants and settings. All else is derived from them by the core.

import { About, Cleaned, Figures, Plant, asJson, asNumbers, ask } from './core'

export interface Settings { told: Record<string, unknown>; how: Record<string, unknown> }
type Listener = () => void

class State {
  about: About | null = null
  bytes = new Uint8Array()
  plants: Plant[] = []
  settings: Settings = { told: {}, how: {} }
  spots: Cleaned['spots'] = []
  slides: number[] = []
  figures: Figures | null = null
  before: Float32Array = new Float32Array(); after: Float32Array = new Float32Array()
  curvesBefore: Float32Array = new Float32Array(); curvesAfter: Float32Array = new Float32Array()
  chosen = new Set<number>()
  frame = 0
  solveMs = 0
  private past: string[] = []; private future: string[] = []
  private listeners: Listener[] = []
  private slow = 0

  on(listener: Listener) { this.listeners.push(listener) }
  tell() { this.listeners.forEach(listener => listener()) }

  /** Opens a file; without plants, they are found. */
  open(name: string, bytes: Uint8Array, settings: Settings = { told: {}, how: {} }, plants?: Plant[]) {
    const about = asJson<About>(ask({ ask: 'open', name, ...settings }, bytes))
    Object.assign(this, { about, bytes, settings, figures: null, chosen: new Set(), past: [], future: [] })
    this.frame = Math.min(this.frame, about.frames - 1)
    this.before = this.places(false, 0, about.frames); this.after = this.before.slice()
    this.curvesBefore = this.curves(false, 0, about.frames); this.curvesAfter = this.curvesBefore.slice()
    this.plants = plants ?? asJson<Plant[]>(ask({ ask: 'detect' }))
    this.solve()
  }

  /** The same file with other settings; the plants stay, unless they are to be found anew. */
  reopen(settings: Settings, findAnew = false) {
    this.remember()
    const { past } = this
    this.open(this.about!.name, this.bytes, settings, findAnew ? undefined : this.plants)
    this.past = past
    this.tell()
  }

  /** Numbers a frame has in `before` and `after`. */
  get stride() { return 3 * (this.about!.joints.length + 3 * this.about!.legs.length) }
  get curveStride() { return 1 + this.about!.curves_each_leg * this.about!.legs.length }
  private places(after: boolean, start: number, end: number) { return asNumbers(ask({ ask: 'places', after, start, end })) }
  private curves(after: boolean, start: number, end: number) { return asNumbers(ask({ ask: 'curves', after, start, end })) }

  /** Cleans again: only the frames that can change are solved and fetched. */
  solve() {
    const began = performance.now()
    const answer = asJson<Cleaned>(ask({ ask: 'clean', plants: this.plants }))
    this.solveMs = performance.now() - began
    // The core sorts; what was chosen is chosen still.
    const chosen = [...this.chosen].map(n => JSON.stringify(this.plants[n]))
    this.plants = answer.plants
    this.chosen = new Set(this.plants.flatMap((plant, n) => (chosen.includes(JSON.stringify(plant)) ? [n] : [])))
    this.spots = answer.spots; this.slides = answer.slides
    for (const [start, end] of answer.runs) {
      this.after.set(this.places(true, start, end), start * this.stride)
      this.curvesAfter.set(this.curves(true, start, end), start * this.curveStride)
    }
    this.keep()
    clearTimeout(this.slow)
    this.slow = window.setTimeout(() => this.measure(), 120)
    this.tell()
  }

  measure() {
    try { this.figures = asJson<Figures>(ask({ ask: 'figures' })) } catch (why) { this.figures = null; console.error(why) }
    this.tell()
  }

  /** Before a change: what undo goes back to. */
  remember() {
    this.past.push(JSON.stringify({ plants: this.plants, settings: this.settings })); this.future = []
    if (this.past.length > 500) this.past.shift()
  }
  change(plants: Plant[]) { this.remember(); this.plants = plants; this.solve() }
  get canUndo() { return this.past.length > 0 }
  get canRedo() { return this.future.length > 0 }
  undo() { this.step(this.past, this.future) }
  redo() { this.step(this.future, this.past) }
  private step(from: string[], to: string[]) {
    const now = JSON.stringify({ plants: this.plants, settings: this.settings })
    let kept = from.pop()
    // A bar that was only clicked is no change.
    while (kept === now) kept = from.pop()
    if (!kept) return this.tell()
    to.push(now)
    const { plants, settings } = JSON.parse(kept)
    const { past, future } = this
    if (JSON.stringify(settings) !== JSON.stringify(this.settings)) {
      this.open(this.about!.name, this.bytes, settings, plants)
      this.past = past; this.future = future
    } else { this.plants = plants; this.solve() }
    this.tell()
  }

  /** Unsaved work survives a reload: the file in the browser's own store, the plants beside it. */
  private kept = 0
  private keep() {
    clearTimeout(this.kept)
    this.kept = window.setTimeout(() => store({ name: this.about!.name, bytes: this.bytes, plants: this.plants, settings: this.settings }), 300)
  }
}

export interface Kept { name: string; bytes: Uint8Array; plants: Plant[]; settings: Settings }

function base(): Promise<IDBDatabase> {
  return new Promise((done, fail) => {
    const request = indexedDB.open('surefoot-studio', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('work')
    request.onsuccess = () => done(request.result)
    request.onerror = () => fail(request.error)
  })
}
async function store(work: Kept) {
  try { (await base()).transaction('work', 'readwrite').objectStore('work').put(work, key()) } catch { /* a private window keeps nothing */ }
}
export async function recall(): Promise<Kept | null> {
  try {
    const request = (await base()).transaction('work').objectStore('work').get(key())
    return await new Promise(done => { request.onsuccess = () => done(request.result ?? null); request.onerror = () => done(null) })
  } catch { return null }
}
// Each served file keeps its own work; the token in the link is a new one each time.
export let workName = 'page'
export function setWorkName(name: string) { workName = name }
const key = () => workName

export const state = new State()
