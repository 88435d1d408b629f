// Behind the bars: height and speed of each foot point as captured. A plant belongs where both are low.

import { LegCurve } from '../state/motion-data'
import { state } from '../state/state'
import { type Drawing, contextOf, visibleFrames } from './drawing'
import { ROW_HEIGHT } from './layout'
import { drawTrack } from './tracks'

/** Value at the top of a row: faster and higher points are cut off there. */
const TOP_SPEED = 2 // m/s
const TOP_HEIGHT = 0.25 // m

/** Caches the background as an image, because it does not change while plants are edited. */
export class RowBackground {
  private image: HTMLCanvasElement | null = null
  private key = ''
  private curves: Float32Array | null = null
  private points = 0

  /** Draws the background and returns the number of curve points in it. */
  draw(drawing: Drawing): number {
    const { context, layout, colour } = drawing
    const { from, to, width, height, rows } = layout
    const key = [from, to, width, height, devicePixelRatio, colour('ghost'), rows.length].join()
    if (!this.image || this.key !== key || this.curves !== state.before.curves) {
      this.image = this.paint(drawing)
      this.key = key
      this.curves = state.before.curves
    }
    context.drawImage(this.image, 0, 0, width, height)
    return this.points
  }

  private paint({ layout, colour }: Drawing) {
    const image = document.createElement('canvas')
    image.width = Math.round(layout.width * devicePixelRatio)
    image.height = Math.round(layout.height * devicePixelRatio)
    const context = contextOf(image)
    context.scale(devicePixelRatio, devicePixelRatio)
    const visible = visibleFrames(layout)
    const { curves: numbers, curveStride: stride } = state.before
    const track = (leg: number, curve: LegCurve) => ({
      numbers,
      stride,
      index: state.before.curveIndex(leg, curve),
    })
    this.points = 0
    layout.rows.forEach(({ leg, point }, row) => {
      // There are no curves of toe tips.
      if (point === 'toe') return
      const bottom = layout.yOfRow(row) + ROW_HEIGHT
      const isBall = point === 'ball'
      const height = track(leg, isBall ? LegCurve.BallHeight : LegCurve.HeelHeight)
      const speed = track(leg, isBall ? LegCurve.BallSpeed : LegCurve.HeelSpeed)
      context.fillStyle = colour('ghost')
      context.globalAlpha = 0.22
      const heightAxis = { low: 0, high: TOP_HEIGHT, bottom: bottom - 1, height: ROW_HEIGHT - 4 }
      this.points += drawTrack(context, height, visible, heightAxis, 'filled')
      context.strokeStyle = colour('quiet')
      context.globalAlpha = 0.5
      const speedAxis = { low: 0, high: TOP_SPEED, bottom: bottom - 2, height: ROW_HEIGHT - 6 }
      this.points += drawTrack(context, speed, visible, speedAxis)
    })
    return image
  }
}
