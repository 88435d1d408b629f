// A file that was opened in the worker, with everything that the page shows of it.

import type { BackgroundCore } from '../background-core'
import type { CleanResult, ClipInfo, Plant, PlantSet, Settings, Vec3 } from '../messages'
import { type SessionLog, encodeRequest, extendLog } from '../session-log'
import type { FrameData } from './motion-data'
import { type Work, fittingPlants } from './work'

/** Size of a file from which opening takes long enough for a worker, in bytes: about 0.2 s. */
const LONG_FILE = 1e6

export const isLong = (bytes: Uint8Array) => bytes.length > LONG_FILE

/** A file to open. Without `work`, plants are detected. */
export interface FileToOpen {
  name: string
  bytes: Uint8Array
  settings: Settings
  work?: Partial<Work> | undefined
}

export interface OpenedFile {
  bytes: Uint8Array
  settings: Settings
  work: Partial<Work> | undefined
  clip: ClipInfo
  found: { plants: Plant[]; ground: Vec3 | null; areDetected: boolean }
  result: CleanResult
  before: FrameData
  after: FrameData
  /** The mesh of the character; null if the file has none. */
  mesh: Uint8Array | null
  solveMs: number
  /** The requests that led to the session of the core. */
  session: SessionLog
}

/** What is told about the progress of opening a file. */
export interface OpeningSteps {
  step: (share: number, text: string) => void
  /** Called with the captured motion as soon as it is known. */
  captured: (clip: ClipInfo, captured: FrameData) => void
}

/** Opens a file in the worker: reads it, finds its plants and cleans it. */
export async function openIn(core: BackgroundCore, file: FileToOpen, { step, captured }: OpeningSteps) {
  const { name, bytes, settings, work } = file
  const open = { kind: 'open' as const, name, ...settings }
  step(0, 'reading the file')
  const read = await core.callForJson<ClipInfo>(open, bytes)
  captured(read, await framesOf(core, read, false))
  step(0.6, 'finding the plants')
  const found = work?.plants ? givenPlants(work, work.plants, read) : await detect(core)
  step(0.7, 'cleaning')
  const start = performance.now()
  const clean = { kind: 'clean' as const, plants: found.plants, ground: found.ground }
  const result = await core.callForJson<CleanResult>(clean)
  const solveMs = performance.now() - start
  // The floor and the ground may depend on the plants.
  const clip = await core.callForJson<ClipInfo>({ kind: 'about' })
  const before = await framesOf(core, clip, false)
  const after = await framesOf(core, clip, true)
  // The core keeps the bones of the mesh, so that the page does not read the file again for them.
  if (clip.has_mesh) step(0.85, 'reading the character')
  const mesh = clip.has_mesh ? await core.call({ kind: 'mesh' }) : null
  let session = extendLog({}, 'open', encodeRequest(open, bytes))
  if (!work?.plants) session = extendLog(session, 'detect', encodeRequest({ kind: 'detect' }))
  session = extendLog(session, 'clean', encodeRequest(clean))
  return { bytes, settings, work, clip, found, result, before, after, mesh, solveMs, session }
}

async function detect(core: BackgroundCore) {
  return { ...(await core.callForJson<PlantSet>({ kind: 'detect' })), areDetected: true }
}

function givenPlants(work: Partial<Work>, plants: Plant[], { legs, frames }: ClipInfo) {
  return {
    plants: fittingPlants(plants, legs.length, frames),
    ground: work.ground ?? null,
    areDetected: work.plantsAreDetected ?? false,
  }
}

async function framesOf(core: BackgroundCore, { frames }: ClipInfo, after: boolean): Promise<FrameData> {
  const range = { after, start: 0, end: frames }
  const positions = await core.callForNumbers({ kind: 'positions', ...range })
  return { positions, curves: await core.callForNumbers({ kind: 'curves', ...range }) }
}
