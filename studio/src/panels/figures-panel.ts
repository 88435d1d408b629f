// The figures: measurements of the cleaned motion.

import { make } from '../dom'
import { state } from '../state/state'

/** Columns of the table: name, before, after, ratio. */
const COLUMNS = 4

export function showFiguresPanel(panel: HTMLElement) {
  const { figures } = state
  if (!figures) {
    panel.replaceChildren(make('p', state.clip.no_legs ?? 'Measuring the cleaned motion…', 'remark'))
    return
  }
  const parts: HTMLElement[] = [make('p', figures.headline, 'headline')]
  if (figures.cost) parts.push(make('p', figures.cost, 'remark'))
  const table = make('table')
  table.append(...figures.table.split('\n').flatMap(makeRow))
  panel.replaceChildren(...parts, table)
}

/** A row of the table from a line of text; none for an empty line. */
function makeRow(line: string): HTMLElement[] {
  const text = line.trim()
  if (!text) return []
  const row = make('tr')
  const cells = text.split(/\s{2,}/)
  if (cells.length < 2) {
    const group = make('th', text, 'group')
    group.colSpan = COLUMNS
    row.append(group)
    return [row]
  }
  const isHeading = cells.some(cell => cell === 'after' || cell === 'before')
  if (isHeading) row.append(make('th'))
  cells.forEach((cell, n) => row.append(make(isHeading ? 'th' : 'td', cell, n === 1 ? 'was' : '')))
  return [row]
}
