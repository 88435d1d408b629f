// Cleaned FBX and glTF files, as other programs read them: three.js in a browser, and the validator of Khronos.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { validateBytes } from 'gltf-validator'
import type { Browser } from 'playwright-core'
import { launchBrowser, surefoot } from './setup.ts'
import { ThreeReader } from './three-reader.ts'
import { WrittenMotion } from './written-motion.ts'

/** Most distance of a joint from where surefoot has it, beyond that in the captured file, in metres. */
const APART = 1e-4
/** Most drift of a planted point, in metres. */
const DRIFT = 5e-5
/** The severity of a warning of the validator; that of an error is 0. */
const WARNING = 1
/** Files in which surefoot finds no legs. */
const WITHOUT_LEGS = ['RobotExpressive.glb', 'test_24fps.glb']

const data = process.env.SUREFOOT_DATA ?? '../../shared/data'
const folder = mkdtempSync(join(tmpdir(), 'written-'))
let browser: Browser
let three: ThreeReader

before(async () => {
  browser = await launchBrowser()
  three = await ThreeReader.start(browser)
})

after(async () => {
  await three.stop()
  await browser.close()
  rmSync(folder, { recursive: true })
})

interface Facts {
  frames: number
  fps: number
  unit_m: number
  animations?: { read: boolean }[]
}

function output(...args: string[]): string {
  return execFileSync(surefoot, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

/** The captured files with these endings. Without the data folder there are none, which fails where CI is true. */
function captures(...endings: string[]): string[] {
  const is = (path: string) => endings.includes(extname(path)) && !path.startsWith('hostile')
  try {
    return readdirSync(data, { recursive: true, encoding: 'utf8' }).filter(is).sort()
  } catch {
    return []
  }
}

/** The errors and warnings that the validator finds, and how often. */
async function findings(path: string): Promise<Map<string, number>> {
  const { issues } = await validateBytes(new Uint8Array(readFileSync(path)), { maxIssues: 0 })
  const counts = new Map<string, number>()
  for (const { code } of issues.messages.filter(({ severity }) => severity <= WARNING))
    counts.set(code, (counts.get(code) ?? 0) + 1)
  return counts
}

/** Checks that a written file has no finding that its original does not have. */
async function assertNothingNew(original: string, written: string) {
  const known = await findings(original)
  for (const [code, count] of await findings(written))
    assert.ok(
      count <= (known.get(code) ?? 0),
      `${written}: ${count} × ${code}, ${known.get(code) ?? 0} before`,
    )
}

test('captured files are there where they must be', t => {
  if (captures('.fbx', '.glb').length > 0) return
  assert.notEqual(process.env.CI, 'true', `test data is missing: ${data}`)
  t.skip(`test data is missing: ${data}`)
})

for (const name of captures('.fbx', '.glb')) {
  test(`three.js and the validator read ${name} as surefoot has written it`, async () => {
    const original = join(data, name)
    const clean = join(folder, `clean${extname(name)}`)
    const plants = join(folder, 'plants.json')
    const args = ['clean', original, '-o', clean, '--plants-out', plants, '--json', '--force']
    const { status, stdout, stderr } = spawnSync(surefoot, args, { encoding: 'utf8', maxBuffer: 1 << 28 })
    if (WITHOUT_LEGS.some(one => name.endsWith(one))) {
      assert.match(stderr, /no legs were found/)
      return
    }
    assert.equal(status, 0, stderr)
    if (name.endsWith('.glb')) await assertNothingNew(original, clean)
    const facts = JSON.parse(output('inspect', '--json', original)) as Facts
    const { frames, fps, unit_m } = facts
    const animation = Math.max(facts.animations?.findIndex(({ read }) => read) ?? 0, 0)
    const [captured, written] = [original, clean].map(
      path => new WrittenMotion(output('convert', path, '-', '--to', 'ndjson')),
    )
    assert.ok(captured)
    assert.ok(written?.positions.length === frames)
    const [theirs, theirsClean] = [
      await three.read(original, animation, frames, fps),
      await three.read(clean, animation, frames, fps),
    ]
    const known = captured.distances(theirs, unit_m)
    const apart = written
      .distances(theirsClean, unit_m)
      .map((distance, joint) => distance - (known[joint] ?? 0))
    assert.ok(Math.max(...apart) <= APART, `${1e3 * Math.max(...apart)} mm further apart`)
    const missed = (JSON.parse(stdout) as { drift_max_m: { after: number | null } }).drift_max_m.after ?? 0
    const drift = captured.drift(
      JSON.parse(readFileSync(plants, 'utf8')) as never,
      theirs,
      theirsClean,
      unit_m,
    )
    assert.ok(drift <= missed + DRIFT, `${1e3 * drift} mm of drift, ${1e3 * missed} mm as surefoot reads it`)
  })
}

test('the validator finds nothing wrong with a file that surefoot makes', async () => {
  const walk = join(folder, 'walk.bvh')
  output('sample', 'walk', '--skate', 'scale', '-o', walk, '--force')
  const made = (name: string, ...args: string[]) => {
    const path = join(folder, name)
    output(...args, '-o', path, '--force')
    return path
  }
  const glb = join(folder, 'walk.glb')
  output('convert', walk, glb, '--force')
  const files = [glb, made('clean.glb', 'clean', glb), made('joined.glb', 'join', glb, glb)]
  files.push(made('plants.glb', 'detect', glb))
  for (const file of files) assert.deepEqual([...(await findings(file))], [], file)
})
