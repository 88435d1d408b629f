// Edits made in the view: dragged footprints, picked joints and dragged foot points.

import { movePoint, pickJoint } from '../panels/rig-edits'
import { clamp } from '../numbers'
import { state } from '../state/state'
import { attemptRebuild, timeline, view } from './editor'
import { jumpTo } from './playback'
import { showFootOf } from './review'
import { attempt, showError, showMessage } from './status'

export function bindViewEdits() {
  timeline.onPlant = showFootOf
  view.character.onProblem = ({ message }) =>
    showError(`The character of the file cannot be shown: ${message}`)
  view.onGrab = plant => jumpTo(clamp(Math.round(state.frame), plant.first, plant.last))
  view.onRelease = showFootOf
  view.onSpot = (plant, spot) => {
    state.select([plant])
    attempt(() => state.drag(state.plants.map((other, n) => (n === plant ? { ...other, spot } : other))))
  }
  view.handles.onPick = (picked, joint) =>
    attemptRebuild(async () => {
      await pickJoint(picked, joint)
      const side = state.clip.legs[picked.leg]?.side
      showMessage(`${side} ${picked.role}: ${state.jointName(joint)}`)
    })
  view.handles.onMoved = (point, position) => attemptRebuild(() => movePoint(point, position))
}
