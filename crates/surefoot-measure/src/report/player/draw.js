// Draws one motion at one time into a rectangle of the canvas.

/** Distance of a planted point from its spot from which a foot is drawn as sliding, in metres. */
const SLIDES_FROM = 0.004
/** Time after which a footprint disappears, in seconds: a dance in one place would cover its own prints. */
const PRINTS_STAY = 4
/** Distance of the camera from its target, in widths of the picture. A larger number flattens the perspective. */
const CAMERA_DISTANCE = 3.2
/** Spacing of the lines on the floor, in metres, and their number to each side. */
const GRID = { spacing: 0.5, count: 8 }

/** A camera that looks at a target: turns positions into pixels, with the depth and the pixels per metre there. */
function makeCamera(clip, view, target, box) {
  const up = clip.floor.normal
  const [sin, cos] = [Math.sin(view.turn), Math.cos(view.turn)]
  const right = add(scale(clip.floor.right, cos), scale(clip.floor.ahead, sin))
  const away = unit(cross(up, right))
  const [low, high] = [Math.sin(view.lift), Math.cos(view.lift)]
  const forward = add(scale(away, high), scale(up, -low))
  const upright = add(scale(up, high), scale(away, low))
  const pixels = Math.min(box.width / view.width, box.height / view.height) * view.zoom
  const distance = CAMERA_DISTANCE * Math.max(view.width, view.height)
  const place = at => {
    const offset = subtract(at, target)
    const depth = dot(offset, forward)
    const near = (pixels * distance) / Math.max(distance + depth, 0.05 * distance)
    return {
      x: box.x + box.width / 2 + dot(offset, right) * near,
      y: box.y + box.height / 2 - dot(offset, upright) * near,
      depth,
      near,
    }
  }
  return { place, pixels }
}

function drawScene(context, clip, path, time, camera, look) {
  drawFloor(context, clip, path, time, camera, look)
  drawFootprints(context, clip, path, time, camera, look)
  drawShadow(context, clip, path, time, camera, look)
  drawBody(context, clip, path, time, camera, look)
  drawTrails(context, clip, path, time, camera, look)
}

function drawFloor(context, clip, path, time, camera, look) {
  const { origin, right, ahead } = clip.floor
  const below = subtract(onFloor(clip, pointAt(clip, path, time, clip.pelvis)), origin)
  const middle = axis => Math.round(dot(below, axis) / GRID.spacing)
  const [column, row] = [middle(right), middle(ahead)]
  const at = (x, z) => camera.place(add(origin, add(scale(right, x * GRID.spacing), scale(ahead, z * GRID.spacing))))
  context.lineWidth = 1
  context.strokeStyle = look.grid
  for (let line = -GRID.count; line <= GRID.count; line++) {
    // Lines far from the body fade, so that the floor has no edge.
    context.globalAlpha = 1 - Math.abs(line) / (GRID.count + 1)
    drawLine(context, [at(column - GRID.count, row + line), at(column + GRID.count, row + line)])
    drawLine(context, [at(column + line, row - GRID.count), at(column + line, row + GRID.count)])
  }
  context.globalAlpha = 1
}

function drawLine(context, points) {
  context.beginPath()
  points.forEach(({ x, y }, index) => (index ? context.lineTo(x, y) : context.moveTo(x, y)))
  context.stroke()
}

/** Adds a closed smooth curve around the points. */
function addOutline(context, points) {
  const middle = (a, b) => [(a.x + b.x) / 2, (a.y + b.y) / 2]
  const last = points[points.length - 1]
  context.moveTo(...middle(last, points[0]))
  points.forEach((point, index) => {
    context.quadraticCurveTo(point.x, point.y, ...middle(point, points[(index + 1) % points.length]))
  })
  context.closePath()
}

/** The footprints up to a time: a foot that slides smears its print, one that stands leaves a sharp one. */
function drawFootprints(context, clip, path, time, camera, look) {
  for (const stance of clip.stances) {
    if (stance.first > time || stance.end < time - PRINTS_STAY * clip.fps) continue
    const end = Math.min(stance.end - 1, time)
    const prints = samples(stance.first, end).map(frame =>
      soleAt(clip, path, frame, stance.leg).map(at => camera.place(onFloor(clip, at))),
    )
    context.beginPath()
    prints.forEach(print => addOutline(context, print))
    context.globalAlpha = 0.28
    context.fillStyle = look.colour
    context.fill()
    context.globalAlpha = 0.85
    context.lineWidth = Math.max(1, 0.006 * camera.pixels)
    context.strokeStyle = look.colour
    for (const print of [prints[0], prints[prints.length - 1]]) {
      context.beginPath()
      addOutline(context, print)
      context.stroke()
    }
    context.globalAlpha = 1
  }
}

/** Times from the first to the last, close enough for a smear without gaps. */
function samples(first, last) {
  const count = Math.min(Math.max(Math.ceil(last - first), 1), 24)
  return Array.from({ length: count + 1 }, (_, index) => first + ((last - first) * index) / count)
}

function drawShadow(context, clip, path, time, camera, look) {
  context.strokeStyle = look.shadow
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.beginPath()
  for (const limb of clip.limbs) {
    const [from, to] = limb.ends.map(point => camera.place(onFloor(clip, pointAt(clip, path, time, point))))
    context.moveTo(from.x, from.y)
    context.lineTo(to.x + 0.01, to.y)
  }
  context.lineWidth = 0.11 * clip.leg * camera.pixels
  context.stroke()
}

function drawBody(context, clip, path, time, camera, look) {
  const solids = clip.limbs.map(limb => {
    const ends = limb.ends.map(point => camera.place(pointAt(clip, path, time, point)))
    // The front of a solid decides what hides it, so that a head hides the neck inside it.
    return { ends, radii: limb.radii, depth: (ends[0].depth + ends[1].depth) / 2 - Math.max(...limb.radii) }
  })
  const soles = clip.feet.map((_, leg) => {
    const outline = soleAt(clip, path, time, leg).map(camera.place)
    const depth = outline.reduce((sum, at) => sum + at.depth, 0) / outline.length
    // Soles are drawn just before the rest of their foot, which stands on them.
    return { outline, depth: depth + 0.05 * clip.leg, colour: footColour(clip, path, time, leg, look) }
  })
  const all = [...solids, ...soles].sort((a, b) => b.depth - a.depth)
  const nearest = all[all.length - 1].depth
  const span = Math.max(all[0].depth - nearest, 1e-6)
  for (const part of all) {
    if (part.outline) drawSole(context, part, camera)
    else drawLimb(context, part, look, (part.depth - nearest) / span)
  }
}

function footColour(clip, path, time, leg, look) {
  const plants = plantsAt(clip, path, time, leg)
  if (!plants.length) return look.free
  return plants.some(plant => plant.drift > SLIDES_FROM) ? look.slides : look.held
}

function drawSole(context, { outline, colour }, camera) {
  context.beginPath()
  addOutline(context, outline)
  context.fillStyle = colour
  context.fill()
  // A sole seen from the side is a line; its thickness is that of a shoe's.
  context.lineWidth = 0.022 * camera.pixels
  context.lineJoin = 'round'
  context.strokeStyle = colour
  context.stroke()
}

/** A tapered limb with a light and a dark side. */
function drawLimb(context, { ends: [a, b], radii }, look, far) {
  const [ra, rb] = [radii[0] * a.near, radii[1] * b.near]
  const length = Math.hypot(b.x - a.x, b.y - a.y)
  context.beginPath()
  if (length <= Math.abs(ra - rb)) {
    const [at, radius] = ra > rb ? [a, ra] : [b, rb]
    context.arc(at.x, at.y, radius, 0, 2 * Math.PI)
  } else {
    // The angle between the axis and the radius at which the outline touches both ends.
    const axis = Math.atan2(b.y - a.y, b.x - a.x)
    const touch = Math.acos((ra - rb) / length)
    context.arc(a.x, a.y, ra, axis + touch, axis - touch + 2 * Math.PI)
    context.arc(b.x, b.y, rb, axis - touch, axis + touch)
    context.closePath()
  }
  const radius = Math.max(ra, rb)
  const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2]
  // Light falls from the upper left.
  const shade = context.createLinearGradient(x - 0.6 * radius, y - 0.9 * radius, x + 0.8 * radius, y + 1.2 * radius)
  shade.addColorStop(0, mix(look.light, look.background, 0.3 * far))
  shade.addColorStop(1, mix(look.dark, look.background, 0.35 * far))
  context.fillStyle = shade
  context.fill()
  context.lineWidth = 1
  context.strokeStyle = mix(look.edge, look.background, 0.4 * far)
  context.stroke()
}

/** A colour between two colours given as [red, green, blue]. */
function mix(from, to, share) {
  return `rgb(${from.map((value, index) => Math.round(value + share * (to[index] - value))).join(' ')})`
}

/** The paths of planted points from the start of their plants to a time. */
function drawTrails(context, clip, path, time, camera, look) {
  context.strokeStyle = look.slides
  context.lineCap = 'round'
  context.lineWidth = Math.max(2, 0.014 * camera.pixels)
  for (let leg = 0; leg < clip.feet.length; leg++) {
    for (const plant of plantsAt(clip, path, time, leg).filter(plant => plant.drift > SLIDES_FROM)) {
      const point = clip.feet[leg][plant.point]
      drawLine(
        context,
        samples(plant.first, time).map(frame => camera.place(pointAt(clip, path, frame, point))),
      )
    }
  }
}
