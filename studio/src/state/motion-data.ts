// Joint positions and curves of every frame, before and after cleaning, as the core delivers them.

import { callForNumbers } from '../core'
import type { ClipInfo, Vec3 } from '../messages'
import { valueAt } from '../numbers'

/** The curves of a leg, in the order in which the core delivers them. */
export enum LegCurve {
  HeelHeight,
  BallHeight,
  HeelSpeed,
  BallSpeed,
  KneeAngle,
  Stretch,
}

/** The numbers of all frames. */
export interface FrameData {
  /** Per frame: joints, heel, ball and toe of each leg, other points of the body; three numbers each, in metres. */
  positions: Float32Array
  /** Per frame: root correction in m, then per leg the values of `LegCurve` in m, m/s, degrees and percent. */
  curves: Float32Array
}

/** The first curve of a frame is the distance by which the root was moved; the curves of the legs follow. */
const FIRST_LEG_CURVE = 1

/** The motion either as captured (`after` false) or as cleaned (`after` true). */
export class MotionData implements FrameData {
  positions: Float32Array = new Float32Array()
  curves: Float32Array = new Float32Array()
  private clip: ClipInfo | null = null

  constructor(private after: boolean) {}

  /** Numbers per frame in `positions`. */
  get stride() {
    if (!this.clip) return 0
    const { joints, legs, body } = this.clip
    return 3 * (joints.length + 3 * legs.length + body.extra)
  }

  /** Numbers per frame in `curves`. */
  get curveStride() {
    return this.clip ? FIRST_LEG_CURVE + this.clip.curves_per_leg * this.clip.legs.length : 0
  }

  /** Fetches every frame of a clip. */
  fetchAll(clip: ClipInfo) {
    const range = { after: this.after, start: 0, end: clip.frames }
    const positions = callForNumbers({ kind: 'positions', ...range })
    const curves = callForNumbers({ kind: 'curves', ...range })
    this.take(clip, { positions, curves })
  }

  /** Takes over every frame of a clip. */
  take(clip: ClipInfo, { positions, curves }: FrameData) {
    Object.assign(this, { clip, positions, curves })
  }

  /** Fetches ranges of frames, each with an exclusive end. If one cannot be fetched, nothing changes. */
  fetch(ranges: [number, number][]) {
    const fetched = ranges.map(([start, end]) => {
      const range = { after: this.after, start, end }
      return {
        start,
        positions: callForNumbers({ kind: 'positions', ...range }),
        curves: callForNumbers({ kind: 'curves', ...range }),
      }
    })
    for (const { start, positions, curves } of fetched) {
      this.positions.set(positions, start * this.stride)
      this.curves.set(curves, start * this.curveStride)
    }
  }

  /** Returns a function that undoes `fetchAll`. */
  rememberClip() {
    const { clip, positions, curves } = this
    return () => Object.assign(this, { clip, positions, curves })
  }

  /** Position of a joint; or, after the joints, of heel, ball and toe of each leg. */
  position(frame: number, point: number): Vec3 {
    const index = frame * this.stride + 3 * point
    return [
      valueAt(this.positions, index),
      valueAt(this.positions, index + 1),
      valueAt(this.positions, index + 2),
    ]
  }

  curve(frame: number, leg: number, curve: LegCurve) {
    return valueAt(this.curves, frame * this.curveStride + this.curveIndex(leg, curve))
  }

  /** Index of a leg's curve within the numbers of a frame. */
  curveIndex(leg: number, curve: LegCurve) {
    return FIRST_LEG_CURVE + (this.clip?.curves_per_leg ?? 0) * leg + curve
  }
}
