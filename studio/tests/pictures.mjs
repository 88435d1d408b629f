// Takes the pictures in docs: `npm run pictures` here, after `cargo build`. Look at each before it is kept.

import { spawn } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const surefoot = process.env.SUREFOOT ?? '../target/debug/surefoot', to = process.argv[2] ?? '../docs'
const folder = mkdtempSync(join(tmpdir(), 'pictures-')), long = join(folder, 'long.bvh')
execFileSync(surefoot, ['sample', 'walk', '--skate', 'scale', '--seconds', '334', '-o', long], { stdio: 'ignore' })
const server = spawn(surefoot, ['studio', '--no-open'])
const address = await new Promise(done => server.stdout.once('data', line => done(String(line).trim())))
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] })

async function open(colorScheme, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme, ...options }), page = await context.newPage()
  await page.goto(address); await page.waitForFunction(() => window.studio?.state.figures)
  return page
}
const at = (page, frame, look = 'start') => page.evaluate(([frame, look]) => { const { view, time } = window.studio; time.onFrame(frame); view.look(look) }, [frame, look])
async function take(page, name) {
  await page.evaluate(() => { document.activeElement.blur(); document.getElementById('say').className = '' })
  await page.waitForTimeout(400)
  await page.screenshot({ path: join(to, `studio-${name}.png`) })
}

const light = await open('light')
await take(light, 'first')
await light.click('#hide-hint'); await at(light, 90); await take(light, 'light')
await light.click('[data-tab=settings]'); await light.keyboard.press('b'); await at(light, 90); await light.mouse.move(5, 5); await take(light, 'settings')
await light.keyboard.press('b'); await light.click('[data-tab=rig]'); await at(light, 90, 'feet'); await light.click('[data-aim="0 ball"]')
await light.mouse.move(...(await light.evaluate(() => window.studio.view.handles.onScreen(window.studio.state.about.legs[0].ball.joint)))); await take(light, 'rig')

const dark = await open('dark')
await dark.click('#hide-hint'); await at(dark, 128)
// An edge is dragged until it is caught.
const [x, y] = await dark.evaluate(() => { const { state, time } = window.studio, p = state.plants[3], box = document.getElementById('time').getBoundingClientRect(); return [box.left + time.x(p.last + 1), box.top + time.rowY(time.rows.findIndex(r => r.leg === p.leg && r.point === p.point)) + 12] })
await dark.mouse.move(x, y); await dark.mouse.down()
for (let dx = 0; dx < 60; dx++) { await dark.mouse.move(x + dx, y); if (await dark.evaluate(() => window.studio.time.caught)) break }
await take(dark, 'dark'); await dark.mouse.up()
await dark.keyboard.press('v'); await at(dark, 128); await take(dark, 'wipe')

const tablet = await open('light', { viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true })
await tablet.click('#hide-hint'); await at(tablet, 90); await take(tablet, 'tablet')
await tablet.setInputFiles('#file', long); await tablet.waitForFunction(() => window.studio.state.about.frames > 20_000 && window.studio.state.figures)
await at(tablet, 10_000); await take(tablet, 'long')
await browser.close(); server.kill(); rmSync(folder, { recursive: true })
