// Footprints: a disc on the floor for every plant, all of them one mesh.

import { CircleGeometry, Color, DoubleSide, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Raycaster, Vector3 } from 'three'
import { state } from './state'
import type { View } from './view'

export class Footprints {
  private mesh: InstancedMesh | null = null
  constructor(private view: View) {}

  build() { this.mesh = null }

  /** The plants are others. */
  place() {
    const { view } = this, count = state.plants.length
    if (!this.mesh || this.mesh.instanceMatrix.count < count) {
      this.mesh?.removeFromParent()
      const material = new MeshBasicMaterial({ side: DoubleSide, transparent: true, opacity: 0.92, depthWrite: false })
      this.mesh = view.add(new InstancedMesh(new CircleGeometry(0.03 * view.size, 24), material, 2 * count + 16), 1)
    }
    const mesh = this.mesh, at = new Vector3(), turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), view.up), size = new Vector3(), matrix = new Matrix4()
    state.plants.forEach((plant, n) => {
      const spot = state.spots[n]
      at.set(...(spot ?? [0, 0, 0])).addScaledVector(view.up, 0.003)
      mesh.setMatrixAt(n, matrix.compose(at, turn, size.setScalar(!spot ? 0 : plant.point === 'heel' ? 0.85 : 1.1)))
    })
    mesh.count = count; mesh.instanceMatrix.needsUpdate = true
    // Rays ask for it before they look closer.
    mesh.boundingSphere = null
  }

  /** Those of the frame are strong, the chosen ones stronger, all others faint. */
  show(frame: number) {
    const { view, mesh } = this
    if (!mesh) return
    const colour = new Color(), sky = view.colour('sky')
    mesh.visible = !view.handles.on
    state.plants.forEach((plant, n) => {
      const own = view.colour(state.slides[n] > 1e-6 ? 'bad' : plant.leg % 2 ? 'right' : 'left'), now = plant.first <= frame && frame <= plant.last
      mesh.setColorAt(n, colour.copy(sky).lerp(own, state.chosen.has(n) ? 1 : now ? 0.75 : 0.38))
    })
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true
  }

  /** The plant whose footprint a ray meets; of several the one nearest in time. */
  under(ray: Raycaster): number | undefined {
    if (!this.mesh) return undefined
    const frame = state.frame, close = (n: number) => Math.max(state.plants[n].first - frame, frame - state.plants[n].last, 0)
    const hits = ray.intersectObject(this.mesh).map(hit => hit.instanceId!).filter(n => n < state.plants.length)
    return hits.sort((a, b) => close(a) - close(b))[0]
  }
}
