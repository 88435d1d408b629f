// Meshes that draw many copies of one shape in a single call.

import { DynamicDrawUsage, type Group, type InstancedMesh, Matrix4 } from 'three'

/** A matrix for intermediate results: valid until the next use. */
export const scratchMatrix = new Matrix4()

/** Adds a mesh of many instances to the world. Later render orders are drawn on top. */
export function addInstances(world: Group, mesh: InstancedMesh, renderOrder = 0) {
  // The instances move every frame, so a bounding volume of the whole mesh would be wrong.
  mesh.frustumCulled = false
  mesh.renderOrder = renderOrder
  mesh.instanceMatrix.setUsage(DynamicDrawUsage)
  world.add(mesh)
  return mesh
}
