// Access to the memory of the WebAssembly core.

/**
 * The bytes at a pointer of the core. WebAssembly returns pointers and lengths as signed 32-bit integers: from 2 GiB
 * on they arrive as negative numbers, and only as unsigned ones are they offsets into the memory.
 */
export function bytesAt(memory: WebAssembly.Memory, pointer: number, length: number) {
  return new Uint8Array(memory.buffer, pointer >>> 0, length >>> 0)
}
