// Writes the files of a long clip in a worker, so that the page stays responsive.

import { type BackgroundCore, Cancelled } from '../background-core'
import { startFullCore } from '../core'
import type { WritableFile } from '../messages'
import { state } from '../state/state'
import { showProgress } from './progress'

/** The files that take long to write: the motion is measured with them. */
export const isSlow = (item: string): item is 'motion' | 'report' => item === 'motion' || item === 'report'

/** The bytes of a file of a long clip. Throws `Cancelled` if the user cancels. */
export async function writeInWorker(item: 'motion' | 'report'): Promise<Uint8Array> {
  let cancel = () => undefined as void
  const cancelled = new Promise<never>((_, reject) => (cancel = () => reject(new Cancelled('cancelled'))))
  const progress = showProgress(`Writing the ${item}`, cancel)
  try {
    return await Promise.race([cancelled, write(item, progress.step)])
  } finally {
    progress.close()
  }
}

async function write(output: WritableFile, step: (share: number, text: string) => void) {
  const { background } = state.measuring
  const { plants, ground } = state
  if (output === 'motion' && background) {
    step(0.2, 'cleaning')
    await background.call({ kind: 'clean', plants, ground })
    step(0.4, 'writing')
    return background.call({ kind: 'write', output })
  }
  step(0, 'loading the module')
  const core = await startFullCore(text => step(0.2, text))
  return writeAndEnd(core, output, step)
}

async function writeAndEnd(
  core: BackgroundCore,
  output: WritableFile,
  step: (share: number, text: string) => void,
) {
  try {
    step(0.7, 'writing')
    return await core.call({ kind: 'write', output })
  } finally {
    core.end()
  }
}
