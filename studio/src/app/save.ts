// Saving: beside the motion if `surefoot studio` serves the page, otherwise as a download.

import { Cancelled } from '../background-core'
import { call, loadFullCore } from '../core'
import type { WritableFile } from '../messages'
import { isLong } from '../state/opened-file'
import { state } from '../state/state'
import { view } from './editor'
import { isSlow, writeInWorker } from './save-long'
import { saveBesideMotion, served } from './server'
import { copyShareLink } from './share-link'
import { showError, showMessage } from './status'

/** The items of the Save menu. */
export type Savable = WritableFile | 'settings' | 'png' | 'link'

const ENDINGS: Record<Exclude<Savable, 'link' | 'motion'>, string> = {
  plants: 'plants.json',
  table: 'plants.csv',
  rig: 'rig.toml',
  settings: 'settings.json',
  report: 'report.html',
  png: 'png',
}

/** How long a download may take to start, in milliseconds, before its memory is freed. */
const DOWNLOAD_START_MS = 10000

export async function save(item: Savable) {
  if (!state.isOpen) return
  if (item === 'link') return copyShareLink()
  try {
    const [, stem = state.clip.name, ending = '.bvh'] = /^(.*?)(\.[^.]*)?$/.exec(state.clip.name) ?? []
    // A motion is saved in its own format.
    const name = item === 'motion' ? `${stem}.clean${ending}` : `${stem}.${ENDINGS[item]}`
    await saveFile(name, await contents(item))
  } catch (error) {
    if (!(error instanceof Cancelled)) showError(error)
  }
}

async function contents(item: Exclude<Savable, 'link'>): Promise<Uint8Array> {
  if (isLong(state.bytes) && isSlow(item)) return writeInWorker(item)
  if (item === 'report') await loadFullCore()
  if (item === 'settings') return new TextEncoder().encode(JSON.stringify(state.settings, null, 2) + '\n')
  if (item !== 'png') return call({ kind: 'write', output: item })
  const [, base64 = ''] = view.png().split(',')
  return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
}

/** Saves a file beside the motion or as a download. */
export async function saveFile(name: string, bytes: Uint8Array) {
  if (served?.file) await saveBeside(name, bytes)
  else download(name, bytes)
}

async function saveBeside(name: string, bytes: Uint8Array) {
  let result = await saveBesideMotion(name, bytes, false)
  if (result === 'exists') {
    if (!confirm(`${name} already exists. Overwrite it?`)) return
    result = await saveBesideMotion(name, bytes, true)
  }
  if (result === 'saved') showMessage(`${name} saved beside the motion`)
  else showError(result === 'exists' ? `${name} already exists` : result.error)
}

function download(name: string, bytes: Uint8Array) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([bytes as BlobPart]))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOAD_START_MS)
  showMessage(`${name} saved`)
}
