// The inset: the foot of the selected plant, captured and cleaned beside each other, seen from one place.

import { PerspectiveCamera, type Scene, Vector3, type WebGLRenderer } from 'three'
import { byId } from '../dom'
import { state } from '../state/state'
import type { Camera } from './camera'

/** Distance of the camera from the foot, as a multiple of the figure's height. */
const DISTANCE = 0.5
/** Height of the point that is looked at above the spot, as a fraction of the figure's height. */
const ABOVE = 0.04

export class Inset {
  private readonly camera = new PerspectiveCamera(32, 1, 0.02, 50)
  private readonly box = byId('inset')

  constructor(
    private readonly renderer: WebGLRenderer,
    private readonly scene: Scene,
    private readonly main: Camera,
  ) {}

  /** Draws both pictures over the view. `show` makes one of the figures visible; `aside` moves the captured one. */
  render(show: (figure: 'captured' | 'cleaned') => void, size: number, aside: Vector3) {
    const spot = this.spot()
    this.box.hidden = spot === null
    if (!spot) return
    this.renderer.setScissorTest(true)
    for (const [n, figure] of (['captured', 'cleaned'] as const).entries()) {
      const part = this.box.children[n]
      if (!part) continue
      show(figure)
      this.aim(figure === 'captured' ? spot.clone().add(aside) : spot, size)
      this.renderPart(part)
    }
    this.renderer.setScissorTest(false)
    const { clientWidth, clientHeight } = this.renderer.domElement
    this.renderer.setViewport(0, 0, clientWidth, clientHeight)
  }

  hide() {
    this.box.hidden = true
  }

  /** Where the selected plant is held; null without one. */
  private spot() {
    const [plant] = state.selection
    const spot = plant === undefined ? null : state.spots[plant]
    return spot ? new Vector3(...spot) : null
  }

  /** Looks at a spot from the direction of the main camera, so that a foot that slides leaves the middle. */
  private aim(spot: Vector3, size: number) {
    const direction = this.main.camera.position.clone().sub(this.main.controls.target).normalize()
    const target = spot.clone().setY(spot.y + ABOVE * size)
    this.camera.position.copy(target).addScaledVector(direction, DISTANCE * size)
    this.camera.lookAt(target)
  }

  private renderPart(part: Element) {
    const view = this.renderer.domElement.getBoundingClientRect()
    const { left, bottom, width, height } = part.getBoundingClientRect()
    const place = [left - view.left, view.bottom - bottom, width, height] as const
    this.camera.aspect = width / Math.max(1, height)
    this.camera.updateProjectionMatrix()
    this.renderer.setViewport(...place)
    this.renderer.setScissor(...place)
    this.renderer.render(this.scene, this.camera)
  }
}
