// The server of `surefoot studio`. The page also works without it, as a static site.

import type { Settings } from '../messages'

/** The files that the server has opened. Without a file, it serves only the page. */
export interface ServedClip {
  file: string | null
  /** Name of the plants file beside the motion, if there is one. */
  plants: string | null
  settings: Settings
}

/** The files of `surefoot studio`; null if the page is a static site. */
export let served: ServedClip | null = null

export async function connect() {
  const response = await fetch('api/info').catch(() => null)
  const isJson = response?.headers.get('content-type')?.startsWith('application/json')
  served = response?.ok && isJson ? ((await response.json()) as ServedClip) : null
  if (served) void holdWindowOpen()
  return served
}

/** Keeps a connection open: the server ends some time after the last one has closed. */
async function holdWindowOpen() {
  const reader = (await fetch('api/window')).body?.getReader()
  while (reader && !(await reader.read()).done);
}

export async function fetchBytes(path: 'api/motion' | 'api/plants') {
  const response = await fetch(path)
  if (!response.ok) throw new Error(await response.text())
  return new Uint8Array(await response.arrayBuffer())
}

/** The result of saving beside the motion; `exists` if a file of that name is there and is not replaced. */
export type SaveResult = 'saved' | 'exists' | { error: string }

export async function saveBesideMotion(
  name: string,
  bytes: Uint8Array,
  overwrite: boolean,
): Promise<SaveResult> {
  const query = `name=${encodeURIComponent(name)}${overwrite ? '&overwrite=1' : ''}`
  const response = await fetch(`api/save?${query}`, { method: 'POST', body: bytes as BodyInit })
  if (response.ok) return 'saved'
  return response.status === 409 ? 'exists' : { error: await response.text() }
}
