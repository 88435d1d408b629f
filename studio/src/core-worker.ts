// The worker: a core of its own, for requests that take long. It answers messages in the order of their arrival.

import { CoreInstance, Refusal } from './core-instance'
import type { SentRequest } from './session-log'

/** What the page sends. The first message is the module. */
export type WorkerRequest =
  | { kind: 'start'; module: WebAssembly.Module }
  | { kind: 'call'; sent: SentRequest }
  | { kind: 'memory'; from: number; to: number }

/** What the worker answers to `call` and `memory`: bytes with the size of the memory, or why there are none. */
export type WorkerAnswer =
  { bytes: Uint8Array; memorySize: number } | { refusal: string } | { memorySize: number }

let core: CoreInstance

function answer(request: Exclude<WorkerRequest, { kind: 'start' }>): WorkerAnswer {
  try {
    const bytes =
      request.kind === 'call' ? core.send(request.sent) : core.copyMemory(request.from, request.to)
    return { bytes, memorySize: core.memorySize }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message }
    return { memorySize: core.memorySize }
  }
}

onmessage = ({ data }: MessageEvent<WorkerRequest>) => {
  if (data.kind === 'start') core = new CoreInstance(data.module)
  else {
    const result = answer(data)
    postMessage(result, { transfer: 'bytes' in result ? [result.bytes.buffer] : [] })
  }
}
