// Undo and redo over snapshots of the user's work.

/** Most undo steps kept. A snapshot is a few kilobytes, so this bounds memory to some megabytes. */
const MAX_STEPS = 500

export class History {
  private past: string[] = []
  private future: string[] = []

  get canUndo() {
    return this.past.length > 0
  }

  get canRedo() {
    return this.future.length > 0
  }

  /** An independent copy. */
  copy() {
    const copy = new History()
    copy.past = [...this.past]
    copy.future = [...this.future]
    return copy
  }

  /** Records the state before a change. */
  remember(snapshot: string) {
    this.past.push(snapshot)
    this.future = []
    if (this.past.length > MAX_STEPS) this.past.shift()
  }

  /** The snapshot to go back to from `now`; undefined if there is none. */
  undo(now: string) {
    return History.step(this.past, this.future, now)
  }

  redo(now: string) {
    return History.step(this.future, this.past, now)
  }

  private static step(from: string[], to: string[], now: string) {
    let snapshot = from.pop()
    // Clicking a bar without moving it records a snapshot but changes nothing: skip such steps.
    while (snapshot === now) snapshot = from.pop()
    if (snapshot !== undefined) to.push(now)
    return snapshot
  }
}
