// The panels at the side: figures and notes.

import { state } from './state'

export const make = <T extends HTMLElement = HTMLElement>(tag: string, text = '', className = '') => { const e = document.createElement(tag) as T; e.textContent = text; e.className = className; return e }

export function figures(panel: HTMLElement) {
  const found = state.figures
  if (!found) { panel.replaceChildren(make('p', state.about?.no_legs ?? 'Measuring the clean file…', 'price')); return }
  const parts = [make('p', found.headline, 'headline')]
  if (found.price) parts.push(make('p', found.price, 'price'))
  const table = make('table')
  for (const line of found.table.split('\n')) {
    const cells = line.trim().split(/\s{2,}/)
    if (cells.length < 2) {
      if (!line.trim()) continue
      const row = make('tr'), cell = make('th', line.trim(), 'group')
      cell.setAttribute('colspan', '4'); row.append(cell); table.append(row); continue
    }
    const row = make('tr'), head = cells.some(cell => cell === 'after' || cell === 'before')
    cells.forEach((cell, n) => row.append(make(head ? 'th' : 'td', cell, n === 1 ? 'was' : '')))
    if (head) row.prepend(make('th'))
    table.append(row)
  }
  panel.replaceChildren(...parts, table)
}

export function notes(panel: HTMLElement, tab: HTMLElement, jump: (frame: number) => void) {
  const about = state.about, list = make('ul', '', 'notes')
  for (const { frame, said } of state.figures?.notes ?? []) {
    const item = make('li')
    if (frame === null) item.append(make('p', said))
    else {
      const button = make('button', said)
      button.onclick = () => jump(frame); item.append(button)
    }
    list.append(item)
  }
  for (const warning of about?.warnings ?? []) list.append(make('li', warning, 'price'))
  const count = (state.figures?.notes ?? []).filter(note => note.frame !== null).length
  tab.textContent = count ? `Notes ${count}` : 'Notes'
  if (!list.children.length) list.append(make('li', 'Nothing to tell: every plant is held.', 'price'))
  panel.replaceChildren(list)
}
