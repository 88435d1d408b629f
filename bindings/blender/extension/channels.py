"""The channels of a bone, location and rotation, from its matrix in the armature."""

from __future__ import annotations

import numpy as np
from mathutils import Matrix

from . import rotations

#: The data path and the number of curves of a rotation, by mode; Euler orders are "rotation_euler".
ROTATION_PATHS = {"QUATERNION": ("rotation_quaternion", 4), "AXIS_ANGLE": ("rotation_axis_angle", 4)}


def basis_matrices(pose_bone, index: dict[str, int], pose: np.ndarray) -> np.ndarray:
    """What the channels of a bone have to be, as matrices (T, 4, 4), for the poses (T, B, 4, 4) of an armature."""
    bone = pose_bone.bone
    own = pose[:, index[bone.name]]
    above = pose[:, index[bone.parent.name]] if bone.parent else None
    if bone.use_inherit_rotation and bone.inherit_scale == "FULL" and bone.use_local_location:
        rest = np.array(bone.matrix_local)
        if above is not None:
            rest = np.linalg.inv(np.array(bone.parent.matrix_local)) @ rest
        return np.linalg.inv(rest if above is None else above @ rest) @ own
    return np.array([_unusual_basis(bone, own[frame], above[frame] if above is not None else None) for frame in range(len(own))])


def _unusual_basis(bone, own: np.ndarray, above: np.ndarray | None) -> np.ndarray:
    """The channels of a bone that does not inherit everything from its parent, in one frame."""
    parents = {}
    if above is not None:
        parents = {"parent_matrix": Matrix(above), "parent_matrix_local": bone.parent.matrix_local}
    return np.array(bone.convert_local_to_pose(Matrix(own), bone.matrix_local, invert=True, **parents))


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
