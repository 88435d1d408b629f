// Calls into the WebAssembly core: a line of JSON and optional file bytes go in, JSON or bytes come out.
//
// A bug in the core or a lack of memory ends a call with an exception of WebAssembly, a trap. The core is then in an
// unknown state and cannot be used any more, so it is replaced by a new one, to which the requests are sent again that
// led to the present session. So every request that fails leaves the session as it was.

import { bytesAt } from './core-memory'
import type { Request, Settings } from './messages'
import { type SentRequest, type SessionLog, extendLog } from './session-log'

/** The functions that the WebAssembly module exports. Pointers are offsets into its memory: see `bytesAt`. */
interface CoreExports {
  memory: WebAssembly.Memory
  /** Reserves an input buffer and returns a pointer to it. */
  input(length: number): number
  /** Processes the input buffer; returns nonzero if the output is an error message. */
  call(): number
  output(): number
  output_length(): number
}

/** Largest request in bytes: the core's vectors hold no more, because its pointers have 32 bits. */
const MAX_INPUT = 2 ** 31 - 1

/** An error message of the core: the request was refused, and the core can still be used. */
class Refusal extends Error {}

let compiled: WebAssembly.Module
let core: CoreExports
let log: SessionLog = {}
/** Whether the core's session is the one that `log` describes. */
let isRestored = true
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Loads the core. Has to finish before the first `call`. */
export async function loadCore(url: string) {
  const { module, instance } = await WebAssembly.instantiateStreaming(fetch(url), {}).catch(
    (error: unknown) => {
      throw new Error(whyNotLoaded(url, error), { cause: error })
    },
  )
  compiled = module
  core = instance.exports as unknown as CoreExports
}

/** Whether the core can write reports and read rig files. */
let isFull = false

/**
 * Replaces the core by one that also writes reports and reads rig files, with the same session. Both are rare and their
 * code is large, so it is not part of the page's first load.
 */
export async function loadFullCore() {
  if (isFull) return
  const present = { compiled, core }
  await loadCore('./surefoot-full.wasm')
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
  if (settings?.file.rig !== undefined) await loadFullCore()
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
  const sent = { line: encoder.encode(JSON.stringify(request) + '\n'), bytes }
  if (sent.line.length + (bytes?.length ?? 0) > MAX_INPUT) {
    throw new Error(
      'The file has more than 2 GB, which is more than a browser can hold. The command can clean it.',
    )
  }
  try {
    const answer = send(sent)
    log = extendLog(log, request.kind, sent)
    return answer
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Error(restartAfter(request, core.memory.buffer.byteLength), { cause: error })
  }
}

function send({ line, bytes }: SentRequest): Uint8Array {
  const length = line.length + (bytes?.length ?? 0)
  const input = bytesAt(core.memory, core.input(length), length)
  input.set(line)
  if (bytes) input.set(bytes, line.length)
  const isRefused = core.call()
  const answer = bytesAt(core.memory, core.output(), core.output_length()).slice()
  if (isRefused) throw new Refusal(decoder.decode(answer))
  return answer
}

/** Memory of the core, in bytes, from which a trap is probably a lack of memory. */
const MUCH_MEMORY = 2 ** 31

/** Restarts the core after a trap. Returns a message for the user. */
function restartAfter(request: Request, memory: number) {
  const cause = memory > MUCH_MEMORY ? 'there was not enough memory' : 'an internal error occurred'
  const failure = `${actionOf(request)} failed: ${cause}.`
  isRestored = false
  try {
    restore()
  } catch (error) {
    return `${failure} ${(error as Error).message}`
  }
  return `${failure} ${log.open ? 'Your file and all edits are as they were before.' : 'You can go on.'}`
}

/** What a request does, as the user sees it. */
function actionOf(request: Request) {
  if (request.kind === 'write') return `Writing the ${request.output}`
  return 'name' in request ? `${ACTIONS[request.kind]} ${request.name}` : ACTIONS[request.kind]
}

const ACTIONS: Record<Exclude<Request['kind'], 'write'>, string> = {
  sample: 'Making the sample walk',
  open: 'Opening',
  read_plants: 'Reading',
  about: 'Showing the motion',
  detect: 'Detecting plants',
  clean: 'Cleaning the motion',
  positions: 'Showing the motion',
  curves: 'Drawing the curves',
  joint_offset: 'Moving the foot point',
  figures: 'Measuring the motion',
}

/** Starts a new core with the session that the log describes. */
function restore() {
  try {
    core = new WebAssembly.Instance(compiled, {}).exports as unknown as CoreExports
    if (log.open) send(log.open)
    if (log.plants) sendAgain(log.plants)
    if (log.clean) send(log.clean)
    isRestored = true
  } catch (error) {
    throw new Error('Reload the page: your last edits are stored in the browser.', { cause: error })
  }
}

/** Sends a request that may be refused now, because the settings have changed since. */
function sendAgain(sent: SentRequest) {
  try {
    send(sent)
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

/** Sends a request whose answer is JSON. */
export function callForJson<T>(request: Request, bytes?: Uint8Array): T {
  return JSON.parse(decoder.decode(call(request, bytes))) as T
}

/** Sends a request whose answer is an array of 32-bit floats. */
export function callForNumbers(request: Request): Float32Array {
  return new Float32Array(call(request).buffer)
}
