// The player: canvas, buttons and keys.

function startPlayer(root, clip) {
  const paths = decodeMotions(clip)
  const canvas = root.querySelector('canvas')
  const control = name => root.querySelector(`[data-control="${name}"]`)
  const track = document.querySelector('.contacts')
  const state = {
    time: clip.start,
    speed: 0.5,
    layout: paths.length > 1 ? 'side' : 'single',
    framing: 'body',
    wipe: 0.5,
    isPlaying: false,
    view: { turn: clip.turn, lift: 0.22, zoom: 1 },
    look: readLook(clip),
  }
  let queued = false
  const refresh = () => {
    if (queued) return
    queued = true
    requestAnimationFrame(now => {
      queued = false
      advance(now)
      drawPlayer(canvas, clip, paths, state)
      describe()
      if (state.isPlaying) refresh()
    })
  }

  let last = 0
  const advance = now => {
    if (state.isPlaying && last) {
      state.time += ((now - last) / 1000) * clip.fps * state.speed
      if (state.time >= clip.frames - 1) state.time = 0
    }
    last = state.isPlaying ? now : 0
  }
  const seek = time => {
    state.time = Math.min(Math.max(time, 0), clip.frames - 1)
    refresh()
  }
  const play = isPlaying => {
    state.isPlaying = isPlaying && clip.frames > 1
    refresh()
  }
  const fileFrame = () => clip.first + Math.round(state.time) * clip.every

  const describe = () => {
    const frame = fileFrame()
    control('frame').textContent = `frame ${frame} · ${(frame / clip.rate).toFixed(2)} s`
    control('scrub').value = String(Math.round(state.time))
    control('scrub').setAttribute('aria-valuetext', `frame ${frame}`)
    control('play').textContent = state.isPlaying ? 'Pause' : 'Play'
    track?.style.setProperty('--at', String(state.time / Math.max(clip.frames - 1, 1)))
    for (const button of root.querySelectorAll('[data-layout], [data-framing]')) {
      const { layout, framing } = button.dataset
      button.setAttribute('aria-pressed', String(layout ? layout === state.layout : framing === state.framing))
    }
  }

  control('scrub').max = String(clip.frames - 1)
  control('scrub').addEventListener('input', event => seek(Number(event.target.value)))
  control('play').addEventListener('click', () => play(!state.isPlaying))
  control('worst').addEventListener('click', () => (play(false), seek(clip.start)))
  control('speed').addEventListener('change', event => (state.speed = Number(event.target.value)))
  for (const button of root.querySelectorAll('[data-layout]')) {
    button.addEventListener('click', () => ((state.layout = button.dataset.layout), refresh()))
  }
  for (const button of root.querySelectorAll('[data-framing]')) {
    button.addEventListener('click', () => ((state.framing = button.dataset.framing), refresh()))
  }
  // Events in the tables below are links to their frames.
  document.addEventListener('click', event => {
    const link = event.target.closest('[data-frame]')
    if (!link) return
    play(false)
    seek((Number(link.dataset.frame) - clip.first) / clip.every)
    root.scrollIntoView({ block: 'nearest' })
  })
  track?.addEventListener('pointerdown', event => {
    const bars = event.target.closest('.track')
    if (!bars) return
    const { left, width } = bars.getBoundingClientRect()
    play(false)
    seek(((event.clientX - left) / width) * (clip.frames - 1))
  })
  root.addEventListener('keydown', event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.target.matches('select, input') || event.ctrlKey || event.metaKey || event.altKey) return
    if (step) seek(Math.round(state.time) + step * (event.shiftKey ? 10 : 1))
    else if (event.key === ' ' && event.target === canvas) play(!state.isPlaying)
    else return
    event.preventDefault()
  })
  addPointer(canvas, state, refresh)
  const restyle = () => ((state.look = readLook(clip)), refresh())
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', restyle)
  new ResizeObserver(refresh).observe(canvas)
  // For tests and for people who look at the page's state.
  window.surefootPlayer = { clip, paths, state, seek, play }
  refresh()
}

/** Dragging turns the camera or moves the wipe; the wheel with Ctrl and two fingers zoom. */
function addPointer(canvas, state, refresh) {
  const fingers = new Map()
  let dragsWipe = false
  const spread = () => {
    const [a, b] = [...fingers.values()]
    return Math.hypot(a.x - b.x, a.y - b.y)
  }
  canvas.addEventListener('pointerdown', event => {
    canvas.setPointerCapture(event.pointerId)
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY })
    const { left, width } = canvas.getBoundingClientRect()
    const fromWipe = Math.abs(event.clientX - left - state.wipe * width)
    dragsWipe = state.layout === 'wipe' && fromWipe < 20
  })
  canvas.addEventListener('pointermove', event => {
    const from = fingers.get(event.pointerId)
    if (!from) return
    const [width, apart] = [canvas.getBoundingClientRect().width, fingers.size === 2 ? spread() : 0]
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY })
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y]
    if (apart) {
      zoom(state, spread() / apart)
    } else if (dragsWipe) {
      state.wipe = Math.min(Math.max(state.wipe + dx / width, 0.02), 0.98)
    } else {
      state.view.turn -= (dx / width) * 2 * Math.PI
      state.view.lift = Math.min(Math.max(state.view.lift + dy / 150, -0.1), 1.5)
    }
    refresh()
  })
  const end = event => fingers.delete(event.pointerId)
  canvas.addEventListener('pointerup', end)
  canvas.addEventListener('pointercancel', end)
  canvas.addEventListener(
    'wheel',
    event => {
      // Without Ctrl the wheel scrolls the page.
      if (!event.ctrlKey) return
      event.preventDefault()
      zoom(state, Math.exp(-event.deltaY / 300))
      refresh()
    },
    { passive: false },
  )
}

function zoom(state, factor) {
  state.view.zoom = Math.min(Math.max(state.view.zoom * factor, 0.4), 8)
}
