// The timeline: four rows of plants as bars, the chosen curve below, all on one canvas.

import { Plant } from './core'
import { Sight, ends, line } from './lines'
import { state } from './state'

const LABEL = 92, RULER = 20, ROW = 25, EDGE = 6
/** A point slower than this comes to rest, in metres per second; lower than this above its plant's lowest place it is down, in metres. */
const RESTS = 0.3, DOWN = 0.02
/** What the curves behind the bars are cut off at: metres per second, metres. */
const FAST = 2, HIGH = 0.25
type Grip = { kind: 'bar' | 'first' | 'last'; start: number; plants: Plant[]; chosen: number[] } | { kind: 'draw'; row: number; start: number } | { kind: 'scrub' } | { kind: 'pan'; x: number; from: number }

export class Timeline {
  /** The frames in sight. */
  from = 0; to = 1
  curve = 'height'
  snap = true
  onFrame: (frame: number) => void = () => {}
  onEdit: () => void = () => {}
  /** How many points the curves had in the last picture: for tests. */
  dots = 0
  private grip: Grip | null = null
  private drawn: [number, number, number] | null = null
  private pending = false
  private under: HTMLCanvasElement | null = null
  private behind: { key: string; numbers: Float32Array; canvas: HTMLCanvasElement; dots: number } | null = null
  /** Where an edge snapped to, and to what. */
  private caught: { frame: number; to: string } | null = null

  constructor(private canvas: HTMLCanvasElement) {
    new ResizeObserver(() => this.draw()).observe(canvas)
    canvas.addEventListener('pointerdown', event => this.down(event))
    canvas.addEventListener('pointermove', event => this.move(event))
    canvas.addEventListener('pointerup', () => this.up())
    canvas.addEventListener('pointercancel', () => this.up())
    canvas.addEventListener('wheel', event => {
      event.preventDefault()
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.pan((event.deltaX || event.deltaY) / this.scale)
      else this.zoom(Math.exp(event.deltaY * 0.0015), this.frameAt(event.offsetX))
    }, { passive: false })
    canvas.addEventListener('dblclick', event => {
      const hit = this.hit(event.offsetX, event.offsetY)
      if (hit) split([hit.n], Math.round(this.frameAt(event.offsetX)))
    })
  }

  get rows() { return (state.about?.legs ?? []).flatMap((leg, n) => (['heel', 'ball'] as const).map(point => ({ leg: n, point, name: `${leg.side} ${point}` }))) }
  get scale() { return (this.canvas.clientWidth - LABEL - 10) / Math.max(this.to - this.from, 1) }
  x(frame: number) { return LABEL + (frame - this.from) * this.scale }
  frameAt(x: number) { return (x - LABEL) / this.scale + this.from }
  rowY(row: number) { return RULER + 4 + row * ROW }
  whole() { this.from = 0; this.to = state.about?.frames ?? 1; this.draw() }
  zoom(by: number, around = state.frame) {
    const most = state.about?.frames ?? 1, span = Math.min(most, Math.max(8, (this.to - this.from) * by))
    const share = (around - this.from) / (this.to - this.from)
    this.from = Math.max(0, Math.min(most - span, around - share * span)); this.to = this.from + span; this.draw()
  }
  pan(by: number) {
    const most = state.about?.frames ?? 1, span = this.to - this.from
    this.from = Math.max(0, Math.min(most - span, this.from + by)); this.to = this.from + span; this.draw()
  }
  /** Brings a frame in sight. */
  reveal(frame: number) { if (frame < this.from || frame > this.to) this.pan(frame - (this.from + this.to) / 2) }

  /** The bar or edge there; for a finger from further off. */
  private hit(x: number, y: number, reach = EDGE) {
    const row = this.rows[Math.floor((y - RULER - 4) / ROW)]
    if (!row || x < LABEL) return null
    let best: { n: number; kind: 'bar' | 'first' | 'last'; far: number } | null = null
    state.plants.forEach((plant, n) => {
      if (plant.leg !== row.leg || plant.point !== row.point) return
      const a = this.x(plant.first), b = this.x(plant.last + 1), inside = Math.min(reach, (b - a) / 3)
      const found = (kind: 'bar' | 'first' | 'last', far: number) => { if (!best || far < best.far) best = { n, kind, far } }
      if (x >= a - reach && x <= a + inside) found('first', Math.abs(x - a))
      if (x >= b - inside && x <= b + reach) found('last', Math.abs(x - b))
      if (x > a && x < b) found('bar', reach + 1)
    })
    return best as { n: number; kind: 'bar' | 'first' | 'last'; far: number } | null
  }

  private down(event: PointerEvent) {
    if (!state.about) return
    this.canvas.setPointerCapture(event.pointerId)
    const { offsetX: x, offsetY: y } = event, row = Math.floor((y - RULER - 4) / ROW)
    if (event.button === 1 || event.altKey) { this.grip = { kind: 'pan', x, from: this.from }; return }
    const hit = this.hit(x, y, event.pointerType === 'touch' ? 18 : EDGE)
    if (hit) {
      if (event.shiftKey || event.ctrlKey || event.metaKey) {
        state.chosen.has(hit.n) ? state.chosen.delete(hit.n) : state.chosen.add(hit.n)
        state.tell(); return
      }
      if (!state.chosen.has(hit.n)) state.chosen = new Set([hit.n])
      state.remember(); this.onEdit()
      this.grip = { kind: hit.kind, start: this.frameAt(x), plants: structuredClone(state.plants), chosen: [...state.chosen] }
      state.tell()
    } else if (y > RULER && row >= 0 && row < this.rows.length && x > LABEL) {
      this.grip = { kind: 'draw', row, start: this.frameAt(x) }
      state.chosen = new Set(); state.tell()
    } else { this.grip = { kind: 'scrub' }; this.scrub(x) }
  }

  private scrub(x: number) { this.onFrame(Math.max(0, Math.min(state.about!.frames - 1, Math.round(this.frameAt(x))))) }

  private move(event: PointerEvent) {
    const { offsetX: x, offsetY: y } = event, grip = this.grip
    if (!grip) {
      const hit = this.hit(x, y)
      this.canvas.style.cursor = !hit ? (y > RULER && y < this.rowY(this.rows.length) ? 'crosshair' : 'default') : hit.kind === 'bar' ? 'grab' : 'ew-resize'
      return
    }
    if (grip.kind === 'scrub') return this.scrub(x)
    if (grip.kind === 'pan') { this.from = grip.from; this.pan((grip.x - x) / this.scale); return }
    if (grip.kind === 'draw') {
      const a = Math.round(grip.start), b = Math.round(this.frameAt(x))
      this.drawn = [grip.row, Math.min(a, b), Math.max(a, b)]
      return this.draw()
    }
    const by = Math.round(this.frameAt(x) - grip.start), last = state.about!.frames - 1
    const plants = structuredClone(grip.plants), moved: string[] = []
    for (const n of grip.chosen) {
      const plant = plants[n], was = grip.plants[n]
      const [low, high] = room(grip.plants, n, grip.chosen)
      const clamp = (v: number, a: number, b: number) => Math.max(a, Math.min(b, v))
      if (grip.kind === 'first') plant.first = clamp(this.snapped(was.first + by, plant, event), low, was.last)
      else if (grip.kind === 'last') plant.last = clamp(this.snapped(was.last + by + 1, plant, event) - 1, was.first, Math.min(high, last))
      else { const d = clamp(by, low - was.first, Math.min(high, last) - was.last); plant.first += d; plant.last += d; delete plant.spot }
      moved.push(JSON.stringify(plant))
    }
    this.later(plants, moved)
  }

  /** At most one solve a picture, however fast the mouse is. */
  private later(plants: Plant[], chosen: string[]) {
    state.plants = plants
    if (this.pending) return
    this.pending = true
    requestAnimationFrame(() => {
      this.pending = false
      state.chosen = new Set(state.plants.flatMap((plant, n) => (chosen.includes(JSON.stringify(plant)) ? [n] : [])))
      state.drag(state.plants)
    })
  }

  /** The frame, or one close by at which the point comes to rest or leaves: where its speed passes the bar, or its height. */
  private snapped(frame: number, plant: Plant, event: PointerEvent) {
    this.caught = null
    if (!this.snap || event.ctrlKey || event.metaKey) return frame
    const point = plant.point === 'ball' ? 1 : 0, reach = Math.max(1, Math.round(6 / this.scale))
    const at = (f: number, which: number) => state.curve(state.curvesBefore, f, plant.leg, which + point)
    let low = Infinity, best = frame, far = reach + 1
    for (let f = plant.first; f <= plant.last; f++) low = Math.min(low, at(f, 0))
    const isDown = { speed: (f: number) => at(f, 2) <= RESTS, height: (f: number) => at(f, 0) <= low + DOWN }
    for (let f = Math.max(1, frame - reach); f <= Math.min(state.about!.frames - 1, frame + reach); f++) {
      for (const to of ['speed', 'height'] as const) {
        if (isDown[to](f - 1) !== isDown[to](f) && Math.abs(f - frame) < far) { best = f; far = Math.abs(f - frame); this.caught = { frame: f, to } }
      }
    }
    return best
  }

  private up() {
    const grip = this.grip
    this.grip = this.caught = null
    if (grip?.kind === 'draw' && this.drawn) {
      const [row, first, last] = this.drawn, { leg, point } = this.rows[row]
      this.drawn = null
      draw(leg, point, Math.max(first, state.about!.first), Math.min(last, state.about!.frames - 1))
    }
    this.draw()
  }

  draw() {
    const about = state.about, canvas = this.canvas, ratio = devicePixelRatio, w = canvas.clientWidth, h = canvas.clientHeight
    if (!about || !w) return
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) { canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio) }
    const g = canvas.getContext('2d')!, css = getComputedStyle(document.documentElement), c = (name: string) => css.getPropertyValue('--' + name)
    this.dots = 0
    g.setTransform(ratio, 0, 0, ratio, 0, 0); g.clearRect(0, 0, w, h)
    g.font = '12px ' + css.fontFamily; g.textBaseline = 'middle'
    // The ruler.
    const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000], step = steps.find(s => s * this.scale > 64) ?? 100000
    g.fillStyle = c('quiet'); g.strokeStyle = c('line'); g.lineWidth = 1
    for (let f = Math.ceil(this.from / step) * step; f <= this.to; f += step) {
      const x = Math.round(this.x(f)) + 0.5
      g.beginPath(); g.moveTo(x, RULER - 4); g.lineTo(x, h); g.stroke()
      if (x < w - 34) g.fillText(String(f), x + 4, RULER / 2)
    }
    g.drawImage(this.captured(w, h, ratio, c), 0, 0, w, h)
    this.rows.forEach((row, n) => {
      const y = this.rowY(n), tint = c(row.leg % 2 ? 'right' : 'left')
      g.fillStyle = c('ink'); g.fillText(row.name, 14, y + ROW / 2, LABEL - 20)
      g.strokeStyle = c('line'); g.beginPath(); g.moveTo(LABEL, y + ROW - 0.5); g.lineTo(w, y + ROW - 0.5); g.stroke()
      g.save(); g.beginPath(); g.rect(LABEL - 1, y, w - LABEL + 1, ROW); g.clip()
      state.plants.forEach((plant, number) => {
        if (plant.leg !== row.leg || plant.point !== row.point || plant.last < this.from || plant.first > this.to) return
        const a = this.x(plant.first), b = this.x(plant.last + 1), sure = plant.confidence ?? 1
        g.globalAlpha = 0.25 + 0.6 * sure; g.fillStyle = tint
        g.beginPath(); g.roundRect(a, y + 3, Math.max(b - a, 2), ROW - 7, 4); g.fill(); g.globalAlpha = 1
        if (state.slides[number] > 1e-6) { g.fillStyle = c('bad'); g.fillRect(a, y + ROW - 6, Math.max(b - a, 2), 2) }
        if (state.chosen.has(number)) { g.strokeStyle = c('ink'); g.lineWidth = 1.5; g.stroke(); g.lineWidth = 1 }
        if (plant.spot) { g.fillStyle = c('panel'); g.beginPath(); g.arc((a + b) / 2, y + ROW / 2 - 1, 2.5, 0, 7); g.fill() }
      })
      g.restore()
    })
    if (this.drawn) {
      const [row, a, b] = this.drawn
      g.fillStyle = c('accent'); g.globalAlpha = 0.4; g.fillRect(this.x(a), this.rowY(row) + 3, this.x(b + 1) - this.x(a), ROW - 7); g.globalAlpha = 1
    }
    this.curves(g, this.rowY(this.rows.length) + 8, h - 8, c)
    if (this.caught) {
      const at = Math.round(this.x(this.caught.frame)) + 0.5
      g.strokeStyle = g.fillStyle = c('accent'); g.setLineDash([3, 3]); g.beginPath(); g.moveTo(at, RULER); g.lineTo(at, this.rowY(this.rows.length)); g.stroke(); g.setLineDash([])
      const wide = g.measureText(this.caught.to).width
      g.fillStyle = c('panel'); g.fillRect(at + 1, 0, wide + 8, RULER); g.fillStyle = c('accent'); g.fillText(this.caught.to, at + 5, RULER / 2)
    }
    this.under = null
    this.playhead()
  }

  /** Shows the frame: all under it stays as it was drawn. */
  playhead() {
    const { canvas } = this, g = canvas.getContext('2d')!
    if (!this.under) { this.under = document.createElement('canvas'); this.under.width = canvas.width; this.under.height = canvas.height; this.under.getContext('2d')!.drawImage(canvas, 0, 0) }
    else if (this.under.width !== canvas.width || this.under.height !== canvas.height) return this.draw()
    else { g.save(); g.setTransform(1, 0, 0, 1, 0, 0); g.clearRect(0, 0, canvas.width, canvas.height); g.drawImage(this.under, 0, 0); g.restore() }
    const x = Math.round(this.x(state.frame)) + 0.5
    if (x < LABEL || x > canvas.clientWidth) return
    const ink = getComputedStyle(document.documentElement).getPropertyValue('--ink')
    g.strokeStyle = g.fillStyle = ink
    g.beginPath(); g.moveTo(x, 8); g.lineTo(x, canvas.clientHeight); g.stroke()
    g.beginPath(); g.moveTo(x - 5, 1); g.lineTo(x + 5, 1); g.lineTo(x, 9); g.fill()
  }

  private get sight(): Sight {
    const first = Math.max(0, Math.floor(this.from))
    return { first, last: Math.min(state.about!.frames - 1, Math.ceil(this.to)), scale: this.scale, x: this.x(first), left: LABEL }
  }

  /** Behind the bars, each point as captured: its height as a shade, its speed as a line. A bar belongs where both are low. It stays while plants are edited. */
  private captured(w: number, h: number, ratio: number, c: (name: string) => string) {
    const key = [this.from, this.to, w, h, ratio, c('ghost'), this.rows.length].join()
    if (this.behind?.key === key && this.behind.numbers === state.curvesBefore) { this.dots += this.behind.dots; return this.behind.canvas }
    const canvas = document.createElement('canvas'), g = canvas.getContext('2d')!, { sight } = this, numbers = state.curvesBefore, stride = state.curveStride
    canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio); g.scale(ratio, ratio)
    let dots = 0
    this.rows.forEach(({ leg, point }, n) => {
      const at = 1 + state.about!.curves_each_leg * leg + (point === 'ball' ? 1 : 0), base = this.rowY(n) + ROW
      g.fillStyle = c('ghost'); g.globalAlpha = 0.22
      dots += line(g, { numbers, stride, at }, sight, { low: 0, high: HIGH, base: base - 1, pixels: ROW - 4 }, true)
      g.strokeStyle = c('quiet'); g.globalAlpha = 0.5
      dots += line(g, { numbers, stride, at: at + 2 }, sight, { low: 0, high: FAST, base: base - 2, pixels: ROW - 6 })
    })
    this.behind = { key, numbers, canvas, dots }; this.dots += dots
    return canvas
  }

  /** The chosen curve: before in grey, after in colour. */
  private curves(g: CanvasRenderingContext2D, top: number, bottom: number, c: (name: string) => string) {
    const about = state.about!, each = about.curves_each_leg, { sight } = this, stride = state.curveStride
    const kinds: Record<string, [string, number[]]> = { height: ['m', [0, 1]], speed: ['m/s', [2, 3]], knee: ['°', [4]], stretch: ['%', [5]], root: ['m', []] }
    const [unit, which] = kinds[this.curve]
    const tracks = this.curve === 'root' ? [{ at: 0, leg: 0 }] : about.legs.flatMap((_, leg) => which.map(n => ({ at: 1 + each * leg + n, leg })))
    let low = Infinity, high = -Infinity
    for (const { at } of tracks) for (const numbers of [state.curvesBefore, state.curvesAfter]) { const [a, b] = ends({ numbers, stride, at }, sight); low = Math.min(low, a); high = Math.max(high, b) }
    if (!(low <= high)) return
    g.fillStyle = c('quiet'); g.fillText(`${this.curve === 'root' ? 'root moved' : this.curve}, ${unit}`, 14, top + 8, LABEL - 18)
    g.textAlign = 'right'; g.fillText(high.toFixed(2), LABEL - 6, top + 26); g.fillText((Math.abs(low) < 0.005 ? 0 : low).toFixed(2), LABEL - 6, bottom - 4); g.textAlign = 'left'
    const height = { low, high, base: bottom, pixels: bottom - top }
    for (const { at, leg } of tracks) {
      g.strokeStyle = c('ghost'); g.globalAlpha = 0.6
      if (this.curve !== 'root') this.dots += line(g, { numbers: state.curvesBefore, stride, at }, sight, height)
      g.strokeStyle = c(leg % 2 ? 'right' : 'left'); g.globalAlpha = 1
      this.dots += line(g, { numbers: state.curvesAfter, stride, at }, sight, height)
    }
  }
}

/** How far a plant may go before it meets another of its row. */
function room(plants: Plant[], n: number, moving: number[]): [number, number] {
  let low = state.about!.first, high = state.about!.frames - 1
  plants.forEach((other, m) => {
    if (m === n || moving.includes(m) || other.leg !== plants[n].leg || other.point !== plants[n].point) return
    if (other.last < plants[n].first) low = Math.max(low, other.last + 1)
    if (other.first > plants[n].last) high = Math.min(high, other.first - 1)
  })
  return [low, high]
}

/** A new plant; those it runs into are joined with it. */
export function draw(leg: number, point: 'heel' | 'ball', first: number, last: number) {
  if (last < first) return
  const meets = (p: Plant) => p.leg === leg && p.point === point && p.first <= last + 1 && first <= p.last + 1
  const met = state.plants.filter(meets)
  const plant: Plant = { leg, point, first: Math.min(first, ...met.map(p => p.first)), last: Math.max(last, ...met.map(p => p.last)), confidence: 1 }
  state.change([...state.plants.filter(p => !meets(p)), plant])
  state.chosen = new Set([state.plants.findIndex(p => p.leg === leg && p.point === point && p.first === plant.first)])
  state.tell()
}
export function split(chosen: number[], frame: number) {
  const plants = state.plants.flatMap((plant, n) => {
    if (!chosen.includes(n) || frame <= plant.first || frame > plant.last) return [plant]
    const { spot: _, ...rest } = plant
    return [{ ...rest, last: frame - 1 }, { ...rest, first: frame }]
  })
  if (plants.length !== state.plants.length) state.change(plants)
}
/** The chosen plants of each row become one. */
export function join(chosen: number[]) {
  const joined = new Map<string, Plant>()
  for (const n of chosen) {
    const plant = state.plants[n], key = plant.leg + plant.point, had = joined.get(key)
    joined.set(key, had ? { ...had, first: Math.min(had.first, plant.first), last: Math.max(had.last, plant.last), spot: undefined } : { ...plant })
  }
  const within = (p: Plant) => { const j = joined.get(p.leg + p.point); return !!j && p.first >= j.first && p.last <= j.last }
  if (joined.size) state.change([...state.plants.filter(p => !within(p)), ...joined.values()])
}
export function remove(chosen: number[]) {
  if (!chosen.length) return
  const plants = state.plants.filter((_, n) => !chosen.includes(n))
  state.chosen = new Set(); state.change(plants)
}
