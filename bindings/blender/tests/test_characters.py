"""Every captured character: imported, cleaned by the operator, and measured as Blender evaluates it.

Each test adds a row of figures, which the run prints at its end.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass

import bpy
import numpy as np
import pytest
import surefoot
from extension.capture import action_frames, capture
from extension.curves import _read as keys_of
from extension.operators import _stretch
from scenes import curves_of, drift, evaluated, import_motion, without_matrix_attributes, y_up
from shared_fixtures import skip_without_data

#: Largest drift of a planted point, and largest distance from the motion that the command writes, in metres.
LIMIT = 5e-5
#: Distance of a bone from where the file has it, before cleaning, above which Blender's importer and not rounding of
#: single precision is the reason, in metres. Rounding reaches 0.005 mm.
READ_LIMIT = 1e-5
#: Noise of single precision in a rotation.
SINGLE = 3e-8
#: Characters in which surefoot finds no legs.
WITHOUT_LEGS = {"RobotExpressive.glb", "test_24fps.glb"}
#: Characters of less than three frames.
TOO_SHORT = {"standard_skeleton.bvh"}
#: Least share of characters whose clean motion is that of the command.
LIKE_COMMAND = 0.93

#: Names of the columns of the printed table, and the rows.
COLUMNS = ("character", "drift mm", "from the command mm", "as read mm", "reason")
figures: list[tuple[str, float, float, float, str]] = []
#: Number of curves of bones that did not move, by character.
untouched: list[int] = []


@dataclass
class Cleaned:
    """A character before and after the operator."""

    armature: bpy.types.Object
    captured: object
    action: bpy.types.Action
    #: World matrices of all bones, (T, B, 4, 4).
    before: np.ndarray
    after: np.ndarray
    #: The same motion, read from the file and cleaned by the library, which writes the bytes of the command.
    source: surefoot.Clip
    clean: surefoot.Clip

    @property
    def names(self) -> list[str]:
        return [bone.name for bone in self.armature.pose.bones]

    @property
    def stretch(self) -> float:
        return _stretch(self.armature, self.captured, self.action, bpy.context.scene)

    def distance(self, clip: surefoot.Clip, matrices: np.ndarray) -> float:
        """The largest distance in metres of a bone's head from the joint of the same name."""
        names, positions = self.names, y_up(matrices[..., :3, 3], self.captured.clip.unit)
        shared = [(joint, names.index(name)) for joint, name in enumerate(clip.names) if name in names]
        assert len(shared) >= len(clip.names) - 2 and len(positions) == clip.frames
        joints, bones = np.array(shared).T
        return float(np.linalg.norm(positions[:, bones] - clip.positions[:, joints], axis=-1).max())


def test_planted_feet_stay_and_the_motion_is_that_of_the_command(character, command, tmp_path):
    facts = json.loads(subprocess.run([command, "inspect", "--json", character], capture_output=True).stdout)
    source = character
    if character.suffix == ".glb" and "momentum" in character.parts:
        source = without_matrix_attributes(character, tmp_path)
    armature = import_motion(source, facts["fps"], facts["up"])
    if character.name in WITHOUT_LEGS | TOO_SHORT:
        expected = "no legs were found" if character.name in WITHOUT_LEGS else "expected at least 3"
        with pytest.raises(RuntimeError, match=expected):
            bpy.ops.surefoot.clean()
        return
    cleaned = _clean(armature, character)
    result = armature.animation_data.action
    moved = drift(cleaned.after, cleaned.before, cleaned.names, cleaned.captured, result.surefoot.plants)
    read = cleaned.distance(cleaned.source, cleaned.before)
    distance = cleaned.distance(cleaned.clean, cleaned.after)
    _check_result(cleaned)
    untouched.append(_check_untouched(cleaned, result))
    reason = _reason(cleaned, read) if distance > LIMIT else ""
    figures.append((character.name, 1e3 * moved, 1e3 * distance, 1e3 * read, reason))
    assert moved <= LIMIT
    assert distance <= LIMIT or reason, f"{1e3 * distance} mm from the command without a reason"
    if not reason:
        again = capture(armature, result, bpy.context.scene)
        assert _events(again.clip.measure(before=cleaned.captured.clip)) == _events(cleaned.clean.figures)


def test_nearly_every_motion_is_that_of_the_command():
    if not figures:
        skip_without_data()
    like = sum(distance <= 1e3 * LIMIT for _, _, distance, _, _ in figures)
    assert like >= LIKE_COMMAND * len(figures), f"{like} of {len(figures)}"


def _clean(armature, character) -> Cleaned:
    """Cleans the active armature with the operator, and its file with the library."""
    action = armature.animation_data.action
    first, last = action_frames(action)
    before = evaluated(armature, first, last)
    captured = capture(armature, action, bpy.context.scene)
    captured.clip.detect()
    assert bpy.ops.surefoot.clean() == {"FINISHED"}
    result = armature.animation_data.action
    assert result != action and result.surefoot.source == action
    after = evaluated(armature, first, last)
    # The extension knows the bones alone.
    source = surefoot.load(character, foot_points="joints")
    return Cleaned(armature, captured, action, before, after, source, source.clean())


def _check_result(cleaned: Cleaned) -> None:
    """Blender's evaluated bones are where the library has put them."""
    captured, names = cleaned.captured, cleaned.names
    clip = captured.clip
    clean = clip.clean(stretch=cleaned.stretch)
    for joint, name in enumerate(clip.names):
        if captured.joints.bones[joint] >= 0:
            positions = cleaned.after[:, names.index(name), :3, 3]
            assert np.abs(positions - clean.positions[:, joint]).max() * clip.unit <= LIMIT, name


def _check_untouched(cleaned: Cleaned, result) -> int:
    """Curves of bones that the library left alone have the same keys, handles and modifiers. Returns their number."""
    captured, clip = cleaned.captured, cleaned.captured.clip
    clean = clip.clean(stretch=cleaned.stretch)
    turned = np.abs(clean.rotations - clip.rotations).max(axis=(0, 2)) > 1e-9
    moved = np.abs(clean.translations - clip.translations).max(axis=(0, 2)) * clip.unit > 1e-9
    changed = turned | moved
    if captured.joints.bones[0] < 0:
        # The bones below the object take its correction.
        changed |= changed[0] & (captured.joints.parents == 0)
    names = {name for name, is_changed in zip(captured.joints.names, changed) if is_changed}
    after = {(curve.data_path, curve.array_index): curve for curve in curves_of(cleaned.armature, result)}
    count = 0
    for curve in curves_of(cleaned.armature, cleaned.action):
        if '"' in curve.data_path and curve.data_path.split('"')[1] in names:
            continue
        other = after[curve.data_path, curve.array_index]
        keys, others = keys_of(curve), keys_of(other)
        assert all(np.array_equal(keys[name], others[name]) for name in keys), curve.data_path
        assert len(curve.modifiers) == len(other.modifiers) and curve.extrapolation == other.extrapolation
        count += 1
    return count


def _events(figures: dict) -> dict[str, list]:
    """What a viewer would object to, by kind: foot, point, first and last frame."""
    kinds = ("new_slides", "teleports", "knee_pops", "scrapes", "below_floor", "deeper_than_captured")
    parts = ("foot", "point", "first", "last")
    return {kind: [[event.get(part) for part in parts] for event in figures[kind]] for kind in kinds}


def _reason(cleaned: Cleaned, read: float) -> str:
    """Why a motion is not that of the command, as far as it can be shown; empty if it cannot.

    The extension gives the library what Blender evaluates, and Blender shows what the library returns: the rest of the
    test checks both. What is left is that Blender evaluates another motion than the file has.
    """
    if read > READ_LIMIT:
        return _importer(cleaned)
    # With the plants that the command found.
    clip = cleaned.captured.clip
    own = json.loads(clip.dumps_plants())["plants"]
    cleaned.source.detect()
    clip.loads_plants(cleaned.source.dumps_plants())
    positions = y_up(clip.clean(stretch=cleaned.stretch).positions, clip.unit)
    shared = [(clip.names.index(name), joint) for joint, name in enumerate(cleaned.clean.names) if name in clip.names]
    joints, others = np.array(shared).T
    same_plants = np.linalg.norm(positions[:, joints] - cleaned.clean.positions[:, others], axis=-1).max()
    if same_plants <= LIMIT and own != json.loads(clip.dumps_plants())["plants"]:
        return f"rounding moves an end of a plant; with the same plants {1e3 * same_plants:.3f} mm"
    sensitivity = _sensitivity(cleaned, max(SINGLE, read))
    return f"rounding alone gives {1e3 * sensitivity:.2f} mm" if sensitivity > LIMIT else ""


def _importer(cleaned: Cleaned) -> str:
    """What Blender's importer changed; empty if it is not known."""
    names, bones = cleaned.names, cleaned.armature.data.bones
    paths = [curve.data_path for curve in curves_of(cleaned.armature, cleaned.action)]
    keyed = {path.split('"')[1] for path in paths if '"' in path}
    turns = np.abs(cleaned.source.rotations - cleaned.source.rotations[:1]).max(axis=(0, 2)) > 1e-3
    dropped = [name for name, turn in zip(cleaned.source.names, turns) if turn and name in names and name not in keyed]
    if dropped:
        return f"the importer makes no curve for {dropped[0]}, which turns in the file"
    # Blender takes a bone that points almost straight down for one that does, and places the bones below at its end.
    for bone in bones:
        direction = (bone.tail_local - bone.head_local).normalized()
        turned = (bone.matrix_local.to_3x3().col[1] - direction).length
        if turned > READ_LIMIT and bone.children:
            return f"Blender turns {bone.name} by {turned:.1e} rad at rest"
    # Between keys of a rotation Blender interpolates the four numbers, while glTF prescribes slerp.
    correction = cleaned.after[..., :3, 3] - cleaned.before[..., :3, 3]
    correction = y_up(correction, cleaned.captured.clip.unit)
    shared = [(names.index(name), joint) for joint, name in enumerate(cleaned.clean.names) if name in names]
    own, others = np.array(shared).T
    of_command = (cleaned.clean.positions - cleaned.source.positions)[:, others]
    difference = np.linalg.norm(correction[:, own] - of_command, axis=-1).max()
    if difference <= LIMIT:
        return f"Blender interpolates otherwise; the correction is the same to {1e3 * difference:.4f} mm"
    return ""


def _sensitivity(cleaned: Cleaned, size: float) -> float:
    """How far the library moves a joint further when its input has noise of this size, in metres or radians."""
    captured, clip = cleaned.captured, cleaned.captured.clip
    reference, worst = clip.clean(stretch=cleaned.stretch).positions, 0.0
    for seed in range(4):
        random = np.random.default_rng(seed)
        other = surefoot.from_arrays(
            clip.rotations + random.normal(size=clip.rotations.shape) * size,
            clip.root + random.normal(size=clip.root.shape) * size / clip.unit,
            clip.offsets,
            clip.parents,
            fps=clip.fps,
            up="z",
            unit=clip.unit,
            names=clip.names,
            ends=captured.joints.ends,
            translations=clip.translations if captured.arrays.has_translations else None,
            skip_t_pose=True,
        )
        other.loads_plants(clip.dumps_plants())
        moved = np.abs(other.clean(stretch=cleaned.stretch).positions - reference).max() * clip.unit
        worst = max(worst, float(moved))
    return worst
