// Writes the work into the browser's storage shortly after each change.

import { storeWork } from './storage'
import type { Work } from './work'

/** Delay after the last change, in milliseconds: short enough for a reload, long enough for a drag. */
const DELAY_MS = 300

export class Autosave {
  private timer = 0
  private includesFile = false
  private pending = 0
  private due: () => void = () => undefined

  /** Whether everything that was scheduled has been written. */
  get isDone() {
    return this.pending === 0 && this.timer === 0
  }

  /** Schedules a write of what `work` returns at that time; with the bytes if the file is a new one. */
  schedule(work: () => { work: Work & { name: string }; bytes: Uint8Array }, isNewFile: boolean) {
    clearTimeout(this.timer)
    this.includesFile ||= isNewFile
    this.due = () => {
      this.timer = 0
      void this.write(work())
    }
    this.timer = window.setTimeout(this.due, DELAY_MS)
  }

  /** Writes now what is scheduled. */
  flush() {
    if (!this.timer) return
    clearTimeout(this.timer)
    this.due()
  }

  private async write({ work, bytes }: { work: Work & { name: string }; bytes: Uint8Array }) {
    const file = this.includesFile ? bytes : null
    this.includesFile = false
    this.pending++
    await storeWork(work, file)
    this.pending--
  }
}
