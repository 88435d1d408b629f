// The buttons, menus and drop targets of the page.

import { all, byId } from '../dom'
import { bindPlantForm } from '../panels/plant-form'
import { state } from '../state/state'
import type { CurveName } from '../timeline/curves'
import type { Viewpoint } from '../view/camera'
import type { Display } from '../view/view'
import { toggleDisplay } from './display'
import { attemptUndo, timeline, view } from './editor'
import { droppedFiles, motionsIn } from './dropped'
import { openSampleWalk } from './open'
import { openAll } from './open-all'
import { stepBy, togglePlayback } from './playback'
import { jumpToWorstFrame, selectNextUncertain } from './review'
import { type Savable, save } from './save'
import { showShortcuts } from './shortcut-list'
import { attempt, showMessage } from './status'

export function bindButtons() {
  bindFileButtons()
  bindTransport()
  bindPlantForm(attempt)
  byId('theme').onclick = switchTheme
  byId('keys').onclick = showShortcuts
  for (const button of all('[data-view]')) {
    button.onclick = () => view.look(button.dataset.view as Viewpoint)
  }
  for (const button of all('[data-toggle]')) {
    button.onclick = () => toggleDisplay(button.dataset.toggle as keyof Display)
  }
  byId('hide-hint').onclick = () => {
    byId('hint').hidden = true
    localStorage.setItem('hinted', '1')
  }
}

function closeMenu() {
  byId<HTMLDetailsElement>('more').open = false
}

/** The menu closes with Escape, with a click elsewhere, and when the focus leaves it. */
function bindMenu() {
  const menu = byId<HTMLDetailsElement>('more')
  addEventListener('pointerdown', event => {
    if (!menu.contains(event.target as Node)) closeMenu()
  })
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && !menu.contains(relatedTarget as Node)) closeMenu()
  })
  menu.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !menu.open) return
    closeMenu()
    menu.querySelector('summary')?.focus()
    event.stopPropagation()
  })
}

function bindFileButtons() {
  const input = byId<HTMLInputElement>('file')
  input.onchange = () => {
    const files = [...(input.files ?? [])]
    // Choosing the same file again is a change only if the input has forgotten it.
    input.value = ''
    void openAll(files)
  }
  byId('open').onclick = () => input.click()
  const folder = byId<HTMLInputElement>('folder')
  folder.onchange = () => {
    const files = motionsIn(folder.files ?? [])
    folder.value = ''
    if (files.length) void openAll(files)
    else showMessage('The folder has no motions')
  }
  byId('open-folder').onclick = () => {
    closeMenu()
    folder.click()
  }
  byId('save').onclick = () => void save('motion')
  for (const button of all('[data-save]')) {
    button.onclick = () => {
      closeMenu()
      void save(button.dataset.save as Savable)
    }
  }
  bindMenu()
  byId('sample').onclick = () => {
    closeMenu()
    attempt(openSampleWalk)
  }
  byId('detect').onclick = () =>
    attempt(() => {
      closeMenu()
      state.detectAgain()
      showMessage(`${state.plants.length} plants detected`)
    })
}

function bindTransport() {
  byId('play').onclick = togglePlayback
  byId('back').onclick = () => stepBy(-1)
  byId('on').onclick = () => stepBy(1)
  byId('undo').onclick = () => attemptUndo(() => state.undo())
  byId('redo').onclick = () => attemptUndo(() => state.redo())
  byId('worst').onclick = jumpToWorstFrame
  byId('unsure').onclick = selectNextUncertain
  const curve = byId<HTMLSelectElement>('curve')
  curve.onchange = () => {
    timeline.curve = curve.value as CurveName
    timeline.draw()
  }
}

/** Applies the theme that the user chose, or that of the system. */
export function applyTheme() {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const theme = localStorage.getItem('theme') ?? system
  document.documentElement.classList.toggle('dark', theme === 'dark')
}

function switchTheme() {
  const isDark = document.documentElement.classList.toggle('dark')
  localStorage.setItem('theme', isDark ? 'dark' : 'light')
  if (!state.isOpen) return
  view.build()
  timeline.draw()
}

export function bindDrop() {
  const target = byId('drop')
  addEventListener('dragover', event => {
    event.preventDefault()
    target.hidden = false
  })
  addEventListener('dragleave', event => {
    // Without a related target the pointer has left the window.
    if (!event.relatedTarget) target.hidden = true
  })
  addEventListener('drop', event => {
    event.preventDefault()
    target.hidden = true
    void droppedFiles(event.dataTransfer).then(openAll)
  })
}
