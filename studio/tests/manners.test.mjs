// Good manners in a real browser: long clips, fingers, keys alone, its weight, and a server that ends.

import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { browser, command, digest, done, drop, file, folder, measured, onBar, page, painted, plants, said, serve, written } from './here.mjs'

test('the page weighs no more than 600 KB of gzip in all', () => {
  const built = '../crates/surefoot-studio/page', sizes = readdirSync(built).map(name => [name, gzipSync(readFileSync(join(built, name)), { level: 9 }).length])
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  console.log(`# ${total} bytes: ${sizes.map(([name, size]) => `${name} ${size}`).join(', ')}`)
  assert.ok(total <= 600_000, `${total} bytes`)
})

test('20,000 frames stay fluid: what is drawn and solved does not grow with the clip', async () => {
  const work = async seconds => {
    const long = join(folder, `long${seconds}.bvh`)
    command('sample', 'walk', '--skate', 'scale', '--seconds', String(seconds), '-o', long, '--force')
    const p = await page()
    const nodes = () => p.evaluate(() => document.querySelectorAll('*').length), before = await nodes()
    const [opened] = await Promise.all([p.evaluate(() => performance.now()), p.setInputFiles('#file', long)])
    await p.waitForFunction(name => window.studio.state.about.name === name, `long${seconds}.bvh`, { timeout: 120_000 })
    const opening = (await p.evaluate(() => performance.now())) - opened
    await painted(p)
    const seen = await p.evaluate(async () => {
      const { state, view, time } = window.studio, picture = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
      const whole = time.dots, dots = []
      for (let n = 0; n < 40; n++) { time.zoom(0.8, state.about.frames / 2); dots.push(time.dots) }
      time.whole(); await picture()
      const began = performance.now()
      for (let n = 0; n < 20; n++) { time.onFrame(Math.round((n / 20) * state.about.frames)); await picture() }
      const scrub = (performance.now() - began) / 20, edits = []
      for (let n = 0; n < 9; n++) { const plants = structuredClone(state.plants); plants[Math.floor(plants.length / 2)].last += n % 2 ? 1 : -1; state.change(plants); edits.push([state.solvedFrames, state.solveMs]) }
      const start = performance.now()
      for (let n = 0; n < 5; n++) time.draw()
      const drawing = (performance.now() - start) / 5
      state.measure()
      return { frames: state.about.frames, measured: state.measureMs, drawing, plants: state.plants.length, calls: view.drawn.calls, dots: Math.max(whole, ...dots), width: document.getElementById('time').clientWidth, scrub, edits: edits.slice(1) }
    })
    seen.nodes = (await nodes()) - before
    const ms = seen.edits.map(([, ms]) => ms).sort((a, b) => a - b)
    console.log(`# ${seen.frames} frames, ${seen.plants} plants: opened in ${Math.round(opening)} ms; scrubbing ${seen.scrub.toFixed(1)} ms a picture; ${seen.calls} draw calls, ${seen.dots} points of curves, timeline ${seen.drawing.toFixed(1)} ms; an edge moved ${Math.max(...seen.edits.map(([n]) => n))} frames, ${ms[4].toFixed(1)} ms; measured in ${Math.round(seen.measured)} ms`)
    assert.deepEqual(p.errors, [])
    await done(p)
    return seen
  }
  const short = await work(34), long = await work(334)
  assert.ok(long.frames >= 20_000, `${long.frames}`)
  assert.equal(long.calls, short.calls)
  // Two points a pixel for each of eight curves behind the bars and eight before and after below, at any zoom; one more at each end.
  for (const seen of [short, long]) assert.ok(seen.dots <= 16 * (2 * seen.width + 4), `${seen.dots} points on ${seen.width} pixels`)
  const most = seen => Math.max(...seen.edits.map(([frames]) => frames))
  assert.ok(most(long) <= 2 * most(short), `${most(long)} frames solved again, of the short clip ${most(short)}`)
  // More notes may be told of a longer clip; nothing else is more.
  assert.ok(long.nodes - short.nodes < 400, `${long.nodes} more nodes, of the short clip ${short.nodes}`)
})

test('on a tablet a finger drags an edge and moves the wipe', async () => {
  const p = await page(undefined, { viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }), was = await plants(p)
  const inside = await p.evaluate(() => [document.documentElement.scrollWidth, innerWidth, [...document.querySelectorAll('button, select, summary')].filter(e => e.offsetParent && !e.closest('[hidden], .menu > div, [role=tabpanel]') && (e.getBoundingClientRect().right > innerWidth + 1 || e.getBoundingClientRect().left < 0)).map(e => e.textContent)])
  assert.equal(inside[0], inside[1]); assert.deepEqual(inside[2], [], 'nothing is beyond the edge')
  const touch = await p.context().newCDPSession(p)
  const finger = async ([x, y], dx) => {
    const send = (type, points) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points })
    await send('touchStart', [{ x, y }])
    for (let n = 1; n <= 5; n++) await send('touchMove', [{ x: x + (dx * n) / 5, y }])
    await painted(p); await send('touchEnd', []); await painted(p)
  }
  await finger(await onBar(p, 3, 1), 30)
  assert.ok((await plants(p))[3].last > was[3].last)
  await p.tap('#undo')
  assert.deepEqual(await plants(p), was)
  await p.tap('#hide-hint'); await p.tap('[data-toggle=wipe]')
  const box = await p.locator('#wipe i').boundingBox()
  await finger([box.x + 13, box.y + 20], -150)
  assert.ok(Number(await p.getAttribute('#wipe', 'aria-valuenow')) < 40)
  assert.deepEqual(p.errors, [])
  await done(p)
})

test('all of it goes by keys alone, and everything has a name', async () => {
  const p = await page(), was = await plants(p), press = async (...keys) => { for (const key of keys) await p.keyboard.press(key) }
  const focus = () => p.evaluate(() => { const e = document.activeElement; return e.id || e.dataset.tab || e.dataset.view || e.dataset.toggle || e.textContent.trim() })
  const seen = new Set()
  for (let n = 0; n < 60; n++) { await press('Tab'); seen.add(await focus()) }
  for (const name of ['open', 'save', 'theme', 'keys', 'view', 'side', 'wipe', 'figures', 'back', 'play', 'on', 'speed', 'loop', 'worst', 'unsure', 'curve', 'time', 'hide-hint']) assert.ok(seen.has(name), `${name} is not reached by Tab: ${[...seen].join(', ')}`)
  await p.focus('#hide-hint'); await press('Enter')
  assert.equal(await p.isVisible('#hint'), false)
  // Plants: chosen, moved, split, joined, made, deleted, taken back.
  await p.focus('#time'); await press(']', ']', '>', '>')
  const moved = await plants(p)
  assert.equal(moved[1].last, was[1].last + 2)
  await press('ArrowRight', 'ArrowRight', 'ArrowRight', 's')
  assert.equal((await plants(p)).length, was.length + 1)
  await press('Control+z', 'Control+z', 'Control+z')
  assert.deepEqual(await plants(p), was)
  // Where one stands: a centimetre to the right, and back.
  await p.focus('#time'); await press('[', ']')
  const chosen = await p.evaluate(() => [...window.studio.state.chosen][0]), spot = await p.evaluate(n => window.studio.state.spots[n], chosen)
  await press('Alt+Shift+ArrowRight', 'Alt+Shift+ArrowUp')
  const stands = await p.evaluate(() => { const { state } = window.studio, n = [...state.chosen][0]; return state.spots[n] })
  const far = Math.hypot(...stands.map((x, n) => x - spot[n]))
  assert.ok(Math.abs(far - Math.SQRT2 / 100) < 1e-6, `${far} m`)
  await press('Control+z', 'Control+z')
  assert.deepEqual(await plants(p), was)
  await press('Control+Shift+z', 'Control+z', 'a', 'Delete')
  assert.deepEqual(await plants(p), [])
  await press('Control+z')
  // Tabs by arrows; a setting; the rig by its lists.
  await p.focus('[data-tab=figures]'); await press('ArrowRight', 'ArrowRight')
  assert.equal(await focus(), 'settings')
  await p.focus('#set-stretch'); await p.keyboard.type('0'); await press('Enter')
  await p.waitForFunction(() => window.studio.state.settings.how.stretch === 0)
  await p.focus('[data-tab=settings]'); await press('ArrowRight')
  await p.focus('[aria-label="left heel: y on its joint, in the file\'s unit"]'); await press('Control+a'); await p.keyboard.type('-8.5'); await press('Enter')
  await p.waitForFunction(() => window.studio.state.about.legs[0].heel.offset[1] === -8.5)
  await p.focus('#time'); await press('?')
  assert.ok((await p.textContent('#list')).includes('side by side, wipe'))
  await press('Escape')
  // Who cannot see reads names.
  const nameless = await p.evaluate(() => [...document.querySelectorAll('button, select, input, canvas, summary, [role=slider]')]
    .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length)).map(e => e.outerHTML.slice(0, 80)))
  assert.deepEqual(nameless, [])
  p.on('dialog', dialog => dialog.accept())
  const theirs = await written(p, 'motion')
  await p.focus('#time'); await press('Control+s'); await said(p, 'walk.clean.bvh saved')
  assert.ok(readFileSync(join(folder, 'walk.clean.bvh')).equals(theirs))
  assert.deepEqual(p.errors, [])
  await done(p)
})

test('the first visit shows the sample walk and three steps; the next does not', async () => {
  const { address } = await serve(), p = await page(address)
  assert.equal(await p.isVisible('#hint'), true)
  assert.equal(await p.locator('#hint li').count(), 3)
  assert.ok((await p.textContent('#name')).startsWith('walk.bvh'))
  await p.click('#hide-hint'); await p.reload(); await measured(p)
  assert.equal(await p.isVisible('#hint'), false)
  await done(p)
})

test('nothing listens any more once the window has closed and the time has passed', async () => {
  const { address, server } = await serve(file, '--linger', '1s'), ended = new Promise(done => server.once('exit', done))
  const p = await page(address), motion = await digest(p)
  // A reload lets go of the window and takes it again: that is no end.
  await p.reload(); await measured(p)
  assert.equal(await digest(p), motion)
  assert.equal(server.exitCode, null)
  await done(p)
  assert.equal(await ended, 0)
  await assert.rejects(fetch(address))
})

test('another page can neither read nor write, and the page loads nothing from elsewhere', async () => {
  const { address } = await serve(file), context = await browser.newContext(), p = await context.newPage()
  const asked = []
  p.on('request', request => asked.push(new URL(request.url()).origin))
  await p.goto(address); await measured(p)
  assert.deepEqual([...new Set(asked)].filter(origin => origin !== new URL(address).origin && origin !== 'null'), [])
  const refusedBy = await p.evaluate(async address => {
    const other = address.replace('127.0.0.1', 'localhost'), wrong = address.replace(/[0-9a-f](?=\/$)/, c => (c === '0' ? '1' : '0'))
    const status = async (url, options) => { try { return (await fetch(url, options)).status } catch { return 'refused' } }
    return [await status(other), await status(wrong), await status(address + 'api/save?name=..%2Fa', { method: 'POST', body: 'x' })]
  }, address)
  assert.deepEqual(refusedBy, ['refused', 403, 400])
  await context.close()
})

test('the built page is a static site: a file is dropped on it, cleaned and saved without any server of ours', async () => {
  const built = '../crates/surefoot-studio/page', kinds = { html: 'text/html', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm' }
  const site = createServer((request, answer) => {
    const name = request.url === '/' ? 'index.html' : request.url.slice(1)
    if (!readdirSync(built).includes(name)) { answer.writeHead(404).end(); return }
    answer.writeHead(200, { 'content-type': kinds[name.split('.').pop()] ?? 'text/plain' }).end(readFileSync(join(built, name)))
  })
  await new Promise(done => site.listen(0, '127.0.0.1', done))
  const p = await page(`http://127.0.0.1:${site.address().port}/`), posts = []
  p.on('request', request => { if (request.method() !== 'GET') posts.push(request.url()) })
  await drop(p, 'mine.bvh', readFileSync(file)); await p.waitForFunction(() => window.studio.state.about.name === 'mine.bvh')
  const [saved] = await Promise.all([p.waitForEvent('download'), p.click('#save')])
  assert.equal(saved.suggestedFilename(), 'mine.clean.bvh')
  const theirs = join(folder, 'static.bvh')
  command('clean', file, '-o', theirs, '--force')
  assert.ok(readFileSync(await saved.path()).equals(readFileSync(theirs)))
  assert.deepEqual(posts, [], 'nothing is sent anywhere')
  assert.deepEqual(p.errors, [])
  await done(p); site.close()
})
