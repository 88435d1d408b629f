// Calls into the WebAssembly core: a line of JSON and optional file bytes go in, JSON or bytes come out.
//
// A bug in the core or a lack of memory ends a call with an exception of WebAssembly, a trap. The core is then in an
// unknown state and cannot be used any more, so it is replaced by a new one, to which the requests are sent again that
// led to the present session. So every request that fails leaves the session as it was.

import { BackgroundCore } from './background-core'
import { CoreInstance, Refusal } from './core-instance'
import { failureOf } from './failure'
import type { Request, Settings } from './messages'
import { type SentRequest, type SessionLog, encodeRequest, extendLog } from './session-log'

let compiled: WebAssembly.Module
let core: CoreInstance
let log: SessionLog = {}
/** Whether the core's session is the one that `log` describes. */
let isRestored = true
const decoder = new TextDecoder()

/** Loads the core. Has to finish before the first `call`. */
export async function loadCore(url: string) {
  try {
    const module = await WebAssembly.compileStreaming(fetch(url))
    core = new CoreInstance(module)
    compiled = module
  } catch (error) {
    throw new Error(whyNotLoaded(url, error), { cause: error })
  }
}

/** The module that can write reports and read rig files and floor files. */
const FULL_CORE = './surefoot-full.wasm'

/** Whether the core is that of the full module. */
let isFull = false

/**
 * Replaces the core by one that also writes reports and reads rig files and floor files, with the same session. These
 * are rare and their code is large, so it is not part of the page's first load.
 */
export async function loadFullCore() {
  if (isFull) return
  const present = { compiled, core }
  await loadCore(FULL_CORE)
  try {
    restore()
    isFull = true
  } catch (error) {
    ;({ compiled, core } = present)
    throw error
  }
}

/** Loads the core that some settings need. */
export async function prepareFor(settings: Settings | undefined) {
  if (!settings) return
  const { rig, floor_file } = settings.file
  if (rig !== undefined || floor_file !== undefined) await loadFullCore()
}

function whyNotLoaded(url: string, error: unknown) {
  if (error instanceof WebAssembly.CompileError) {
    return 'This browser is too old for the studio, which needs Chrome 91, Firefox 89, Safari 16.4 or newer.'
  }
  if (error instanceof RangeError)
    return 'The browser has no memory left. Close other tabs, then reload this page.'
  return `${url.replace('./', '')} cannot be loaded: ${(error as Error).message}`
}

/** Sends a request to the core and returns its answer. Throws a message for the user if the request fails. */
export function call(request: Request, bytes?: Uint8Array): Uint8Array {
  if (!isRestored) restore()
  const sent = encodeRequest(request, bytes)
  try {
    const answer = core.send(sent)
    log = extendLog(log, request.kind, sent)
    return answer
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Error(restartAfter(request, core.memorySize), { cause: error })
  }
}

/** Restarts the core after a trap. Returns a message for the user. */
function restartAfter(request: Request, memory: number) {
  const failure = failureOf(request, memory)
  isRestored = false
  try {
    restore()
  } catch (error) {
    return `${failure} ${(error as Error).message}`
  }
  return `${failure} ${log.open ? 'Your file and all edits are as they were before.' : 'You can go on.'}`
}

/** Starts a new core with the session that the log describes. */
function restore() {
  try {
    core = new CoreInstance(compiled)
    if (log.open) core.send(log.open)
    if (log.plants) sendAgain(log.plants)
    if (log.clean) core.send(log.clean)
    isRestored = true
  } catch (error) {
    throw new Error('Reload the page: your last edits are stored in the browser.', { cause: error })
  }
}

/** Sends a request that may be refused now, because the settings have changed since. */
function sendAgain(sent: SentRequest) {
  try {
    core.send(sent)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

/** The session of the core, for `returnTo`. */
export function currentSession(): SessionLog {
  return log
}

/** Brings the core back to an earlier session. If that fails, the next call tries again. */
export function returnTo(session: SessionLog) {
  if (session === log) return
  log = session
  isRestored = false
  try {
    restore()
  } catch {
    // The next call tries again and reports the failure.
  }
}

/** A core in a worker, for work that takes long. */
export const startBackgroundCore = () => new BackgroundCore(compiled)

/** A core in a worker that also writes reports, with the session of this one. */
export async function startFullCore(step: (text: string) => void) {
  const present = log
  const background = new BackgroundCore(await WebAssembly.compileStreaming(fetch(FULL_CORE)))
  step('reading the file')
  for (const sent of [present.open, present.plants, present.clean]) {
    if (sent) await background.repeat(sent)
  }
  return background
}

/** Replaces the core by one with the session of a core in a worker, which `session` describes. */
export async function takeOver(background: BackgroundCore, session: SessionLog) {
  const copy = new CoreInstance(compiled)
  await background.copyTo(copy)
  core = copy
  log = session
  isRestored = true
}

/** Sends a request whose answer is JSON. */
export function callForJson<T>(request: Request, bytes?: Uint8Array): T {
  return JSON.parse(decoder.decode(call(request, bytes))) as T
}

/** Sends a request whose answer is an array of 32-bit floats. */
export function callForNumbers(request: Request): Float32Array {
  return new Float32Array(call(request).buffer)
}
