// The list of clips in a project, ranked by what needs a look.

import { make } from '../dom'
import { reviewText } from './clip-review'
import { type ProjectClip, project } from './project'

export interface ClipActions {
  open: (clip: ProjectClip) => void
  remove: (clip: ProjectClip) => void
  share: () => void
  saveAll: () => void
}

export function showClipsPanel(panel: HTMLElement, tab: HTMLElement, actions: ClipActions) {
  tab.hidden = !project.isShown
  tab.textContent = `Clips ${project.clips.length}`
  const waiting = project.clips.filter(({ review, problem }) => !review && problem === undefined).length
  const list = make('ul', '', 'notes clips')
  list.append(...project.ranked.map(clip => makeClip(clip, actions)))
  const buttons = make('div', '', 'presets')
  buttons.append(
    makeButton(
      'Use these settings for all',
      'Settings of cleaning and detection, not legs and floor',
      actions.share,
    ),
    makeButton('Save all motions', 'Save the cleaned motion of every clip', actions.saveAll),
  )
  const progress = waiting
    ? `${waiting} of ${project.clips.length} not looked at yet…`
    : 'What needs a look most is first.'
  panel.replaceChildren(make('p', progress, 'remark'), list, buttons)
}

function makeButton(text: string, title: string, action: () => void) {
  const button = make('button', text)
  button.title = title
  button.onclick = action
  return button
}

function makeClip(clip: ProjectClip, { open, remove }: ClipActions) {
  const { name, review, problem } = clip
  const row = make('li')
  const button = make('button', '', 'clip')
  const isOpen = clip === project.current
  if (isOpen) button.setAttribute('aria-current', 'true')
  const about = problem ?? (review ? reviewText(review) : 'not looked at yet')
  button.append(make('b', name), make('span', about, problem === undefined ? 'remark' : 'problem'))
  button.disabled = problem !== undefined
  button.onclick = () => open(clip)
  row.append(button)
  if (!isOpen) {
    const close = makeButton('×', `Remove ${name} from the list`, () => remove(clip))
    close.setAttribute('aria-label', `Remove ${name} from the list`)
    row.append(close)
  }
  return row
}
