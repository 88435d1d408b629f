"""Writes clean motions into the curves of an action."""

from __future__ import annotations

import numpy as np
from bpy.utils import escape_identifier
from mathutils import Matrix

from . import curves, rotations
from .capture import UNEVEN, Capture
from .channels import basis_matrices, pose_matrices, rotation_path, rotation_values, scale_values, without_shear
from .motion import changed_joints, clean_matrices

#: Difference of a location or a scale from its rest value that is rounding.
AT_REST = 1e-5


class Poses:
    """The poses of an armature, made bone by bone, parents first, as far as channels can express them.

    A bone below one that is scaled unevenly would need a shear. It keeps its place and direction, and the bones below
    it are computed from where it is. Rigs stretch legs along their bones, by little as long as they reach their
    targets: ``even`` bones get one scale instead, so that the feet below them are not sheared.
    """

    def __init__(self, armature_object, wanted: np.ndarray, even: set[str] = frozenset()):
        self.index = {bone.name: number for number, bone in enumerate(armature_object.data.bones)}
        self.pose, self.even = wanted.copy(), even

    def basis(self, bone) -> np.ndarray:
        """The channels of a bone as matrices, (T, 4, 4)."""
        number = self.index[bone.name]
        above = self.pose[:, self.index[bone.parent.name]] if bone.parent else None
        basis = without_shear(basis_matrices(bone, self.pose[:, number], above), bone.name in self.even)
        self.pose[:, number] = pose_matrices(bone, basis, above)
        return basis


def key_changes(armature_object, fcurves, captured: Capture, clean) -> list[str]:
    """Sets the channels that a clean clip changed, in the frames in which it did. Returns the changed bones."""
    joints, arrays = captured.joints, captured.arrays
    new = clean.rotations, clean.translations
    rotated, moved = changed_joints(arrays, *new, clean.unit)
    if joints.bones[0] < 0:
        # The object stays where it is: the bones below it take its correction.
        below = joints.parents == 0
        rotated[:, below] |= rotated[:, :1]
        moved[:, below] |= moved[:, :1] | rotated[:, :1]
    is_changed = (rotated | moved).any(axis=0) & (joints.bones >= 0)
    poses = Poses(armature_object, clean_matrices(joints, captured.evaluation, arrays, new, is_changed))
    frames = captured.evaluation.frames
    changed = []
    for joint in np.flatnonzero(is_changed):
        bone = armature_object.pose.bones[joints.names[joint]]
        basis = poses.basis(bone)
        if rotated[:, joint].any():
            _set_rotation(fcurves, bone, frames, basis, rotated[:, joint])
        if moved[:, joint].any():
            _set_location(fcurves, bone, frames, basis, moved[:, joint])
        changed.append(bone.name)
    return changed


def _set_rotation(fcurves, bone, frames, basis, changed) -> None:
    name, count = rotation_path(bone)
    current = getattr(bone, name)
    path = f'pose.bones["{escape_identifier(bone.name)}"].{name}'
    old = [curves.values(curves.find(fcurves, path, n), frames, current[n]) for n in range(count)]
    new = rotation_values(basis, bone.rotation_mode, np.stack(old, axis=-1))
    _set(fcurves, path, bone.name, frames, old, new, changed)


def _set_location(fcurves, bone, frames, basis, changed) -> None:
    path = f'pose.bones["{escape_identifier(bone.name)}"].location'
    old = [curves.values(curves.find(fcurves, path, n), frames, bone.location[n]) for n in range(3)]
    _set(fcurves, path, bone.name, frames, old, basis[:, :3, 3], changed)


def _set(fcurves, path, group, frames, old, new, changed) -> None:
    for number, before in enumerate(old):
        curve = curves.find_or_add(fcurves, path, number, group)
        curves.replace(curve, frames, before, new[:, number], changed)


def key_everything(armature_object, fcurves, captured: Capture, clean=None) -> list[str]:
    """Bakes the motion of every joint's bone into its channels, in all frames: for rigs moved by constraints.

    ``clean`` is the clean clip; without one the motion is baked as it was captured. Returns the bones.
    """
    joints, arrays = captured.joints, captured.arrays
    pose = captured.evaluation.pose_matrices
    if clean is not None:
        new = clean.rotations, clean.translations
        pose = clean_matrices(joints, captured.evaluation, arrays, new, joints.bones >= 0)
    poses = Poses(armature_object, pose, _even_bones(captured))
    names = [name for name, number in zip(joints.names, joints.bones) if number >= 0]
    for name in names:
        bone = armature_object.pose.bones[name]
        _bake(fcurves, bone, captured.evaluation.frames, poses.basis(bone))
    return names


def _even_bones(captured: Capture) -> set[str]:
    """The bones of the legs that are scaled about the same along all axes."""
    return {captured.joints.names[joint] for joint in captured.leg_joints() if captured.unevenness(joint) <= UNEVEN}


def _bake(fcurves, bone, frames, basis) -> None:
    base = f'pose.bones["{escape_identifier(bone.name)}"].'
    name, count = rotation_path(bone)
    channels = [(name, count, _continuous_rotation(basis, bone.rotation_mode))]
    if not bone.bone.use_connect:
        channels.append(("location", 3, basis[:, :3, 3]))
    channels.append(("scale", 3, scale_values(basis)))
    for name, count, values in channels:
        rest = {"location": 0.0, "scale": 1.0}.get(name)
        has_curves = any(curves.find(fcurves, base + name, n) for n in range(count))
        if rest is not None and not has_curves and np.abs(values - rest).max() <= AT_REST:
            setattr(bone, name, [rest] * 3)
            continue
        everywhere = np.ones(len(frames), dtype=bool)
        for number in range(count):
            curve = curves.find_or_add(fcurves, base + name, number, bone.name)
            curves.replace(curve, frames, values[:, number], values[:, number], everywhere)


def _continuous_rotation(basis: np.ndarray, mode: str) -> np.ndarray:
    """The values of a rotation channel, each nearest to the one before."""
    turned = rotations.orthonormal(basis[:, :3, :3])
    if mode in ("QUATERNION", "AXIS_ANGLE"):
        quaternions = rotations.quaternions(turned)
        flips = np.sum(quaternions[1:] * quaternions[:-1], axis=-1) < 0
        quaternions[1:] *= np.where(np.cumsum(flips) % 2, -1.0, 1.0)[:, None]
        if mode == "QUATERNION":
            return quaternions
        return rotations.nearest_axis_angle(quaternions, np.tile([0.0, 0.0, 1.0, 0.0], (len(basis), 1)))
    angles = [Matrix(turned[0]).to_euler(mode)]
    for matrix in turned[1:]:
        angles.append(Matrix(matrix).to_euler(mode, angles[-1]))
    return np.array(angles)
