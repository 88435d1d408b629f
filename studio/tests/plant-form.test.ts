// Setting what a selected plant holds, in a browser.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digest, press } from './actions.ts'
import { closeStudio, openStudio, useStudio } from './setup.ts'

useStudio()

test('a selected plant gets a hold, a strength and a label, and becomes a plant of the toe tip', async () => {
  const page = await openStudio()
  const motion = await digest(page)
  assert.equal(await page.isVisible('#plant-form'), false)
  await press(page, ']')
  assert.equal(await page.isVisible('#plant-form'), true)
  const selected = () => page.evaluate(() => window.studio.state.selectedPlants[0]!)
  await page.selectOption('#plant-hold', 'height')
  assert.equal((await selected()).hold, 'height')
  assert.notEqual(await digest(page), motion)
  await page.fill('#plant-strength', '50')
  await page.locator('#plant-strength').blur()
  assert.equal((await selected()).strength, 0.5)
  await page.selectOption('#plant-kind', 'skate')
  assert.equal((await selected()).kind, 'skate')
  await page.selectOption('#plant-point', 'toe')
  assert.equal((await selected()).point, 'toe')
  const rows = await page.evaluate(() => window.studio.timeline.layout.rows.map(row => row.name))
  assert.ok(rows.includes('left toe'))
  await page.locator('#time').focus()
  await press(page, 'Control+z', 'Control+z', 'Control+z', 'Control+z')
  assert.equal(await digest(page), motion)
  await closeStudio(page)
})
