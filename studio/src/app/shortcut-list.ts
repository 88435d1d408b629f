// The list of keyboard shortcuts that the user sees.

import { byId, make } from '../dom'

const SHORTCUTS: [keys: string, action: string][] = [
  ['Space', 'play or pause'],
  ['← →', 'previous or next frame; with Shift ten frames'],
  ['Home End', 'first or last frame'],
  ['[ ]', 'select the previous or next plant'],
  ['A', 'select all plants'],
  [', .', 'move the first frame of the selected plants'],
  ['< >', 'move their last frame'],
  ['Alt+← →', 'move the selected plants in time'],
  ['Alt+Shift+← ↑ → ↓', 'move them on the floor by 1 cm, as seen in the view'],
  ['N', 'new plant at this frame, in the row of the selected plant'],
  ['S', 'split the selected plants at this frame'],
  ['J', 'join the selected plants'],
  ['Delete', 'delete the selected plants'],
  ['R', 'reset the positions of the selected plants'],
  ['Ctrl+C, Ctrl+V', 'copy the selected plants, paste them at this frame'],
  ['Ctrl+Z, Ctrl+Shift+Z', 'undo, redo'],
  ['I, Shift+I, Alt+I', 'playback starts here, ends here, plays the whole clip'],
  ['X, Shift+X', 'marker at this frame, next marker'],
  ['+ −', 'zoom the timeline'],
  ['0', 'show the whole clip'],
  ['Q, Shift+Q', 'next or previous item of the review'],
  ['W U', 'worst frame, next uncertain plant'],
  ['1 2 3 4', 'view from the side, the front, the top, close to the feet'],
  ['5 … 9, with Shift', 'show or keep a camera bookmark'],
  ['F G T', 'follow, ghost, trails'],
  ['K', 'the character of the file, or a plain body'],
  ['E', 'move close to the foot of a plant that is selected'],
  ['C', 'hold to see the capture alone'],
  ['H', 'the foot of the selected plant, captured and cleaned, in a corner'],
  ['B V', 'side by side, wipe (← → move the focused divider)'],
  ['M P', 'settings, rig'],
  ['Page Up, Page Down', 'previous or next clip of the project'],
  ['O', 'open files'],
  ['Ctrl+S', 'save the cleaned motion'],
  ['?', 'this list'],
]

export function showShortcuts() {
  const dialog = byId<HTMLDialogElement>('list')
  const list = make('dl')
  for (const [keys, action] of SHORTCUTS) list.append(make('dt', keys), make('dd', action))
  const form = make('form')
  form.method = 'dialog'
  form.append(make('button', 'Close', 'main'))
  dialog.replaceChildren(make('h3', 'Keyboard shortcuts'), list, form)
  dialog.showModal()
  // The focus is on the button at the end: a long list starts at its top.
  dialog.scrollTop = 0
}
