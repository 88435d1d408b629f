// Updates the page after a change of the state.

import { byId } from '../dom'
import { showFiguresPanel } from '../panels/figures-panel'
import { showPlantForm } from '../panels/plant-form'
import { showReviewPanel } from '../panels/review-panel'
import { state } from '../state/state'
import { activity } from './activity'
import { showFrameNumber, timeline, view } from './editor'
import { showItem } from './review'
import { updateInputs } from './tabs'

/** The last values of the inputs, which are filled again only after a change, so that typing is kept. */
let inputsShow = ''

export function refresh() {
  if (!state.isOpen) return
  byId<HTMLButtonElement>('undo').disabled = !state.canUndo
  byId<HTMLButtonElement>('redo').disabled = !state.canRedo
  showTitle()
  byId('solved').textContent = `${state.solvedFrames} frames in ${state.solveMs.toFixed(1)} ms`
  showFiguresPanel(byId('tab-figures'))
  showReviewPanel(byId('tab-notes'), byId('notes'), showItem)
  const inputs = JSON.stringify([state.settings, state.clip.legs, state.clip.name])
  if (inputs !== inputsShow) {
    inputsShow = inputs
    updateInputs()
  }
  showPlantForm()
  view.update()
  timeline.draw()
  showFrameNumber()
  activity.refreshes++
  if (!activity.firstPictureMs) {
    requestAnimationFrame(() => (activity.firstPictureMs ||= performance.now()))
  }
}

function showTitle() {
  const { name, format, frames, fps, unit_name, up } = state.clip
  const speed = state.ground ? Math.hypot(...state.ground) : 0
  // The format is shown unless it is BVH and the file name ends in .bvh.
  const kind = format === 'BVH' && /\.bvh$/i.test(name) ? '' : ` · ${format}`
  const file = `${name}${kind} · ${frames} frames, ${Number(fps.toFixed(2))} fps · ${unit_name}, ${up} up`
  byId('name').textContent = file + (speed ? ` · ground moves at ${speed.toFixed(2)} m/s` : '')
  document.title = `${name} · surefoot studio`
}
