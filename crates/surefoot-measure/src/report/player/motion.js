// The motions of the report: decodes the positions, and answers where a point is at a time.

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The integers of a text with five bits a character, the sixth bit marks that more follow; the lowest bit is the sign. */
function* integers(text) {
  const values = new Map([...DIGITS].map((digit, value) => [digit, value]))
  let sum = 0
  let factor = 1
  for (const digit of text) {
    const value = values.get(digit)
    sum += (value % 32) * factor
    factor *= 32
    if (value >= 32) continue
    yield sum % 2 ? -(sum - 1) / 2 : sum / 2
    sum = 0
    factor = 1
  }
}

/** Positions as integers: each is stored as the difference from the position that its two predecessors predict. */
function decodePath(text, width, frames) {
  const path = new Float64Array(width * frames)
  const rest = integers(text)
  for (let at = 0; at < path.length; at++) {
    const [last, earlier] = [at >= width ? path[at - width] : 0, at >= 2 * width ? path[at - 2 * width] : undefined]
    path[at] = rest.next().value + (earlier === undefined ? last : 2 * last - earlier)
  }
  return path
}

/** Adds the stored differences to the motion before. */
function decodeChange(text, width, path) {
  const after = new Float64Array(path.length)
  const rest = integers(text)
  for (let at = 0; at < path.length; at++) {
    const last = at >= width ? after[at - width] - path[at - width] : 0
    after[at] = path[at] + last + rest.next().value
  }
  return after
}

function decodeMotions(clip) {
  const width = 3 * clip.points
  const first = decodePath(clip.motions[0], width, clip.frames)
  const all = clip.motions.length > 1 ? [first, decodeChange(clip.motions[1], width, first)] : [first]
  return all.map(path => path.map(value => value * clip.step))
}

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s]
const subtract = (a, b) => add(a, scale(b, -1))
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const size = a => Math.sqrt(dot(a, a))
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
const unit = a => (size(a) > 0 ? scale(a, 1 / size(a)) : a)

/** The position of a point at a time between two frames. */
function pointAt(clip, path, time, point) {
  const frame = Math.min(Math.floor(time), clip.frames - 1)
  const next = Math.min(frame + 1, clip.frames - 1)
  const share = time - frame
  const at = axis => {
    const from = path[3 * (frame * clip.points + point) + axis]
    return from + share * (path[3 * (next * clip.points + point) + axis] - from)
  }
  return [at(0), at(1), at(2)]
}

/** The part of a position along the floor, and the floor point below it. */
const onFloor = (clip, at) => add(at, scale(clip.floor.normal, -heightOf(clip, at)))
const heightOf = (clip, at) => dot(subtract(at, clip.floor.origin), clip.floor.normal)

/** The outline of a foot's sole. */
function soleAt(clip, path, time, leg) {
  const foot = clip.feet[leg]
  const [heel, ball, tip] = [foot.heel, foot.ball, foot.toe].map(point => pointAt(clip, path, time, point))
  const [rear, front] = [size(subtract(ball, heel)), size(subtract(tip, ball))]
  const hasToe = front > 0.05 * rear
  const toe = hasToe ? tip : add(heel, scale(subtract(ball, heel), 1 / 0.72))
  const bend = hasToe ? Math.max(rear / (rear + front), 0.05) : 0.72
  const across = scale(unit(cross(clip.floor.normal, subtract(ball, heel))), foot.outer * size(subtract(toe, heel)))
  return clip.sole.map(([along, aside]) => {
    const axis =
      along < bend
        ? add(heel, scale(subtract(ball, heel), along / bend))
        : add(ball, scale(subtract(toe, ball), (along - bend) / (1 - bend)))
    return add(axis, scale(across, aside))
  })
}

/** The plants of a leg at a time, each with the distance of its point from the start of the plant, in metres. */
function plantsAt(clip, path, time, leg) {
  return clip.plants
    .filter(plant => plant.leg === leg && plant.first <= time && time <= plant.last)
    .map(plant => {
      const point = clip.feet[leg][plant.point]
      const drift = size(subtract(pointAt(clip, path, time, point), pointAt(clip, path, plant.first, point)))
      return { ...plant, drift }
    })
}
