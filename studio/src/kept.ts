// Unsaved work survives a reload: the file in the browser's own store, what was made of it beside.

import type { Work } from './state'

export interface Kept extends Work { name: string; bytes: Uint8Array }

function base(): Promise<IDBDatabase> {
  return new Promise((done, fail) => {
    const request = indexedDB.open('surefoot-studio', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('work')
    request.onsuccess = () => done(request.result)
    request.onerror = () => fail(request.error)
  })
}
// Each served file keeps its own work; the token in the link is a new one each time.
let workName = 'page'
export function setWorkName(name: string) { workName = name }

/** Keeps the work, and the file too where it is another one: files are large, edits are many. */
export async function store(work: Work & { name: string }, bytes: Uint8Array | null) {
  try {
    const things = (await base()).transaction('work', 'readwrite').objectStore('work')
    things.put(work, workName)
    if (bytes) things.put(bytes, 'bytes of ' + workName)
  } catch { /* a private window keeps nothing */ }
}
export async function recall(): Promise<Kept | null> {
  try {
    const things = (await base()).transaction('work').objectStore('work')
    const read = (key: string) => new Promise<any>((done, fail) => { const request = things.get(key); request.onsuccess = () => done(request.result); request.onerror = fail })
    const [work, bytes] = await Promise.all([read(workName), read('bytes of ' + workName)])
    return work && bytes ? { ...work, bytes } : null
  } catch { return null }
}
