// Sends requests to the WebAssembly module of the page, as `studio/src/core.ts` does, and prints the answers.
//
// stdin: for each request its length, 4 bytes, and its bytes. stdout: for each answer 0 or 1 for an error, its length, 4
// bytes, and its bytes. A trap ends the program.

import { readFileSync, writeSync } from 'node:fs'

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {})
const core = instance.exports
const input = readFileSync(0)

function write(bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at)
}

for (let at = 0; at < input.length; ) {
  const length = input.readUInt32LE(at)
  const request = input.subarray(at + 4, at + 4 + length)
  at += 4 + length
  // The memory may grow with the input buffer, which detaches the buffer of before.
  const pointer = core.input(length) >>> 0
  new Uint8Array(core.memory.buffer, pointer, length).set(request)
  const head = Buffer.alloc(5)
  head[0] = core.call()
  head.writeUInt32LE(core.output_length(), 1)
  write(head)
  write(Buffer.from(core.memory.buffer, core.output() >>> 0, core.output_length()))
}
