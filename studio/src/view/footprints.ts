// Footprints: a disc on the floor at the spot of every plant, all drawn as one mesh.

import {
  CircleGeometry,
  Color,
  DoubleSide,
  type Group,
  InstancedMesh,
  MeshBasicMaterial,
  Quaternion,
  type Raycaster,
  Vector3,
} from 'three'
import { state } from '../state/state'
import { floorPlane } from './floor'
import { addInstances, scratchMatrix } from './instances'
import type { Palette } from './palette'

/** Radius of a disc as a fraction of the figure's height. */
const RADIUS = 0.03
const HEEL_SCALE = 0.85
const BALL_SCALE = 1.1
/** Distance above the floor in metres, so that grid lines do not show through. */
const ABOVE_FLOOR = 0.003
/** How strongly a disc stands out from the background: selected, at the current frame, and otherwise. */
const STRENGTH = { selected: 1, current: 0.75, other: 0.38 }

export class Footprints {
  private mesh: InstancedMesh | null = null

  constructor(
    private readonly world: Group,
    private readonly palette: Palette,
  ) {}

  /** Forgets the mesh, after the world has been cleared. */
  clear() {
    this.mesh = null
  }

  /** Moves the discs to the spots of the plants. `size` is the height of the figure in metres. */
  update(size: number) {
    const mesh = this.meshFor(state.plants.length, size)
    const position = new Vector3()
    const scale = new Vector3()
    // The disc is modelled in the XY plane.
    const rotation = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), floorPlane.normal)
    state.plants.forEach(({ point }, n) => {
      const spot = state.spots[n]
      position.set(...(spot ?? [0, 0, 0])).addScaledVector(floorPlane.normal, ABOVE_FLOOR)
      scale.setScalar(!spot ? 0 : point === 'heel' ? HEEL_SCALE : BALL_SCALE)
      mesh.setMatrixAt(n, scratchMatrix.compose(position, rotation, scale))
    })
    mesh.count = state.plants.length
    mesh.instanceMatrix.needsUpdate = true
    // Ray casts use the bounding sphere, which three.js only computes if there is none.
    mesh.boundingSphere = null
  }

  /** A mesh with room for some discs; a larger one replaces it when plants are added. */
  private meshFor(count: number, size: number) {
    if (!this.mesh || this.mesh.instanceMatrix.count < count) {
      this.mesh?.removeFromParent()
      const material = new MeshBasicMaterial({
        side: DoubleSide,
        transparent: true,
        opacity: 0.92,
        depthWrite: false,
      })
      const disc = new CircleGeometry(RADIUS * size, 24)
      this.mesh = addInstances(this.world, new InstancedMesh(disc, material, 2 * count + 16), 1)
    }
    return this.mesh
  }

  /** Colours the discs for a frame. */
  show(frame: number, isVisible: boolean) {
    const { mesh, palette } = this
    if (!mesh) return
    const colour = new Color()
    mesh.visible = isVisible
    state.plants.forEach(({ leg, first, last }, n) => {
      const own = palette.get(!state.isHeld(n) ? 'bad' : leg % 2 ? 'right' : 'left')
      const isCurrent = first <= frame && frame <= last
      const strength = state.selection.has(n) ? 'selected' : isCurrent ? 'current' : 'other'
      mesh.setColorAt(n, colour.copy(palette.get('sky')).lerp(own, STRENGTH[strength]))
    })
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true
  }

  /** The plant whose disc a ray hits; of several the one nearest in time. */
  hit(ray: Raycaster): number | undefined {
    if (!this.mesh) return undefined
    const { frame } = state
    const framesAway = (n: number) => {
      const plant = state.plants[n]
      return plant ? Math.max(plant.first - frame, frame - plant.last, 0) : Infinity
    }
    const hits = ray.intersectObject(this.mesh).flatMap(({ instanceId }) => instanceId ?? [])
    const plants = hits.filter(n => n < state.plants.length)
    return plants.sort((a, b) => framesAway(a) - framesAway(b))[0]
  }
}
