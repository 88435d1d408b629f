// Opens long clips in a worker, with progress and a way to cancel. The captured motion is shown as soon as it is read.

import { type BackgroundCore, Cancelled } from '../background-core'
import { backgroundCoreFor, takeOver } from '../core'
import { type FileToOpen, openIn } from '../state/opened-file'
import { state } from '../state/state'
import { activity } from './activity'
import { rebuild, timeline, view } from './editor'
import { pause } from './playback'
import { showProgress } from './progress'
import { showMessage } from './status'

/** Most memory of a core that stays in the worker to measure the motion, as a share of the computer's memory. */
const KEPT_SHARE = 1 / 3
/** Memory of the computer if the browser does not state it, in gigabytes. */
const USUAL_MEMORY = 8

/** Opens a file in the worker. Returns whether it is open: the user may cancel. Throws if it cannot be read. */
export async function openLong(file: FileToOpen): Promise<boolean> {
  let core: BackgroundCore | null = null
  let isCancelled = false
  const progress = showProgress(`Opening ${file.name}`, () => {
    isCancelled = true
    core?.end()
  })
  const isNewFile = file.bytes !== state.bytes
  let goBack = () => undefined as void
  state.isOpening = true
  pause()
  try {
    progress.step(0, 'loading the module')
    core = await backgroundCoreFor(file.settings, file.bytes)
    if (isCancelled) throw new Cancelled('cancelled')
    const opened = await openIn(core, file, {
      step: (share, text) => progress.step(share, text),
      captured: (clip, captured) => {
        if (!isNewFile) return
        goBack = state.preview(clip, captured)
        showFromStart()
        activity.capturedMs = performance.now()
      },
    })
    progress.step(0.9, 'preparing the editor')
    await takeOver(core, opened.session)
    state.adopt(opened)
    if (isNewFile) showFromStart()
    else rebuild()
    keepForMeasuring(core)
    return true
  } catch (error) {
    core?.end()
    goBack()
    if (state.isOpen) rebuild()
    if (state.isOpen && !state.figures) state.measuring.schedule()
    if (!(error instanceof Cancelled)) throw error
    showMessage(`${file.name} was not opened`)
    return false
  } finally {
    state.isOpening = false
    progress.close()
  }
}

state.openInWorker = async file => void (await openLong(file))

function keepForMeasuring(core: BackgroundCore) {
  const { deviceMemory = USUAL_MEMORY } = navigator as { deviceMemory?: number }
  if (core.memorySize <= KEPT_SHARE * 1e9 * deviceMemory) state.measuring.background = core
  else {
    core.end()
    state.measuring.stop()
  }
}

function showFromStart() {
  state.frame = 0
  view.build()
  view.look('start')
  timeline.showStart()
  state.notify()
}
