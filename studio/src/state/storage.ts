// Keeps unsaved work in the browser's database, so that it is restored after a reload.

import type { Work } from './work'

export interface StoredWork extends Work {
  name: string
  bytes: Uint8Array
}

/** The key of the work. Each served file has its own, because the address of the page differs per start. */
let workKey = 'page'
export function setWorkKey(key: string) {
  workKey = key
}
const bytesKey = () => 'bytes of ' + workKey

/** Leaves the stored work as it is: from now on work is stored and recalled beside it. */
export function skipWork() {
  workKey += ' +'
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('surefoot-studio', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('work')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(new Error('the database does not open', { cause: request.error }))
  })
}

/** Stores the work, and the bytes of the file if given: edits are frequent and files are large. */
export async function storeWork(work: Work & { name: string }, bytes: Uint8Array | null) {
  try {
    const transaction = (await openDatabase()).transaction('work', 'readwrite')
    const table = transaction.objectStore('work')
    table.put(work, workKey)
    if (bytes) table.put(bytes, bytesKey())
    await new Promise(resolve => (transaction.oncomplete = transaction.onabort = resolve))
  } catch {
    // A private window has no database: the work is then lost on reload, as the user of a private window expects.
  }
}

/** Stores further values beside the work. */
export async function storeValues(values: [key: string, value: unknown][]) {
  try {
    const transaction = (await openDatabase()).transaction('work', 'readwrite')
    const table = transaction.objectStore('work')
    for (const [key, value] of values) table.put(value, `${workKey} ${key}`)
    await new Promise(resolve => (transaction.oncomplete = transaction.onabort = resolve))
  } catch {
    // A private window has no database.
  }
}

/** A value that was stored beside the work; undefined if there is none. */
export async function readStored<T>(key: string): Promise<T | undefined> {
  const database = await openDatabase().catch(() => null)
  return database ? read<T>(database.transaction('work').objectStore('work'), `${workKey} ${key}`) : undefined
}

/** The stored work with its file; null if there is none. Throws if there is some that cannot be read. */
export async function recallWork(): Promise<StoredWork | null> {
  const database = await openDatabase().catch(() => null)
  if (!database) return null
  const table = database.transaction('work').objectStore('work')
  const [work, bytes] = await Promise.all([
    read<Work & { name: string }>(table, workKey),
    read<Uint8Array>(table, bytesKey()),
  ])
  return work && bytes ? { ...work, bytes } : null
}

function read<T>(table: IDBObjectStore, key: string): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const request = table.get(key) as IDBRequest<T | undefined>
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(new Error(`cannot read "${key}"`, { cause: request.error }))
  })
}
