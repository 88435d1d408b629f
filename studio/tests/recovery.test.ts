// A trap in the WebAssembly core: the file, its edits and the undo steps stay, and saving still works.

import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { bytesAt } from '../src/core-memory.ts'
import type { Request } from '../src/messages.ts'
import {
  cleanedByCommand,
  digest,
  drag,
  drop,
  messageContains,
  onBar,
  opened,
  plants,
  press,
  put,
  writtenByPage,
} from './actions.ts'
import { closeStudio, folder, openStudio, ready, useStudio, walk } from './setup.ts'

useStudio()

const UNHARMED = 'Your file and all edits are as they were before'

/** Lets requests of a kind end in a trap: from now on, or for `null` no more. */
function trapRequests(page: Page, kind: Request['kind'] | null) {
  return page.evaluate(trapped => {
    const window_ = window as unknown as { stringify?: typeof JSON.stringify }
    const stringify = (window_.stringify ??= JSON.stringify)
    JSON.stringify = (value: unknown) => {
      const isTrapped = trapped !== null && (value as Partial<Request> | null)?.kind === trapped
      return stringify(isTrapped ? { ...(value as Request), trap: true } : value)
    }
  }, kind)
}

/** Everything that can be saved. */
async function savedFiles(page: Page) {
  const files = []
  for (const output of ['motion', 'plants', 'table', 'rig', 'report'] as const) {
    files.push((await writtenByPage(page, output)).toString())
  }
  return files
}

/** One request of each kind, with the bytes of its file. Most would change the session. */
function requests(file: string): [Request, string?][] {
  const range = { after: true, start: 0, end: 9 }
  return [
    [{ kind: 'open', name: 'other.bvh', file: { floor: '5cm' }, cleaning: {} }, file],
    [{ kind: 'sample' }],
    [{ kind: 'about' }],
    [{ kind: 'detect' }],
    [{ kind: 'read_plants', name: 'my.csv' }, 'foot,point,first,last\nleft,heel,5,9\n'],
    [{ kind: 'clean', plants: [], ground: [1, 0, 0] }],
    [{ kind: 'positions', ...range }],
    [{ kind: 'curves', ...range }],
    [{ kind: 'joint_offset', joint: 0, frame: 0, position: [0, 0, 0] }],
    [{ kind: 'figures' }],
    [{ kind: 'write', output: 'motion' }],
  ]
}

/** The message of a request that must fail. */
function failure(page: Page, request: Request, text: string) {
  return page.evaluate(
    ([sent, file]) => {
      try {
        window.studio.call(sent, new TextEncoder().encode(file))
        return ''
      } catch (error) {
        return (error as Error).message
      }
    },
    [request, text] as const,
  )
}

test('a trap in any request leaves everything that can be saved as it was', async () => {
  const page = await openStudio()
  const edited = (await writtenByPage(page, 'plants')).toString()
  await drop(page, 'edited.plants.json', edited)
  await drag(page, await onBar(page, 3, 1), 25)
  const before = await savedFiles(page)
  for (const [request, text] of requests(readFileSync(walk, 'utf8'))) {
    await trapRequests(page, request.kind)
    const message = await failure(page, request, text ?? '')
    assert.ok(message.includes(UNHARMED), `${request.kind}: ${message}`)
    await trapRequests(page, null)
    assert.deepEqual(await savedFiles(page), before, request.kind)
  }
  await closeStudio(page)
})

test('a file that ends the core in a trap is refused, and the open file can be edited and saved', async () => {
  const page = await openStudio()
  page.on('dialog', dialog => dialog.accept())
  await drag(page, await onBar(page, 3, 1), 25)
  const work = await plants(page)
  const motion = await digest(page)
  for (const kind of ['open', 'detect', 'clean', 'about', 'positions', 'curves'] as const) {
    await trapRequests(page, kind)
    await drop(page, 'other.bvh', readFileSync(walk))
    await messageContains(page, UNHARMED)
    assert.equal(await page.evaluate(() => window.studio.state.clip.name), 'walk.bvh', kind)
    assert.deepEqual(await plants(page), work, kind)
    assert.equal(await digest(page), motion, kind)
    await trapRequests(page, null)
    await page.evaluate(() => (document.getElementById('message')!.textContent = ''))
  }
  await page.click('#save')
  await messageContains(page, 'walk.clean.bvh saved beside')
  const given = put('given.json', await writtenByPage(page, 'plants'))
  const saved = readFileSync(join(folder, 'walk.clean.bvh'))
  assert.ok(saved.equals(cleanedByCommand(walk, '--plants', given)))
  rmSync(join(folder, 'walk.clean.bvh'))
  await press(page, 'Control+z')
  assert.notDeepEqual(await plants(page), work)
  await press(page, 'Control+Shift+z')
  assert.deepEqual(await plants(page), work)
  await drop(page, 'other.bvh', readFileSync(walk))
  await opened(page, 'other.bvh')
  await closeStudio(page)
})

test('an edit that ends the core in a trap is not made, and the undo steps stay', async () => {
  const page = await openStudio()
  const captured = await plants(page)
  await drag(page, await onBar(page, 3, 1), 25)
  const work = await plants(page)
  const motion = await digest(page)
  const unharmed = async (action: string) => {
    await messageContains(page, UNHARMED)
    assert.deepEqual(await plants(page), work, action)
    assert.equal(await digest(page), motion, action)
    await page.evaluate(() => (document.getElementById('message')!.textContent = ''))
  }
  await trapRequests(page, 'clean')
  await press(page, 'Control+z')
  await unharmed('undo')
  await drag(page, await onBar(page, 2, 1), 20)
  await unharmed('drag')
  await page.mouse.dblclick(...(await onBar(page, 2, 0.5)))
  await unharmed('split')
  await page.click('[data-tab=settings]')
  await page.fill('#set-stretch', '0')
  await press(page, 'Tab')
  await unharmed('settings')
  assert.deepEqual(await page.evaluate(() => window.studio.state.settings.cleaning), {})
  await trapRequests(page, 'figures')
  await page.evaluate(() => window.studio.state.measure())
  assert.match(
    await page.evaluate(() => window.studio.state.figures!.headline),
    /^Measuring the motion failed/,
  )
  await trapRequests(page, null)
  // The drag has recorded a step before it failed, which undo skips, because nothing changed.
  await page.evaluate(() => window.studio.state.undo())
  assert.deepEqual(await plants(page), captured)
  await closeStudio(page)
})

test('a core that cannot be restarted asks for a reload, and is tried again by the next request', async () => {
  const page = await openStudio()
  await drag(page, await onBar(page, 3, 1), 25)
  const before = await savedFiles(page)
  await trapRequests(page, 'detect')
  await page.evaluate(() => {
    const original = WebAssembly.Instance
    const failing = () => {
      throw new RangeError('out of memory')
    }
    WebAssembly.Instance = failing as unknown as typeof WebAssembly.Instance
    Object.assign(window, { recover: () => (WebAssembly.Instance = original) })
  })
  assert.match(await failure(page, { kind: 'detect' }, ''), /Reload the page/)
  assert.match(await failure(page, { kind: 'figures' }, ''), /Reload the page/)
  await page.evaluate(() => (window as unknown as { recover(): void }).recover())
  assert.deepEqual(await savedFiles(page), before)
  await closeStudio(page)
})

/** Reads the stored work of the served file, or replaces it. */
function storedWork(page: Page, replacement?: unknown) {
  return page.evaluate(
    ([key, value]) =>
      new Promise<unknown>((resolve, reject) => {
        const opening = indexedDB.open('surefoot-studio', 1)
        opening.onerror = () => reject(new Error('no database'))
        opening.onsuccess = () => {
          const table = opening.result.transaction('work', 'readwrite').objectStore('work')
          const request = value === undefined ? table.get(key) : table.put(value, key)
          request.onsuccess = () => resolve(request.result)
        }
      }),
    ['file walk.bvh', replacement] as const,
  )
}

const isStored = (page: Page) => page.waitForFunction(() => window.studio.state.autosave.isDone)

test('stored work that cannot be opened is kept, whatever is done meanwhile', async () => {
  const page = await openStudio()
  await drag(page, await onBar(page, 3, 1), 25)
  await isStored(page)
  const [edited, stored] = [await plants(page), await storedWork(page)]
  const damaged = { ...(stored as object), plants: 7 }
  await storedWork(page, damaged)
  await page.reload()
  await ready(page)
  await messageContains(page, 'Your stored work could not be opened')
  assert.notDeepEqual(await plants(page), edited)
  await drag(page, await onBar(page, 2, 1), 20)
  await isStored(page)
  const meanwhile = await plants(page)
  assert.deepEqual(await storedWork(page), damaged)
  await page.reload()
  await ready(page)
  assert.deepEqual(await plants(page), meanwhile)
  assert.deepEqual(await storedWork(page), damaged)
  await storedWork(page, stored)
  await page.reload()
  await ready(page)
  assert.deepEqual(await plants(page), edited)
  await closeStudio(page)
})

test('pointers and lengths above 2 GiB are unsigned', () => {
  // Pages of 64 KiB; the memory is only reserved, because hardly any of it is used.
  const memory = new WebAssembly.Memory({ initial: 44_000 })
  const pointer = -1449125192
  new Uint8Array(memory.buffer, 2 ** 32 + pointer, 3).set([1, 2, 3])
  assert.deepEqual([...bytesAt(memory, pointer, 3)], [1, 2, 3])
  assert.equal(bytesAt(memory, 0, -(2 ** 31)).length, 2 ** 31)
})

test('a core whose memory lies above 2 GiB opens, edits and saves', async () => {
  const page = await openStudio()
  await page.context().addInitScript(() => {
    const { Instance } = WebAssembly
    WebAssembly.Instance = function (module: WebAssembly.Module) {
      const instance = new Instance(module, {})
      // Everything that the core allocates now lies behind these 2.1 GiB, which are only reserved.
      ;(instance.exports.memory as WebAssembly.Memory).grow(34_000)
      // A new core after a failure would start with little memory and hide the failure.
      WebAssembly.Instance = undefined as unknown as typeof Instance
      return instance
    } as unknown as typeof Instance
  })
  await page.reload()
  await ready(page)
  assert.ok((await writtenByPage(page, 'motion')).equals(cleanedByCommand(walk)))
  await drop(page, 'other.bvh', readFileSync(walk))
  await opened(page, 'other.bvh')
  await drop(page, 'bad.bvh', 'HIERARCHY')
  await messageContains(page, 'bad.bvh: line')
  await closeStudio(page)
})

test('a request that no core can hold is refused before it is sent', async () => {
  const page = await openStudio()
  const message = await page.evaluate(() => {
    try {
      window.studio.call({ kind: 'sample' }, { length: 2 ** 31 } as Uint8Array)
    } catch (error) {
      return (error as Error).message
    }
    return ''
  })
  assert.match(message, /more than 2 GB/)
  await closeStudio(page)
})
