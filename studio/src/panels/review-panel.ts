// The review: everything in the result that could be objected to, the most visible first. Each item jumps to its frame
// and can be marked as accepted.

import { make } from '../dom'
import type { ReviewItem } from '../messages'
import { state } from '../state/state'

/** Headings of the kinds of items. */
const HEADINGS: Record<ReviewItem['kind'], string> = {
  introduced: 'Introduced by cleaning',
  slides: 'Plants that slide',
  unsure: 'Plants to check',
  note: 'Notes',
}

/** Texts of items that the user has accepted. An item whose frames or amount change is a new one. */
const accepted = new Set<string>()

/** The items that are left to look at. */
export const openItems = () => (state.figures?.review ?? []).filter(({ text }) => !accepted.has(text))

export function showReviewPanel(panel: HTMLElement, tab: HTMLElement, show: (item: ReviewItem) => void) {
  const items = state.figures?.review ?? []
  const parts: HTMLElement[] = []
  for (const [kind, heading] of Object.entries(HEADINGS)) {
    const own = items.filter(item => item.kind === kind)
    if (!own.length) continue
    const list = make('ul', '', 'notes')
    list.append(...own.map(item => makeItem(item, show)))
    parts.push(make('h2', heading), list)
  }
  const warnings = make('ul', '', 'notes')
  warnings.append(...state.clip.warnings.map(warning => make('li', warning, 'remark')))
  if (warnings.children.length) parts.push(make('h2', 'About the file'), warnings)
  if (!openItems().length) parts.unshift(make('p', nothingLeft(items.length), 'remark'))
  const count = openItems().filter(({ kind }) => kind !== 'note').length
  tab.textContent = count ? `Review ${count}` : 'Review'
  panel.replaceChildren(...parts)
}

function nothingLeft(items: number) {
  if (!state.figures) return 'Measuring the cleaned motion…'
  return items
    ? 'Every item is accepted.'
    : 'Nothing to review: every plant is held, and nothing new is visible.'
}

function makeItem(item: ReviewItem, show: (item: ReviewItem) => void) {
  const row = make('li', '', accepted.has(item.text) ? 'accepted' : '')
  if (item.frame === null) row.append(make('p', item.text))
  else {
    const button = make('button', item.text)
    button.onclick = () => show(item)
    row.append(button)
  }
  if (item.kind !== 'note') row.append(makeCheck(item))
  return row
}

/** A check box that marks an item as accepted. */
function makeCheck({ text }: ReviewItem) {
  const label = make('label', '', 'accept')
  const box = make('input')
  box.type = 'checkbox'
  box.checked = accepted.has(text)
  box.onchange = () => {
    if (box.checked) accepted.add(text)
    else accepted.delete(text)
    state.notify()
  }
  label.append(box, 'accepted')
  return label
}
