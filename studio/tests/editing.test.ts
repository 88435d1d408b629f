// Editing in a browser: bars, footprints, the wipe, undo, settings, saving.

import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  cleanedByCommand,
  cleaningSetting,
  digest,
  drag,
  drop,
  messageContains,
  onBar,
  opened,
  plants,
  press,
  put,
} from './actions.ts'
import { closeStudio, command, folder, openStudio, ready, useStudio, walk } from './setup.ts'

useStudio()

test('dragging an edge changes the motion, and undo restores it', async () => {
  const page = await openStudio()
  const before = await plants(page)
  const motion = await digest(page)
  await drag(page, await onBar(page, 3, 1), 25)
  assert.ok((await plants(page))[3]!.last > before[3]!.last)
  assert.notEqual(await digest(page), motion)
  const firstPicture = await page.evaluate(() => window.studio.activity.firstPictureMs)
  console.log(`# first picture after ${Math.round(firstPicture)} ms`)
  await press(page, 'Control+z')
  assert.deepEqual(await plants(page), before)
  assert.equal(await digest(page), motion)
  await closeStudio(page)
})

test('plants are drawn, split, joined and deleted, with the mouse and with keys', async () => {
  const page = await openStudio()
  const count = async () => (await plants(page)).length
  const before = await count()
  await page.mouse.dblclick(...(await onBar(page, 2, 0.5)))
  assert.equal(await count(), before + 1)
  await press(page, 'Control+z')
  const [x, y] = await onBar(page, 1, 1)
  await drag(page, [x + 14, y], 20)
  assert.equal(await count(), before + 1)
  await press(page, 'Delete')
  assert.equal(await count(), before)
  await press(page, 'Control+z', 'Control+z', ']', 'ArrowRight', 'ArrowRight', 's')
  assert.equal(await count(), before + 1)
  await press(page, 'a', 'j')
  assert.equal(await count(), await page.evaluate(() => window.studio.timeline.layout.rows.length))
  await closeStudio(page)
})

test('dragging a footprint moves the spot of its plant', async () => {
  const page = await openStudio()
  const position = await page.evaluate(() => {
    const { state, view } = window.studio
    state.frame = state.plants[6]!.first + 2
    view.show()
    view.look('top')
    return view.footprintOnScreen(6)
  })
  await drag(page, position, 18, 6)
  assert.ok((await plants(page)).some(plant => plant.spot))
  await closeStudio(page)
})

test('a dragged edge snaps to where the point stops or leaves, and names the curve', async () => {
  const page = await openStudio()
  const before = await plants(page)
  const snap = () => page.evaluate(() => window.studio.timeline.snap)
  const snaps = new Set<string>()
  let [x, y] = [0, 0]
  // Passes the frames at which the point comes to rest and leaves, in small steps.
  for (const end of [0, 1]) {
    ;[x, y] = await onBar(page, 3, end)
    await page.mouse.move(x, y)
    await page.mouse.down()
    for (let dx = -50; dx <= 50; dx += 2) {
      await page.mouse.move(x + dx, y)
      const found = await snap()
      if (found) snaps.add(found.to)
    }
    if (end === 1) break
    await page.mouse.up()
    await press(page, 'Control+z')
  }
  await page.keyboard.down('Control')
  await page.mouse.move(x - 9, y)
  assert.equal(await snap(), null)
  await page.mouse.up()
  await page.keyboard.up('Control')
  assert.deepEqual([...snaps].sort(), ['height', 'speed'])
  await press(page, 'Control+z')
  assert.deepEqual(await plants(page), before)
  await closeStudio(page)
})

test('the wipe shows the capture left of its divider and the cleaned motion right of it', async () => {
  const page = await openStudio()
  await page.evaluate(() => {
    const { state, view } = window.studio
    state.frame = 90
    view.display.trails = false
    view.show()
    view.look('side')
  })
  const picture = () => page.evaluate(() => window.studio.view.png())
  const divider = () => page.getAttribute('#wipe', 'aria-valuenow')
  await press(page, 'g')
  const cleaned = await picture()
  await press(page, 'v')
  assert.equal(await page.isVisible('#wipe'), true)
  const half = await picture()
  assert.notEqual(half, cleaned)
  // Dragged to the left border, the divider leaves room for the cleaned motion only.
  const box = await page.locator('#wipe i').boundingBox()
  assert.ok(box)
  await drag(page, [box.x + 13, box.y + 22], -2000)
  assert.equal(await divider(), '2')
  assert.notEqual(await picture(), half)
  await page.focus('#wipe')
  await press(page, 'ArrowRight')
  assert.equal(await divider(), '4')
  await press(page, 'v')
  assert.equal(await picture(), cleaned)
  await closeStudio(page)
})

test('the motion plays, and settings change it', async () => {
  const page = await openStudio()
  const motion = await digest(page)
  await press(page, 'Space')
  await page.waitForFunction(() => window.studio.state.frame > 2)
  await press(page, 'Space')
  await page.click('[data-tab=settings]')
  await page.fill('#set-blend_window', '0.2')
  await press(page, 'Tab')
  await cleaningSetting(page, 'blend_window', 0.2)
  assert.notEqual(await digest(page), motion)
  await closeStudio(page)
})

test('a saved motion has the bytes that the command writes', async () => {
  const page = await openStudio()
  await drag(page, await onBar(page, 3, 0), 9)
  page.on('dialog', dialog => dialog.accept())
  await page.click('#save')
  await messageContains(page, 'walk.clean.bvh saved beside')
  await page.click('summary')
  await page.click('[data-save=plants]')
  await messageContains(page, 'plants.json saved')
  const savedPlants = join(folder, 'walk.plants.json')
  const cleaned = cleanedByCommand(walk, '--plants', savedPlants)
  assert.ok(readFileSync(join(folder, 'walk.clean.bvh')).equals(cleaned))
  rmSync(savedPlants)
  await closeStudio(page)
})

test('work survives a reload, and a bad file leaves it open', async () => {
  const page = await openStudio()
  await drag(page, await onBar(page, 3, 0), 12)
  const work = await plants(page)
  await page.waitForFunction(() => window.studio.state.autosave.isDone)
  await page.reload()
  await ready(page)
  assert.deepEqual(await plants(page), work)
  const bad = put('bad.bvh', readFileSync(walk, 'utf8').slice(0, 700))
  await page.setInputFiles('#file', bad)
  await messageContains(page, 'bad.bvh: line')
  assert.deepEqual(await plants(page), work)
  await closeStudio(page)
})

test('a dropped motion is opened', async () => {
  const page = await openStudio()
  await drop(page, 'dropped.bvh', readFileSync(walk))
  await opened(page, 'dropped.bvh')
  await closeStudio(page)
})

test('an edit of a long clip solves only the frames around it', async () => {
  const long = join(folder, 'long.bvh')
  command('sample', 'walk', '--skate', 'scale', '--seconds', '33.4', '-o', long)
  const page = await openStudio()
  await page.setInputFiles('#file', long)
  await opened(page, 'long.bvh')
  const edits = await page.evaluate(() => {
    const { state } = window.studio
    return Array.from({ length: 30 }, (_, n) => {
      const edited = structuredClone(state.plants)
      edited[20]!.last += n % 2 ? 2 : -2
      state.change(edited)
      return { ms: state.solveMs, frames: state.solvedFrames }
    })
  })
  const times = edits.map(({ ms }) => ms).sort((a, b) => a - b)
  const frames = await page.evaluate(() => window.studio.state.clip.frames)
  console.log(
    `# ${frames} frames, an edge moved: median ${times[15]!.toFixed(1)} ms, largest ${times[29]!.toFixed(1)} ms`,
  )
  assert.ok(edits.every(edit => edit.frames < frames / 4))
  await closeStudio(page)
})

test('the worst frame is that of the worst new artefact, or else of the largest drift', async () => {
  const page = await openStudio()
  const worst = async () => {
    await page.click('#worst')
    return page.evaluate(() => {
      const { state } = window.studio
      return {
        frame: state.frame,
        event: state.figures!.worst_event,
        message: document.getElementById('message')!.textContent,
      }
    })
  }
  // A heel that is held while it swings is torn from the motion.
  await page.evaluate(() => {
    const { state } = window.studio
    const [plant] = state.plants.filter(({ leg, point }) => leg === 0 && point === 'heel').slice(2)
    state.change(state.plants.map(other => (other === plant ? { ...plant, last: plant.last + 25 } : other)))
    state.measure()
  })
  const torn = await worst()
  assert.ok(torn.event, 'a new artefact')
  assert.equal(torn.frame, torn.event.frame)
  assert.ok(torn.message.includes(torn.event.text), torn.message)
  // Without new artefacts: a spot out of reach leaves a drift.
  const loose = await page.evaluate(() => {
    const { state } = window.studio
    const [x, y, z] = state.spots[5]!
    state.undo()
    state.change(state.plants.map((plant, n) => (n === 5 ? { ...plant, spot: [x, y + 3, z] } : plant)))
    state.measure()
    state.figures!.worst_event = null
    return { ...state.plants[5]!, isHeld: state.isHeld(5) }
  })
  assert.equal(loose.isHeld, false)
  const drift = await worst()
  assert.ok(loose.first <= drift.frame && drift.frame <= loose.last, `${drift.frame}: ${drift.message}`)
  assert.match(drift.message, /mm from its spot/)
  // Nothing is planted, and nothing is changed.
  await page.evaluate(() => {
    window.studio.state.change([])
    window.studio.state.measure()
  })
  assert.match((await worst()).message, /Nothing to review/)
  await closeStudio(page)
})

test('uncertain plants come in the order of their confidence', async () => {
  const page = await openStudio()
  const confidences = (await plants(page)).map(plant => plant.confidence ?? 1)
  for (const lowest of [...confidences].sort((a, b) => a - b).slice(0, 3)) {
    await page.click('#unsure')
    const { selected, at } = await page.evaluate(() => {
      const { state } = window.studio
      return { selected: [...state.selection][0]!, at: state.frame }
    })
    assert.equal(confidences[selected], lowest)
    assert.equal(at, (await plants(page))[selected]!.first)
  }
  await closeStudio(page)
})

test('the theme button changes the colours of the page, and changes them back', async () => {
  const page = await openStudio()
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const before = await background()
  await page.click('#theme')
  assert.notEqual(await background(), before)
  await page.click('#theme')
  assert.equal(await background(), before)
  await closeStudio(page)
})
