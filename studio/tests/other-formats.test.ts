// Captured files of other formats, long ones, and several at once.

import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanedByCommand, dropAll, messageContains, opened, put, writtenByPage } from './actions.ts'
import { splitGltf, withSkin } from './gltf-maker.ts'
import { parseBvh, walkAsAcclaim } from './made-files.ts'
import { closeStudio, command, folder, openStudio, serve, useStudio, walk } from './setup.ts'

useStudio()

const data = process.env.SUREFOOT_DATA ?? '../../shared/data'

/** Captured motions with the files that belong to them. */
const CAPTURES = [
  ['fbx/rocketbox/m_walk_neutral.max.fbx'],
  ['fbx/rocketbox/m_turn_right_90.max.fbx'],
  ['gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb'],
  ['gltf/khronos/Fox/glTF-Binary/Fox.glb'],
]

/** The first captured Acclaim pair. */
function acclaim(): string[][] {
  const folder = 'acclaim/cmu_asfamc'
  const names = readdirSync(join(data, folder)).sort()
  const find = (ending: string) => names.find(name => name.endsWith(ending))
  return [[find('.amc'), find('.asf')].map(name => join(folder, name!))]
}

const hasData = existsSync(data)

test('captured files are there where they must be', () => {
  assert.ok(hasData || process.env.CI !== 'true', `${data} is missing`)
  if (!hasData) console.log('SUREFOOT-SKIPPED: the captured files of other formats are missing')
})

for (const files of hasData ? [...CAPTURES, ...acclaim()] : []) {
  const paths = files.map(file => join(data, file))
  const name = files[0]!.split('/').at(-1)!
  test(`${name} is saved as the command writes it`, async () => {
    const page = await openStudio()
    await page.setInputFiles('#file', paths)
    await opened(page, name)
    await page.waitForFunction(() => {
      const { state, view } = window.studio
      return state.figures && (!state.clip.has_mesh || view.hasCharacter)
    })
    const written = await writtenByPage(page, 'motion')
    assert.ok(written.equals(cleanedByCommand(paths[0]!)))
    await closeStudio(page)
  })
}

if (hasData) {
  test('the mesh of a captured FBX file is drawn, and can be switched off', async () => {
    const page = await openStudio()
    await page.setInputFiles('#file', join(data, 'gltf/momentum/simple_anim.fbx'))
    await opened(page, 'simple_anim.fbx')
    await page.waitForFunction(() => window.studio.view.hasCharacter)
    const picture = () => page.evaluate(() => window.studio.view.png())
    const shown = await picture()
    await page.click('[data-toggle=mesh]')
    assert.notEqual(await picture(), shown)
    await page.click('[data-toggle=mesh]')
    assert.equal(await picture(), shown)
    await closeStudio(page)
  })
}

/** A walk of some seconds as a `.glb` with a skin. */
function longWalk(seconds: number) {
  const [bvh, glb] = ['bvh', 'glb'].map(ending => join(folder, `long${seconds}.${ending}`))
  command('sample', 'walk', '--skate', 'scale', '--seconds', String(seconds), '-o', bvh!, '--force')
  command('convert', bvh!, glb!, '--force')
  return put(`long${seconds}.glb`, withSkin(readFileSync(glb!)))
}

test('a long file of another format is opened in a worker with its mesh, and can be cancelled', async () => {
  const path = longWalk(120)
  const page = await openStudio()
  await page.setInputFiles('#file', path)
  await page.locator('#progress').waitFor()
  await page.click('#progress-cancel')
  await messageContains(page, 'long120.glb was not opened')
  assert.equal(await page.evaluate(() => window.studio.state.clip.name), 'walk.bvh')
  assert.ok((await writtenByPage(page, 'motion')).equals(cleanedByCommand(walk)))
  await page.setInputFiles('#file', path)
  await opened(page, 'long120.glb')
  await page.waitForFunction(() => window.studio.view.hasCharacter)
  assert.ok((await writtenByPage(page, 'motion')).equals(cleanedByCommand(path)))
  await closeStudio(page)
})

test('motions of several formats are a project, each with its own parts', async () => {
  const { skeleton, motion: amc } = walkAsAcclaim(parseBvh(readFileSync(walk, 'utf8')))
  const glb = join(folder, 'mixed.glb')
  command('convert', walk, glb, '--force')
  const { gltf, buffer } = splitGltf(readFileSync(glb), 'mixed.bin')
  const files = {
    'mixed.bvh': readFileSync(walk),
    'mixed.gltf': gltf,
    'mixed.bin': buffer,
    'mixed_01.amc': amc,
    'mixed.asf': skeleton,
  }
  Object.entries(files).forEach(([name, contents]) => put(name, contents))
  const page = await openStudio((await serve()).address)
  await dropAll(page, files)
  await page.waitForFunction(() => {
    const { clips } = window.studio.project
    return clips.length === 3 && clips.every(({ review, problem }) => review ?? problem)
  })
  const problems = await page.evaluate(() => window.studio.project.clips.map(({ problem }) => problem))
  assert.deepEqual(problems, [undefined, undefined, undefined])
  const saved: string[] = []
  page.on('download', download => {
    saved.push(download.suggestedFilename())
    void download.saveAs(join(folder, 'saved', download.suggestedFilename()))
  })
  await page.click('#tab-clips button:has-text("Save all")')
  await messageContains(page, '3 motions saved')
  while (saved.length < 3) await page.waitForEvent('download')
  assert.deepEqual(saved.sort(), ['mixed.clean.bvh', 'mixed.clean.gltf', 'mixed_01.clean.amc'])
  // A clip brings its parts along when it is opened from the list.
  for (const name of ['mixed.gltf', 'mixed_01.amc', 'mixed.bvh']) {
    await page.click(`#tab-clips .clip:has-text("${name}")`)
    await opened(page, name)
    assert.ok((await writtenByPage(page, 'motion')).equals(cleanedByCommand(join(folder, name))), name)
  }
  await closeStudio(page)
})
