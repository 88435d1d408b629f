// The message box: confirmations and errors.

import { byId } from '../dom'

/** How long a message and an error stay, in milliseconds. */
const MESSAGE_MS = 3000
const ERROR_MS = 9000

let hideTimer = 0

function show(text: string, kind: string, duration: number) {
  const box = byId('message')
  box.textContent = text
  box.className = `on ${kind}`
  clearTimeout(hideTimer)
  hideTimer = window.setTimeout(() => (box.className = kind), duration)
}

/** Removes the present message, as when another file opens. */
export function clearMessage() {
  byId('message').className = ''
  clearTimeout(hideTimer)
}

/** Shows a message before work that keeps the page busy, and waits until the browser has drawn it. */
export async function showBusy(text: string) {
  show(text, 'busy', MESSAGE_MS)
  await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
}

export function showMessage(text: string) {
  show(text, '', MESSAGE_MS)
}

export function showError(error: unknown) {
  show(error instanceof Error ? error.message : String(error), 'bad', ERROR_MS)
}

/** Runs an action and shows its error, if it throws one. */
export function attempt(action: () => void | Promise<void>) {
  try {
    action()?.catch(showError)
  } catch (error) {
    showError(error)
  }
}
