// Draws a curve of one value per frame. However long the clip, a pixel gets at most two points of the curve.

import { clamp, valueAt } from '../numbers'

/** Smallest value range of a curve: a constant curve is drawn as a flat line. */
const MIN_RANGE = 1e-6

/** The visible frames on the canvas. */
export interface VisibleFrames {
  first: number
  last: number
  pixelsPerFrame: number
  /** The x of the first frame. */
  x: number
  /** The x of the left border, which the curve does not cross. */
  left: number
}

/** One value per frame, interleaved with others: frame f is at `numbers[f * stride + index]`. */
export interface Track {
  numbers: Float32Array
  stride: number
  index: number
}

/** Maps values to the y range from `bottom` up by `height` pixels. Values outside are clamped. */
export interface ValueAxis {
  low: number
  high: number
  bottom: number
  height: number
}

/** The smallest and largest value of the visible frames. */
export function valueRange(track: Track, { first, last }: VisibleFrames) {
  return rangeOfFrames(track, first, last)
}

function rangeOfFrames({ numbers, stride, index }: Track, first: number, last: number): [number, number] {
  let low = Infinity
  let high = -Infinity
  for (let frame = first; frame <= last; frame++) {
    const value = valueAt(numbers, frame * stride + index)
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}

/** How many frames share a point of the curve. */
function framesPerPoint({ pixelsPerFrame }: VisibleFrames) {
  return pixelsPerFrame >= 1 ? 1 : Math.ceil(2 / pixelsPerFrame)
}

/**
 * Draws a track as a line, or filled down to its bottom. Where frames share a point, the line covers their
 * smallest and largest value. Returns the number of points drawn.
 */
export function drawTrack(
  context: CanvasRenderingContext2D,
  track: Track,
  visible: VisibleFrames,
  axis: ValueAxis,
  style: 'line' | 'filled' = 'line',
): number {
  const step = framesPerPoint(visible)
  const range = Math.max(axis.high - axis.low, MIN_RANGE)
  const xOf = (frame: number) => visible.x + (frame - visible.first) * visible.pixelsPerFrame
  let points = 0
  const lineTo = (frame: number, value: number) => {
    const share = clamp((value - axis.low) / range, 0, 1)
    context.lineTo(Math.max(visible.left, xOf(frame)), axis.bottom - axis.height * share)
    points++
  }
  context.beginPath()
  if (style === 'filled') context.moveTo(visible.left, axis.bottom)
  // Points start at multiples of the step, so that they stay on the same frames while the user pans.
  for (let frame = Math.floor(visible.first / step) * step; frame <= visible.last; frame += step) {
    const [low, high] = rangeOfFrames(track, frame, Math.min(frame + step - 1, visible.last))
    lineTo(frame, low)
    if (step > 1) lineTo(frame, high)
  }
  if (style === 'filled') {
    context.lineTo(xOf(visible.last), axis.bottom)
    context.fill()
  } else context.stroke()
  return points
}
