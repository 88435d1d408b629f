// A core in a worker, for requests that take long: the page stays responsive meanwhile.

import type { CoreInstance } from './core-instance'
import type { WorkerAnswer, WorkerRequest } from './core-worker'
import { failureOf } from './failure'
import type { Request } from './messages'
import { type SentRequest, encodeRequest } from './session-log'

/** A request that the core refused. */
class Refused extends Error {}

/** The work was ended by the user. */
export class Cancelled extends Error {}

/** Bytes of memory that are copied at once: small enough that the page can draw in between. */
const COPY_BYTES = 2 ** 24

interface Waiting {
  request: Request | null
  resolve: (bytes: Uint8Array) => void
  reject: (error: Error) => void
}

export class BackgroundCore {
  /** Bytes of memory that the core uses. */
  memorySize = 0
  private readonly worker = new Worker(new URL('./core-worker.ts', import.meta.url), { type: 'module' })
  /** Requests without an answer yet, in the order of their answers. */
  private waiting: Waiting[] = []

  /** `isFull` tells whether the module reads all formats. */
  constructor(
    readonly module: WebAssembly.Module,
    readonly isFull: boolean,
  ) {
    this.worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => this.receive(data)
    this.worker.onerror = () => this.rejectAll(new Error('the worker of the page does not start'))
    this.post({ kind: 'start', module })
  }

  private post(request: WorkerRequest) {
    this.worker.postMessage(request)
  }

  private ask(message: WorkerRequest, request: Request | null): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject })
      this.post(message)
    })
  }

  private receive(answer: WorkerAnswer) {
    const waiting = this.waiting.shift()
    if ('memorySize' in answer) this.memorySize = answer.memorySize
    if (!waiting) return
    if ('bytes' in answer) waiting.resolve(answer.bytes)
    else if ('refusal' in answer) waiting.reject(new Refused(answer.refusal))
    else if (waiting.request) waiting.reject(new Error(failureOf(waiting.request, this.memorySize)))
    else waiting.reject(new Error('The browser has no memory left for this file.'))
  }

  private rejectAll(error: Error) {
    this.waiting.splice(0).forEach(({ reject }) => reject(error))
  }

  /** Sends a request and returns its answer. */
  call(request: Request, bytes?: Uint8Array) {
    return this.ask({ kind: 'call', sent: encodeRequest(request, bytes) }, request)
  }

  /** Sends a request of another core again; one that is refused now changes nothing. */
  async repeat(sent: SentRequest) {
    await this.ask({ kind: 'call', sent }, null).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error
    })
  }

  async callForJson<T>(request: Request, bytes?: Uint8Array): Promise<T> {
    return JSON.parse(new TextDecoder().decode(await this.call(request, bytes))) as T
  }

  async callForNumbers(request: Request) {
    return new Float32Array((await this.call(request)).buffer)
  }

  /** Brings another instance of the same module to the session of this one, a part of the memory at a time. */
  async copyTo(instance: CoreInstance) {
    const size = this.memorySize
    instance.growMemory(size)
    for (let from = 0; from < size; from += COPY_BYTES) {
      const to = Math.min(from + COPY_BYTES, size)
      instance.writeMemory(from, await this.ask({ kind: 'memory', from, to }, null))
    }
  }

  /** Ends the worker, whatever it is doing. */
  end() {
    this.worker.terminate()
    this.rejectAll(new Cancelled('cancelled'))
  }
}
