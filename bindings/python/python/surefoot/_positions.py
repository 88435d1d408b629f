"""Rotations that reproduce joint positions."""

from __future__ import annotations

import numpy as np


def rotations_from_positions(positions: np.ndarray, parents: np.ndarray):
    """Local rotations (T, J, 4), local translations (T, J, 3) and rest offsets (J, 3) of world positions (T, J, 3).

    The rest pose is the first frame with every bone at its mean length. Each joint gets the rotation that best turns
    its rest bones into those of the frame: exact for one bone, least squares for several. Whatever rotation cannot
    reproduce is in the translations, so that forward kinematics gives back the positions.
    """
    frames, joints, _ = positions.shape
    bones = positions - positions[:, np.maximum(parents, 0)]
    bones[:, parents < 0] = positions[:, parents < 0]
    lengths = np.linalg.norm(bones, axis=-1)
    mean, first = lengths.mean(axis=0), np.maximum(lengths[0], 1e-12)
    offsets = bones[0] * (mean / first)[:, None]
    offsets[parents < 0] = 0.0
    world = np.empty((frames, joints, 3, 3))
    for joint in range(joints):
        children = np.flatnonzero(parents == joint)
        if len(children) == 0:
            parent = parents[joint]
            world[:, joint] = world[:, parent] if parent >= 0 else np.eye(3)
        else:
            world[:, joint] = _best_rotations(offsets[children], bones[:, children])
    parent_world = np.where((parents >= 0)[None, :, None, None], world[:, np.maximum(parents, 0)], np.eye(3))
    local = np.einsum("tjba,tjbc->tjac", parent_world, world)
    translations = np.einsum("tjba,tjb->tja", parent_world, bones)
    return _quaternions(local), translations, offsets


def _best_rotations(rest: np.ndarray, bones: np.ndarray) -> np.ndarray:
    """The rotations (T, 3, 3) that best turn the rest bones (C, 3) into those of each frame (T, C, 3)."""
    if len(rest) == 1:
        return _smallest_rotations(rest[0], bones[:, 0])
    # Kabsch: the covariance of the bones, its singular vectors, without a reflection.
    u, _, vt = np.linalg.svd(np.einsum("tci,cj->tij", bones, rest))
    sign = np.ones((len(bones), 3))
    sign[:, 2] = np.sign(np.linalg.det(u @ vt))
    return (u * sign[:, None]) @ vt


def _smallest_rotations(rest: np.ndarray, bones: np.ndarray) -> np.ndarray:
    """The rotations without twist from one direction to those of each frame. Bones of no length do not turn."""
    tiny = 1e-12
    start = rest / max(np.linalg.norm(rest), tiny)
    end = bones / np.maximum(np.linalg.norm(bones, axis=-1, keepdims=True), tiny)
    axis, cosine = np.cross(start, end), end @ start
    skew = np.zeros((len(end), 3, 3))
    skew[:, [2, 0, 1], [1, 2, 0]] = axis
    skew[:, [1, 2, 0], [2, 0, 1]] = -axis
    # Half a turn has no single axis, so the cosine is kept away from −1.
    scale = 1.0 / np.maximum(1.0 + cosine, 1e-9)
    turned = np.eye(3) + skew + skew @ skew * scale[:, None, None]
    is_still = (np.linalg.norm(bones, axis=-1) < tiny) | (np.linalg.norm(rest) < tiny) | (cosine < -1 + 1e-9)
    turned[is_still] = np.eye(3)
    return turned


def _quaternions(matrices: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) as quaternions w, x, y, z, from the largest of their four components."""
    m = matrices
    trace = np.trace(m, axis1=-2, axis2=-1)
    squares = np.stack([1 + trace] + [1 + 2 * m[..., i, i] - trace for i in range(3)], axis=-1)
    products = np.empty(m.shape[:-2] + (4, 4))
    for i in range(4):
        products[..., i, i] = squares[..., i]
    for i, (a, b) in enumerate([(2, 1), (0, 2), (1, 0)], start=1):
        products[..., 0, i] = products[..., i, 0] = m[..., a, b] - m[..., b, a]
    for i in range(3):
        for j in range(i):
            products[..., i + 1, j + 1] = products[..., j + 1, i + 1] = m[..., i, j] + m[..., j, i]
    largest = squares.argmax(axis=-1)
    rows = np.take_along_axis(products, largest[..., None, None], axis=-2)[..., 0, :]
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)
