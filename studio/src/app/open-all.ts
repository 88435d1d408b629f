// Opens the files that the user chose or dropped: one motion, or several as the clips of a project.

import { loadFullCore } from '../core'
import { bytesOf } from '../file-bytes'
import { project } from '../project/project'
import { state } from '../state/state'
import { activity } from './activity'
import { openClips } from './clips'
import { isFloorTable, isMotion, openFile } from './open'
import { clearMessage, showError, showMessage } from './status'

/** Opens files that the user chose or dropped. Rigs, floors, plants and settings belong to the clip that is open. */
export async function openAll(files: File[]) {
  if (state.isOpening) return showMessage('Another file is being opened: wait for it, or cancel it')
  const motions = files.filter(({ name }) => isMotion(name))
  // A single motion replaces the one that is open, unless there is a list of clips.
  if (!project.isShown) project.clips = []
  if (motions.length)
    await handled(motions.length, () => openClips(motions.map(file => ({ name: file.name, file }))))
  for (const file of files.filter(({ name }) => !isMotion(name))) {
    await handled(1, async () => {
      const bytes = await bytesOf(file.name, file)
      if (needsFullCore(file.name, bytes)) await loadFullCore()
      await openFile(file.name, bytes)
    })
  }
}

/** Runs the work on some files and shows its error, if it throws one. */
async function handled(files: number, work: () => Promise<void>) {
  try {
    clearMessage()
    await work()
  } catch (error) {
    showError(error)
  }
  activity.filesHandled += files
}

/** Whether a file is a rig or a floor, or settings with one. */
function needsFullCore(name: string, bytes: Uint8Array) {
  const text = () => new TextDecoder().decode(bytes)
  if (/\.(toml|obj|pgm)$/i.test(name)) return true
  if (/\.csv$/i.test(name)) return isFloorTable(text())
  return /settings\.json$/i.test(name) && /"(rig|floor_file)"/.test(text())
}
