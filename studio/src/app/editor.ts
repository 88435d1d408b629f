// The view and the timeline, and the updates that concern both.

import { byId } from '../dom'
import type { Settings } from '../messages'
import { clamp } from '../numbers'
import { state } from '../state/state'
import { Timeline } from '../timeline/timeline'
import { View } from '../view/view'
import { isLong } from '../state/opened-file'
import { attempt, showBusy } from './status'

export const view = new View(byId<HTMLCanvasElement>('view'))
export const timeline = new Timeline(byId<HTMLCanvasElement>('time'))

/** Shows a frame in the view, the timeline and the frame counter. */
export function showFrame(frame: number) {
  state.frame = clamp(frame, 0, state.isOpen ? state.clip.frames - 1 : 0)
  view.show()
  timeline.drawPlayhead()
  showFrameNumber()
}

export function showFrameNumber() {
  if (!state.isOpen) return
  const { frames, fps } = state.clip
  const seconds = (state.frame / fps).toFixed(2)
  byId('frame').textContent = `${Math.round(state.frame)} of ${frames - 1} · ${seconds} s`
}

/** Rebuilds the view after a change of legs, floor or file, and refreshes the page. */
export function rebuild() {
  view.build()
  state.notify()
}

/** Runs an action that may change legs, floor or file. */
export function attemptRebuild(action: () => void | Promise<void>) {
  attempt(async () => {
    await action()
    rebuild()
  })
}

/** Changes the settings as an undoable step. */
export function applySettings(settings: Settings) {
  attemptRebuild(() => state.reopen(settings))
}

/** Runs an undo or redo, which may change the settings and with them legs and floor. */
export function attemptUndo(step: () => void) {
  const settings = JSON.stringify(state.settings)
  attempt(async () => {
    if (isLong(state.bytes)) await showBusy('Undoing…')
    step()
    if (JSON.stringify(state.settings) !== settings) rebuild()
  })
}
