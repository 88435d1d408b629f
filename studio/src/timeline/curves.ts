// The curve below the rows: captured in grey, cleaned in the colour of the leg.

import { LegCurve } from '../state/motion-data'
import { state } from '../state/state'
import { type Drawing, legColour, visibleFrames } from './drawing'
import { LABEL_WIDTH } from './layout'
import { type Track, type VisibleFrames, drawTrack, valueRange } from './tracks'

/** The curves that can be shown. */
export type CurveName = 'height' | 'speed' | 'knee' | 'stretch' | 'root'

interface CurveKind {
  label: string
  /** The curves of each leg; none for the root. */
  legCurves: LegCurve[]
}

const CURVES: Record<CurveName, CurveKind> = {
  height: { label: 'height, m', legCurves: [LegCurve.HeelHeight, LegCurve.BallHeight] },
  speed: { label: 'speed, m/s', legCurves: [LegCurve.HeelSpeed, LegCurve.BallSpeed] },
  knee: { label: 'knee, °', legCurves: [LegCurve.KneeAngle] },
  stretch: { label: 'stretch, %', legCurves: [LegCurve.Stretch] },
  root: { label: 'root corr., m', legCurves: [] },
}

/** The root correction is the first number of a frame. */
const ROOT_INDEX = 0

/** Where to draw, in pixels. */
export interface Band {
  top: number
  bottom: number
}

/** Draws the curve and its scale. Returns the number of curve points drawn. */
export function drawCurves(drawing: Drawing, name: CurveName, { top, bottom }: Band): number {
  const { context, layout, colour } = drawing
  const { label, legCurves } = CURVES[name]
  const visible = visibleFrames(layout)
  const tracks = tracksOf(name, legCurves)
  const [low, high] = commonRange(
    tracks.flatMap(({ before, after }) => [before, after]),
    visible,
  )
  if (!(low <= high)) return 0
  context.fillStyle = colour('quiet')
  context.fillText(label, 14, top + 8, LABEL_WIDTH - 18)
  context.textAlign = 'right'
  context.fillText(high.toFixed(2), LABEL_WIDTH - 6, top + 26)
  // Rounding must not show a minus sign before zero.
  context.fillText((Math.abs(low) < 0.005 ? 0 : low).toFixed(2), LABEL_WIDTH - 6, bottom - 4)
  context.textAlign = 'left'
  const axis = { low, high, bottom, height: bottom - top }
  let points = 0
  for (const { leg, before, after } of tracks) {
    context.strokeStyle = colour('ghost')
    context.globalAlpha = 0.6
    // The captured motion has no root correction.
    if (name !== 'root') points += drawTrack(context, before, visible, axis)
    context.strokeStyle = colour(legColour(leg))
    context.globalAlpha = 1
    points += drawTrack(context, after, visible, axis)
  }
  return points
}

function tracksOf(name: CurveName, legCurves: LegCurve[]) {
  const track = (index: number, leg: number) => {
    const of = ({ curves, curveStride }: typeof state.before): Track => ({
      numbers: curves,
      stride: curveStride,
      index,
    })
    return { leg, before: of(state.before), after: of(state.after) }
  }
  if (name === 'root') return [track(ROOT_INDEX, 0)]
  return state.clip.legs.flatMap((_, leg) =>
    legCurves.map(curve => track(state.before.curveIndex(leg, curve), leg)),
  )
}

function commonRange(tracks: Track[], visible: VisibleFrames): [number, number] {
  const ranges = tracks.map(track => valueRange(track, visible))
  return [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))]
}
