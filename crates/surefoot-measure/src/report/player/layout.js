// Where each motion is drawn: side by side, one over the other, or divided by a line; and the lens on the worst foot.

/** Width below which both motions are drawn one above the other, in pixels. */
const NARROW = 560

/** The colours of the page's theme. */
function readLook(clip) {
  const style = getComputedStyle(document.documentElement)
  const colour = name => style.getPropertyValue(name).trim()
  const channels = name => {
    const hex = colour(name).slice(1)
    return [0, 2, 4].map(at => parseInt(hex.slice(at, at + 2), 16))
  }
  const shared = {
    grid: colour('--grid'),
    shadow: colour('--ghost'),
    free: colour('--axis'),
    held: colour('--plant'),
    slides: colour('--event'),
    ink: colour('--ink'),
    paper: colour('--paper'),
    background: channels('--stage'),
    stage: colour('--stage'),
    line: colour('--axis'),
  }
  const of = name => ({
    ...shared,
    colour: colour(`--${name}`),
    light: channels(`--${name}-light`),
    dark: channels(`--${name}-dark`),
    edge: channels(`--${name}-edge`),
  })
  return clip.labels.length > 1 ? [of('before'), of('after')] : [of('after')]
}

function drawPlayer(canvas, clip, paths, state) {
  const { clientWidth: width, clientHeight: height } = canvas
  const dots = window.devicePixelRatio || 1
  canvas.width = Math.round(width * dots)
  canvas.height = Math.round(height * dots)
  const context = canvas.getContext('2d')
  context.setTransform(dots, 0, 0, dots, 0, 0)
  context.fillStyle = state.look[0].stage
  context.fillRect(0, 0, width, height)
  const panels = layOut(state, paths.length, width, height)
  panels.forEach(panel => drawPanel(context, clip, paths, state, panel))
  if (state.layout === 'side' && paths.length > 1) drawDivider(context, panels[1].box, state.look[0].line)
  if (state.layout === 'wipe') drawWipe(context, state, width, height)
}

/** The rectangle of each motion, and the part of it that is visible. */
function layOut(state, count, width, height) {
  const whole = { x: 0, y: 0, width, height }
  const left = state.wipe * width
  if (count === 1) return [{ motion: 0, box: whole, clip: whole }]
  if (state.layout === 'wipe') {
    return [
      { motion: 0, box: whole, clip: { ...whole, width: left }, label: 'left' },
      { motion: 1, box: whole, clip: { ...whole, x: left, width: width - left }, label: 'right' },
    ]
  }
  if (state.layout === 'overlay') {
    return [
      { motion: 0, box: whole, clip: whole, label: 'left', isGhost: true },
      { motion: 1, box: whole, clip: whole, label: 'right' },
    ]
  }
  const boxes =
    width < NARROW
      ? [0, 1].map(index => ({ x: 0, y: (index * height) / 2, width, height: height / 2 }))
      : [0, 1].map(index => ({ x: (index * width) / 2, y: 0, width: width / 2, height }))
  return boxes.map((box, motion) => ({ motion, box, clip: box, label: 'left' }))
}

function drawPanel(context, clip, paths, state, panel) {
  const look = state.look[panel.motion]
  context.save()
  clipTo(context, panel.clip)
  // Both motions share the camera of the last one, so that their difference is visible.
  const path = paths[paths.length - 1]
  const camera = makeCamera(clip, framing(clip, state), cameraTarget(clip, path, state), bodyBox(state, panel.box))
  if (panel.isGhost) drawGhost(context, layer => drawScene(layer, clip, paths[panel.motion], state.time, camera, look))
  else drawScene(context, clip, paths[panel.motion], state.time, camera, look)
  const foot = lensFoot(clip, paths[0], state.time)
  if (foot && state.layout !== 'overlay') drawLens(context, clip, paths, state, panel, foot)
  drawLabel(context, clip, panel, look)
  context.restore()
}

/** Beside the lens the body is drawn a little to the left. */
function bodyBox(state, box) {
  return state.layout === 'wipe' || state.layout === 'overlay' ? box : { ...box, width: 0.88 * box.width }
}

/** Draws on a layer of its own, which is then laid over the canvas half transparent. */
function drawGhost(context, draw) {
  const layer = document.createElement('canvas')
  layer.width = context.canvas.width
  layer.height = context.canvas.height
  const ghost = layer.getContext('2d')
  ghost.setTransform(context.getTransform())
  draw(ghost)
  context.globalAlpha = 0.45
  context.drawImage(layer, 0, 0, context.canvas.clientWidth, context.canvas.clientHeight)
  context.globalAlpha = 1
}

function clipTo(context, { x, y, width, height }) {
  context.beginPath()
  context.rect(x, y, width, height)
  context.clip()
}

function framing(clip, state) {
  const body = { width: Math.max(1.25 * clip.tall, 1.1 * clip.wide), height: 1.16 * clip.tall }
  const feet = { width: 1.3 * clip.leg, height: 0.75 * clip.leg }
  return { ...state.view, ...(state.framing === 'feet' ? feet : body) }
}

/** The camera follows the pelvis along the floor, at half the height of the body; or the feet. */
function cameraTarget(clip, path, state) {
  const up = clip.floor.normal
  if (state.framing !== 'feet') {
    const lowest = Math.min(...clip.feet.map(foot => heightOf(clip, pointAt(clip, path, state.time, foot.ball))))
    // A body that is high above the floor, as on stairs, is followed upwards; a jump is not.
    const base = Math.max(lowest - 0.6 * clip.leg, 0) + Math.min(lowest, 0)
    const below = onFloor(clip, pointAt(clip, path, state.time, clip.pelvis))
    return add(below, scale(up, base + 0.48 * clip.tall))
  }
  const ankles = clip.feet.map(foot => onFloor(clip, pointAt(clip, path, state.time, foot.ball)))
  const middle = scale(ankles.reduce(add), 1 / ankles.length)
  return add(middle, scale(up, 0.14 * clip.leg))
}

/** The planted foot that has slid furthest in the motion before; it stays the same in both panels. */
function lensFoot(clip, path, time) {
  const all = clip.feet.flatMap((_, leg) => plantsAt(clip, path, time, leg))
  return all.reduce((worst, plant) => (!worst || plant.drift > worst.drift ? plant : worst), undefined)
}

function drawLens(context, clip, paths, state, { box, motion }, foot) {
  const radius = Math.min(0.19 * box.height, 0.21 * box.width, 110)
  // On both sides of a wipe the lens is at the outer edge.
  const x = state.layout === 'wipe' && motion === 0 ? box.x + radius + 12 : box.x + box.width - radius - 12
  const y = box.y + radius + 12
  const { ball, heel } = clip.feet[foot.leg]
  const path = paths[motion]
  // The lens stays where the foot was planted, so that a sliding foot moves through it.
  const at = point => onFloor(clip, pointAt(clip, paths[paths.length - 1], foot.first, point))
  const target = add(scale(add(at(ball), at(heel)), 0.5), scale(clip.floor.normal, 0.03 * clip.leg))
  const lens = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }
  const view = { ...state.view, zoom: 1, width: 0.5 * clip.leg, height: 0.5 * clip.leg, lift: Math.max(state.view.lift, 0.5) }
  const look = state.look[motion]
  context.save()
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fillStyle = look.paper
  context.fill()
  context.clip()
  drawScene(context, clip, path, state.time, makeCamera(clip, view, target, lens), look)
  context.restore()
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.lineWidth = 2
  context.strokeStyle = look.line
  context.stroke()
  drawLensText(context, clip, path, state, foot, look, x, y + radius + 18)
}

function drawLensText(context, clip, path, state, foot, look, x, y) {
  const own = plantsAt(clip, path, state.time, foot.leg).find(plant => plant.point === foot.point)
  const millimetres = Math.round(1000 * (own?.drift ?? 0))
  const text = `${clip.names[foot.leg]} ${foot.point} ${millimetres ? `slid ${millimetres} mm` : 'stands'}`
  context.font = '600 12px system-ui, sans-serif'
  context.textAlign = 'center'
  context.lineWidth = 4
  context.lineJoin = 'round'
  context.strokeStyle = look.stage
  const left = Math.min(x, context.canvas.clientWidth - context.measureText(text).width / 2 - 6)
  context.strokeText(text, left, y)
  context.fillStyle = millimetres ? look.slides : look.held
  context.fillText(text, left, y)
}

function drawLabel(context, clip, { motion, box, label }, look) {
  if (!label) return
  context.font = '600 14px system-ui, sans-serif'
  context.fillStyle = look.colour
  context.textAlign = label
  context.fillText(clip.labels[motion], label === 'left' ? box.x + 12 : box.x + box.width - 12, box.y + box.height - 12)
}

function drawDivider(context, { x, y, width, height }, colour) {
  context.strokeStyle = colour
  context.lineWidth = 1
  drawLine(context, x > 0 ? [{ x, y }, { x, y: y + height }] : [{ x, y }, { x: x + width, y }])
}

function drawWipe(context, state, width, height) {
  const x = state.wipe * width
  context.strokeStyle = state.look[0].ink
  context.lineWidth = 2
  drawLine(context, [{ x, y: 0 }, { x, y: height }])
  context.beginPath()
  context.arc(x, height / 2, 9, 0, 2 * Math.PI)
  context.fillStyle = state.look[0].ink
  context.fill()
}
