// The studio in a real browser, served by the binary. SUREFOOT names the binary.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'

const surefoot = process.env.SUREFOOT ?? '../target/debug/surefoot'
const folder = mkdtempSync(join(tmpdir(), 'studio-')), file = join(folder, 'walk.bvh')
let server, address, browser

before(async () => {
  execFileSync(surefoot, ['sample', 'walk', '--skate', 'scale', '-o', file], { stdio: 'ignore' })
  rmSync(join(folder, 'walk.plants.json'), { force: true })
  server = spawn(surefoot, ['studio', file, '--no-open'])
  address = await new Promise(done => server.stdout.once('data', line => done(String(line).trim())))
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
})
after(async () => { await browser?.close(); server?.kill(); rmSync(folder, { recursive: true }) })

async function page(where = address, context) {
  const page = await (context ?? browser).newPage({ viewport: context ? undefined : { width: 1280, height: 800 } })
  page.errors = []
  page.on('pageerror', error => page.errors.push(error.message))
  await page.goto(where)
  await measured(page)
  return page
}
const measured = page => page.waitForFunction(() => window.studio?.state.figures && document.body.dataset.ready)
const plants = page => page.evaluate(() => window.studio.state.plants)
const digest = page => page.evaluate(() => window.studio.state.after.reduce((sum, x, n) => (sum * 31 + Math.round(x * 1e6) + n) % 1e9, 0))
/** Where on the screen a plant's bar is: `share` of its length along. */
const onBar = (page, n, share) => page.evaluate(([n, share]) => {
  const { state, time } = window.studio, p = state.plants[n], box = document.getElementById('time').getBoundingClientRect()
  const row = time.rows.findIndex(r => r.leg === p.leg && r.point === p.point)
  return [box.left + time.x(p.first) + share * (time.x(p.last + 1) - time.x(p.first)), box.top + time.rowY(row) + 12]
}, [n, share])
async function drag(page, [x, y], dx, dy = 0) {
  await page.mouse.move(x, y); await page.mouse.down(); await page.mouse.move(x + dx / 2, y + dy / 2); await page.mouse.move(x + dx, y + dy)
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
  await page.mouse.up()
}

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
  await p.close()
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
  await p.close()
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
  await p.close()
})

test('it plays, and settings change the motion', async () => {
  const p = await page(), motion = await digest(p)
  await p.keyboard.press('Space')
  await p.waitForFunction(() => window.studio.state.frame > 2)
  await p.keyboard.press('Space')
  await p.click('[data-tab=settings]'); await p.fill('#set-stretch', '0'); await p.keyboard.press('Tab')
  await p.waitForFunction(() => window.studio.state.settings.how.stretch === 0)
  assert.notEqual(await digest(p), motion)
  await p.close()
})

test('what is saved is what the command writes, byte for byte', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } }), p = await page(address, context)
  await drag(p, await onBar(p, 3, 0), 9)
  p.on('dialog', dialog => dialog.accept())
  await p.click('#save')
  await p.waitForFunction(() => document.getElementById('say').textContent.includes('saved beside'))
  await p.click('summary'); await p.click('[data-save=plants]')
  await p.waitForFunction(() => document.getElementById('say').textContent.includes('plants.json saved'))
  const theirs = join(folder, 'command.bvh')
  execFileSync(surefoot, ['clean', file, '--plants', join(folder, 'walk.plants.json'), '-o', theirs, '--force'], { stdio: 'ignore' })
  assert.ok(readFileSync(join(folder, 'walk.clean.bvh')).equals(readFileSync(theirs)))
  rmSync(join(folder, 'walk.plants.json'))
  await context.close()
})

test('work survives a reload, and a bad file leaves it open', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } }), p = await page(address, context)
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
  await context.close()
})

test('a file is opened by drop', async () => {
  const p = await page()
  const text = readFileSync(file, 'utf8')
  await p.evaluate(text => {
    const data = new DataTransfer(); data.items.add(new File([text], 'dropped.bvh'))
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }))
  }, text)
  await p.waitForFunction(() => window.studio.state.about.name === 'dropped.bvh')
  await p.close()
})

test('a long clip is solved again within a picture', async () => {
  const long = join(folder, 'long.bvh')
  execFileSync(surefoot, ['sample', 'walk', '--skate', 'scale', '--seconds', '33.4', '-o', long], { stdio: 'ignore' })
  const p = await page()
  await p.setInputFiles('#file', long); await p.waitForFunction(() => window.studio.state.about.name === 'long.bvh')
  const ms = await p.evaluate(() => {
    const { state } = window.studio, all = []
    for (let n = 0; n < 30; n++) { const plants = structuredClone(state.plants); plants[20].last += n % 2 ? 2 : -2; state.change(plants); all.push(state.solveMs) }
    return all.sort((a, b) => a - b)
  })
  console.log(`# ${await p.evaluate(() => window.studio.state.about.frames)} frames, an edge moved: median ${ms[15].toFixed(1)} ms, largest ${ms[29].toFixed(1)} ms`)
  await p.close()
})
