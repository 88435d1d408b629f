// Opening files: motions, plants, rigs, floors and settings, distinguished by their names.

import { loadFullCore } from '../core'
import type { AttachedFile, Settings } from '../messages'
import { sampleWalk, state } from '../state/state'
import type { Work } from '../state/work'
import { activity } from './activity'
import { applySettings, rebuild, timeline, view } from './editor'
import { askImageSize } from './image-size'
import { sharedWork } from './share-link'
import { attempt, clearMessage, showBusy, showError, showMessage } from './status'
import { showTab } from './tabs'

/** Size from which opening a file takes long enough for a message, in bytes. */
const LARGE_FILE = 1e6

/** Opens files that the user chose or dropped. */
export async function openFiles(files: Iterable<File>) {
  for (const file of files) {
    try {
      clearMessage()
      if (file.size > LARGE_FILE) await showBusy(`Opening ${file.name}…`)
      const bytes = await contentsOf(file)
      if (mayHoldRig(file.name, bytes)) await loadFullCore()
      openFile(file.name, bytes)
    } catch (error) {
      showError(error)
    }
    activity.filesHandled++
  }
}

/** Whether a file is a rig, or settings with one. */
function mayHoldRig(name: string, bytes: Uint8Array) {
  const lowerName = name.toLowerCase()
  if (lowerName.endsWith('.toml')) return true
  return lowerName.endsWith('settings.json') && new TextDecoder().decode(bytes).includes('"rig"')
}

async function contentsOf(file: File) {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch (error) {
    const why = 'the browser cannot read it. It may be too large, or it has changed or moved.'
    throw new Error(`${file.name}: ${why}`, { cause: error })
  }
}

/** Opens a file of any kind. Throws a message for the user if it cannot be read. */
export function openFile(name: string, bytes: Uint8Array) {
  const lowerName = name.toLowerCase()
  const extension = lowerName.split('.').pop() ?? ''
  const text = () => new TextDecoder().decode(bytes)
  if (extension === 'toml') return describe({ rig: attached(name, bytes), legs: undefined })
  if (extension === 'obj' || extension === 'pgm') return openFloor(name, bytes)
  if (extension === 'csv') return isFloorTable(text()) ? openFloor(name, bytes) : openPlants(name, bytes)
  if (lowerName.endsWith('plants.json')) return openPlants(name, bytes)
  if (lowerName.endsWith('settings.json')) return applySettings(parseSettings(name, text()))
  openMotion(name, bytes)
}

/** Opens a motion, with earlier work on it if there is any. Work in the page's address comes first. */
export function openMotion(name: string, bytes: Uint8Array, settings?: Settings, work?: Partial<Work>) {
  state.open(name, bytes, settings, work)
  const shared = sharedWork()
  if (shared) {
    attempt(() => {
      state.open(name, bytes, shared.settings, shared)
      showMessage('Loaded plants and settings from the link')
    })
  }
  view.build()
  view.look('start')
  timeline.showAll()
  state.notify()
  const { no_legs } = state.clip
  if (no_legs === null) return
  showTab('rig')
  showError(`${no_legs}\nPick the legs here, or drop a rig file.`)
}

export function openSampleWalk() {
  openMotion('walk.bvh', sampleWalk())
}

export function openPlants(name: string, bytes: Uint8Array) {
  state.readPlants(name, bytes)
}

/** The first line of a floor table names a column `height`; that of a plants table does not. */
const isFloorTable = (csv: string) => /height/i.test(csv.split('\n')[0] ?? '')

/** A floor file replaces a floor that was typed in. */
function openFloor(name: string, bytes: Uint8Array) {
  const floor = { floor_file: attached(name, bytes), floor: undefined }
  const { floor_cell, floor_height } = state.settings.file
  if (name.toLowerCase().endsWith('.pgm') && !(floor_cell && floor_height)) {
    askImageSize(name, size => attempt(() => describe({ ...floor, ...size })))
  } else describe(floor)
}

/** Adds to the description of the file. */
function describe(more: Record<string, unknown>) {
  const { cleaning, file } = state.settings
  state.reopen({ cleaning, file: { ...file, ...more } })
  rebuild()
}

function attached(name: string, bytes: Uint8Array): AttachedFile {
  let characters = ''
  for (const byte of bytes) characters += String.fromCharCode(byte)
  return { name, bytes: characters }
}

function parseSettings(name: string, text: string): Settings {
  try {
    const settings = JSON.parse(text) as Partial<Settings>
    if (!settings.file || !settings.cleaning) throw new Error('expected the objects "file" and "cleaning"')
    return { file: settings.file, cleaning: settings.cleaning }
  } catch (error) {
    throw new Error(`${name} has no settings: ${(error as Error).message}`, { cause: error })
  }
}
