// Opens the files that the user chose or dropped: one motion, or several as the clips of a project.

import { loadFullCore } from '../core'
import { bytesOf } from '../file-bytes'
import { type ProjectClip, project } from '../project/project'
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
  if (motions.length) await handled(motions.length, async () => openClips(await clipsOf(motions)))
  for (const file of files.filter(({ name }) => !isMotion(name))) {
    await handled(1, async () => {
      const bytes = await bytesOf(file.name, file)
      if (needsFullCore(file.name, bytes)) await loadFullCore()
      await openFile(file.name, bytes)
    })
  }
}

/** Bytes in which the first word of a BVH file shows. */
const FIRST_WORD = 64

/** The clips in files, which may consist of several files each. */
async function clipsOf(files: File[]): Promise<ProjectClip[]> {
  const starts = await Promise.all(
    files.map(file =>
      file
        .slice(0, FIRST_WORD)
        .text()
        .catch(() => ''),
    ),
  )
  if (starts.every(start => /^\s*HIERARCHY/i.test(start)))
    return files.map(file => ({ name: file.name, file }))
  const { joinFiles } = await import('../formats')
  return joinFiles(files)
}

/** Tells how to open a file that needs another one. */
function withHint(error: unknown) {
  const why = error instanceof Error ? error.message : String(error)
  return why.includes(' beside ') ? `${why}\nDrop the files that belong together at once.` : why
}

/** Runs the work on some files and shows its error, if it throws one. */
async function handled(files: number, work: () => Promise<void>) {
  try {
    clearMessage()
    await work()
  } catch (error) {
    showError(withHint(error))
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
