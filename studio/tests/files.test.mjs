// What goes in and out, held against the command: bad files, rigs, floors, methods, reports, links, pictures.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { address, command, digest, done, drag, drop, file, folder, onBar, page, plants, refused, said, settled, written } from './here.mjs'

const put = (name, bytes) => { const path = join(folder, name); writeFileSync(path, bytes); return path }
/** The command's clean file. */
function cleaned(from, ...args) {
  const to = join(folder, 'theirs.bvh')
  command('clean', from, '-o', to, '--force', ...args)
  return readFileSync(to)
}

test('every kind of bad file is told as the command tells it, and what was open stays', async () => {
  const walk = readFileSync(file, 'utf8'), p = await page(), was = await digest(p)
  const frames = Number(walk.match(/Frames:\s*(\d+)/)[1])
  const c3d = Buffer.alloc(1024); c3d[0] = 2; c3d[1] = 0x50
  const motions = {
    'cut.bvh': walk.slice(0, 700), 'empty.bvh': '', 'junk.bvh': Buffer.from([0, 159, 146, 150, 255, 10, 7]), 'nan.bvh': walk.replace(/(Frame Time:.*\n)\S+/, '$1nan'),
    'short.bvh': walk.trimEnd().replace(/\s\S+$/, '\n'), 'trial.c3d': c3d,
  }
  const plant = more => JSON.stringify({ surefoot: 'plants/1', motion: { frames, fps: 120 }, plants: [{ foot: 'left', point: 'heel', first: 3, last: 9, ...more }] })
  const others = {
    'no.plants.json': [`{ "surefoot": `, '--plants'], 'foot.plants.json': [plant({ foot: 'middle' }), '--plants'], 'late.plants.json': [plant({ last: 99999 }), '--plants'],
    'other.plants.json': [plant().replace(String(frames), '7'), '--plants'], 'wrong.csv': ['left_heel,left_ball\n0,0\n', '--plants'],
    'typo.toml': ['up = "w"\n', '--rig'], 'joint.toml': ['[[leg]]\nside = "left"\nhip = "Nose"\nknee = "b"\nankle = "c"\n', '--rig'],
    'bad.obj': ['v 0 0 0\nv 1 0\n', '--floor'], 'none.obj': ['# nothing\n', '--floor'], 'floor.csv': ['x,z,height\n0,0,one\n', '--floor'],
  }
  const all = [...Object.entries(motions).map(([name, bytes]) => [name, bytes, refused('clean', put(name, bytes))]),
    ...Object.entries(others).map(([name, [bytes, flag]]) => [name, bytes, refused('clean', file, flag, put(name, bytes))])]
  for (const [name, bytes, { sentence, line }] of all) {
    await p.evaluate(() => { document.getElementById('say').textContent = '' })
    await drop(p, name, bytes)
    await p.waitForFunction(() => document.getElementById('say').textContent)
    const told = await p.textContent('#say'), folderless = sentence.replaceAll(folder + '/', '')
    assert.ok(told.includes(folderless), `${name}: the page says ${told}, the command ${sentence}`)
    assert.ok(told.includes(name), told)
    if (line) assert.ok(told.includes(`line ${line}`), `${told} should name line ${line}`)
    assert.equal(await digest(p), was, name)
  }
  await drop(p, 'my.settings.json', '{ "how": 3 }'); await said(p, 'my.settings.json has no settings')
  await drop(p, 'my.settings.json', '{ "told": { "colour": 1 }, "how": {} }'); await said(p, 'unknown field')
  assert.equal(await digest(p), was)
  await p.click('[data-tab=settings]'); await p.fill('#set-floor', 'high'); await p.keyboard.press('Tab')
  await said(p, 'expected a height in metres')
  assert.equal(await digest(p), was)
  assert.deepEqual(p.errors, [])
  console.log(`# ${all.length} bad files told in the command's words`)
  await done(p)
})

test('a rig is picked and dragged in the view; saved, the command makes the same of it', async () => {
  const p = await page(), was = await digest(p)
  await p.click('#hide-hint'); await p.click('[data-tab=rig]')
  await p.evaluate(() => { window.studio.view.look('side'); window.studio.view.show() })
  const legs = () => p.evaluate(() => window.studio.state.about.legs), before = await legs(), { joint } = before[0].ball
  const at = joint => p.evaluate(joint => window.studio.view.handles.onScreen(joint), joint)
  const named = pattern => p.evaluate(pattern => window.studio.state.about.joints.findIndex(j => new RegExp(pattern, 'i').test(j.name)), pattern)
  // The left leg's toe, seen from the left, is in front.
  await p.click('[data-aim="0 heel"]'); await p.mouse.click(...(await at(joint)))
  assert.deepEqual((await legs())[0].heel, { joint, offset: [0, 0, 0] })
  assert.notEqual(await digest(p), was)
  await p.keyboard.press('Control+z')
  assert.deepEqual(await legs(), before)
  assert.equal(await digest(p), was)
  // A heel on the head is no heel: told, and nothing changes.
  await p.click('[data-aim="0 heel"]'); await p.mouse.click(...(await at(await named('^head'))))
  await said(p, "the left leg's heel is not on its ankle or a joint below")
  assert.deepEqual(await legs(), before)
  assert.equal(await digest(p), was)
  // By keys: the list of joints.
  const knee = await named('spine')
  await p.selectOption('[aria-label="left knee: joint"]', String(knee))
  await p.waitForFunction(knee => window.studio.state.about.legs[0].knee === knee || document.getElementById('say').className.includes('bad'), knee)
  if ((await legs())[0].knee === knee) await p.keyboard.press('Control+z')
  assert.deepEqual(await legs(), before)
  await p.evaluate(() => window.studio.view.look('feet'))
  // The heel is dragged back and down.
  const heel = await p.evaluate(() => { const { state, view } = window.studio; return view.handles.onScreen(state.about.joints.length) })
  await drag(p, heel, -9, 5)
  const moved = (await legs())[0].heel
  assert.equal(moved.joint, before[0].heel.joint)
  assert.ok(Math.hypot(...moved.offset.map((x, n) => x - before[0].heel.offset[n])) > 0.5, JSON.stringify(moved))
  assert.notEqual(await digest(p), was)
  const rig = put('walk.rig.toml', await written(p, 'rig'))
  assert.ok((await written(p, 'motion')).equals(cleaned(file, '--rig', rig)))
  await p.keyboard.press('Control+z')
  assert.equal(await digest(p), was)
  await p.keyboard.press('Control+Shift+z')
  assert.deepEqual((await legs())[0].heel, moved)
  assert.deepEqual(p.errors, [])
  await done(p)
})

test('methods, edges and floors do what the command does', async () => {
  const p = await page()
  await p.click('[data-tab=settings]')
  const set = async (key, value) => { const was = await p.evaluate(() => document.body.dataset.ready); (await p.locator(`#set-${key}`).evaluate(e => e.tagName)) === 'SELECT' ? await p.selectOption(`#set-${key}`, value) : (await p.fill(`#set-${key}`, value), await p.keyboard.press('Tab')); await p.waitForFunction(was => document.body.dataset.ready !== was, was) }
  for (const method of ['speed-height', 'zero-crossing', 'learned']) {
    await set('method', method)
    const theirs = join(folder, 'theirs.plants.json')
    command('detect', file, '--method', method, '--edges', 'rest', '-o', theirs, '--force')
    assert.deepEqual(JSON.parse(await written(p, 'plants')), JSON.parse(readFileSync(theirs)), method)
    assert.ok((await written(p, 'motion')).equals(cleaned(file, '--plants', theirs)), method)
  }
  for (const floor of ['5cm', 'level', '0,1,0.02,0.01', 'plants', 'none']) {
    await set('floor', floor)
    assert.ok((await written(p, 'motion')).equals(cleaned(file, '--floor', floor)), floor)
  }
  const files = { 'ground.obj': 'v -900 0 -900\nv 900 0 -900\nv 0 3 900\nf 1 2 3\n', 'ground.csv': 'x,z,height\n-900,-900,0\n900,-900,0\n-900,900,2\n900,900,2\n' }
  for (const [name, text] of Object.entries(files)) {
    const was = await p.evaluate(() => document.body.dataset.ready)
    await drop(p, name, text); await p.waitForFunction(was => document.body.dataset.ready !== was, was)
    assert.ok((await written(p, 'motion')).equals(cleaned(file, '--floor', put(name, text))), name)
  }
  const image = Buffer.from([...Buffer.from('P5 3 3 255\n'), 0, 10, 20, 30, 40, 50, 60, 70, 80])
  await drop(p, 'ground.pgm', image)
  await p.fill('dialog [name=cell]', '4m'); await p.fill('dialog [name=heights]', '0..5cm'); await p.click('dialog button.main')
  await p.waitForFunction(() => window.studio.state.settings.told.floor_file?.name === 'ground.pgm')
  assert.ok((await written(p, 'motion')).equals(cleaned(file, '--floor', put('ground.pgm', image), '--floor-cell', '4m', '--floor-height', '0..5cm')))
  assert.deepEqual(p.errors, [])
  await done(p)
})

test('a treadmill is noticed, and cleaned as the command does', async () => {
  const walk = join(folder, 'long-walk.bvh')
  command('sample', 'walk', '--seconds', '10', '--skate', 'noise', '-o', walk, '--force')
  const [head, rest] = readFileSync(walk, 'utf8').split('Frame Time:'), [time, ...rows] = rest.split('\n')
  const middle = rows.filter(row => row.trim()).slice(180, 420).map((row, frame) => { const cells = row.trim().split(/\s+/); cells[2] = (Number(cells[2]) - 120 * frame * Number(time)).toFixed(6); return cells.join(' ') })
  const belt = put('belt.bvh', `${head.replace(/Frames:\s*\d+/, `Frames: ${middle.length}`)}Frame Time:${time}\n${middle.join('\n')}\n`)
  const p = await page()
  await drop(p, 'belt.bvh', readFileSync(belt))
  await p.waitForFunction(() => document.getElementById('name').textContent.includes('ground moves at 1.'))
  assert.ok((await written(p, 'motion')).equals(cleaned(belt)))
  await settled(p)
  assert.ok((await p.evaluate(() => window.studio.state.figures.notes)).some(note => note.said.includes('as on a treadmill')))
  await done(p)
})

test('the report that is saved is the command’s, notes and all; so are plants as a table', async () => {
  const p = await page(), theirs = join(folder, 'theirs.html'), motion = join(folder, 'walk.clean.bvh')
  command('clean', file, '-o', motion, '--report', theirs, '--force')
  assert.equal((await written(p, 'report')).toString(), readFileSync(theirs, 'utf8'))
  await drag(p, await onBar(p, 3, 1), 20)
  const csv = put('walk.plants.csv', await written(p, 'table')), json = put('edited.json', await written(p, 'plants'))
  command('clean', file, '--plants', json, '-o', motion, '--report', theirs, '--force')
  assert.equal((await written(p, 'report')).toString(), readFileSync(theirs, 'utf8'))
  const held = await plants(p)
  await drop(p, 'edited.plants.json', readFileSync(json)); assert.deepEqual(await plants(p), held)
  await drop(p, 'walk.plants.csv', readFileSync(csv))
  assert.deepEqual((await plants(p)).map(({ leg, point, first, last }) => ({ leg, point, first, last })), held.map(({ leg, point, first, last }) => ({ leg, point, first, last })))
  await done(p)
})

test('a share link brings plants and settings to the same file elsewhere, and to no other', async () => {
  const p = await page(), was = await digest(p)
  await drag(p, await onBar(p, 3, 1), 25)
  await p.click('[data-tab=settings]'); await p.fill('#set-stretch', '1'); await p.keyboard.press('Tab')
  await p.waitForFunction(() => window.studio.state.settings.how.stretch === 0.01)
  const work = await plants(p), motion = await digest(p)
  await p.click('summary'); await p.click('[data-save=link]')
  await p.waitForFunction(() => location.hash.includes('work='))
  const link = await p.evaluate(() => location.href)
  assert.ok(!link.includes('HIERARCHY'))
  const other = await page(link)
  assert.deepEqual(await plants(other), work)
  assert.equal(await digest(other), motion)
  assert.notEqual(motion, was)
  await drop(other, 'short.bvh', readFileSync(join(folder, 'belt.bvh')))
  await said(other, 'The link is for walk.bvh')
  await done(other)
  const broken = await page(address + '#work=%%%')
  assert.equal(await digest(broken), was)
  await done(broken); await done(p)
})

test('a picture of the view is saved as PNG', async () => {
  const p = await page()
  p.on('dialog', dialog => dialog.accept())
  await p.click('summary'); await p.click('[data-save=png]'); await said(p, 'walk.png saved')
  const png = readFileSync(join(folder, 'walk.png')), size = await p.evaluate(() => { const c = document.getElementById('view'); return [c.width, c.height] })
  assert.deepEqual([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10])
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], size)
  assert.ok(png.length > 5000, 'there is something in it')
  await done(p)
})

test('saved settings come back by drop', async () => {
  const p = await page()
  await p.click('[data-tab=settings]'); await p.click('text=Live'); await p.waitForFunction(() => window.studio.state.settings.how.preset === 'live')
  assert.ok((await written(p, 'motion')).equals(cleaned(file, '--live')))
  const kept = await p.evaluate(() => JSON.stringify(window.studio.state.settings))
  await p.click('text=Paper'); await p.waitForFunction(() => window.studio.state.settings.how.preset === 'paper')
  assert.ok((await written(p, 'motion')).equals(cleaned(file, '--paper')))
  await drop(p, 'walk.settings.json', kept); await p.waitForFunction(() => window.studio.state.settings.how.preset === 'live')
  await done(p)
})
