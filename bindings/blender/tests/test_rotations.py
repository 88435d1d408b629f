"""Rotations against Blender's own conversions."""

from __future__ import annotations

import numpy as np
import pytest
from extension import rotations
from mathutils import Euler, Matrix, Quaternion

ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
RANDOM = np.random.default_rng(7)


def euler_matrices(angles, order) -> np.ndarray:
    return np.array([np.array(Euler(row, order).to_matrix()) for row in angles])


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_are_blenders_and_nearest_to_the_reference(order):
    angles = RANDOM.uniform(-9, 9, size=(400, 3))
    reference = angles + RANDOM.normal(size=angles.shape) * 0.05
    found = rotations.nearest_euler(euler_matrices(angles, order), order, reference)
    np.testing.assert_allclose(found, angles, atol=2e-4)


@pytest.mark.parametrize("order", ORDERS)
def test_gimbal_lock_keeps_the_rotation_and_the_first_angle(order):
    axes = ["XYZ".index(axis) for axis in order]
    angles = np.zeros((2, 3))
    angles[:, axes[0]], angles[:, axes[1]], angles[:, axes[2]] = 0.4, (np.pi / 2, -np.pi / 2), 1.1
    matrices = euler_matrices(angles, order)
    found = rotations.nearest_euler(matrices, order, angles + 0.01)
    np.testing.assert_allclose(euler_matrices(found, order), matrices, atol=2e-3)


def test_quaternions_of_every_rotation_are_blenders():
    axes = RANDOM.normal(size=(300, 3))
    angles = np.concatenate([RANDOM.uniform(-np.pi, np.pi, 297), [0.0, np.pi, -np.pi]])
    blender = [Quaternion(axis, angle) for axis, angle in zip(axes, angles)]
    matrices = np.array([np.array(quaternion.to_matrix()) for quaternion in blender])
    found = rotations.quaternions(matrices)
    expected = rotations.nearest_quaternions(np.array([tuple(quaternion) for quaternion in blender]), found)
    np.testing.assert_allclose(found, expected, atol=2e-6)
    np.testing.assert_allclose(rotations.matrices(found), matrices, atol=2e-6)


def test_axis_and_angle_keep_the_side_and_the_turns_of_the_reference():
    quaternion = Quaternion((0, 0.6, 0.8), 1.0)
    reference = np.array([[1.0 + 4 * np.pi, 0, 0.6, 0.8], [-1.0, 0, -0.6, -0.8]])
    found = rotations.nearest_axis_angle(np.array([tuple(quaternion)] * 2), reference)
    np.testing.assert_allclose(found, reference, atol=1e-6)


def test_scale_shear_and_mirroring_are_removed():
    turned = np.array(Euler((0.3, -0.8, 1.2)).to_matrix())
    scaled = turned @ np.diag([2.0, 0.5, -3.0])
    np.testing.assert_allclose(rotations.orthonormal(scaled[None])[0], turned, atol=1e-6)
    sheared = turned @ np.array([[1.0, 0.3, 0.0], [0.0, 1.0, 0.2], [0.0, 0.0, 1.0]])
    found = rotations.orthonormal(sheared[None])[0]
    np.testing.assert_allclose(found @ found.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(found) > 0 and Matrix(found).is_orthogonal
