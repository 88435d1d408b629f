// Actions of the tests on a page, and the values they read from it.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { WritableFile } from '../src/messages.ts'
import { command, folder } from './setup.ts'

/** A position on the screen, in pixels. */
export type Point = [number, number]

export const plants = (page: Page) => page.evaluate(() => window.studio.state.plants)
export const legs = (page: Page) => page.evaluate(() => window.studio.state.clip.legs)

/** A hash of the cleaned motion. */
export function digest(page: Page) {
  return page.evaluate(() =>
    window.studio.state.after.positions.reduce(
      (sum, value, n) => (sum * 31 + Math.round(value * 1e6) + n) % 1e9,
      0,
    ),
  )
}

/** Waits until the message box contains a text. */
export function messageContains(page: Page, text: string) {
  return page.waitForFunction(
    expected => document.getElementById('message')?.textContent.includes(expected),
    text,
  )
}

/** Waits until another file is open. */
export function opened(page: Page, name: string) {
  return page.waitForFunction(expected => {
    const { state } = window.studio
    return state.clip.name === expected && !state.isOpening
  }, name)
}

/** Waits until a setting of the cleaning has a value. */
export function cleaningSetting(page: Page, key: string, value: unknown) {
  return page.waitForFunction(
    ([setting, expected]) => window.studio.state.settings.cleaning[setting] === expected,
    [key, value] as const,
  )
}

/** A file as the page would save it. */
export async function writtenByPage(page: Page, output: WritableFile) {
  if (output === 'report') await page.evaluate(() => window.studio.loadFullCore())
  return Buffer.from(
    await page.evaluate(file => [...window.studio.call({ kind: 'write', output: file })], output),
  )
}

/** The motion as `surefoot clean` writes it. */
export function cleanedByCommand(motion: string, ...args: string[]) {
  const output = join(folder, 'command.bvh')
  command('clean', motion, '-o', output, '--force', ...args)
  return readFileSync(output)
}

/** Writes a file into the folder of the tests and returns its path. */
export function put(name: string, contents: string | Uint8Array) {
  const path = join(folder, name)
  writeFileSync(path, contents)
  return path
}

/** The position on a plant's bar at a fraction of its length. */
export function onBar(page: Page, plant: number, fraction: number): Promise<Point> {
  return page.evaluate(
    ([n, share]) => {
      const { state, timeline } = window.studio
      const { layout } = timeline
      const { leg, point, first, last } = state.plants[n]!
      const { left, top } = document.getElementById('time')!.getBoundingClientRect()
      const row = layout.rows.findIndex(other => other.leg === leg && other.point === point)
      const start = layout.xOfFrame(first)
      const x = left + start + share * (layout.xOfFrame(last + 1) - start)
      return [x, top + layout.yOfRow(row) + 12] as [number, number]
    },
    [plant, fraction] as const,
  )
}

/** Drags with the mouse. When it is done, the page has solved the result. */
export async function drag(page: Page, [x, y]: Point, dx: number, dy = 0) {
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + dx / 2, y + dy / 2)
  await page.mouse.move(x + dx, y + dy)
  await page.mouse.up()
}

/** Presses keys one after the other. */
export async function press(page: Page, ...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key)
}

/** Drops a file on the page and waits until the page has opened or refused it. */
export function drop(page: Page, name: string, contents: string | Uint8Array) {
  return dropAll(page, { [name]: contents })
}

/** Drops files together and waits until the page has opened or refused them. */
export async function dropAll(page: Page, files: Record<string, string | Uint8Array>) {
  const handled = await page.evaluate(() => window.studio.activity.filesHandled)
  await startDrop(page, files)
  await page.waitForFunction(before => window.studio.activity.filesHandled > before, handled)
}

/** Drops files together. */
export function startDrop(page: Page, files: Record<string, string | Uint8Array>) {
  const all = Object.entries(files).map(([name, contents]) => [
    name,
    Buffer.from(contents).toString('latin1'),
  ])
  return page.evaluate(list => {
    const data = new DataTransfer()
    for (const [name = '', text = ''] of list) {
      data.items.add(new File([Uint8Array.from(text, c => c.charCodeAt(0))], name))
    }
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }))
  }, all)
}

/** Types a value into a setting, or chooses it from a list, and waits until it is applied. */
export async function describeFile(page: Page, key: string, value: string, applied: string | null = value) {
  const input = page.locator(`#set-${key}`)
  if ((await input.evaluate(element => element.tagName)) === 'SELECT') await input.selectOption(value)
  else {
    await input.fill(value)
    await press(page, 'Tab')
  }
  await page.waitForFunction(
    ([setting, expected]) => (window.studio.state.settings.file[setting] ?? null) === expected,
    [key, applied] as const,
  )
}

/** Waits for two animation frames: everything that was due has been drawn. */
export function drawn(page: Page) {
  return page.evaluate(
    () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}
