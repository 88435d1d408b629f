import './style.css'
import { Known, Three, asJson, asLetters, ask, load } from './core'
import { recall, setWorkName } from './kept'
import * as panels from './panels'
import { move, pick, rig } from './rig'
import { settings } from './settings'
import { Settings, Work, state } from './state'
import { Timeline, draw, join, remove, split } from './timeline'
import { View } from './view'

const $ = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
const dark = localStorage.getItem('theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
document.documentElement.classList.toggle('dark', dark === 'dark')

const view = new View($('view'))
const time = new Timeline($('time'))
/** Whether `surefoot studio` serves this page: then files are saved beside the motion. */
let served: { file: string | null; plants: string | null; settings: Settings } | null = null
let playing = false

let saying = 0
function say(what: string, bad = false) {
  const box = $('say')
  box.textContent = what; box.className = 'on' + (bad ? ' bad' : '')
  clearTimeout(saying); saying = window.setTimeout(() => (box.className = bad ? 'bad' : ''), bad ? 9000 : 3000)
}
function attempt(work: () => void) { try { work() } catch (why) { say((why as Error).message, true) } }

function show(frame: number) {
  state.frame = Math.max(0, Math.min((state.about?.frames ?? 1) - 1, frame))
  view.show(); time.playhead(); label()
}
function label() {
  const about = state.about
  if (about) $('frame').textContent = `${Math.round(state.frame)} of ${about.frames - 1} · ${(state.frame / about.fps).toFixed(2)} s`
}
function opened() {
  view.build(); view.look('start'); time.whole(); refresh()
  const none = state.about!.no_legs
  if (none) { tab('rig'); say(`${none}\nPick them here, or drop a rig file.`, true) }
}
/** Other settings; what they do is shown. */
function apply(to: Settings) { attempt(() => { state.reopen(to); view.build(); refresh() }) }
function panel() {
  if (!$('tab-settings').hidden) settings($('tab-settings'), apply)
  if (!$('tab-rig').hidden) rig($('tab-rig'), view, work => attempt(() => { work(); view.build(); refresh() }))
}
function tab(name: string) {
  document.querySelectorAll<HTMLElement>('[data-tab]').forEach(o => {
    const is = o.dataset.tab === name
    o.setAttribute('aria-selected', String(is)); o.tabIndex = is ? 0 : -1; $('tab-' + o.dataset.tab).hidden = !is
  })
  view.handles.on = name === 'rig'; view.handles.armed = null; document.body.classList.toggle('rigging', view.handles.on)
  if (state.about) { panel(); view.show(); wiper() }
}
function refresh() {
  if (!state.about) return
  $<HTMLButtonElement>('undo').disabled = !state.canUndo; $<HTMLButtonElement>('redo').disabled = !state.canRedo
  const about = state.about, ground = state.ground && Math.hypot(...state.ground)
  $('name').textContent = `${about.name} · ${about.frames} frames, ${Number(about.fps.toFixed(2))} fps · ${about.unit_name}, ${about.up} up` + (ground ? ` · ground moves at ${ground.toFixed(2)} m/s` : '')
  document.title = `${about.name} · surefoot studio`
  $('solved').textContent = `${state.solvedFrames} frames in ${state.solveMs.toFixed(1)} ms`
  panels.figures($('tab-figures')); panels.notes($('tab-notes'), $('notes'), jump)
  // What a person is typing into stays.
  const key = JSON.stringify([state.settings, about.legs, about.name])
  if (key !== shownFor) { shownFor = key; panel() }
  view.changed(); time.draw(); label()
  document.body.dataset.ready = String(++turns)
  if (!firstPicture) requestAnimationFrame(() => { firstPicture ||= performance.now() })
}
let turns = 0, shownFor = ''
let firstPicture = 0
state.on(refresh)
function jump(frame: number) { pause(); show(frame); time.reveal(frame); time.draw() }

// Opening.
async function take(files: Iterable<File>) {
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer())
    attempt(() => openBytes(file.name, bytes))
  }
}
function openBytes(name: string, bytes: Uint8Array, settings?: Settings, work?: Partial<Work>) {
  const text = () => new TextDecoder().decode(bytes), low = name.toLowerCase(), ending = low.split('.').pop()!
  const more = (told: object) => { state.reopen({ how: state.settings.how, told: { ...state.settings.told, ...told } }); view.build(); refresh() }
  const file = () => ({ name, bytes: asLetters(bytes) })
  if (ending === 'toml') return more({ rig: file(), legs: undefined })
  if (['obj', 'pgm'].includes(ending) || (ending === 'csv' && /height/i.test(text().split('\n')[0]))) {
    // A word that was said before gives way to the file.
    const said = file()
    if (ending === 'pgm' && !(state.settings.told.floor_cell && state.settings.told.floor_height)) return sizeOf(said, more)
    return more({ floor_file: said, floor: undefined })
  }
  if (ending === 'csv' || low.endsWith('plants.json')) { const { plants, ground } = asJson<Known>(ask({ ask: 'read_plants', name }, bytes)); return state.change(plants, ground) }
  if (low.endsWith('settings.json')) {
    let read: Settings
    try { read = JSON.parse(text()); if (!read.told || !read.how) throw new Error('expected told and how') } catch (why) { throw new Error(`${name} has no settings: ${(why as Error).message}`) }
    return apply(read)
  }
  state.open(name, bytes, settings, work)
  const shared = sharedWork(name)
  if (shared) { state.open(name, bytes, shared.settings, shared); say('Plants and settings from the link') }
  opened()
}
/** Asks how large a grey image is: it does not say. */
function sizeOf(file: { name: string; bytes: string }, more: (told: object) => void) {
  const box = $<HTMLDialogElement>('list')
  box.innerHTML = '<form method="dialog"><h3></h3><p>A grey image does not say how large it is.</p><label class="set"><span>One pixel’s side</span><input name="cell" value="5cm" /></label><label class="set"><span>Black and white are at</span><input name="heights" value="0..50cm" /></label><menu><button value="">Cancel</button><button class="main" value="use">Use it</button></menu></form>'
  box.querySelector('h3')!.textContent = file.name
  box.onclose = () => {
    box.onclose = null
    const said = new FormData(box.querySelector('form')!)
    if (box.returnValue === 'use') attempt(() => more({ floor_file: file, floor: undefined, floor_cell: said.get('cell'), floor_height: said.get('heights') }))
  }
  box.returnValue = ''; box.showModal()
}
function sample() { openBytes('walk.bvh', ask({ ask: 'sample' })) }

// A share link holds plants and settings, not the motion.
function sharedWork(name: string): Work | null {
  const coded = new URLSearchParams(location.hash.slice(1)).get('work')
  if (!coded) return null
  try {
    const work = JSON.parse(decodeURIComponent(escape(atob(coded.replace(/-/g, '+').replace(/_/g, '/')))))
    if (work.frames !== state.about!.frames) { say(`The link is for ${work.name} of ${work.frames} frames, not for ${name}`, true); return null }
    if (!Array.isArray(work.plants) || !work.settings?.told) throw new Error()
    return work
  } catch { say('The share link is broken', true); return null }
}
function link() {
  const { plants, ground, found, settings, about } = state
  const work = btoa(unescape(encodeURIComponent(JSON.stringify({ name: about!.name, frames: about!.frames, plants, ground, found, settings })))).replace(/\+/g, '-').replace(/\//g, '_')
  const url = `${location.origin}${location.pathname}#work=${work}`
  history.replaceState(null, '', url)
  navigator.clipboard?.writeText(url).then(() => say('Link copied: it holds plants and settings, not the motion'), () => say('The link is in the address bar'))
}

// Saving.
const stem = () => state.about!.name.replace(/\.[^.]*$/, '')
async function save(what: string) {
  if (!state.about) return
  if (what === 'link') return link()
  try {
    const names: Record<string, string> = { motion: 'clean.bvh', plants: 'plants.json', table: 'plants.csv', rig: 'rig.toml', settings: 'settings.json', report: 'report.html', png: 'png' }
    const name = `${stem()}.${names[what]}`
    const bytes = what === 'png' ? Uint8Array.from(atob(view.png().split(',')[1]), c => c.charCodeAt(0))
      : what === 'settings' ? new TextEncoder().encode(JSON.stringify(state.settings, null, 2) + '\n') : ask({ ask: 'write', what })
    if (served?.file) return await saveBeside(name, bytes)
    const a = document.createElement('a')
    a.href = URL.createObjectURL(new Blob([bytes as BlobPart])); a.download = name; a.click()
    setTimeout(() => URL.revokeObjectURL(a.href), 10000)
    say(`${name} saved`)
  } catch (why) { say((why as Error).message, true) }
}
async function saveBeside(name: string, bytes: Uint8Array, overwrite = false): Promise<void> {
  const answer = await fetch(`api/save?name=${encodeURIComponent(name)}${overwrite ? '&overwrite=1' : ''}`, { method: 'POST', body: bytes as BodyInit })
  if (answer.status === 409 && confirm(`${name} is there already. Overwrite it?`)) return saveBeside(name, bytes, true)
  if (answer.ok) say(`${name} saved beside the motion`)
  else if (answer.status !== 409) say(await answer.text(), true)
}

// Playing.
let last = 0
function play() { playing = true; last = performance.now(); $('play').textContent = '❚❚'; $('play').setAttribute('aria-label', 'Pause'); requestAnimationFrame(tick) }
function pause() { playing = false; $('play').textContent = '▶'; $('play').setAttribute('aria-label', 'Play') }
function tick(now: number) {
  if (!playing || !state.about) return
  let frame = state.frame + ((now - last) / 1000) * state.about.fps * Number($<HTMLSelectElement>('speed').value)
  last = now
  if (frame > state.about.frames - 1) { if ($<HTMLInputElement>('loop').checked) frame = 0; else { frame = state.about.frames - 1; pause() } }
  show(frame); time.reveal(frame)
  requestAnimationFrame(tick)
}
function stepBy(by: number) { pause(); show(Math.round(state.frame) + by); time.reveal(state.frame); time.draw() }

function worst() {
  const each = state.about!.curves_each_leg
  let most = -1, at = 0
  for (const p of state.plants) for (let f = p.first + 1; f <= p.last; f++) {
    const speed = state.curvesBefore[f * state.curveStride + 1 + each * p.leg + 2 + (p.point === 'ball' ? 1 : 0)]
    if (speed > most) { most = speed; at = f }
  }
  jump(at); say(`Frame ${at}: a planted point slides at ${most.toFixed(2)} m/s in the capture`)
}
let sureAt = -1
function leastSure() {
  const order = state.plants.map((p, n) => [p.confidence ?? 1, n]).sort((a, b) => a[0] - b[0])
  if (!order.length) return say('There are no plants')
  sureAt = (sureAt + 1) % order.length
  const [sure, n] = order[sureAt], p = state.plants[n]
  state.chosen = new Set([n]); jump(p.first); state.tell()
  say(`${state.about!.legs[p.leg].side} ${p.point}, frames ${p.first}–${p.last}: ${Math.round(100 * sure)} % sure`)
}

// Keys.
const KEYS: [string, string][] = [
  ['Space', 'play or pause'], ['← →', 'a frame back or on; with Shift ten'], ['Home End', 'first or last frame'],
  ['[ ]', 'choose the plant before or after'], ['A', 'choose all plants'], [', .', "move the chosen plant's first frame; with Shift its last"],
  ['< >', 'see above: Shift moves the last frame'], ['Alt+← →', 'move the chosen plants'], ['Alt+Shift+← ↑ → ↓', 'move where they stand, by a centimetre, as seen in the view'], ['N', 'a new plant at this frame, in the row of the chosen one'],
  ['S', 'split the chosen plants here'], ['J', 'join the chosen plants'], ['Delete', 'delete them'], ['R', 'give their spots back to the solver'],
  ['Ctrl+Z, Ctrl+Shift+Z', 'undo, redo'], ['+ −', 'zoom the timeline'], ['0', 'the whole clip'], ['W U', 'worst frame, next least sure plant'],
  ['1 2 3 4', 'look from the side, the front, the top, at the feet'], ['F G T', 'follow, ghost, trails'], ['B V', 'side by side, wipe; ← → move its handle while that has the focus'], ['M P', 'settings, rig'], ['O', 'open'], ['Ctrl+S', 'save the clean motion'], ['?', 'this list'],
]
function listKeys() {
  const list = $<HTMLDialogElement>('list')
  list.innerHTML = '<h3>Keys</h3><dl></dl><form method="dialog"><button class="main">Close</button></form>'
  for (const [key, does] of KEYS) { const dt = document.createElement('dt'), dd = document.createElement('dd'); dt.textContent = key; dd.textContent = does; list.querySelector('dl')!.append(dt, dd) }
  list.showModal()
}
function nudge(first: number, lastBy: number) {
  const chosen = [...state.chosen]
  if (!chosen.length) return
  const top = state.about!.frames - 1, low = state.about!.first
  const plants = state.plants.map((p, n) => (chosen.includes(n) ? { ...p, first: Math.max(low, p.first + first), last: Math.min(top, p.last + lastBy) } : p))
  if (plants.some(p => p.first > p.last)) return
  const keep = new Set(chosen.map(n => JSON.stringify(plants[n])))
  state.remember(); state.chosen = new Set(chosen); state.drag(plants)
  state.chosen = new Set(state.plants.flatMap((p, n) => (keep.has(JSON.stringify(p)) ? [n] : []))); state.tell()
}
/** Moves where the chosen plants stand, by a centimetre to the right and away, as seen in the view. */
function shift(right: number, away: number) {
  if (!state.chosen.size) return
  const by = view.onFloor(right / 100, away / 100)
  state.change(state.plants.map((p, n) => { const spot = state.spots[n]; return state.chosen.has(n) && spot ? { ...p, spot: spot.map((x, axis) => x + by[axis]) as Three } : p }))
}
function choose(by: number) {
  if (!state.plants.length) return
  const now = [...state.chosen][0] ?? (by > 0 ? -1 : 0), n = (now + by + state.plants.length) % state.plants.length
  state.chosen = new Set([n]); jump(state.plants[n].first); state.tell()
}
function toggle(name: keyof View['shown']) {
  view.shown[name] = !view.shown[name]
  // Side by side and the wipe are two ways to see the same.
  if (name === 'apart' && view.shown.apart) view.shown.wipe = false
  if (name === 'wipe' && view.shown.wipe) view.shown.apart = false
  document.querySelectorAll<HTMLElement>('[data-toggle]').forEach(b => b.setAttribute('aria-pressed', String(view.shown[b.dataset.toggle as keyof View['shown']])))
  wiper(); view.show()
}
/** The wipe's handle: before to the left of it, after to the right. */
function wiper(to = view.cut) {
  view.cut = Math.max(0.02, Math.min(0.98, to))
  const handle = $('wipe')
  handle.hidden = !view.shown.wipe || view.handles.on
  handle.style.left = `${100 * view.cut}%`; handle.setAttribute('aria-valuenow', String(Math.round(100 * view.cut))); view.draw()
}
/** Undo and redo: the floor or the legs may be others. */
function back(step: () => void) {
  const was = JSON.stringify(state.settings)
  attempt(() => { step(); if (JSON.stringify(state.settings) !== was) { view.build(); refresh() } })
}
function newPlant() {
  const like = state.plants[[...state.chosen][0]] ?? { leg: 0, point: 'heel' as const }, f = Math.round(state.frame)
  draw(like.leg, like.point, f, Math.min(state.about!.frames - 1, f + Math.round(state.about!.fps / 5)))
}
addEventListener('keydown', event => {
  const target = event.target as HTMLElement, ctrl = event.ctrlKey || event.metaKey
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || $<HTMLDialogElement>('list').open || !state.about) return
  if (target.tagName === 'BUTTON' && (event.key === ' ' || event.key === 'Enter')) return
  const chosen = [...state.chosen], far = event.shiftKey ? 10 : 1
  const does: Record<string, () => void> = {
    ' ': () => (playing ? pause() : play()), ArrowUp: () => shift(0, 1), ArrowDown: () => shift(0, -1),
    ArrowLeft: () => (event.altKey ? (event.shiftKey ? shift(-1, 0) : nudge(-1, -1)) : stepBy(-far)), ArrowRight: () => (event.altKey ? (event.shiftKey ? shift(1, 0) : nudge(1, 1)) : stepBy(far)),
    Home: () => jump(0), End: () => jump(state.about!.frames - 1), '[': () => choose(-1), ']': () => choose(1),
    ',': () => nudge(-1, 0), '.': () => nudge(1, 0), '<': () => nudge(0, -1), '>': () => nudge(0, 1),
    a: () => { state.chosen = new Set(state.plants.keys()); state.tell() }, n: newPlant, s: () => (ctrl ? void save('motion') : split(chosen, Math.round(state.frame))),
    j: () => join(chosen), Delete: () => remove(chosen), Backspace: () => remove(chosen),
    r: () => state.change(state.plants.map((p, n) => (chosen.includes(n) ? { ...p, spot: undefined } : p))),
    z: () => { if (ctrl) back(() => (event.shiftKey ? state.redo() : state.undo())) }, y: () => { if (ctrl) back(() => state.redo()) },
    '+': () => time.zoom(0.7), '=': () => time.zoom(0.7), '-': () => time.zoom(1.4), '0': () => time.whole(), w: worst, u: leastSure,
    '1': () => view.look('side'), '2': () => view.look('front'), '3': () => view.look('top'), '4': () => view.look('feet'),
    f: () => toggle('follow'), g: () => toggle('ghost'), t: () => toggle('trails'), b: () => toggle('apart'), v: () => toggle('wipe'), m: () => tab('settings'), p: () => tab('rig'), o: () => $('file').click(), '?': listKeys, Escape: () => { state.chosen = new Set(); if (view.handles.armed) { view.handles.armed = null; panel() } state.tell() },
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key, act = does[event.key] ?? does[key]
  if (!act || (ctrl && !['z', 'y', 's'].includes(key)) || (/Arrow(Up|Down)/.test(key) && !(event.altKey && event.shiftKey))) return
  event.preventDefault(); attempt(act)
})

// Buttons.
$('open').onclick = () => $('file').click()
$<HTMLInputElement>('file').onchange = () => void take($<HTMLInputElement>('file').files ?? [])
$('save').onclick = () => void save('motion')
document.querySelectorAll<HTMLElement>('[data-save]').forEach(b => (b.onclick = () => { $<HTMLDetailsElement>('more').open = false; void save(b.dataset.save!) }))
$('sample').onclick = () => attempt(sample)
$('again').onclick = () => attempt(() => { $<HTMLDetailsElement>('more').open = false; state.findAnew(); say(`${state.plants.length} plants found`) })
$('theme').onclick = () => {
  const is = document.documentElement.classList.toggle('dark')
  localStorage.setItem('theme', is ? 'dark' : 'light')
  if (state.about) { view.build(); time.draw() }
}
$('keys').onclick = listKeys
$('play').onclick = () => (playing ? pause() : play())
$('back').onclick = () => stepBy(-1); $('on').onclick = () => stepBy(1)
$('undo').onclick = () => back(() => state.undo()); $('redo').onclick = () => back(() => state.redo())
$('worst').onclick = worst; $('unsure').onclick = leastSure
$<HTMLSelectElement>('curve').onchange = () => { time.curve = $<HTMLSelectElement>('curve').value; time.draw() }
document.querySelectorAll<HTMLElement>('[data-view]').forEach(b => (b.onclick = () => view.look(b.dataset.view as 'side')))
document.querySelectorAll<HTMLElement>('[data-toggle]').forEach(b => (b.onclick = () => toggle(b.dataset.toggle as keyof View['shown'])))
document.querySelectorAll<HTMLElement>('[data-tab]').forEach((b, n, all) => {
  b.onclick = () => tab(b.dataset.tab!)
  // As tabs do everywhere: arrows go from one to the next.
  b.onkeydown = event => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (!by) return
    event.stopPropagation(); event.preventDefault()
    const next = all[(n + by + all.length) % all.length]
    tab(next.dataset.tab!); next.focus()
  }
})
const handle = $('wipe'), across = (event: PointerEvent) => { const box = $('view').getBoundingClientRect(); return (event.clientX - box.left) / box.width }
handle.onpointerdown = event => { handle.setPointerCapture(event.pointerId); handle.onpointermove = moved => wiper(across(moved)) }
handle.onpointerup = handle.onpointercancel = () => { handle.onpointermove = null }
handle.onkeydown = event => {
  const by = event.key === 'ArrowLeft' ? -0.02 : event.key === 'ArrowRight' ? 0.02 : 0
  if (by) { event.preventDefault(); event.stopPropagation(); wiper(view.cut + by) }
}
view.handles.onPick = (leg, role, joint) => attempt(() => { pick(leg, role, joint); view.build(); refresh(); say(`${state.about!.legs[leg]?.side} ${role}: ${state.about!.joints[joint].name}`) })
view.handles.onMoved = (leg, role, place) => attempt(() => { move(leg, role, place); view.build(); refresh() })
$('hide-hint').onclick = () => { $('hint').hidden = true; localStorage.setItem('hinted', '1') }
time.onFrame = frame => { pause(); show(frame) }
let dragging = false, wanted: [number, Three] | null = null
view.onSpot = (plant, spot) => {
  if (!spot) return
  wanted = [plant, spot]
  if (dragging) return
  dragging = true
  requestAnimationFrame(() => {
    dragging = false
    const [n, to] = wanted!
    state.chosen = new Set([n])
    attempt(() => state.drag(state.plants.map((p, m) => (m === n ? { ...p, spot: to } : p))))
  })
}
addEventListener('dragover', event => { event.preventDefault(); $('drop').hidden = false })
addEventListener('dragleave', event => { if (!event.relatedTarget) $('drop').hidden = true })
addEventListener('drop', event => { event.preventDefault(); $('drop').hidden = true; void take(event.dataTransfer?.files ?? []) })

async function start() {
  await load('./surefoot.wasm')
  const info = await fetch('api/info').then(a => (a.ok && a.headers.get('content-type')?.startsWith('application/json') ? a.json() : null), () => null)
  served = info
  if (served) {
    // The server ends a minute after the last window has let go of this.
    void fetch('api/window').then(async a => { const reader = a.body!.getReader(); while (!(await reader.read()).done); })
  }
  setWorkName(served?.file ? 'file ' + served.file : 'page')
  const kept = await recall()
  try {
    if (served?.file) {
      const bytes = new Uint8Array(await (await fetch('api/motion')).arrayBuffer())
      const same = kept && kept.bytes.length === bytes.length && kept.bytes.every((b, n) => b === bytes[n])
      openBytes(served.file, bytes, same ? kept.settings : served.settings, same ? kept : undefined)
      if (same) say('Work from before is back')
      else if (served.plants) { openBytes(served.plants, new Uint8Array(await (await fetch('api/plants')).arrayBuffer())); say(`Plants from ${served.plants}`) }
    } else if (kept) { openBytes(kept.name, kept.bytes, kept.settings, kept); say('Work from before is back') } else sample()
  } catch (why) { say((why as Error).message, true); if (!state.about) attempt(sample) }
  $('hint').hidden = !!localStorage.getItem('hinted')
}
start().catch(why => say(`surefoot could not start: ${why.message}`, true))
// For tests, and for whoever looks under the bonnet.
Object.assign(window, { studio: { state, view, time, ask, get firstPicture() { return firstPicture } } })
