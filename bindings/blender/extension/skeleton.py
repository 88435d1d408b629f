"""The joints of an armature as surefoot takes them: names, parents, rest positions, and which bones are left out.

Joints are the deform bones and the bones above them. A root that does not move and has one child is the base of the
body and no joint, so that the body is moved by its hips. The armature object is the first joint where it moves, or
where several bones have no parent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import rotations
from .evaluation import Evaluation

#: Movement that is rounding of single precision, as a fraction of the largest coordinate.
ROUNDING = 2e-6
#: Distance of a bone's tail from the head of its child, as a fraction of the bone, at which the two are joined.
JOINED = 0.01
#: Relative difference in length from its parent at which a last bone has the length of its parent.
SAME_LENGTH = 1e-3
#: Length of a last bone, as a fraction of the longest bone, below which it is the least that Blender allows.
TINY = 0.02
#: Distance of a decimal logarithm from a whole number that is rounding of single precision: 0.002 % of a length.
POWER_OF_TEN = 1e-5
#: Share of bones whose tails lie at the heads of their children, from which the tails of last bones count as ends.
MEANT_TAILS = 0.6


@dataclass
class Joints:
    """The joints of an armature, parents first."""

    #: The index of each joint's bone in the armature; −1 for the object.
    bones: np.ndarray
    names: list[str]
    parents: np.ndarray
    #: The axes of each joint relative to its bone: rotation of a joint = rotation of its bone · axesᵀ. (J, 3, 3)
    axes: np.ndarray
    #: The rest offset of each joint from its parent, in the axes of the parent and the unit of the scene, (J, 3).
    offsets: np.ndarray
    #: The end of each last bone as an offset from its joint, in the joint's axes, (J, 3); NaN elsewhere.
    ends: np.ndarray

    def world_rotations(self, linear: np.ndarray) -> np.ndarray:
        """The rotation of every joint, (T, J, 3, 3), from the linear parts of the world matrices."""
        return rotations.orthonormal(linear) @ np.swapaxes(self.axes, -1, -2)


def joints_of(armature_object, evaluation: Evaluation) -> Joints:
    """The joints of an armature during an evaluated motion."""
    bones = armature_object.data.bones
    index = {bone.name: number for number, bone in enumerate(bones)}
    used = deform_bones(bones, index)
    parents = np.array([index[bone.parent.name] if bone.parent else -1 for bone in bones])
    _drop_still_roots(used, parents, evaluation)
    chosen = [number for number in range(len(bones)) if used[number]]
    has_several_roots = sum(not any(used[above] for above in _above(number, parents)) for number in chosen) > 1
    with_object = has_several_roots or _moves(evaluation.object_matrices)
    chosen = [-1] * with_object + chosen
    joint_of_bone = np.full(len(bones), -1)
    for joint, number in enumerate(chosen):
        if number >= 0:
            joint_of_bone[number] = joint
    top = 0 if with_object else -1
    above = [[joint_of_bone[other] for other in _above(number, parents) if used[other]] for number in chosen]
    joint_parents = np.array([(own or [top])[0] if number >= 0 else -1 for number, own in zip(chosen, above)])
    names = [bones[number].name if number >= 0 else armature_object.name for number in chosen]
    shape = _rest_shape(armature_object, chosen, joint_parents, evaluation.object_matrices[0, :3, :3])
    return Joints(np.array(chosen), names, joint_parents, *shape)


def _rest_shape(armature_object, chosen, parents, placed) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Axes, offsets and ends of the joints, for the linear map of the object.

    Where the bones of an armature end at their children, its rest pose is a pose, and joints are not rotated in it.
    Armatures from files of nodes, such as glTF and FBX, keep the axes of their bones, which are those of the nodes.
    """
    bones = armature_object.data.bones
    rest = np.array([np.array(bones[number].matrix_local) if number >= 0 else np.eye(4) for number in chosen])
    own = rotations.orthonormal(placed) @ rest[:, :3, :3]
    axes = own if has_meant_tails(bones) else np.broadcast_to(np.eye(3), own.shape)
    # The rotation of every joint at rest.
    turned = own @ np.swapaxes(axes, -1, -2)
    heads = rest[:, :3, 3] @ placed.T
    below = parents >= 0
    offsets = heads.copy()
    offsets[below] = np.einsum("jba,jb->ja", turned[parents[below]], heads[below] - heads[parents[below]])
    ends = end_positions(armature_object)
    ends = np.array([ends[number] if number >= 0 else np.full(3, np.nan) for number in chosen]) @ placed.T
    return axes, offsets, np.einsum("jba,jb->ja", turned, ends)


def has_meant_tails(bones) -> bool:
    """Whether most bones with one child end at its head. Files of nodes have no tails, and importers make them up."""
    single = [bone for bone in bones if len(bone.children) == 1]
    joined = [bone for bone in single if (bone.tail_local - bone.children[0].head_local).length <= JOINED * bone.length]
    return bool(single) and len(joined) >= MEANT_TAILS * len(single)


def deform_bones(bones, index) -> list[bool]:
    """Which bones deform a mesh or are above one that does; all where none does."""
    used = [bone.use_deform for bone in bones]
    if not any(used):
        return [True] * len(bones)
    for bone in reversed(bones):
        if bone.parent and used[index[bone.name]]:
            used[index[bone.parent.name]] = True
    return used


def end_positions(armature_object) -> np.ndarray:
    """The end of each last bone relative to its head, in the armature at rest; NaN for other bones.

    Tails count where they are meant, except those that importers make for lack of a length. An empty named …_end on a
    last bone is its end too.
    """
    bones = armature_object.data.bones
    ends = np.full((len(bones), 3), np.nan)
    if has_meant_tails(bones):
        longest = max(bone.length for bone in bones)
        for number, bone in enumerate(bones):
            if not bone.children and not _is_made_up(bone, longest):
                ends[number] = bone.tail_local - bone.head_local
    for child in armature_object.children:
        if child.type == "EMPTY" and child.parent_type == "BONE" and child.name.lower().split(".")[0].endswith("_end"):
            number = bones.find(child.parent_bone)
            if number >= 0 and not bones[number].children:
                # Children of a bone are placed relative to its tail.
                bone = bones[number]
                local = child.matrix_parent_inverse @ child.matrix_basis
                ends[number] = bone.tail_local + bone.matrix_local.to_3x3() @ local.translation - bone.head_local
    return ends


def _is_made_up(bone, longest: float) -> bool:
    """Whether an importer made the tail of a last bone: exactly as long as the bone's parent, tiny, or a BVH stub."""
    has_length_of_parent = bone.parent and abs(bone.length - bone.parent.length) <= SAME_LENGTH * bone.length
    return bool(has_length_of_parent) or bone.length < TINY * longest or _is_bvh_stub(bone.tail_local - bone.head_local)


def _is_bvh_stub(tail) -> bool:
    """Whether a tail is the one that Blender's BVH importer adds to a joint without an end site.

    The importer adds 0.1 units times its scale along the Y axis of the file, which becomes Y or Z of the armature.
    Scales are powers of ten, so that this length is one as well. An end site along the same axis has another length:
    feet that point along Z in the rest pose of a file with Z up are no stubs.
    """
    _, y, z = tail
    length = tail.length
    is_along_axis = length - max(y, z) <= ROUNDING * length
    exponent = np.log10(length)
    return bool(is_along_axis and abs(exponent - round(exponent)) <= POWER_OF_TEN)


def _drop_still_roots(used: list[bool], parents: np.ndarray, evaluation: Evaluation) -> None:
    """Removes roots that do not move and have one joint below them, which has joints below itself."""
    children: list[list[int]] = [[] for _ in used]
    for number, parent in enumerate(parents):
        if parent >= 0 and used[number]:
            children[parent].append(number)
    for number, parent in enumerate(parents):
        is_root = used[number] and not any(used[above] for above in _above(number, parents))
        if is_root and len(children[number]) == 1 and children[children[number][0]]:
            used[number] = _moves(evaluation.pose_matrices[:, number])


def _moves(matrices: np.ndarray) -> bool:
    change = np.abs(matrices - matrices[:1]).max(axis=0)
    limit = ROUNDING * max(1.0, np.abs(matrices[:, :3, 3]).max())
    return bool((change > limit).any())


def _above(number: int, parents: np.ndarray):
    """The bones above a bone, the nearest first."""
    while number >= 0 and parents[number] >= 0:
        number = parents[number]
        yield number
