// Editing in a real browser: bars, footprints, the wipe, undo, settings, saving.

import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { command, digest, done, drag, drop, file, folder, measured, onBar, page, painted, plants } from './here.mjs'

test('an edge is dragged, the motion changes, undo brings it back', async () => {
  const p = await page(), was = await plants(p), motion = await digest(p)
  await drag(p, await onBar(p, 3, 1), 25)
  assert.ok((await plants(p))[3].last > was[3].last)
  assert.notEqual(await digest(p), motion)
  console.log(`# first picture after ${Math.round(await p.evaluate(() => window.studio.firstPicture))} ms`)
  await p.keyboard.press('Control+z')
  assert.deepEqual(await plants(p), was)
  assert.equal(await digest(p), motion)
  assert.deepEqual(p.errors, [])
  await done(p)
})

test('plants are drawn, split, joined and deleted, with the mouse and with keys', async () => {
  const p = await page(), count = (await plants(p)).length
  await p.mouse.dblclick(...(await onBar(p, 2, 0.5)))
  assert.equal((await plants(p)).length, count + 1)
  await p.keyboard.press('Control+z')
  const [x, y] = await onBar(p, 1, 1)
  await drag(p, [x + 14, y], 20)
  assert.equal((await plants(p)).length, count + 1)
  await p.keyboard.press('Delete')
  assert.equal((await plants(p)).length, count)
  await p.keyboard.press('Control+z'); await p.keyboard.press('Control+z')
  await p.keyboard.press(']'); await p.keyboard.press('ArrowRight'); await p.keyboard.press('ArrowRight'); await p.keyboard.press('s')
  assert.equal((await plants(p)).length, count + 1)
  await p.keyboard.press('a'); await p.keyboard.press('j')
  assert.equal((await plants(p)).length, (await p.evaluate(() => window.studio.time.rows.length)))
  assert.deepEqual(p.errors, [])
  await done(p)
})

test('a footprint is dragged and its spot goes along', async () => {
  const p = await page()
  const at = await p.evaluate(() => {
    const { state, view } = window.studio
    state.frame = state.plants[6].first + 2; view.show(); view.look('top')
    return view.onScreen(6)
  })
  await drag(p, at, 18, 6)
  assert.ok((await plants(p)).some(plant => plant.spot))
  await done(p)
})

test('an edge snaps to where the point stops, and says to what', async () => {
  const p = await page(), was = await plants(p), caught = new Set()
  let x, y
  // Past the places where it comes to rest and where it leaves, bit by bit: it is caught there.
  for (const end of [0, 1]) {
    [x, y] = await onBar(p, 3, end)
    await p.mouse.move(x, y); await p.mouse.down()
    for (let dx = -50; dx <= 50; dx += 2) {
      await p.mouse.move(x + dx, y)
      const is = await p.evaluate(() => window.studio.time.caught)
      if (is) caught.add(`${is.to} ${is.frame}`)
    }
    if (!end) { await p.mouse.up(); await p.keyboard.press('Control+z') }
  }
  await p.keyboard.down('Control'); await p.mouse.move(x - 9, y); await painted(p)
  assert.equal(await p.evaluate(() => window.studio.time.caught), null)
  await p.mouse.up(); await p.keyboard.up('Control')
  assert.ok([...caught].some(c => c.startsWith('height')) && [...caught].some(c => c.startsWith('speed')), [...caught].join(', '))
  await p.keyboard.press('Control+z')
  assert.deepEqual(await plants(p), was)
  await done(p)
})

test('the wipe shows before to its left and after to its right', async () => {
  const p = await page()
  await p.evaluate(() => { const { state, view } = window.studio; state.frame = 90; view.shown.trails = false; view.show(); view.look('side') })
  const picture = () => p.evaluate(() => window.studio.view.png())
  await p.keyboard.press('g')
  const after = await picture()
  await p.keyboard.press('v')
  assert.equal(await p.isVisible('#wipe'), true)
  const half = await picture()
  assert.notEqual(half, after)
  // All the way to the left, only after is left to see.
  const box = await p.locator('#wipe i').boundingBox()
  await drag(p, [box.x + 13, box.y + 22], -2000)
  assert.equal(await p.getAttribute('#wipe', 'aria-valuenow'), '2')
  const nearly = await picture()
  assert.notEqual(nearly, half)
  await p.focus('#wipe'); await p.keyboard.press('ArrowRight')
  assert.equal(await p.getAttribute('#wipe', 'aria-valuenow'), '4')
  await p.keyboard.press('v')
  assert.equal(await picture(), after)
  assert.deepEqual(p.errors, [])
  await done(p)
})

test('it plays, and settings change the motion', async () => {
  const p = await page(), motion = await digest(p)
  await p.keyboard.press('Space')
  await p.waitForFunction(() => window.studio.state.frame > 2)
  await p.keyboard.press('Space')
  await p.click('[data-tab=settings]'); await p.fill('#set-stretch', '0'); await p.keyboard.press('Tab')
  await p.waitForFunction(() => window.studio.state.settings.how.stretch === 0)
  assert.notEqual(await digest(p), motion)
  await done(p)
})

test('what is saved is what the command writes, byte for byte', async () => {
  const p = await page()
  await drag(p, await onBar(p, 3, 0), 9)
  p.on('dialog', dialog => dialog.accept())
  await p.click('#save')
  await p.waitForFunction(() => document.getElementById('say').textContent.includes('saved beside'))
  await p.click('summary'); await p.click('[data-save=plants]')
  await p.waitForFunction(() => document.getElementById('say').textContent.includes('plants.json saved'))
  const theirs = join(folder, 'command.bvh')
  command('clean', file, '--plants', join(folder, 'walk.plants.json'), '-o', theirs, '--force')
  assert.ok(readFileSync(join(folder, 'walk.clean.bvh')).equals(readFileSync(theirs)))
  rmSync(join(folder, 'walk.plants.json'))
  await done(p)
})

test('work survives a reload, and a bad file leaves it open', async () => {
  const p = await page()
  await drag(p, await onBar(p, 3, 0), 12)
  const work = await plants(p)
  await p.waitForTimeout(800)
  await p.reload(); await measured(p)
  assert.deepEqual(await plants(p), work)
  const bad = join(folder, 'bad.bvh')
  writeFileSync(bad, readFileSync(file, 'utf8').slice(0, 700))
  await p.setInputFiles('#file', bad)
  await p.waitForFunction(() => document.getElementById('say').textContent.startsWith('bad.bvh: line'))
  assert.deepEqual(await plants(p), work)
  await done(p)
})

test('a file is opened by drop', async () => {
  const p = await page()
  await drop(p, 'dropped.bvh', readFileSync(file))
  await p.waitForFunction(() => window.studio.state.about.name === 'dropped.bvh')
  await done(p)
})

test('a long clip is solved again within a picture', async () => {
  const long = join(folder, 'long.bvh')
  command('sample', 'walk', '--skate', 'scale', '--seconds', '33.4', '-o', long)
  const p = await page()
  await p.setInputFiles('#file', long); await p.waitForFunction(() => window.studio.state.about.name === 'long.bvh')
  const ms = await p.evaluate(() => {
    const { state } = window.studio, all = []
    for (let n = 0; n < 30; n++) { const plants = structuredClone(state.plants); plants[20].last += n % 2 ? 2 : -2; state.change(plants); all.push(state.solveMs) }
    return all.sort((a, b) => a - b)
  })
  console.log(`# ${await p.evaluate(() => window.studio.state.about.frames)} frames, an edge moved: median ${ms[15].toFixed(1)} ms, largest ${ms[29].toFixed(1)} ms`)
  await done(p)
})

test('the worst frame and the least sure plants are jumped to', async () => {
  const p = await page(), sure = (await plants(p)).map(plant => plant.confidence ?? 1)
  await p.click('#worst')
  const frame = await p.evaluate(() => window.studio.state.frame)
  assert.ok((await plants(p)).some(plant => plant.first < frame && frame <= plant.last), `frame ${frame} is planted`)
  const chosen = () => p.evaluate(() => [[...window.studio.state.chosen], window.studio.state.frame])
  for (const least of [...sure].sort((a, b) => a - b).slice(0, 3)) {
    await p.click('#unsure')
    const [[plant], at] = await chosen()
    assert.equal(sure[plant], least)
    assert.equal(at, (await plants(p))[plant].first)
  }
  assert.deepEqual(p.errors, [])
  await done(p)
})

test('light and dark are worn by the page and the view', async () => {
  const p = await page(), worn = () => p.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const before = await worn()
  await p.click('#theme')
  assert.notEqual(await worn(), before)
  await p.click('#theme')
  assert.equal(await worn(), before)
  await done(p)
})
