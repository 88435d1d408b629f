"""The floor from an object of the scene: an infinite plane where all its faces lie in one, otherwise a mesh."""

from __future__ import annotations

import bpy
import numpy as np

#: Distance of a vertex from the plane of the others, as a fraction of the object's size, that is rounding.
FLAT = 1e-5


class FloorError(ValueError):
    """The object cannot be a floor."""


def floor_of(floor_object) -> tuple[np.ndarray, np.ndarray]:
    """A plane as (normal, point) or a mesh as (vertices, triangles), in the world."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    evaluated = floor_object.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        mesh.calc_loop_triangles()
        vertices = np.empty(len(mesh.vertices) * 3, dtype=np.float32)
        mesh.vertices.foreach_get("co", vertices)
        triangles = np.empty(len(mesh.loop_triangles) * 3, dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", triangles)
    finally:
        evaluated.to_mesh_clear()
    placed = np.array(evaluated.matrix_world)
    vertices = vertices.reshape(-1, 3).astype(np.float64) @ placed[:3, :3].T + placed[:3, 3]
    triangles = triangles.reshape(-1, 3).astype(np.int64)
    if not len(triangles):
        raise FloorError(f"{floor_object.name}: found no faces, expected a plane or a mesh")
    plane = plane_of(vertices[np.unique(triangles)])
    return plane if plane is not None else (vertices, triangles)


def plane_of(vertices: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The plane in which all vertices lie, with its normal up. None if they lie in none, or in a vertical one."""
    point = vertices.mean(axis=0)
    _, size, axes = np.linalg.svd(vertices - point, full_matrices=False)
    normal = axes[-1] * (1.0 if axes[-1][2] >= 0 else -1.0)
    is_flat = np.abs((vertices - point) @ normal).max() <= FLAT * size[0]
    return (normal, point) if is_flat and normal[2] > 1e-3 else None
