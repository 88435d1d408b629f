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

    #: The matrix of every joint's bone in the world, (T, J, 4, 4).
    matrices: np.ndarray
    #: Rotation of every joint in the world, (T, J, 3, 3).
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
    return MotionArrays(matrices, world, rotations.quaternions(local), offsets, translations, has_translations)


def joint_matrices(joints: Joints, evaluation: Evaluation) -> np.ndarray:
    """The world matrix of every joint, (T, J, 4, 4)."""
    pose = evaluation.pose_matrices[:, np.maximum(joints.bones, 0)]
    # One matrix product transforms all joints of a frame: their matrices stand side by side.
    columns = np.ascontiguousarray(pose.swapaxes(-1, -2)).reshape(len(pose), -1, 4)
    world = columns @ evaluation.object_matrices.swapaxes(-1, -2)
    world = np.ascontiguousarray(world.reshape(pose.shape).swapaxes(-1, -2))
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
    joints: Joints, evaluation: Evaluation, before: MotionArrays, clean, needed: np.ndarray
) -> np.ndarray:
    """The matrix of every bone in the armature after cleaning, (T, B, 4, 4), for the joints that are needed.

    ``clean`` are local rotations and offsets; ``needed`` states for each joint whether its matrix is needed. Joints
    keep their scale and shear. Other bones are where they were.
    """
    clean_rotations, offsets = clean
    world, positions, pose = {}, {}, evaluation.pose_matrices.copy()
    back = np.linalg.inv(evaluation.object_matrices)
    for joint in np.flatnonzero(_with_parents(needed, joints.parents)):
        parent, bone = int(joints.parents[joint]), int(joints.bones[joint])
        world[joint], positions[joint] = rotations.matrices(clean_rotations[:, joint]), offsets[:, joint]
        if parent >= 0:
            world[joint] = world[parent] @ world[joint]
            positions[joint] = positions[parent] + (world[parent] @ positions[joint][..., None])[..., 0]
        if bone >= 0:
            matrices = before.matrices[:, joint].copy()
            turned = world[joint] @ before.world[:, joint].swapaxes(-1, -2)
            matrices[:, :3, :3] = turned @ matrices[:, :3, :3]
            matrices[:, :3, 3] = positions[joint]
            pose[:, bone] = back @ matrices
    return pose


def _with_parents(needed: np.ndarray, parents: np.ndarray) -> np.ndarray:
    """The needed joints and all joints above them."""
    needed = needed.copy()
    for joint in reversed(range(len(parents))):
        if needed[joint] and parents[joint] >= 0:
            needed[parents[joint]] = True
    return needed


def point_positions(joints: Joints, evaluation: Evaluation, point: tuple[int, list[float]]) -> np.ndarray:
    """The world positions (T, 3) of a point that is fixed to a joint, from evaluated matrices."""
    joint, offset = point
    matrices = joint_matrices(joints, evaluation)
    world = joints.world_rotations(matrices[..., :3, :3])
    return matrices[:, joint, :3, 3] + world[:, joint] @ np.asarray(offset)
