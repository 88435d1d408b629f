"""Rotations as matrices, quaternions w, x, y, z and Euler angles, for many frames at once."""

from __future__ import annotations

import numpy as np

#: Cosine of the middle Euler angle below which the outer two turn about the same axis (gimbal lock).
GIMBAL_COSINE = 1e-6


def orthonormal(linear: np.ndarray) -> np.ndarray:
    """The rotations in linear maps (…, 3, 3), without their scale, shear and mirroring.

    The Y axis keeps its direction, since bones lie along it and the next bone begins at its end.
    """
    y = _unit(linear[..., :, 1])
    x = linear[..., :, 0]
    x = _unit(x - y * np.sum(x * y, axis=-1, keepdims=True))
    return np.stack([x, y, np.cross(x, y)], axis=-1)


def quaternions(matrices: np.ndarray) -> np.ndarray:
    """Rotation matrices (…, 3, 3) as unit quaternions (…, 4)."""
    m = matrices
    outer = np.empty((*m.shape[:-2], 4, 4))
    trace = m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2]
    outer[..., 0, 0] = 1 + trace
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        outer[..., i + 1, i + 1] = 1 + 2 * m[..., i, i] - trace
        outer[..., 0, i + 1] = outer[..., i + 1, 0] = m[..., k, j] - m[..., j, k]
        outer[..., i + 1, j + 1] = outer[..., j + 1, i + 1] = m[..., i, j] + m[..., j, i]
    # 4 q qᵀ: every row is a multiple of q, the row of the largest diagonal element the most accurate one.
    best = np.argmax(np.diagonal(outer, axis1=-2, axis2=-1), axis=-1)
    return _unit(np.take_along_axis(outer, best[..., None, None], axis=-2)[..., 0, :])


def matrices(quaternions: np.ndarray) -> np.ndarray:
    """Unit quaternions (…, 4) as rotation matrices (…, 3, 3)."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def nearest_quaternions(quaternions: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """The quaternions with the sign that is nearer to a reference; q and −q are the same rotation."""
    dot = np.sum(quaternions * reference, axis=-1, keepdims=True)
    return np.where(dot < 0, -quaternions, quaternions)


def nearest_euler(matrices: np.ndarray, order: str, reference: np.ndarray) -> np.ndarray:
    """Rotation matrices (T, 3, 3) as Euler angles (T, 3), each by X, Y, Z, nearest to a reference (T, 3).

    The order is Blender's: "XYZ" turns about X first, so that the matrix is Rz · Ry · Rx.
    """
    i, j, k = ("XYZ".index(axis) for axis in order)
    sign = 1.0 if (i, j, k) in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else -1.0
    m = matrices
    cosine = np.hypot(m[:, i, i], m[:, j, i])
    first = np.arctan2(sign * m[:, k, j], m[:, k, k])
    middle = np.arctan2(-sign * m[:, k, i], cosine)
    last = np.arctan2(sign * m[:, j, i], m[:, i, i])
    # In gimbal lock only the sum of the outer angles is defined: the first one stays as it was.
    locked = cosine < GIMBAL_COSINE
    first = np.where(locked, reference[:, i], first)
    rest = m @ _axis_rotation(i, -first) @ _axis_rotation(j, -middle)
    last = np.where(locked, np.arctan2(sign * rest[:, j, i], rest[:, i, i]), last)
    angles = [
        _by_axis((first, middle, last), (i, j, k)),
        _by_axis((first + np.pi, np.pi - middle, last + np.pi), (i, j, k)),
    ]
    angles = [values + 2 * np.pi * np.round((reference - values) / (2 * np.pi)) for values in angles]
    distance = [np.abs(values - reference).sum(axis=-1, keepdims=True) for values in angles]
    # In gimbal lock the second triple is another rotation unless the outer angles are computed anew.
    return np.where((distance[1] < distance[0]) & ~locked[:, None], angles[1], angles[0])


def nearest_axis_angle(quaternions: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Quaternions (T, 4) as angle and axis (T, 4), on the side of the reference axis."""
    sine = np.linalg.norm(quaternions[:, 1:], axis=-1, keepdims=True)
    axis = np.where(sine > 1e-9, quaternions[:, 1:] / np.maximum(sine, 1e-9), reference[:, 1:])
    angle = 2 * np.arctan2(sine, quaternions[:, :1])
    flip = np.sum(axis * reference[:, 1:], axis=-1, keepdims=True) < 0
    axis, angle = np.where(flip, -axis, axis), np.where(flip, -angle, angle)
    turns = np.round((reference[:, :1] - angle) / (2 * np.pi))
    return np.concatenate([angle + 2 * np.pi * turns, axis], axis=-1)


def _by_axis(angles, axes) -> np.ndarray:
    """Angles in the order they are applied, as columns X, Y, Z."""
    result = np.empty((len(angles[0]), 3))
    for angle, axis in zip(angles, axes):
        result[:, axis] = angle
    return result


def _axis_rotation(axis: int, angles: np.ndarray) -> np.ndarray:
    i, j = (axis + 1) % 3, (axis + 2) % 3
    result = np.zeros((len(angles), 3, 3))
    result[:, axis, axis] = 1.0
    result[:, i, i] = result[:, j, j] = np.cos(angles)
    result[:, j, i] = np.sin(angles)
    result[:, i, j] = -result[:, j, i]
    return result


def _unit(vectors: np.ndarray) -> np.ndarray:
    # A bone that is scaled to nothing has no direction; the guard keeps its numbers finite.
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-30)
