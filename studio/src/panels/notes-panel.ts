// The notes: plants that could not be held, and warnings about the file. Notes about a frame jump to it.

import { make } from '../dom'
import { state } from '../state/state'

export function showNotesPanel(panel: HTMLElement, tab: HTMLElement, jumpTo: (frame: number) => void) {
  const list = make('ul', '', 'notes')
  const notes = state.figures?.notes ?? []
  for (const { frame, text } of notes) {
    const item = make('li')
    if (frame === null) item.append(make('p', text))
    else {
      const button = make('button', text)
      button.onclick = () => jumpTo(frame)
      item.append(button)
    }
    list.append(item)
  }
  for (const warning of state.clip.warnings) list.append(make('li', warning, 'remark'))
  if (!list.children.length) list.append(make('li', 'Every plant is held in place.', 'remark'))
  const count = notes.filter(note => note.frame !== null).length
  tab.textContent = count ? `Notes ${count}` : 'Notes'
  panel.replaceChildren(list)
}
