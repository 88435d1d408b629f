// Looking at the result: the body, feedback while editing, the review, the equivalent command, and manners.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { drag, drawn, drop, onBar, plants, press, put, writtenByPage } from './actions.ts'
import { closeStudio, folder, openStudio, useStudio, walk } from './setup.ts'

useStudio()

const frame = (page: Awaited<ReturnType<typeof openStudio>>) =>
  page.evaluate(() => Math.round(window.studio.state.frame))

test('the body has limbs, a head and soles, and fits into the view', async () => {
  const page = await openStudio()
  const outside = await page.evaluate(() => {
    const { state, view } = window.studio
    const { left, right, top, bottom } = document.getElementById('view')!.getBoundingClientRect()
    const { limbs } = state.clip.body
    const points = limbs.flatMap(({ ends }) => ends)
    const corners = points.map(point => {
      const [x, y, z] = state.after.position(0, point)
      return view.camera.project(view.camera.across.clone().set(x, y, z))
    })
    return {
      limbs: limbs.length,
      balls: limbs.filter(({ ends }) => ends[0] === ends[1]).length,
      outside: corners.filter(([x, y]) => x < left || x > right || y < top || y > bottom).length,
    }
  })
  assert.ok(outside.limbs > 15, `${outside.limbs} limbs`)
  assert.deepEqual([outside.balls, outside.outside], [1, 0], 'one head, and nothing is cut off')
  await closeStudio(page)
})

test('a root on the ground gets no bone to the pelvis, and the camera frames the body', async () => {
  const page = await openStudio()
  // The same walk below a root that stays on the ground at the origin.
  const text = readFileSync(walk, 'utf8')
  const start = text.indexOf('ROOT')
  const end = text.indexOf('MOTION')
  const body = text.slice(start, end).replace('ROOT', 'JOINT')
  const hierarchy = `HIERARCHY\nROOT Ground\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n${body}}\n`
  const [head, ...rows] = text.slice(end).split(/(?<=Frame Time:.*\n)/)
  const frames = rows.join('').trimEnd().split('\n')
  await drop(page, 'ground.bvh', hierarchy + head + frames.map(row => `0 0 0 ${row}`).join('\n') + '\n')
  const clip = await page.evaluate(() => window.studio.state.clip)
  assert.equal(clip.joints[0]!.name, 'Ground')
  assert.ok(!clip.body.limbs.some(({ ends }) => ends.includes(0)), 'no limb starts at the root')
  const [low, high] = await page.evaluate(() => {
    const { state, view } = window.studio
    const { top, height } = document.getElementById('view')!.getBoundingClientRect()
    const heights = state.clip.body.limbs
      .flatMap(({ ends }) => ends)
      .map(point => {
        const [x, y, z] = state.after.position(0, point)
        return (view.camera.project(view.camera.across.clone().set(x, y, z))[1] - top) / height
      })
    return [Math.min(...heights), Math.max(...heights)]
  })
  assert.ok(low > 0 && high < 1, `the body covers ${low} to ${high} of the height`)
  await closeStudio(page)
})

test('dragging an edge moves the playhead to it, and shows frame and duration at the pointer', async () => {
  const page = await openStudio()
  const [x, y] = await onBar(page, 3, 1)
  await page.mouse.move(x, y)
  await page.mouse.down()
  assert.equal(await frame(page), (await plants(page))[3]!.last)
  await page.keyboard.down('Control')
  await page.mouse.move(x + 25, y)
  await drawn(page)
  const { last, first } = (await plants(page))[3]!
  assert.equal(await frame(page), last)
  const text = await page.evaluate(() => window.studio.timeline.pointerText?.text)
  assert.equal(text, `${last} · ${((last - first + 1) / 60).toFixed(2)} s`)
  await page.mouse.up()
  await page.keyboard.up('Control')
  assert.equal(await page.evaluate(() => window.studio.timeline.pointerText), null)
  await closeStudio(page)
})

test('selecting a plant moves the camera close to its foot, unless that is switched off', async () => {
  const page = await openStudio()
  const distance = () =>
    page.evaluate(() => {
      const { camera, controls } = window.studio.view.camera
      return camera.position.distanceTo(controls.target)
    })
  const far = await distance()
  await press(page, 'e', ']')
  assert.ok(Math.abs((await distance()) - far) < 1e-6)
  await press(page, 'e', ']')
  assert.ok((await distance()) < 0.8 * far)
  await closeStudio(page)
})

test('ghost, side by side and wipe exclude each other, and C shows the capture while it is held', async () => {
  const page = await openStudio()
  const shown = () =>
    page.evaluate(() => {
      const { ghost, apart, wipe } = window.studio.view.display
      return [ghost, apart, wipe]
    })
  assert.deepEqual(await shown(), [true, false, false])
  await press(page, 'b')
  assert.deepEqual(await shown(), [false, true, false])
  await press(page, 'v')
  assert.deepEqual(await shown(), [false, false, true])
  await press(page, 'g')
  assert.deepEqual(await shown(), [true, false, false])
  const held = () => page.evaluate(() => window.studio.view.showsCaptureOnly)
  await page.keyboard.down('c')
  assert.equal(await held(), true)
  await page.keyboard.up('c')
  assert.equal(await held(), false)
  await closeStudio(page)
})

test('the review lists what is left, steps through it by key, and accepted items leave it', async () => {
  const page = await openStudio()
  // A spot that no leg reaches.
  await page.evaluate(() => {
    const { state } = window.studio
    const [x, y, z] = state.spots[3]!
    state.change(state.plants.map((plant, n) => (n === 3 ? { ...plant, spot: [x + 1, y, z] } : plant)))
    state.measure()
  })
  const items = await page.evaluate(() => window.studio.state.figures!.review)
  const located = items.filter(({ frame }) => frame !== null)
  assert.ok(located.length > 0, JSON.stringify(items))
  await press(page, 'q')
  assert.equal(await frame(page), located[0]!.frame)
  assert.match((await page.textContent('#notes')) ?? '', /^\s*Review \d+/)
  await page.click('#notes')
  await page.locator('#tab-notes .accept input').first().check()
  const left = await page.locator('#tab-notes li:not(.accepted) .accept').count()
  assert.equal(left, items.filter(({ kind }) => kind !== 'note').length - 1)
  assert.ok(
    items.every(({ text }) => !text.includes('plants file')),
    'no note sends the user to the command',
  )
  await closeStudio(page)
})

test('the settings show the command that writes the same bytes', async () => {
  const page = await openStudio()
  await page.evaluate(() => {
    const { state } = window.studio
    return state.reopen({
      file: { min_plant: 0.15 },
      cleaning: { stretch: 0.02, blend_window: 0.3, roll: 'flat' },
    })
  })
  await drag(page, await onBar(page, 3, 1), 12)
  await press(page, 'm')
  const command = (await page.textContent('#same-command')) ?? ''
  assert.match(command, /^surefoot clean walk\.bvh --plants walk\.plants\.json .*--stretch 2%/)
  put('walk.plants.json', await writtenByPage(page, 'plants'))
  const [, ...args] = command.split(' ')
  const surefoot = process.env.SUREFOOT ?? '../target/debug/surefoot'
  const output = join(folder, 'same.bvh')
  execFileSync(join(process.cwd(), surefoot), [...args, '-o', output, '--force'], {
    cwd: folder,
    stdio: 'ignore',
  })
  assert.deepEqual(await writtenByPage(page, 'motion'), readFileSync(output))
  assert.equal(
    await page.textContent('#same-toml'),
    'stretch = "2%"\nroll = "flat"\nblend-window = "0.3s"\nmin-plant = "0.15s"',
  )
  await closeStudio(page)
})

test('the menu closes with Escape and with a click elsewhere', async () => {
  const page = await openStudio()
  const isOpen = () => page.evaluate(() => (document.getElementById('more') as HTMLDetailsElement).open)
  await page.click('#more summary')
  assert.equal(await isOpen(), true)
  await press(page, 'Escape')
  assert.equal(await isOpen(), false)
  await page.click('#more summary')
  await page.mouse.click(500, 300)
  assert.equal(await isOpen(), false)
  await closeStudio(page)
})

test('an error leaves when the next file opens', async () => {
  const page = await openStudio()
  await drop(page, 'broken.bvh', 'HIERARCHY\nROOT\n')
  await page.waitForSelector('#message.on.bad')
  await drop(page, 'walk.bvh', readFileSync(walk))
  assert.equal(await page.locator('#message.on.bad').count(), 0)
  await closeStudio(page)
})

test('a report is saved by a module that is loaded for it, with the work of the page', async () => {
  const page = await openStudio()
  await drag(page, await onBar(page, 3, 1), 20)
  const edited = await plants(page)
  const report = (await writtenByPage(page, 'report')).toString('utf8')
  assert.match(report, /class="player"/)
  assert.deepEqual(await plants(page), edited)
  await press(page, 'Control+z')
  assert.notDeepEqual(await plants(page), edited)
  await closeStudio(page)
})

test('on a phone nothing is cut off, and the review can be reached', async () => {
  const page = await openStudio(undefined, { viewport: { width: 390, height: 844 } })
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok(over <= 0, `the page is ${over} pixels too wide`)
  for (const selector of ['#open', '#save', '#play', '#view', '#time', '#notes']) {
    const box = await page.locator(selector).boundingBox()
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390 && box.width > 0, selector)
  }
  await page.click('#notes')
  assert.ok(await page.isVisible('#tab-notes'))
  await page.click('#play')
  await page.waitForFunction(() => window.studio.state.frame > 3)
  await closeStudio(page)
})
