// Every state of the page at three sizes in both themes: accessibility checked by axe, and the layout by pictures that are
// kept in `tests/sheets`. `npm run sheets` takes the pictures again; look at each of them before committing it.

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { browser, closeStudio, command, folder, openStudio, useStudio } from './setup.ts'
import { CELL_TOLERANCE, compareSheets, keptSheet, makeSheet } from './sheet.ts'
import { STATES, enter, rest } from './states.ts'

useStudio()

/** The kept sheets, and a folder for those of a run that differ. */
const KEPT = 'tests/sheets'
const DIFFERENT = 'build/sheets'

/** Impacts of a finding that must not occur. */
const SERIOUS = ['serious', 'critical']

const SIZES = { screen: [1280, 800], tablet: [820, 1180], phone: [390, 844] } as const
const THEMES = ['light', 'dark'] as const

const looks = Object.entries(SIZES).flatMap(([size, [width, height]]) =>
  THEMES.map(colorScheme => ({
    name: `${size}-${colorScheme}`,
    options: {
      colorScheme,
      viewport: { width, height },
      reducedMotion: 'reduce',
    } satisfies BrowserContextOptions,
  })),
)

/** The serious findings of axe in a page, as text. */
async function findings(page: Page): Promise<string[]> {
  // Colours that are still changing would be measured in between.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  return violations
    .filter(({ impact }) => SERIOUS.includes(impact ?? ''))
    .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html}: ${any[0]?.message}`))
}

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** Runs some work in a blank page. */
async function inBlankPage<T>(work: (page: Page) => Promise<T>) {
  const context = await browser.newContext()
  const result = await work(await context.newPage())
  await context.close()
  return result
}

/** The names of the states whose pictures differ from the kept ones. */
async function differences(name: string, screenshots: Buffer[]) {
  return inBlankPage(async page => {
    const present = await makeSheet(page, screenshots)
    const kept = keptSheet(join(KEPT, `${name}.png`), present)
    const shares = await compareSheets(page, kept, present, screenshots.length)
    const different = STATES.flatMap((state, n) => {
      const share = shares?.[n] ?? 1
      return share > CELL_TOLERANCE ? [`${state.name}: ${(100 * share).toFixed(1)} %`] : []
    })
    if (different.length) {
      mkdirSync(DIFFERENT, { recursive: true })
      writeFileSync(join(DIFFERENT, `${name}.png`), present)
    }
    return different
  })
}

for (const { name, options } of looks) {
  test(`every state is accessible and looks as before: ${name}`, async () => {
    const found: string[] = []
    const screenshots: Buffer[] = []
    for (const state of STATES) {
      const page = await openStudio(undefined, options)
      await enter(page, state)
      found.push(...(await findings(page)).map(finding => `${state.name}: ${finding}`))
      await rest(page)
      screenshots.push(await page.screenshot())
      await closeStudio(page)
    }
    assert.deepEqual(found, [], 'serious findings of axe')
    assert.deepEqual(await differences(name, screenshots), [], `differs from ${KEPT}, see ${DIFFERENT}`)
  })
}

test('a button that disappears and a panel that is too narrow are noticed', async () => {
  const page = await openStudio(undefined, looks[0]!.options)
  await enter(page, STATES[1]!)
  await rest(page)
  const whole = await page.screenshot()
  for (const broken of ['.views { display: none }', 'main { grid-template-columns: 1fr 200px !important }']) {
    const style = await page.addStyleTag({ content: broken })
    await rest(page)
    const shares = await inBlankPage(async blank =>
      compareSheets(
        blank,
        await makeSheet(blank, [whole]),
        await makeSheet(blank, [await page.screenshot()]),
        1,
      ),
    )
    assert.ok(shares![0]! > CELL_TOLERANCE, `${broken}: ${shares![0]}`)
    await style.evaluate(element => (element as Element).remove())
  }
  await closeStudio(page)
})

test('axe has no serious finding in a report, of a good result and of one with warnings', async () => {
  command('demo', '-o', join(folder, 'demo'))
  // The published method leaves knee pops.
  const bad = join(folder, 'bad.report.html')
  command('clean', join(folder, 'walk.bvh'), '--paper', '-o', join(folder, 'bad.bvh'), '--report', bad)
  const found: string[] = []
  for (const report of [join(folder, 'demo', 'walk.report.html'), bad]) {
    for (const { name, options } of looks) {
      const context = await browser.newContext(options)
      const page = await context.newPage()
      await page.goto(pathToFileURL(report).href)
      await page.evaluate(() => document.querySelectorAll('details').forEach(item => (item.open = true)))
      found.push(...(await findings(page)).map(finding => `${name}: ${finding}`))
      await context.close()
    }
  }
  assert.deepEqual(found, [])
})
