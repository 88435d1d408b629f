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
  const module = await compile(url)
  core = new CoreInstance(module)
  compiled = module
}

async function compile(url: string) {
  try {
    return await WebAssembly.compileStreaming(fetch(url))
  } catch (error) {
    throw new Error(whyNotLoaded(url, error), { cause: error })
  }
}

/** The module that can also write reports and read rig files, floor files and motions of every format. */
const FULL_CORE = './surefoot-full.wasm'

let full: Promise<WebAssembly.Module> | null = null

/** Loads the full module and its script once; tries again after a failure. */
function loadFull() {
  full ??= Promise.all([compile(FULL_CORE), import('./formats')]).then(([module]) => module)
  full.catch(() => (full = null))
  return full
}

/** Whether the core is an instance of the full module. */
let isFull = false

/**
 * Replaces the core by one of the full module, with the same session. Its code is large and rarely needed, so it is not
 * part of the page's first load.
 */
export async function loadFullCore() {
  if (isFull) return
  const present = { compiled, core }
  compiled = await loadFull()
  try {
    restore()
    isFull = true
  } catch (error) {
    ;({ compiled, core } = present)
    throw error
  }
}

/** Loads the core that some settings and a motion file need. */
export async function prepareFor(settings: Settings | undefined, motion?: Uint8Array) {
  if (needsFull(settings, motion)) await loadFullCore()
}

function needsFull(settings: Settings | undefined, motion?: Uint8Array) {
  const { rig, floor_file } = settings?.file ?? {}
  return rig !== undefined || floor_file !== undefined || (motion !== undefined && formatOf(motion) !== 'BVH')
}

/** Bytes at the beginning of a file in which its format shows, unless it is JSON. */
const BEGINNING = 65536
/** The beginning of a motion file together with the files that belong to it. */
export const FILE_SET = 'surefoot files/1 '

/** The format of a motion file, as the command names it. */
export function formatOf(bytes: Uint8Array) {
  const start = decoder.decode(bytes.subarray(0, BEGINNING)).trimStart()
  if (start.startsWith(FILE_SET)) return 'several files'
  return callForJson<string>({ kind: 'format' }, start.startsWith('{') ? bytes : bytes.subarray(0, BEGINNING))
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

/** A core in a worker that can open a motion with these settings: `present`, which is ended if it cannot. */
export async function backgroundCoreFor(
  settings: Settings | undefined,
  motion: Uint8Array,
  present: BackgroundCore | null = null,
) {
  const module = isFull || needsFull(settings, motion) ? await loadFull() : compiled
  if (present && (present.isFull || present.module === module)) return present
  present?.end()
  return new BackgroundCore(module, module !== compiled || isFull)
}

/** A core in a worker that also writes reports, with the session of this one. */
export async function startFullCore(step: (text: string) => void) {
  const present = log
  const background = new BackgroundCore(await loadFull(), true)
  step('reading the file')
  for (const sent of [present.open, present.plants, present.clean]) {
    if (sent) await background.repeat(sent)
  }
  return background
}

/** Replaces the core by one with the session of a core in a worker, which `session` describes. */
export async function takeOver(background: BackgroundCore, session: SessionLog) {
  const copy = new CoreInstance(background.module)
  await background.copyTo(copy)
  core = copy
  compiled = background.module
  isFull = background.isFull
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
