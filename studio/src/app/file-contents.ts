// What a file holds besides one motion: the choice between its animations, and its character.

import { byId } from '../dom'
import { state } from '../state/state'
import { rebuild, timeline, view } from './editor'
import { attempt } from './status'

/** The animations that the list shows. */
let shown = ''

/** Shows the controls for what the open file holds. */
export function showFileContents() {
  if (!state.isOpen) return
  showAnimations()
  const button = document.querySelector<HTMLElement>('[data-toggle=mesh]')
  if (button) button.hidden = !state.clip.has_mesh
}

/** With one animation there is nothing to choose. */
function showAnimations() {
  const list = byId<HTMLSelectElement>('animation')
  const { animations, animation } = state.clip
  list.hidden = animations.length < 2
  const texts = animations.map(
    ({ name, seconds }, n) => `${name || `animation ${n}`} · ${seconds.toFixed(1)} s`,
  )
  if (shown !== texts.join('\n')) {
    shown = texts.join('\n')
    list.replaceChildren(...texts.map((text, n) => new Option(text, String(n))))
  }
  list.value = String(animation)
}

export function bindAnimations() {
  const list = byId<HTMLSelectElement>('animation')
  list.onchange = () => chooseAnimation(Number(list.value))
}

function chooseAnimation(number: number) {
  const { cleaning, file } = state.settings
  attempt(async () => {
    await state.reopen({ cleaning, file: { ...file, animation: flagValue(number) } })
    state.frame = 0
    rebuild()
    timeline.showStart()
    view.look('start')
  })
}

/** The animation as the command names it: by its name, or by its number where the name is not its own. */
function flagValue(number: number) {
  const { animations } = state.clip
  const name = animations[number]?.name ?? ''
  const isOwn = animations.filter(other => other.name === name).length === 1
  return name && isOwn ? name : String(number)
}
