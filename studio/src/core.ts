// Calls into the WebAssembly core: a line of JSON and optional file bytes go in, JSON or bytes come out.

import type { Request } from './messages'

/** The functions that the WebAssembly module exports. Pointers are offsets into its memory. */
interface CoreExports {
  memory: WebAssembly.Memory
  /** Reserves an input buffer and returns a pointer to it. */
  input(length: number): number
  /** Processes the input buffer; returns nonzero if the output is an error message. */
  call(): number
  output(): number
  output_length(): number
}

let core: CoreExports
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Loads the core. Has to finish before the first `call`. */
export async function loadCore(url: string) {
  const module = await WebAssembly.instantiateStreaming(fetch(url), {}).catch((error: unknown) => {
    if (!(error instanceof WebAssembly.CompileError)) throw error
    throw new Error(
      'This browser is too old for the studio, which needs Chrome 91, Firefox 89, Safari 16.4 or newer.',
    )
  })
  core = module.instance.exports as unknown as CoreExports
}

/** Sends a request to the core and returns its answer. Throws the core's message if the request fails. */
export function call(request: Request, bytes?: Uint8Array): Uint8Array {
  const line = encoder.encode(JSON.stringify(request) + '\n')
  const pointer = core.input(line.length + (bytes?.length ?? 0))
  const input = new Uint8Array(core.memory.buffer, pointer)
  input.set(line)
  if (bytes) input.set(bytes, line.length)
  const failed = core.call()
  const answer = new Uint8Array(core.memory.buffer, core.output(), core.output_length()).slice()
  if (failed) throw new Error(decoder.decode(answer))
  return answer
}

/** Sends a request whose answer is JSON. */
export function callForJson<T>(request: Request, bytes?: Uint8Array): T {
  return JSON.parse(decoder.decode(call(request, bytes))) as T
}

/** Sends a request whose answer is an array of 32-bit floats. */
export function callForNumbers(request: Request): Float32Array {
  return new Float32Array(call(request).buffer)
}
