// The progress of work in the worker: what is being done, for how long, and a button that cancels it.

import { all, byId } from '../dom'

/** Work that takes less time than this shows no progress, in milliseconds. */
const DELAY_MS = 200
/** How often the seconds are updated, in milliseconds. */
const TICK_MS = 100

/** The parts of the page that cannot be used until the work is done. */
const BLOCKED = 'header, aside, .transport, #time, .views'

export interface Progress {
  /** Shows the present step, after `share` of the work, from 0 to 1. */
  step: (share: number, text: string) => void
  close: () => void
}

/** Shows progress from 0.2 s on. Until it is closed, the page can only be looked at. */
export function showProgress(title: string, cancel: () => void): Progress {
  const start = performance.now()
  const box = byId('progress')
  const bar = byId<HTMLProgressElement>('progress-bar')
  byId('progress-title').textContent = title
  byId('progress-cancel').onclick = cancel
  const block = (isBlocked: boolean) => all(BLOCKED).forEach(part => (part.inert = isBlocked))
  block(true)
  const timer = window.setInterval(() => {
    const ms = performance.now() - start
    if (ms < DELAY_MS) return
    box.hidden = false
    byId('progress-seconds').textContent = `${(ms / 1000).toFixed(1)} s`
  }, TICK_MS)
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    cancel()
  }
  addEventListener('keydown', onKey, { capture: true })
  return {
    step: (share, text) => {
      bar.value = share
      byId('progress-step').textContent = text
    },
    close: () => {
      clearInterval(timer)
      removeEventListener('keydown', onKey, { capture: true })
      block(false)
      box.hidden = true
    },
  }
}
