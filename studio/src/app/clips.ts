// The clips of a project: adding, opening, stepping through and saving them.

import { type BackgroundCore, Cancelled } from '../background-core'
import { backgroundCoreFor } from '../core'
import { byId } from '../dom'
import { cleanedIn } from '../project/clip-review'
import { showClipsPanel } from '../project/clips-panel'
import { type ProjectClip, project } from '../project/project'
import { recallProject, storeProject } from '../project/project-storage'
import { state } from '../state/state'
import { checkSize } from './file-limit'
import { openMotion } from './open'
import { showProgress } from './progress'
import { saveFile } from './save'
import { attempt, showError, showMessage } from './status'
import { showTab } from './tabs'

/** Adds motions to the project, opens the first of them and looks at the others in the background. */
export async function openClips(clips: ProjectClip[]) {
  for (const clip of clips) {
    try {
      await checkSize(clip.name, clip.file)
    } catch (error) {
      if (clips.length === 1) throw error
      clip.problem = (error as Error).message
    }
  }
  project.add(clips)
  await storeProject(project.clips, clips)
  const first = clips.find(({ problem }) => problem === undefined)
  try {
    if (first) await openClip(first)
  } finally {
    if (project.isShown) showTab('clips')
  }
}

/** Opens a clip of the project with its own work and settings. */
export async function openClip(clip: ProjectClip) {
  const before = project.current
  project.keepWork()
  if (before) void storeProject(project.clips, [before])
  const { name, bytes, settings, work } = await project.fileOf(clip)
  project.current = clip
  try {
    await openMotion(name, bytes, settings, work)
  } catch (error) {
    clip.problem = (error as Error).message
    project.current = before
    throw error
  } finally {
    if (state.isOpen && state.clip.name !== clip.name) project.current = before
    updateClips()
    void project.reviewAll()
  }
}

/** Opens the clip that is `by` further in the list. */
export function stepClip(by: 1 | -1) {
  const clips = project.ranked.filter(({ problem }) => problem === undefined)
  if (clips.length < 2) return showMessage('There is only one clip. Drop more files, or a folder.')
  const present = clips.findIndex(clip => clip === project.current)
  const next = clips[(present + by + clips.length) % clips.length]
  if (next) attempt(() => openClip(next))
}

/** Saves the cleaned motion of every clip, cleaned in the worker. */
async function saveAll() {
  project.keepWork()
  const clips = project.clips.filter(({ problem }) => problem === undefined)
  let core: BackgroundCore | null = null
  let isCancelled = false
  const progress = showProgress('Saving all motions', () => {
    isCancelled = true
    core?.end()
  })
  try {
    for (const [n, clip] of clips.entries()) {
      progress.step(n / clips.length, `${clip.name}, ${n + 1} of ${clips.length}`)
      const [stem = clip.name, extension = 'bvh'] = splitName(clip.name)
      const file = await project.fileOf(clip)
      core = await backgroundCoreFor(file.settings, file.bytes, core)
      if (isCancelled) throw new Cancelled('cancelled')
      await saveFile(`${stem}.clean.${extension}`, await cleanedIn(core, file))
    }
    showMessage(`${clips.length} motions saved`)
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    showMessage('Not all motions were saved')
  } finally {
    progress.close()
    core?.end()
  }
}

/** A file name without its extension, and the extension. */
function splitName(name: string) {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name]
}

function updateClips() {
  showClipsPanel(byId('tab-clips'), byId('clips'), {
    open: clip => attempt(() => openClip(clip)),
    remove: clip => {
      project.remove(clip)
      void storeProject(project.clips, [])
      if (!project.isShown) showTab('figures')
    },
    share: () => {
      project.shareSettings()
      void storeProject(project.clips, project.clips)
      showMessage('All clips use the settings of this one')
    },
    saveAll: () => attempt(saveAll),
  })
}

export function bindClips() {
  project.onChange = updateClips
  state.subscribe(() => project.keepReview())
}

/** Brings back the clips of the last visit, if the stored work belongs to one of them. */
export async function restoreClips() {
  try {
    const clips = await recallProject()
    const current = clips.find(({ name }) => state.isOpen && name === state.clip.name)
    if (!current) return
    project.current = current
    project.add(clips)
    project.keepReview()
    void project.reviewAll()
  } catch (error) {
    showError(error)
  }
}
