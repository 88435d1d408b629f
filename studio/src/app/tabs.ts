// The tabs at the side: figures, review, settings, rig and clips.

import { all, byId } from '../dom'
import { showRigPanel } from '../panels/rig-panel'
import { showSettingsPanel } from '../panels/settings-panel'
import { state } from '../state/state'
import { moveDivider } from './display'
import { applySettings, attemptRebuild, view } from './editor'

export type Tab = 'figures' | 'notes' | 'settings' | 'rig' | 'clips'

const tabs = () => all('[data-tab]')
const tabOf = (button: HTMLElement) => button.dataset.tab as Tab
const panelOf = (tab: Tab) => byId('tab-' + tab)

export function showTab(tab: Tab) {
  for (const button of tabs()) {
    const isShown = tabOf(button) === tab
    button.setAttribute('aria-selected', String(isShown))
    button.tabIndex = isShown ? 0 : -1
    panelOf(tabOf(button)).hidden = !isShown
  }
  view.handles.isOn = tab === 'rig'
  view.handles.picking = null
  document.body.classList.toggle('rigging', view.handles.isOn)
  if (!state.isOpen) return
  updateInputs()
  view.show()
  moveDivider()
}

/** Fills the panels with inputs. Hidden panels are filled when they are shown. */
export function updateInputs() {
  if (!panelOf('settings').hidden) showSettingsPanel(panelOf('settings'), applySettings)
  if (!panelOf('rig').hidden) showRigPanel(panelOf('rig'), view.handles, attemptRebuild)
}

export function bindTabs() {
  tabs().forEach(button => {
    button.onclick = () => showTab(tabOf(button))
    button.onkeydown = event => {
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
      const buttons = tabs().filter(({ hidden }) => !hidden)
      const next = buttons[(buttons.indexOf(button) + by + buttons.length) % buttons.length]
      if (!by || !next) return
      event.stopPropagation()
      event.preventDefault()
      showTab(tabOf(next))
      next.focus()
    }
  })
}
