// One instance of the WebAssembly core. The page and its worker each have their own.

import { bytesAt } from './core-memory'
import type { SentRequest } from './session-log'

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

/** An error message of the core: the request was refused, and the core can still be used. */
export class Refusal extends Error {}

const decoder = new TextDecoder()

/** Size of a page of WebAssembly memory, in bytes. */
const MEMORY_PAGE = 65536

export class CoreInstance {
  private readonly exports: CoreExports

  constructor(module: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(module, {}).exports as unknown as CoreExports
  }

  /** Sends a request. Throws a `Refusal`; any other exception leaves the instance in an unknown state. */
  send({ line, bytes }: SentRequest): Uint8Array {
    const { exports } = this
    const length = line.length + (bytes?.length ?? 0)
    const input = bytesAt(exports.memory, exports.input(length), length)
    input.set(line)
    if (bytes) input.set(bytes, line.length)
    const isRefused = exports.call()
    const answer = bytesAt(exports.memory, exports.output(), exports.output_length()).slice()
    if (isRefused) throw new Refusal(decoder.decode(answer))
    return answer
  }

  /** Bytes of memory in use. */
  get memorySize() {
    return this.exports.memory.buffer.byteLength
  }

  /**
   * A part of the memory. Between two requests the whole state of the core is in its memory, so a new instance
   * of the same module with a copy of the memory has the same session.
   */
  copyMemory(from: number, to: number) {
    return new Uint8Array(this.exports.memory.buffer, from, to - from).slice()
  }

  /** Enlarges the memory to this size, in bytes. */
  growMemory(size: number) {
    const missing = size - this.memorySize
    if (missing > 0) this.exports.memory.grow(missing / MEMORY_PAGE)
  }

  /** Overwrites a part of the memory. */
  writeMemory(from: number, bytes: Uint8Array) {
    new Uint8Array(this.exports.memory.buffer).set(bytes, from)
  }
}
