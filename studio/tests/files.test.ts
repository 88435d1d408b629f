// What the page makes of files, compared with the command byte for byte: methods, floors, reports, links, images.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Plant } from '../src/messages.ts'
import {
  cleanedByCommand,
  cleaningSetting,
  describeFile,
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
import { address, closeStudio, command, folder, openStudio, useStudio, walk } from './setup.ts'

useStudio()

test('every detection method finds the plants that the command finds', async () => {
  const page = await openStudio()
  await page.click('[data-tab=settings]')
  const output = join(folder, 'command.plants.json')
  for (const method of ['speed-height', 'zero-crossing', 'learned']) {
    // The default method is not stored among the settings.
    await describeFile(page, 'detector', method, method === 'learned' ? null : method)
    command('detect', walk, '--method', method, '--edges', 'rest', '-o', output, '--force')
    const written = (await writtenByPage(page, 'plants')).toString()
    assert.deepEqual(JSON.parse(written), JSON.parse(readFileSync(output, 'utf8')), method)
    const motion = await writtenByPage(page, 'motion')
    assert.ok(motion.equals(cleanedByCommand(walk, '--plants', output)), method)
  }
  await closeStudio(page)
})

test('every kind of floor gives the motion that the command writes', async () => {
  const page = await openStudio()
  await page.click('[data-tab=settings]')
  const motionEquals = async (name: string, ...flags: string[]) =>
    assert.ok((await writtenByPage(page, 'motion')).equals(cleanedByCommand(walk, ...flags)), name)
  for (const floor of ['5cm', 'level', '0,1,0.02,0.01', 'plants', 'none']) {
    await describeFile(page, 'floor', floor)
    await motionEquals(floor, '--floor', floor)
  }
  const files = {
    'ground.obj': 'v -900 0 -900\nv 900 0 -900\nv 0 3 900\nf 1 2 3\n',
    'ground.csv': 'x,z,height\n-900,-900,0\n900,-900,0\n-900,900,2\n900,900,2\n',
  }
  for (const [name, text] of Object.entries(files)) {
    await drop(page, name, text)
    await motionEquals(name, '--floor', put(name, text))
  }
  const image = Buffer.from([...Buffer.from('P5 3 3 255\n'), 0, 10, 20, 30, 40, 50, 60, 70, 80])
  await drop(page, 'ground.pgm', image)
  await page.fill('dialog [name=cell]', '4m')
  await page.fill('dialog [name=heights]', '0..5cm')
  await page.click('dialog button.main')
  await page.waitForFunction(() => {
    const file = window.studio.state.settings.file.floor_file as { name: string } | undefined
    return file?.name === 'ground.pgm'
  })
  const size = ['--floor-cell', '4m', '--floor-height', '0..5cm']
  await motionEquals('ground.pgm', '--floor', put('ground.pgm', image), ...size)
  await closeStudio(page)
})

/** A walk on a treadmill: the middle of a walk whose path is taken back at 1.2 m/s. */
function treadmillWalk() {
  const long = join(folder, 'long-walk.bvh')
  command('sample', 'walk', '--seconds', '10', '--skate', 'noise', '-o', long, '--force')
  const [head = '', rest = ''] = readFileSync(long, 'utf8').split('Frame Time:')
  const [time = '', ...rows] = rest.split('\n')
  const middle = rows.filter(row => row.trim()).slice(180, 420)
  const moved = middle.map((row, frame) => {
    const cells = row.trim().split(/\s+/)
    cells[2] = (Number(cells[2]) - 120 * frame * Number(time)).toFixed(6)
    return cells.join(' ')
  })
  const header = head.replace(/Frames:\s*\d+/, `Frames: ${moved.length}`)
  return put('treadmill.bvh', `${header}Frame Time:${time}\n${moved.join('\n')}\n`)
}

test('a treadmill is detected, and cleaned as by the command', async () => {
  const treadmill = treadmillWalk()
  const page = await openStudio()
  await drop(page, 'treadmill.bvh', readFileSync(treadmill))
  await opened(page, 'treadmill.bvh')
  assert.match((await page.textContent('#name')) ?? '', /ground moves at 1\./)
  assert.ok((await writtenByPage(page, 'motion')).equals(cleanedByCommand(treadmill)))
  const notes = await page.evaluate(() => {
    window.studio.state.measure()
    return window.studio.state.figures?.notes
  })
  assert.ok(notes?.some(({ text }) => text.includes('treadmill')))
  await closeStudio(page)
})

test('a saved report is that of the command, and plants come back from JSON and CSV', async () => {
  const page = await openStudio()
  const reportFile = join(folder, 'command.html')
  const motion = join(folder, 'walk.clean.bvh')
  const reportOfCommand = (...args: string[]) => {
    command('clean', walk, '-o', motion, '--report', reportFile, '--force', ...args)
    return readFileSync(reportFile, 'utf8')
  }
  assert.equal((await writtenByPage(page, 'report')).toString(), reportOfCommand())
  await drag(page, await onBar(page, 3, 1), 20)
  const csv = await writtenByPage(page, 'table')
  const json = await writtenByPage(page, 'plants')
  const report = (await writtenByPage(page, 'report')).toString()
  assert.equal(report, reportOfCommand('--plants', put('edited.json', json)))
  const edited = await plants(page)
  await drop(page, 'edited.plants.json', json)
  assert.deepEqual(await plants(page), edited)
  await drop(page, 'walk.plants.csv', csv)
  // A table holds no confidence.
  const intervals = (all: Plant[]) => all.map(({ leg, point, first, last }) => ({ leg, point, first, last }))
  assert.deepEqual(intervals(await plants(page)), intervals(edited))
  await closeStudio(page)
})

test('a share link brings plants and settings to the same file elsewhere, and to no other file', async () => {
  const page = await openStudio()
  const unedited = await digest(page)
  await drag(page, await onBar(page, 3, 1), 25)
  await page.click('[data-tab=settings]')
  await page.fill('#set-stretch', '1')
  await press(page, 'Tab')
  await cleaningSetting(page, 'stretch', 0.01)
  const work = await plants(page)
  const motion = await digest(page)
  await page.click('summary')
  await page.click('[data-save=link]')
  await page.waitForFunction(() => location.hash.includes('work='))
  const link = await page.evaluate(() => location.href)
  assert.ok(!link.includes('HIERARCHY'))
  const other = await openStudio(link)
  assert.deepEqual(await plants(other), work)
  assert.equal(await digest(other), motion)
  assert.notEqual(motion, unedited)
  await drop(other, 'short.bvh', readFileSync(treadmillWalk()))
  await messageContains(other, 'The link is for walk.bvh')
  await closeStudio(other)
  const broken = await openStudio(address + '#work=%%%')
  assert.equal(await digest(broken), unedited)
  await closeStudio(broken)
  await closeStudio(page)
})

test('the view is saved as a PNG image of its size', async () => {
  const page = await openStudio()
  page.on('dialog', dialog => dialog.accept())
  await page.click('summary')
  await page.click('[data-save=png]')
  await messageContains(page, 'walk.png saved')
  const png = readFileSync(join(folder, 'walk.png'))
  const size = await page.evaluate(() => {
    const { width, height } = document.getElementById('view') as HTMLCanvasElement
    return [width, height]
  })
  assert.deepEqual([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10])
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], size)
  assert.ok(png.length > 5000, `an empty image: ${png.length} bytes`)
  await closeStudio(page)
})

test('presets clean like the flags of the command, and saved settings come back by drop', async () => {
  const page = await openStudio()
  const motionEquals = async (flag: string) =>
    assert.ok((await writtenByPage(page, 'motion')).equals(cleanedByCommand(walk, flag)), flag)
  await page.click('[data-tab=settings]')
  await page.click('text=Live')
  await cleaningSetting(page, 'preset', 'live')
  await motionEquals('--live')
  const settings = await page.evaluate(() => JSON.stringify(window.studio.state.settings))
  await page.click('text=Paper')
  await cleaningSetting(page, 'preset', 'paper')
  await motionEquals('--paper')
  await drop(page, 'walk.settings.json', settings)
  await cleaningSetting(page, 'preset', 'live')
  await closeStudio(page)
})
