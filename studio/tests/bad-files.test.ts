// Files that cannot be read: the page shows the message of the command, and the open file stays open.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { digest, drop, messageContains, press, put } from './actions.ts'
import { closeStudio, folder, openStudio, refusal, useStudio, walk } from './setup.ts'

useStudio()

type Contents = string | Uint8Array

function badMotions(): Record<string, Contents> {
  const text = readFileSync(walk, 'utf8')
  const c3d = Buffer.alloc(1024)
  c3d[0] = 2
  c3d[1] = 0x50
  return {
    'cut.bvh': text.slice(0, 700),
    'empty.bvh': '',
    'junk.bvh': Buffer.from([0, 159, 146, 150, 255, 10, 7]),
    'nan.bvh': text.replace(/(Frame Time:.*\n)\S+/, '$1nan'),
    'short.bvh': text.trimEnd().replace(/\s\S+$/, '\n'),
    'trial.c3d': c3d,
  }
}

/** Files beside the motion, with the flag that gives them to the command. */
function badCompanions(): Record<string, [contents: string, flag: string]> {
  const frames = Number(/Frames:\s*(\d+)/.exec(readFileSync(walk, 'utf8'))?.[1])
  const plantsFile = (plant: object, count = frames) =>
    JSON.stringify({
      surefoot: 'plants/1',
      motion: { frames: count, fps: 120 },
      plants: [{ foot: 'left', point: 'heel', first: 3, last: 9, ...plant }],
    })
  return {
    'no.plants.json': ['{ "surefoot": ', '--plants'],
    'foot.plants.json': [plantsFile({ foot: 'middle' }), '--plants'],
    'late.plants.json': [plantsFile({ last: 99999 }), '--plants'],
    'other.plants.json': [plantsFile({}, 7), '--plants'],
    'wrong.csv': ['left_heel,left_ball\n0,0\n', '--plants'],
    'typo.toml': ['up = "w"\n', '--rig'],
    'joint.toml': ['[[leg]]\nside = "left"\nhip = "Nose"\nknee = "b"\nankle = "c"\n', '--rig'],
    'bad.obj': ['v 0 0 0\nv 1 0\n', '--floor'],
    'none.obj': ['# nothing\n', '--floor'],
    'floor.csv': ['x,z,height\n0,0,one\n', '--floor'],
  }
}

test('a bad file is refused with the message of the command, and the open file stays', async () => {
  const page = await openStudio()
  const motion = await digest(page)
  const files = [
    ...Object.entries(badMotions()).map(([name, contents]) => ({
      name,
      contents,
      expected: refusal('clean', put(name, contents)),
    })),
    ...Object.entries(badCompanions()).map(([name, [contents, flag]]) => ({
      name,
      contents,
      expected: refusal('clean', walk, flag, put(name, contents)),
    })),
  ]
  for (const { name, contents, expected } of files) {
    await page.evaluate(() => (document.getElementById('message')!.textContent = ''))
    await drop(page, name, contents)
    const message = (await page.textContent('#message')) ?? ''
    const withoutFolder = expected.message.replaceAll(folder + '/', '')
    assert.ok(message.includes(withoutFolder), `${name}: “${message}”, the command: “${expected.message}”`)
    assert.ok(message.includes(name), message)
    if (expected.line) assert.ok(message.includes(`line ${expected.line}`), `${message}: ${expected.line}`)
    assert.equal(await digest(page), motion, name)
  }
  console.log(`# ${files.length} bad files are refused with the message of the command`)
  await closeStudio(page)
})

test('bad settings are refused, and the open file stays', async () => {
  const page = await openStudio()
  const motion = await digest(page)
  await drop(page, 'my.settings.json', '{ "cleaning": 3 }')
  await messageContains(page, 'my.settings.json has no settings')
  await drop(page, 'my.settings.json', '{ "file": { "colour": 1 }, "cleaning": {} }')
  await messageContains(page, 'no setting "colour"')
  assert.equal(await digest(page), motion)
  await page.click('[data-tab=settings]')
  await page.fill('#set-floor', 'high')
  await press(page, 'Tab')
  await messageContains(page, 'expected a height in metres')
  assert.equal(await digest(page), motion)
  await closeStudio(page)
})
