// The label beside a footprint that cannot be reached: why the plant is not held.

import { Vector3 } from 'three'
import { byId } from '../dom'
import { state } from '../state/state'
import type { Camera } from './camera'

export class FootprintLabel {
  private readonly box = byId('why')

  /** Shows the label beside the footprint of the selected plant, or else of one at the current frame. */
  show(camera: Camera, isVisible: boolean) {
    const plant = isVisible ? this.plant() : undefined
    const spot = plant === undefined ? null : state.spots[plant]
    this.box.hidden = !spot
    if (plant === undefined || !spot) return
    const [x, y, depth] = camera.project(new Vector3(...spot))
    const view = byId('view').getBoundingClientRect()
    const isOutside = depth > 1 || x < view.left || x > view.right || y < view.top || y > view.bottom
    this.box.hidden = isOutside
    this.box.style.left = `${x - view.left}px`
    this.box.style.top = `${y - view.top}px`
    this.box.classList.toggle('leftwards', x > (view.left + view.right) / 2)
    this.box.textContent = this.text(plant)
  }

  private plant() {
    const loose = [...state.plants.keys()].filter(n => !state.isHeld(n))
    const selected = loose.find(n => state.selection.has(n))
    if (selected !== undefined) return selected
    const frame = Math.round(state.frame)
    return loose.find(n => {
      const { first = 0, last = -1 } = state.plants[n] ?? {}
      return first <= frame && frame <= last
    })
  }

  private text(n: number) {
    const plant = state.plants[n]
    const name = plant ? `${state.clip.legs[plant.leg]?.side} ${plant.point}` : ''
    const distance = `${(1000 * (state.drifts[n] ?? 0)).toFixed(1)} mm from its spot`
    return `${name}: ${state.reasons[n] ?? distance}`
  }
}
