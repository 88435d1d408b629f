// Measures the cleaned motion shortly after the last edit. A long clip is measured in the worker.

import type { BackgroundCore } from '../background-core'
import { callForJson } from '../core'
import type { Figures, Plant, Vec3 } from '../messages'

/**
 * Shortest pause after an edit before the motion is measured, in milliseconds. Measuring a long clip takes
 * longer than solving an edit, so it waits until the user stops dragging.
 */
const DELAY_MS = 120

/** The plants that the measured motion is cleaned with. */
interface Edit {
  plants: Plant[]
  ground: Vec3 | null
}

export class Measuring {
  /** Duration of the last measurement in milliseconds. */
  ms = 0
  private timer = 0
  /** Counts the measurements, so that the result of an outdated one is not shown. */
  private latest = 0
  private worker: BackgroundCore | null = null
  private isStopped = false

  constructor(
    private readonly edit: () => Edit,
    private readonly show: (figures: Figures) => void,
  ) {}

  /** The core in a worker that has the same file open; null if the page measures the motion itself. */
  get background() {
    return this.worker
  }

  set background(core: BackgroundCore | null) {
    this.isStopped = false
    if (core === this.worker) return
    this.worker?.end()
    this.worker = core
  }

  /** Measures nothing until another file is open: there is not enough memory for a second core. */
  stop() {
    this.background = null
    this.isStopped = true
    clearTimeout(this.timer)
    this.show(withoutFigures(new Error('This clip is too long to be measured while it is edited.')))
  }

  /** Drops the measurement that is due or under way: its figures would be those of another file. */
  drop() {
    clearTimeout(this.timer)
    this.latest++
  }

  schedule() {
    if (this.isStopped) return
    clearTimeout(this.timer)
    // A measurement in the worker does not delay the page.
    const delay = this.worker ? DELAY_MS : Math.max(DELAY_MS, 3 * this.ms)
    this.timer = window.setTimeout(() => this.run(), delay)
  }

  /** Measures the motion: at once in the page, or in the worker, which takes longer. */
  run() {
    if (this.isStopped) return
    // A measurement that is due would give the same figures again.
    clearTimeout(this.timer)
    this.latest++
    if (this.worker) void this.runIn(this.worker, this.latest)
    else this.runHere()
  }

  private runHere() {
    const start = performance.now()
    let figures
    try {
      figures = callForJson<Figures>({ kind: 'figures' })
    } catch (error) {
      figures = withoutFigures(error)
    }
    this.ms = performance.now() - start
    this.show(figures)
  }

  private async runIn(worker: BackgroundCore, measurement: number) {
    const start = performance.now()
    let figures
    try {
      await worker.call({ kind: 'clean', ...this.edit() })
      // An edit in the meantime has scheduled the next measurement.
      if (measurement !== this.latest) return
      figures = await worker.callForJson<Figures>({ kind: 'figures' })
    } catch (error) {
      // Another file has been opened, with a worker of its own or none.
      if (worker !== this.worker) return
      this.background = null
      figures = withoutFigures(error)
    }
    this.ms = performance.now() - start
    if (measurement === this.latest) this.show(figures)
  }
}

function withoutFigures(error: unknown): Figures {
  const headline = (error as Error).message
  return { headline, cost: null, table: '', drifts: [], notes: [], review: [], worst_event: null }
}
