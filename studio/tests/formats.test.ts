// Motion files of every format: what the page saves is what the command writes, byte for byte.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  cleanedByCommand,
  drawn,
  dropAll,
  messageContains,
  opened,
  press,
  put,
  writtenByPage,
} from './actions.ts'
import { splitGltf, withSecondAnimation, withSkin } from './gltf-maker.ts'
import { type Walk, parseBvh, positionsAsNpy, walkAsAcclaim, walkAsFbx } from './made-files.ts'
import {
  type StudioPage,
  closeStudio,
  command,
  folder,
  openStudio,
  ready,
  serve,
  useStudio,
  walk,
} from './setup.ts'

useStudio()

type Contents = string | Uint8Array

let motion: Walk
let glb: Buffer

before(() => {
  motion = parseBvh(readFileSync(walk, 'utf8'))
  const path = join(folder, 'walk.glb')
  command('convert', walk, path, '--force')
  glb = readFileSync(path)
})

/** Drops a motion with the files that belong to it, and compares what the page writes with the command. */
async function savesAsCommand(
  page: StudioPage,
  name: string,
  files: Record<string, Contents>,
  ...flags: string[]
) {
  Object.entries(files).forEach(([file, contents]) => put(file, contents))
  await dropAll(page, files)
  assert.equal(
    await page.evaluate(() => window.studio.state.clip.name),
    name,
    (await page.textContent('#message'))!,
  )
  const written = await writtenByPage(page, 'motion')
  assert.ok(written.equals(cleanedByCommand(join(folder, name), ...flags)), name)
  assert.ok(!written.equals(Buffer.from(files[name]!)), `${name} was not changed`)
}

test('glTF, FBX, Acclaim and NumPy files are saved as the command writes them', async () => {
  const page = await openStudio()
  const frames = motion.rows.length
  const positions = await page.evaluate(() => [...window.studio.state.before.positions])
  const names = await page.evaluate(() => window.studio.state.clip.joints.map(({ name }) => name))
  const stride = positions.length / frames
  const npy = positionsAsNpy(frames, (frame, joint) => {
    const at = frame * stride + 3 * names.indexOf(joint)
    return positions.slice(at, at + 3)
  })
  const { gltf, buffer } = splitGltf(glb, 'walk.bin')
  const { skeleton, motion: amc } = walkAsAcclaim(motion)
  await savesAsCommand(page, 'walk.glb', { 'walk.glb': glb })
  await savesAsCommand(page, 'walk.gltf', { 'walk.bin': buffer, 'walk.gltf': gltf })
  await savesAsCommand(page, 'walk.fbx', { 'walk.fbx': walkAsFbx(motion) })
  await savesAsCommand(page, 'walk_01.amc', { 'walk_01.amc': amc, 'walk.asf': skeleton })
  await savesAsCommand(page, 'walk.npy', { 'walk.npy': npy })
  command('convert', walk, join(folder, 'walk.npz'), '--force')
  await savesAsCommand(page, 'walk.npz', { 'walk.npz': readFileSync(join(folder, 'walk.npz')) })
  // The content counts, not the name.
  await savesAsCommand(page, 'renamed.bvh', { 'renamed.bvh': glb })
  assert.match((await page.textContent('#name')) ?? '', /^renamed\.bvh · glTF/)
  await savesAsCommand(page, 'renamed.fbx', { 'renamed.fbx': readFileSync(walk) })
  assert.match((await page.textContent('#name')) ?? '', /^renamed\.fbx · BVH/)
  await closeStudio(page)
})

test('the name of a saved motion has the ending of its format, and a report names it', async () => {
  const page = await openStudio()
  page.on('dialog', dialog => dialog.accept())
  await dropAll(page, { 'walk.glb': glb })
  await press(page, 'Control+s')
  await messageContains(page, 'walk.clean.glb saved')
  assert.ok(readFileSync(join(folder, 'walk.clean.glb')).equals(cleanedByCommand(join(folder, 'walk.glb'))))
  assert.match((await writtenByPage(page, 'report')).toString(), /walk\.clean\.glb/)
  await closeStudio(page)
})

test('files that belong together are asked for, and a part alone is refused with the reason', async () => {
  const page = await openStudio()
  const { gltf, buffer } = splitGltf(glb, 'walk.bin')
  const { skeleton, motion: amc } = walkAsAcclaim(motion)
  const refusals: [Record<string, Contents>, string][] = [
    [{ 'walk.gltf': gltf }, 'no file "walk.bin" beside it'],
    [{ 'walk_01.amc': amc }, 'no skeleton was found beside the motion'],
    [{ 'walk.asf': skeleton }, 'drop it together with its .amc file'],
    [{ 'walk.bin': buffer }, 'drop it together with the motion that uses it'],
    [{ 'cut.glb': glb.subarray(0, 900) }, 'cut.glb'],
    [{ 'cut.fbx': walkAsFbx(motion).subarray(0, 5000) }, 'cut.fbx'],
  ]
  for (const [files, message] of refusals) {
    await dropAll(page, files)
    await messageContains(page, message)
    assert.equal(await page.evaluate(() => window.studio.state.clip.name), 'walk.bvh', message)
  }
  await dropAll(page, { 'walk.gltf': gltf })
  await messageContains(page, 'Drop the files that belong together at once.')
  await closeStudio(page)
})

test('a file with several animations has a choice, which undo takes back', async () => {
  const page = await openStudio()
  const two = withSecondAnimation(glb, 'second')
  await dropAll(page, { 'two.glb': two })
  const options = await page.locator('#animation option').allTextContents()
  assert.equal(options.length, 2)
  assert.match(options[1]!, /^second · \d/)
  await page.selectOption('#animation', '1')
  await page.waitForFunction(() => window.studio.state.clip.animation === 1)
  const written = await writtenByPage(page, 'motion')
  assert.ok(written.equals(cleanedByCommand(put('two.glb', two), '--animation', 'second')))
  assert.ok(!written.equals(cleanedByCommand(join(folder, 'two.glb'))))
  await page.click('[data-tab=settings]')
  assert.match((await page.textContent('#tab-settings')) ?? '', /--animation second/)
  await page.click('#undo')
  await page.waitForFunction(() => window.studio.state.clip.animation === 0)
  await closeStudio(page)
})

test('the work on another format is restored after a reload, and served files come with their parts', async () => {
  const { gltf, buffer } = splitGltf(glb, 'walk.bin')
  put('walk.bin', buffer)
  const { address } = await serve(put('served.gltf', gltf))
  const page = await openStudio(address)
  await opened(page, 'served.gltf')
  assert.ok((await writtenByPage(page, 'motion')).equals(cleanedByCommand(join(folder, 'served.gltf'))))
  await closeStudio(page)
  const { skeleton, motion: amc } = walkAsAcclaim(motion)
  put('walk.asf', skeleton)
  const other = await openStudio((await serve()).address)
  await dropAll(other, { 'walk_01.amc': amc, 'walk.asf': skeleton })
  await other.waitForFunction(() => window.studio.state.autosave.isDone)
  await other.reload()
  await ready(other)
  assert.equal(await other.evaluate(() => window.studio.state.clip.name), 'walk_01.amc')
  const written = await writtenByPage(other, 'motion')
  assert.ok(written.equals(cleanedByCommand(put('walk_01.amc', amc))))
  await closeStudio(other)
})

/** How many pixels of the view have a colour that is mostly of one channel: red, green and blue. */
function pixels(page: Page) {
  return page.evaluate(async () => {
    const [, base64 = ''] = window.studio.view.png().split(',')
    const png = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([png]))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')!
    context.drawImage(bitmap, 0, 0)
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    const counts = { red: 0, green: 0 }
    for (let at = 0; at < data.length; at += 4) {
      const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!]
      if (red > 90 && green < 0.4 * red && blue < 0.4 * red) counts.red++
      if (green > 90 && red < 0.4 * green && blue < 0.4 * green) counts.green++
    }
    return counts
  })
}

test('the mesh of a file follows its joints, with its colours, and can be switched off', async () => {
  const page = await openStudio()
  await dropAll(page, { 'plain.glb': glb })
  assert.ok(await page.locator('[data-toggle=mesh]').isHidden())
  await dropAll(page, { 'boxes.glb': withSkin(glb) })
  await page.waitForFunction(() => window.studio.view.hasCharacter)
  await press(page, 't', 'g')
  await page.evaluate(() => window.studio.timeline.onFrame(100))
  await drawn(page)
  const shown = await pixels(page)
  assert.ok(shown.red > 300 && shown.green > 300, JSON.stringify(shown))
  // A box is around its joint in every frame, before and after cleaning.
  const distance = await page.evaluate(() => {
    const { state, call } = window.studio
    const frames = [0, 100, state.clip.frames - 1]
    const distances = frames.flatMap(frame =>
      [false, true].flatMap(after => {
        const bytes = call({ kind: 'bones', after, start: frame, end: frame + 1 })
        const matrices = new Float32Array(bytes.buffer)
        const data = after ? state.after : state.before
        return state.clip.joints.map((_, joint) => {
          const [x, y, z] = data.position(frame, joint)
          return Math.hypot(
            matrices[16 * joint + 12]! - x,
            matrices[16 * joint + 13]! - y,
            matrices[16 * joint + 14]! - z,
          )
        })
      }),
    )
    return Math.max(...distances)
  })
  assert.ok(distance < 1e-5, `${distance} m`)
  await page.click('[data-toggle=mesh]')
  await drawn(page)
  const hidden = await pixels(page)
  assert.ok(hidden.red < 0.2 * shown.red && hidden.green < 0.2 * shown.green, JSON.stringify(hidden))
  await closeStudio(page)
})
