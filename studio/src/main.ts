// The entry of the page: connects state, view, timeline and controls, then starts.

import './style.css'
import { activity } from './app/activity'
import { applyTheme, bindButtons, bindDrop } from './app/buttons'
import { bindClips } from './app/clips'
import { bindDivider } from './app/display'
import { timeline, view } from './app/editor'
import { bindKeyboard } from './app/keyboard'
import { refresh } from './app/refresh'
import { start } from './app/start'
import { showError } from './app/status'
import { bindTabs } from './app/tabs'
import { bindViewEdits } from './app/view-edits'
import { call, loadFullCore } from './core'
import { project } from './project/project'
import { state } from './state/state'

const studio = { state, view, timeline, activity, project, call, loadFullCore }

declare global {
  interface Window {
    /** The parts of the page, for tests and for the browser's console. */
    studio: typeof studio
  }
}

applyTheme()
window.studio = studio
state.subscribe(refresh)
bindButtons()
bindDrop()
bindDivider()
bindTabs()
bindClips()
bindKeyboard()
bindViewEdits()
start().catch((error: Error) => showError(`The studio could not start: ${error.message}`))
