// Curves on a canvas: however many frames there are, no more points than two a pixel.

/** Where frames are on the canvas: the first and the last in sight, pixels a frame, and the first's place. */
export interface Sight { first: number; last: number; scale: number; x: number; left: number }
/** One number of each frame. */
export interface Track { numbers: Float32Array; stride: number; at: number }
/** How a number becomes a height above the base, in pixels; beyond its ends it is cut off. */
export interface Height { low: number; high: number; base: number; pixels: number }

/** How many frames are one place on the canvas. */
const together = (sight: Sight) => (sight.scale >= 1 ? 1 : Math.ceil(2 / sight.scale))

/** The least and the most of a track in sight. */
export function ends({ numbers, stride, at }: Track, { first, last }: Sight): [number, number] {
  let low = Infinity, high = -Infinity
  for (let n = first * stride + at, end = last * stride + at; n <= end; n += stride) { const v = numbers[n]; if (v < low) low = v; if (v > high) high = v }
  return [low, high]
}

/** Draws a track; where frames share a place, from the least of them to the most. Answers with how many points that took. */
export function line(g: CanvasRenderingContext2D, { numbers, stride, at }: Track, sight: Sight, height: Height, fill = false): number {
  const step = together(sight), start = Math.floor(sight.first / step) * step, { base, pixels, low, high } = height, spread = Math.max(high - low, 1e-6)
  let points = 0
  const to = (frame: number, v: number) => {
    const share = (v - low) / spread
    g.lineTo(Math.max(sight.left, sight.x + (frame - sight.first) * sight.scale), base - pixels * (share < 0 ? 0 : share > 1 ? 1 : share)); points++
  }
  g.beginPath()
  if (fill) g.moveTo(sight.left, base)
  for (let f = start; f <= sight.last; f += step) {
    if (step === 1) { to(f, numbers[f * stride + at]); continue }
    let least = Infinity, most = -Infinity
    for (let n = f, end = Math.min(f + step - 1, sight.last); n <= end; n++) { const v = numbers[n * stride + at]; if (v < least) least = v; if (v > most) most = v }
    to(f, least); to(f, most)
  }
  if (fill) { g.lineTo(sight.x + (sight.last - sight.first) * sight.scale, base); g.fill() } else g.stroke()
  return points
}
