// Keyboard shortcuts. The list that the user sees is in `shortcut-list.ts`.

import { byId } from '../dom'
import { project } from '../project/project'
import { copySelected, markerAfter, pastePlants, setRangeEnd, toggleMarker } from '../state/marks'
import {
  addPlantHere,
  deleteSelected,
  joinSelected,
  moveSelectedFrames,
  moveSelectedSpots,
  resetSelectedSpots,
  splitPlants,
} from '../state/plant-edits'
import { state } from '../state/state'
import { keepCamera, showCamera } from './bookmarks'
import { stepClip } from './clips'
import { toggleDisplay } from './display'
import { attemptUndo, timeline, view } from './editor'
import { jumpTo, stepBy, togglePlayback } from './playback'
import { jumpToWorstFrame, selectNeighbour, selectNextUncertain, stepReview } from './review'
import { save } from './save'
import { showShortcuts } from './shortcut-list'
import { attempt, showMessage } from './status'
import { showTab, updateInputs } from './tabs'

type Action = (event: KeyboardEvent) => void

/** How far a key moves a spot, in metres. */
const SPOT_STEP = 0.01
/** Frames per arrow key with Shift. */
const LARGE_STEP = 10
/** Change of the visible range per key press. */
const ZOOM_IN = 0.7
const ZOOM_OUT = 1.4

const hasControl = (event: KeyboardEvent) => event.ctrlKey || event.metaKey

/** Arrow keys step through frames; with Alt they move plants, with Alt+Shift spots. */
function arrow(direction: 1 | -1): Action {
  return ({ altKey, shiftKey }) => {
    if (!altKey) stepBy(direction * (shiftKey ? LARGE_STEP : 1))
    else if (shiftKey) moveSpots(direction, 0)
    else moveSelectedFrames(direction, direction)
  }
}

/** Moves the selected spots right and away from the camera, as seen in the view. */
function moveSpots(right: number, away: number) {
  moveSelectedSpots(view.camera.floorOffset(right * SPOT_STEP, away * SPOT_STEP))
}

function selectAll() {
  state.select(state.plants.keys())
  state.notify()
}

function cancel() {
  state.select([])
  if (view.handles.picking) {
    view.handles.picking = null
    updateInputs()
  }
  state.notify()
}

/** Actions by `KeyboardEvent.key`. Letters are lower case. */
const ACTIONS: Record<string, Action> = {
  ' ': togglePlayback,
  ArrowLeft: arrow(-1),
  ArrowRight: arrow(1),
  ArrowUp: () => moveSpots(0, 1),
  ArrowDown: () => moveSpots(0, -1),
  Home: () => jumpTo(0),
  End: () => jumpTo(state.clip.frames - 1),
  '[': () => selectNeighbour(-1),
  ']': () => selectNeighbour(1),
  ',': () => moveSelectedFrames(-1, 0),
  '.': () => moveSelectedFrames(1, 0),
  '<': () => moveSelectedFrames(0, -1),
  '>': () => moveSelectedFrames(0, 1),
  a: selectAll,
  n: addPlantHere,
  s: event => {
    if (hasControl(event)) void save('motion')
    else splitPlants(state.selection, Math.round(state.frame))
  },
  j: joinSelected,
  Delete: deleteSelected,
  Backspace: deleteSelected,
  r: resetSelectedSpots,
  z: event => {
    if (hasControl(event)) attemptUndo(() => (event.shiftKey ? state.redo() : state.undo()))
  },
  y: event => {
    if (hasControl(event)) attemptUndo(() => state.redo())
  },
  '+': () => timeline.zoom(ZOOM_IN),
  '=': () => timeline.zoom(ZOOM_IN),
  '-': () => timeline.zoom(ZOOM_OUT),
  '0': () => timeline.showAll(),
  w: jumpToWorstFrame,
  q: ({ shiftKey }) => stepReview(shiftKey ? -1 : 1),
  u: selectNextUncertain,
  '1': () => view.look('side'),
  '2': () => view.look('front'),
  '3': () => view.look('top'),
  '4': () => view.look('feet'),
  c: event => {
    if (hasControl(event)) copyPlants()
    else if (!event.repeat) view.holdCapture(true)
  },
  e: () => toggleDisplay('focus'),
  f: () => toggleDisplay('follow'),
  h: () => toggleDisplay('inset'),
  g: () => toggleDisplay('ghost'),
  k: () => toggleDisplay('mesh'),
  t: () => toggleDisplay('trails'),
  b: () => toggleDisplay('apart'),
  v: event => {
    if (hasControl(event)) paste()
    else toggleDisplay('wipe')
  },
  i: ({ shiftKey, altKey }) => {
    if (altKey) state.mark({ range: null })
    else setRangeEnd(shiftKey ? 'end' : 'start', Math.round(state.frame))
  },
  x: ({ shiftKey }) => {
    if (!shiftKey) toggleMarker(Math.round(state.frame))
    else jumpTo(markerAfter(Math.round(state.frame)) ?? state.frame)
  },
  m: () => showTab('settings'),
  p: () => showTab('rig'),
  PageUp: () => stepClip(-1),
  PageDown: () => stepClip(1),
  o: () => byId('file').click(),
  '?': showShortcuts,
  Escape: cancel,
}

function copyPlants() {
  const count = copySelected()
  showMessage(count ? `${count} ${count === 1 ? 'plant' : 'plants'} copied` : 'Select plants to copy them')
}

function paste() {
  const { copied, pasted } = pastePlants(Math.round(state.frame))
  if (pasted < copied || !copied)
    showMessage(copied ? `${pasted} of ${copied} plants fit here` : 'Nothing is copied')
}

/** Digits from 5 to 9 are camera bookmarks. With Shift their keys type other characters, so the place counts. */
function bookmarkAction({ code, shiftKey }: KeyboardEvent): Action | undefined {
  const number = /^Digit([5-9])$/.exec(code)?.[1]
  return number ? () => (shiftKey ? keepCamera(number) : showCamera(number)) : undefined
}

/** Keys that have a meaning with Ctrl. All others with Ctrl belong to the browser. */
const WITH_CONTROL = ['z', 'y', 's', 'c', 'v']

/** Whether the browser or the focused element uses the key itself. */
function isForElement(event: KeyboardEvent) {
  const { target, key } = event
  const tag = (target as HTMLElement).tagName
  // Ctrl+C copies a text that is selected.
  if (hasControl(event) && key === 'c' && getSelection()?.toString()) return true
  if (['INPUT', 'SELECT', 'TEXTAREA'].includes(tag)) return true
  // Without a list of clips these keys scroll, and in a panel always.
  const isPanel = (target as HTMLElement).getAttribute('role') === 'tabpanel'
  if (key.startsWith('Page') && (isPanel || !project.isShown)) return true
  return tag === 'BUTTON' && (key === ' ' || key === 'Enter')
}

function onKeyDown(event: KeyboardEvent) {
  if (!state.isOpen || state.isOpening || isForElement(event) || byId<HTMLDialogElement>('list').open) return
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const action = bookmarkAction(event) ?? ACTIONS[key]
  const isVertical = key === 'ArrowUp' || key === 'ArrowDown'
  if (!action || (hasControl(event) && !WITH_CONTROL.includes(key))) return
  // Up and down scroll the page unless they move spots.
  if (isVertical && !(event.altKey && event.shiftKey)) return
  event.preventDefault()
  attempt(() => action(event))
}

/** The key that shows the capture alone while it is held. */
const COMPARE_KEY = 'c'

function onKeyUp({ key }: KeyboardEvent) {
  if (key.toLowerCase() === COMPARE_KEY && view.showsCaptureOnly) view.holdCapture(false)
}

export function bindKeyboard() {
  addEventListener('keydown', onKeyDown)
  addEventListener('keyup', onKeyUp)
  addEventListener('blur', () => view.showsCaptureOnly && view.holdCapture(false))
}
