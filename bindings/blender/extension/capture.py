"""The action of an armature as a clip of surefoot."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import Callable

import numpy as np
import surefoot

from .evaluation import Evaluation, evaluate
from .floors import floor_of
from .motion import MotionArrays, arrays_of
from .results import showing
from .skeleton import Joints, joints_of

#: Lengths of a leg in metres that bodies of people and animals have. A unit that leads to another length is wrong.
LEG_METRES = (0.08, 3.0)

#: Relative difference between the scales of a bone along its axes up to which it may be made even. Rigify's legs reach
#: 0.055 when they bend.
UNEVEN = 0.1
#: Relative distance of a frame rate from a whole number that is rounding; 29.97 is ten times as far from 30.
SAME_RATE = 1e-4


class CaptureError(ValueError):
    """The action cannot be cleaned; the message states why."""


@dataclass
class Capture:
    """An evaluated action, and the clip that was made of it."""

    joints: Joints
    evaluation: Evaluation
    arrays: MotionArrays
    clip: surefoot.Clip
    #: Sentences for the user.
    notes: list[str]

    @property
    def first(self) -> int:
        """The scene frame of the clip's frame 0."""
        return int(self.evaluation.frames[0])

    def leg_joints(self) -> list[int]:
        """The joints from hip to ankle of every leg, with those between."""
        found = set()
        for leg in self.clip.legs:
            joint = leg["ankle"]
            while joint >= 0 and joint != leg["hip"]:
                found.add(joint)
                joint = int(self.joints.parents[joint])
            found.add(leg["hip"])
        return sorted(found)

    def unevenness(self, joint: int) -> float:
        """The largest relative difference between the scales of a joint's bone along its axes."""
        sizes = np.linalg.norm(self.evaluation.pose_matrices[:, self.joints.bones[joint], :3, :3], axis=1)
        return float((sizes.max(axis=1) / np.maximum(sizes.min(axis=1), 1e-30) - 1).max())


def frame_rate(scene) -> float:
    """Frames per second. The BVH importer computes 120.0005 from a frame time that was rounded."""
    rate = scene.render.fps / scene.render.fps_base
    return float(round(rate)) if abs(rate - round(rate)) <= SAME_RATE * rate else rate


def action_frames(action) -> tuple[int, int]:
    """The first and last frame of an action."""
    first, last = action.frame_range
    return floor(first + 1e-3), ceil(last - 1e-3)


def chosen_frames(scene, action) -> tuple[int, int]:
    """The frames in which feet are held."""
    setting = scene.surefoot.frames
    if setting == "SCENE" and scene.use_preview_range:
        return scene.frame_preview_start, scene.frame_preview_end
    if setting == "SCENE":
        return scene.frame_start, scene.frame_end
    if setting == "KEYS":
        return _selected_frames(action)
    return action_frames(action)


def _selected_frames(action) -> tuple[int, int]:
    times: list[float] = []
    for curves in all_curves(action):
        for curve in curves:
            count = len(curve.keyframe_points)
            selected, positions = np.empty(count, dtype=bool), np.empty(2 * count, dtype=np.float32)
            curve.keyframe_points.foreach_get("select_control_point", selected)
            curve.keyframe_points.foreach_get("co", positions)
            times.extend(positions[::2][selected])
    if not times:
        raise CaptureError(f"{action.name}: found no selected keys, expected some in the dope sheet")
    return floor(min(times) + 1e-3), ceil(max(times) - 1e-3)


def all_curves(action):
    """Every collection of curves in an action."""
    if not hasattr(action, "layers") or not action.layers:
        return [action.fcurves] if hasattr(action, "fcurves") else []
    return [bag.fcurves for layer in action.layers for strip in layer.strips for bag in strip.channelbags]


def capture(armature_object, action, scene, progress: Callable[[float], None] = lambda _: None) -> Capture:
    """Evaluates an action of an armature and makes a clip of it."""
    first, last = action_frames(action)
    if last - first < 2:
        raise CaptureError(f"{action.name}: found {last - first + 1} frames, expected at least 3")
    with showing(armature_object, action):
        evaluation = evaluate(armature_object, first, last, progress)
    joints = joints_of(armature_object, evaluation)
    arrays = arrays_of(joints, evaluation)
    clip, notes = _clip(armature_object, scene, joints, arrays)
    captured = Capture(joints, evaluation, arrays, clip, notes)
    uneven = [joints.names[joint] for joint in captured.leg_joints() if captured.unevenness(joint) > UNEVEN]
    if uneven:
        notes.append(f"{', '.join(uneven)}: scaled unevenly, so that planted feet below may move by millimetres")
    return captured


def _clip(armature_object, scene, joints: Joints, arrays: MotionArrays) -> tuple[surefoot.Clip, list[str]]:
    notes: list[str] = []
    options = dict(
        fps=frame_rate(scene),
        up="z",
        names=joints.names,
        legs=_picked_legs(armature_object, joints),
        floor=_floor(scene),
        translations=arrays.translations if arrays.has_translations else None,
        ends=joints.ends,
        skip_t_pose=True,
    )
    motion = arrays.rotations, arrays.translations[:, 0], arrays.offsets, joints.parents
    unit = scene.unit_settings.scale_length
    clip = surefoot.from_arrays(*motion, unit=unit, **options)
    if scene.surefoot.unit == "AUTO" and not _is_plausible(clip):
        clip = surefoot.from_arrays(*motion, unit="auto", **options)
        notes.append(
            f"one unit is taken as {clip.unit:.4g} m, because legs are too long or too short in the scene's unit"
        )
    return clip, notes + clip.warnings


def _is_plausible(clip: surefoot.Clip) -> bool:
    pose = clip.positions[0] * clip.unit

    def length(leg) -> float:
        hip, knee, ankle = (pose[leg[name]] for name in ("hip", "knee", "ankle"))
        return float(np.linalg.norm(hip - knee) + np.linalg.norm(knee - ankle))

    return all(LEG_METRES[0] <= length(leg) <= LEG_METRES[1] for leg in clip.legs)


def _floor(scene):
    settings = scene.surefoot
    if settings.floor == "OBJECT":
        if settings.floor_object is None:
            raise CaptureError("floor: found no object, expected a plane or a mesh")
        return floor_of(settings.floor_object)
    return {"FOUND": None, "ZERO": 0.0, "NONE": "none"}[settings.floor]


def _picked_legs(armature_object, joints: Joints) -> dict[str, list[str]] | None:
    settings = armature_object.data.surefoot
    if not settings.is_picked:
        return None
    legs = {leg.name: [leg.hip, leg.knee, leg.ankle] for leg in settings.legs}
    if not legs:
        raise CaptureError("legs: found no bones, expected thigh, shin and foot of each leg")
    for side, bones in legs.items():
        for name in bones:
            if name not in joints.names:
                raise CaptureError(
                    f"{side} leg: found {name!r}, expected a bone of {armature_object.name} that deforms the mesh, or "
                    "one above it"
                )
    return legs
