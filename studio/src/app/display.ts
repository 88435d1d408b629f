// The buttons above the view, and the divider of the wipe.

import { all, byId } from '../dom'
import { clamp } from '../numbers'
import type { Display } from '../view/view'
import { view } from './editor'

/** The divider stays this far from the borders, as a fraction of the width, so that it can be grabbed. */
const DIVIDER_MARGIN = 0.02
/** How far an arrow key moves the divider, as a fraction of the width. */
const DIVIDER_STEP = 0.02

const COMPARISONS: (keyof Display)[] = ['ghost', 'apart', 'wipe']

export function toggleDisplay(name: keyof Display) {
  const { display } = view
  display[name] = !display[name]
  // Ghost, side by side and wipe are three ways to compare: each excludes the others.
  if (COMPARISONS.includes(name) && display[name]) {
    for (const other of COMPARISONS) display[other] = other === name
  }
  for (const button of all('[data-toggle]')) {
    button.setAttribute('aria-pressed', String(display[button.dataset.toggle as keyof Display]))
  }
  moveDivider()
  view.show()
}

/** Moves the divider and shows or hides it. */
export function moveDivider(to = view.divider) {
  view.divider = clamp(to, DIVIDER_MARGIN, 1 - DIVIDER_MARGIN)
  const handle = byId('wipe')
  handle.hidden = !view.display.wipe || view.handles.isOn
  handle.style.left = `${100 * view.divider}%`
  handle.setAttribute('aria-valuenow', String(Math.round(100 * view.divider)))
  view.draw()
}

export function bindDivider() {
  const handle = byId('wipe')
  const shareOf = ({ clientX }: PointerEvent) => {
    const { left, width } = byId('view').getBoundingClientRect()
    return (clientX - left) / width
  }
  handle.onpointerdown = event => {
    handle.setPointerCapture(event.pointerId)
    handle.onpointermove = moved => moveDivider(shareOf(moved))
  }
  handle.onpointerup = handle.onpointercancel = () => {
    handle.onpointermove = null
  }
  handle.onkeydown = event => {
    const direction = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (!direction) return
    event.preventDefault()
    event.stopPropagation()
    moveDivider(view.divider + direction * DIVIDER_STEP)
  }
}
