// Functions for drawing that the parts of the timeline share.

import { state } from '../state/state'
import { LABEL_WIDTH, type Layout } from './layout'
import type { VisibleFrames } from './tracks'

/** The canvas being drawn on and where things are on it. */
export interface Drawing {
  context: CanvasRenderingContext2D
  layout: Layout
  colour: (name: string) => string
}

/** Left legs and right legs have their own colours; further legs alternate. */
export const legColour = (leg: number) => (leg % 2 ? 'right' : 'left')

/** A drawing in device pixels, cleared, with sizes in CSS pixels. */
export function startDrawing(canvas: HTMLCanvasElement, layout: Layout): Drawing {
  const ratio = devicePixelRatio
  const width = Math.round(layout.width * ratio)
  const height = Math.round(layout.height * ratio)
  // Setting the size clears the canvas and is slow, so only do it for a change.
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
  const context = contextOf(canvas)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, layout.width, layout.height)
  const style = getComputedStyle(document.documentElement)
  context.font = '12px ' + style.fontFamily
  context.textBaseline = 'middle'
  return { context, layout, colour: name => style.getPropertyValue('--' + name) }
}

export function contextOf(canvas: HTMLCanvasElement) {
  const context = canvas.getContext('2d')
  if (!context) throw new Error('the browser cannot draw on a canvas')
  return context
}

/** A vertical or horizontal line. */
export function strokeLine(
  context: CanvasRenderingContext2D,
  [x1, y1]: [number, number],
  [x2, y2]: [number, number],
) {
  context.beginPath()
  context.moveTo(x1, y1)
  context.lineTo(x2, y2)
  context.stroke()
}

export function visibleFrames(layout: Layout): VisibleFrames {
  const first = Math.max(0, Math.floor(layout.from))
  return {
    first,
    last: Math.min(state.clip.frames - 1, Math.ceil(layout.to)),
    pixelsPerFrame: layout.pixelsPerFrame,
    x: layout.xOfFrame(first),
    left: LABEL_WIDTH,
  }
}
