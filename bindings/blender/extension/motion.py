"""An evaluated armature as the arrays that surefoot takes, and clean arrays as matrices of bones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import rotations
from .evaluation import Evaluation
from .skeleton import Joints

#: Change of an offset that is rounding of single precision: as a fraction of the largest coordinate, and of the longest
#: offset. Larger changes are translations of joints.
POSITION_ROUNDING = 1e-6
LENGTH_ROUNDING = 1e-5
#: Change of a rotation's quaternion, or of an offset in metres, below which the cleaner has not changed a joint.
UNCHANGED = 1e-9


@dataclass
class MotionArrays:
    """The motion of an armature, in Blender's unit and axes."""

    #: Rotation of every joint in the world, relative to rest, (T, J, 3, 3).
    world: np.ndarray
    #: Local rotations as quaternions, (T, J, 4).
    rotations: np.ndarray
    #: Rest offset of every joint from its parent, (J, 3).
    offsets: np.ndarray
    #: Offset of every joint from its parent in every frame, (T, J, 3); the root's is its position.
    translations: np.ndarray
    #: Whether joints below the root have other offsets in other frames.
    has_translations: bool


def arrays_of(joints: Joints, evaluation: Evaluation) -> MotionArrays:
    """The arrays of an evaluated motion."""
    matrices = joint_matrices(joints, evaluation)
    world = joints.world_rotations(matrices[..., :3, :3])
    parent = joints.parents
    local = world.copy()
    below = parent >= 0
    local[:, below] = np.swapaxes(world[:, parent[below]], -1, -2) @ world[:, below]
    positions = matrices[..., :3, 3]
    translations = positions.copy()
    difference = positions[:, below] - positions[:, parent[below]]
    translations[:, below] = np.einsum("tjba,tjb->tja", world[:, parent[below]], difference)
    largest = np.abs(positions).max(initial=0.0)
    offsets, has_translations = _still_offsets(translations, joints.offsets, below, largest)
    return MotionArrays(world, rotations.quaternions(local), offsets, translations, has_translations)


def joint_matrices(joints: Joints, evaluation: Evaluation) -> np.ndarray:
    """The world matrix of every joint, (T, J, 4, 4)."""
    world = evaluation.object_matrices[:, None] @ evaluation.pose_matrices[:, np.maximum(joints.bones, 0)]
    world[:, joints.bones < 0] = evaluation.object_matrices[:, None]
    return world


def _still_offsets(translations, rest, below, largest) -> tuple[np.ndarray, bool]:
    """The rest offsets, where joints that do not move against their parents have the offset they are evaluated at.

    Sets the translations of such joints to exactly that offset, so that rounding does not count as a translation.
    """
    offsets = rest.copy()
    if not below.any():
        return offsets, False
    longest = np.linalg.norm(rest[below], axis=-1).max()
    limit = POSITION_ROUNDING * largest + LENGTH_ROUNDING * longest
    middle = (translations.max(axis=0) + translations.min(axis=0)) / 2
    is_still = below & (np.abs(translations - middle).max(axis=(0, 2)) <= limit)
    is_at_rest = np.abs(middle - rest).max(axis=-1) <= limit
    offsets[is_still] = np.where(is_at_rest[is_still, None], rest[is_still], middle[is_still])
    translations[:, is_still] = offsets[is_still]
    return offsets, bool((below & ~is_still).any())


def changed_joints(before: MotionArrays, clean_rotations: np.ndarray, clean_translations: np.ndarray, unit: float):
    """In which frames each joint's local rotation and offset were changed: two arrays (T, J)."""
    rotated = np.abs(clean_rotations - before.rotations).max(axis=-1) > UNCHANGED
    moved = np.abs(clean_translations - before.translations).max(axis=-1) * unit > UNCHANGED
    return rotated, moved


def clean_matrices(
    joints: Joints,
    evaluation: Evaluation,
    before: MotionArrays,
    clean_rotations: np.ndarray,
    clean_translations: np.ndarray,
) -> np.ndarray:
    """The matrix of every bone in the armature after cleaning, (T, B, 4, 4).

    Joints keep their scale and shear. Bones that are no joints stay where they are.
    """
    local = rotations.matrices(clean_rotations)
    world, positions = np.empty_like(local), np.empty_like(clean_translations)
    for joint, parent in enumerate(joints.parents):
        if parent < 0:
            world[:, joint], positions[:, joint] = local[:, joint], clean_translations[:, joint]
            continue
        world[:, joint] = world[:, parent] @ local[:, joint]
        offset = np.einsum("tab,tb->ta", world[:, parent], clean_translations[:, joint])
        positions[:, joint] = positions[:, parent] + offset
    matrices = joint_matrices(joints, evaluation)
    turned = world @ np.swapaxes(before.world, -1, -2)
    matrices[..., :3, :3] = turned @ matrices[..., :3, :3]
    matrices[..., :3, 3] = positions
    is_bone = joints.bones >= 0
    pose = evaluation.pose_matrices.copy()
    pose[:, joints.bones[is_bone]] = np.linalg.inv(evaluation.object_matrices)[:, None] @ matrices[:, is_bone]
    return pose


def point_positions(joints: Joints, evaluation: Evaluation, point: tuple[int, list[float]]) -> np.ndarray:
    """The world positions (T, 3) of a point that is fixed to a joint, from evaluated matrices."""
    joint, offset = point
    matrices = joint_matrices(joints, evaluation)
    world = joints.world_rotations(matrices[..., :3, :3])
    return matrices[:, joint, :3, 3] + world[:, joint] @ np.asarray(offset)
