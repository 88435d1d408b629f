// Playback, stepping and jumping.

import { byId } from '../dom'
import { state } from '../state/state'
import { showFrame, timeline } from './editor'

let isPlaying = false
/** Time of the last tick, in milliseconds. */
let lastTick = 0

export function togglePlayback() {
  if (isPlaying) pause()
  else play()
}

function play() {
  isPlaying = true
  lastTick = performance.now()
  showButton('❚❚', 'Pause')
  requestAnimationFrame(tick)
}

export function pause() {
  isPlaying = false
  showButton('▶', 'Play')
}

function showButton(symbol: string, label: string) {
  const button = byId('play')
  button.textContent = symbol
  button.setAttribute('aria-label', label)
}

function tick(now: number) {
  if (!isPlaying || !state.isOpen) return
  const { fps, frames } = state.clip
  const [first, last] = state.range ?? [0, frames - 1]
  const speed = Number(byId<HTMLSelectElement>('speed').value)
  let frame = state.frame + ((now - lastTick) / 1000) * fps * speed
  lastTick = now
  if (frame < first) frame = first
  if (frame > last) {
    const loops = byId<HTMLInputElement>('loop').checked
    frame = loops ? first : last
    if (!loops) pause()
  }
  showFrame(frame)
  timeline.reveal(frame)
  requestAnimationFrame(tick)
}

/** Pauses at a frame. */
export function pauseAt(frame: number) {
  pause()
  showFrame(frame)
}

/** Pauses at a frame and brings it into the visible range of the timeline. */
export function jumpTo(frame: number) {
  pauseAt(frame)
  timeline.reveal(state.frame)
  timeline.draw()
}

export function stepBy(frames: number) {
  jumpTo(Math.round(state.frame) + frames)
}

timeline.onFrame = pauseAt
