// The door to the core: bytes in, bytes out, all work in WebAssembly.

export type Three = [number, number, number]
export interface Plant { leg: number; point: 'heel' | 'ball'; first: number; last: number; spot?: Three; confidence?: number }
export interface PointOn { joint: number; offset: Three }
/** Joints by number; points in their joint's own frame and the file's unit. A point that is left out is found. */
export interface Leg { side: string; hip: number; knee: number; ankle: number; heel?: PointOn; ball?: PointOn; toe?: PointOn }
export interface About {
  name: string; frames: number; fps: number; first: number; joints: { name: string; parent: number | null }[]
  legs: Required<Leg>[]; given_legs: Leg[] | null; no_legs: string | null
  unit_m: number; unit_name: string; up: string; floor: [number, number, number, number] | null; mesh: number[] | null; has_floor: boolean
  warnings: string[]; curves_each_leg: number; usual: Record<string, number>
}
export interface Known { plants: Plant[]; ground: Three | null }
export interface Cleaned { runs: [number, number][]; is_new: boolean; plants: Plant[]; spots: (Three | null)[]; slides: number[] }
export interface Figures {
  headline: string; price: string | null; table: string
  drifts: [string | null, string | null][]; notes: { frame: number | null; said: string }[]
}

interface Door { memory: WebAssembly.Memory; input(length: number): number; call(): number; output(): number; output_length(): number }

let door: Door
const encoder = new TextEncoder(), decoder = new TextDecoder()

export async function load(url: string) {
  const module = await WebAssembly.instantiateStreaming(fetch(url), {}).catch(wrong => {
    if (!(wrong instanceof WebAssembly.CompileError)) throw wrong
    throw new Error('This browser is too old for the studio: it takes Chrome 91, Firefox 89, Safari 16.4 or newer.')
  })
  door = module.instance.exports as unknown as Door
}

/** Asks the core; throws what it says is wrong. */
export function ask(asked: object, bytes?: Uint8Array): Uint8Array {
  const line = encoder.encode(JSON.stringify(asked) + '\n')
  const at = door.input(line.length + (bytes?.length ?? 0))
  const room = new Uint8Array(door.memory.buffer, at)
  room.set(line)
  if (bytes) room.set(bytes, line.length)
  const bad = door.call()
  const answer = new Uint8Array(door.memory.buffer, door.output(), door.output_length()).slice()
  if (bad) throw new Error(decoder.decode(answer))
  return answer
}

export const asJson = <T>(bytes: Uint8Array): T => JSON.parse(decoder.decode(bytes))
export const asNumbers = (bytes: Uint8Array) => new Float32Array(bytes.buffer)
/** A letter for each byte: JSON has no bytes. */
export const asLetters = (bytes: Uint8Array) => { let letters = ''; for (const byte of bytes) letters += String.fromCharCode(byte); return letters }
