// Opening files: plants, rigs, floors and settings, distinguished by their names, and motions of every format.

import { prepareFor } from '../core'
import type { AttachedFile, Settings } from '../messages'
import { type FileToOpen, isLong } from '../state/opened-file'
import { sampleWalk, state } from '../state/state'
import { NO_SETTINGS, type Work } from '../state/work'
import { applySettings, rebuild, timeline, view } from './editor'
import { askImageSize } from './image-size'
import { openLong } from './open-long'
import { sharedWork } from './share-link'
import { attempt, showError, showMessage } from './status'
import { showTab } from './tabs'

/** Whether a file is a motion: no rig, floor, plants or settings. */
export const isMotion = (name: string) => !/(\.(toml|obj|pgm|csv)|plants\.json|settings\.json)$/i.test(name)

/** Opens a file of any kind. Throws a message for the user if it cannot be read. */
export async function openFile(name: string, bytes: Uint8Array) {
  const lowerName = name.toLowerCase()
  const extension = lowerName.split('.').pop() ?? ''
  const text = () => new TextDecoder().decode(bytes)
  if (extension === 'toml') return describe({ rig: attached(name, bytes), legs: undefined })
  if (extension === 'obj' || extension === 'pgm') return openFloor(name, bytes)
  if (extension === 'csv') return isFloorTable(text()) ? openFloor(name, bytes) : openPlants(name, bytes)
  if (lowerName.endsWith('plants.json')) return openPlants(name, bytes)
  if (lowerName.endsWith('settings.json')) return applySettings(parseSettings(name, text()))
  await openMotion(name, bytes)
}

/** Opens a motion, with earlier work on it if there is any. Work in the page's address comes first. */
export async function openMotion(
  name: string,
  bytes: Uint8Array,
  settings = NO_SETTINGS,
  work?: Partial<Work>,
) {
  if (!(await openAnyLength({ name, bytes, settings, work }))) return
  const shared = sharedWork()
  if (shared) {
    try {
      if (await openAnyLength({ name, bytes, settings: shared.settings, work: shared }))
        showMessage('Loaded plants and settings from the link')
    } catch (error) {
      showError(error)
    }
  }
  const { no_legs } = state.clip
  if (no_legs === null) return
  showTab('rig')
  showError(`${no_legs}\nPick the legs here, or drop a rig file.`)
}

/** Opens a motion; returns whether it is open. */
async function openAnyLength(file: FileToOpen) {
  if (isLong(file.bytes)) return openLong(file)
  await prepareFor(file.settings, file.bytes)
  state.open(file.name, file.bytes, file.settings, file.work)
  view.build()
  view.look('start')
  timeline.showStart()
  state.notify()
  return true
}

export function openSampleWalk() {
  return openMotion('walk.bvh', sampleWalk())
}

export function openPlants(name: string, bytes: Uint8Array) {
  state.readPlants(name, bytes)
}

/** The first line of a floor table names a column `height`; that of a plants table does not. */
export const isFloorTable = (csv: string) => /height/i.test(csv.split('\n')[0] ?? '')

/** A floor file replaces a floor that was typed in. */
async function openFloor(name: string, bytes: Uint8Array) {
  const floor = { floor_file: attached(name, bytes), floor: undefined }
  const { floor_cell, floor_height } = state.settings.file
  if (name.toLowerCase().endsWith('.pgm') && !(floor_cell && floor_height)) {
    askImageSize(name, size => attempt(() => describe({ ...floor, ...size })))
  } else await describe(floor)
}

/** Adds to the description of the file. */
async function describe(more: Record<string, unknown>) {
  const { cleaning, file } = state.settings
  await state.reopen({ cleaning, file: { ...file, ...more } })
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
