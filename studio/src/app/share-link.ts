// Share links: the address holds plants and settings, but not the motion.

import { state } from '../state/state'
import type { Work } from '../state/work'
import { showError, showMessage } from './status'

/** The work in a link, with the file that it belongs to. */
interface SharedWork extends Work {
  name: string
  frames: number
}

/** The work in the page's address, if it fits the open clip; null otherwise. */
export function sharedWork(): SharedWork | null {
  const encoded = new URLSearchParams(location.hash.slice(1)).get('work')
  if (!encoded) return null
  const work = decode(encoded)
  if (!work) {
    showError('The share link is damaged: its plants and settings cannot be read')
    return null
  }
  const { name, frames } = state.clip
  if (work.frames === frames) return work
  showError(`The link is for ${work.name} with ${work.frames} frames, but ${name} has ${frames}`)
  return null
}

/** The settings in the page's address, if it has any. */
export function sharedSettings() {
  const encoded = new URLSearchParams(location.hash.slice(1)).get('work')
  return encoded ? decode(encoded)?.settings : undefined
}

/** Puts plants and settings into the page's address and copies it. */
export function copyShareLink() {
  const { name, frames } = state.clip
  const url = `${location.origin}${location.pathname}#work=${encode({ name, frames, ...state.work })}`
  history.replaceState(null, '', url)
  const copied = navigator.clipboard?.writeText(url) ?? Promise.reject(new Error('no clipboard'))
  copied.then(
    () => showMessage('Link copied: it contains plants and settings, but not the motion'),
    () => showMessage('The link is in the address bar'),
  )
}

/** URL-safe Base64 of the work as UTF-8 JSON. */
function encode(work: SharedWork) {
  const utf8 = new TextEncoder().encode(JSON.stringify(work))
  const binary = Array.from(utf8, byte => String.fromCharCode(byte)).join('')
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_')
}

function decode(encoded: string): SharedWork | null {
  try {
    const binary = atob(encoded.replace(/-/g, '+').replace(/_/g, '/'))
    const utf8 = Uint8Array.from(binary, character => character.charCodeAt(0))
    const work = JSON.parse(new TextDecoder().decode(utf8)) as Partial<SharedWork>
    const isComplete = Array.isArray(work.plants) && work.settings?.file
    return isComplete ? (work as SharedWork) : null
  } catch {
    return null
  }
}
