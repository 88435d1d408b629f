// Limits work that follows the pointer to once per animation frame.

/** Holds at most one waiting task. A newer task replaces the waiting one. */
export class FrameTask {
  private task: (() => void) | null = null

  /** Runs the task at the next animation frame. */
  schedule(task: () => void) {
    const isWaiting = this.task !== null
    this.task = task
    if (!isWaiting) requestAnimationFrame(() => this.flush())
  }

  /** Runs the waiting task now, if there is one: at the end of a drag nothing may stay behind. */
  flush() {
    const { task } = this
    this.task = null
    task?.()
  }
}
