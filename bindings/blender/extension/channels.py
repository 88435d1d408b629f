"""The channels of a bone, location and rotation, from its matrix in the armature."""

from __future__ import annotations

import numpy as np
from mathutils import Matrix

from . import rotations

#: The data path and the number of curves of a rotation, by mode; Euler orders are "rotation_euler".
ROTATION_PATHS = {"QUATERNION": ("rotation_quaternion", 4), "AXIS_ANGLE": ("rotation_axis_angle", 4)}


def basis_matrices(pose_bone, own: np.ndarray, above: np.ndarray | None) -> np.ndarray:
    """What the channels of a bone have to be, as matrices (T, 4, 4), to put it at its matrices in the armature.

    ``above`` are the matrices of its parent, or None.
    """
    bone = pose_bone.bone
    if _inherits_everything(bone):
        return np.linalg.inv(_base(bone, above)) @ own
    return _converted(bone, own, above, invert=True)


def pose_matrices(pose_bone, basis: np.ndarray, above: np.ndarray | None) -> np.ndarray:
    """The matrices of a bone in the armature for these channels: the inverse of ``basis_matrices``."""
    bone = pose_bone.bone
    if _inherits_everything(bone):
        return _base(bone, above) @ basis
    return _converted(bone, basis, above, invert=False)


def _inherits_everything(bone) -> bool:
    return bone.use_inherit_rotation and bone.inherit_scale == "FULL" and bone.use_local_location


def _base(bone, above: np.ndarray | None) -> np.ndarray:
    """Where the bone is with channels at rest."""
    rest = np.array(bone.matrix_local)
    return rest if above is None else above @ (np.linalg.inv(np.array(bone.parent.matrix_local)) @ rest)


def _converted(bone, matrices: np.ndarray, above: np.ndarray | None, invert: bool) -> np.ndarray:
    """The conversion for a bone that does not inherit everything from its parent, frame by frame in Blender."""
    found = np.empty_like(matrices)
    for frame, matrix in enumerate(matrices):
        parents = {}
        if above is not None:
            parents = {"parent_matrix": Matrix(above[frame]), "parent_matrix_local": bone.parent.matrix_local}
        found[frame] = bone.convert_local_to_pose(Matrix(matrix), bone.matrix_local, invert=invert, **parents)
    return found


def without_shear(basis: np.ndarray, is_even: bool) -> np.ndarray:
    """Matrices as channels can express them: a rotation and a scale along each axis of the bone.

    With ``is_even`` the scale along the bone is used for all axes, so that bones below are not sheared.
    """
    scale = scale_values(basis)
    if is_even:
        scale = np.repeat(scale[:, 1:2], 3, axis=1)
    possible = basis.copy()
    possible[:, :3, :3] = rotations.orthonormal(basis[:, :3, :3]) * scale[:, None, :]
    return possible


def rotation_path(pose_bone) -> tuple[str, int]:
    """The name of a bone's rotation channel and its number of curves."""
    return ROTATION_PATHS.get(pose_bone.rotation_mode, ("rotation_euler", 3))


def rotation_values(basis: np.ndarray, mode: str, reference: np.ndarray) -> np.ndarray:
    """The values of a rotation channel, nearest to those that it had."""
    turned = rotations.orthonormal(basis[:, :3, :3])
    if mode == "QUATERNION":
        return rotations.nearest_quaternions(rotations.quaternions(turned), reference)
    if mode == "AXIS_ANGLE":
        return rotations.nearest_axis_angle(rotations.quaternions(turned), reference)
    return rotations.nearest_euler(turned, mode, reference)


def scale_values(basis: np.ndarray) -> np.ndarray:
    """The scale along each axis of a bone."""
    scale = np.linalg.norm(basis[:, :3, :3], axis=1)
    # A mirrored bone has one negative scale; which axis it is makes no difference to the mesh.
    scale[np.linalg.det(basis[:, :3, :3]) < 0, 0] *= -1
    return scale
