// The requests that lead to the present session of the core, so that a new core can be brought to the same state.

import type { Request } from './messages'

/** A request as it was sent: its line of JSON and the bytes of its file. */
export interface SentRequest {
  line: Uint8Array
  bytes: Uint8Array | undefined
}

const encoder = new TextEncoder()

/** Largest request in bytes: the core's vectors hold no more, because its pointers have 32 bits. */
const MAX_INPUT = 2 ** 31 - 1

/** A request in the form in which the core reads it. Throws if it is too large. */
export function encodeRequest(request: Request, bytes?: Uint8Array): SentRequest {
  const line = encoder.encode(JSON.stringify(request) + '\n')
  if (line.length + (bytes?.length ?? 0) > MAX_INPUT) {
    throw new Error(
      'The file has more than 2 GB, which is more than a browser can hold. The command can clean it.',
    )
  }
  return { line, bytes }
}

/** The last successful request of each kind that changes the session. A log never changes: requests give new logs. */
export interface SessionLog {
  readonly open?: SentRequest
  /** The request that gave the first plants: a detection or a plants file. */
  readonly plants?: SentRequest
  readonly clean?: SentRequest
}

/** The log after a successful request; the same log if the request only reads. */
export function extendLog(log: SessionLog, kind: Request['kind'], sent: SentRequest): SessionLog {
  if (kind === 'detect' || kind === 'read_plants') return { ...log, plants: sent }
  if (kind === 'clean') return { ...log, clean: sent }
  if (kind !== 'open') return log
  // Plants of the same file stay valid with other settings; those of another file do not.
  const { plants } = log
  return plants && sent.bytes === log.open?.bytes ? { open: sent, plants } : { open: sent }
}
