// The start of the page: loads the core, then opens the served file, the stored work or the sample walk.

import { loadCore, prepareFor } from '../core'
import { byId } from '../dom'
import { state } from '../state/state'
import { type StoredWork, recallWork, setWorkKey, skipWork } from '../state/storage'
import { activity } from './activity'
import { restoreClips } from './clips'
import { openMotion, openPlants, openSampleWalk } from './open'
import { type ServedClip, connect, fetchBytes } from './server'
import { sharedSettings } from './share-link'
import { attempt, showError, showMessage } from './status'

export async function start() {
  await loadCore('./surefoot.wasm')
  const served = await connect()
  await prepareFor(sharedSettings())
  setWorkKey(served?.file ? 'file ' + served.file : 'page')
  const failure = await openStoredOr(async stored => {
    if (served?.file) await openServed(served, served.file, stored)
    else if (stored) await openStored(stored)
    else await openSampleWalk()
  })
  if (failure !== null) showError(failure)
  if (!state.isOpen) attempt(openSampleWalk)
  await restoreClips()
  byId('hint').hidden = localStorage.getItem('hinted') !== null
  activity.isStarted = true
}

/**
 * Calls `open` with the stored work until it succeeds. Work that cannot be opened stays in the browser and is tried
 * again at the next start; edits made meanwhile are stored beside it. Returns the first error, or null.
 */
async function openStoredOr(open: (stored: StoredWork | null) => Promise<void>) {
  let failure: unknown = null
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    let isStored = true
    try {
      const stored = await recallWork()
      isStored = stored !== null
      await open(stored)
      return failure
    } catch (error) {
      if (!isStored) return failure ?? error
      failure ??= withKeptWork(error)
      skipWork()
    }
  }
  return failure
}

/** Most stored works that are tried: a database that cannot be read at all would be tried without end. */
const MOST_TRIES = 5

function withKeptWork(error: unknown) {
  const why = error instanceof Error ? error.message : String(error)
  return `Your stored work could not be opened. It stays in the browser and is tried again at the next start.\n${why}`
}

/** Opens the served file with the stored work, if the file is still the same, or with the plants beside it. */
async function openServed({ plants, settings }: ServedClip, file: string, stored: StoredWork | null) {
  const bytes = await fetchBytes('api/motion')
  if (stored && isEqual(stored.bytes, bytes)) return openStored({ ...stored, name: file, bytes })
  await openMotion(file, bytes, settings)
  if (!plants) return
  openPlants(plants, await fetchBytes('api/plants'))
  showMessage(`Loaded plants from ${plants}`)
}

async function openStored(stored: StoredWork) {
  await openMotion(stored.name, stored.bytes, stored.settings, stored)
  showMessage('Restored your unsaved work')
}

function isEqual(a: Uint8Array, b: Uint8Array) {
  return a.length === b.length && a.every((byte, n) => byte === b[n])
}
