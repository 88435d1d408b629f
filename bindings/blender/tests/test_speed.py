"""The time of an operator beyond Blender's own evaluation."""

from __future__ import annotations

import subprocess
import time

import bpy
import numpy as np
import pytest
from extension.capture import action_frames
from extension.evaluation import evaluate
from scenes import curves_of, import_motion

FRAMES, BONES = 3000, 70
#: What was measured, in words: the run prints it at its end.
figures: list[str] = []


@pytest.fixture
def long_walk(command, tmp_path):
    """A walk of 3,000 frames, with hands and face bones up to 70 that have keys on every frame."""
    path = tmp_path / "walk.bvh"
    arguments = [command, "sample", "walk", "-o", path, "--skate", "scale=1.1", "--seconds", "50", "--fps", "60"]
    subprocess.run(arguments, check=True, stdout=subprocess.PIPE)
    armature = import_motion(path)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    for number in range(BONES - len(bones)):
        bone = bones.new(f"Finger{number}")
        bone.parent = bones["LeftHand" if number % 2 else "Head"]
        bone.head = bone.parent.tail
        bone.tail = bone.head + bone.parent.vector
    bpy.ops.object.mode_set(mode="OBJECT")
    frames = np.arange(1, FRAMES + 1)
    keys = np.stack([frames, 0.1 * np.sin(frames / 9)], axis=1).astype(np.float32).ravel()
    for bone in armature.pose.bones:
        for axis in range(4 if bone.name.startswith("Finger") else 0):
            curve = curves_of(armature).new(f'pose.bones["{bone.name}"].rotation_quaternion', index=axis)
            curve.keyframe_points.add(FRAMES)
            curve.keyframe_points.foreach_set("co", keys)
            curve.update()
    return armature


def test_3000_frames_of_70_bones_take_less_than_a_second_beyond_blender(long_walk):
    first, last = action_frames(long_walk.animation_data.action)
    assert last - first + 1 >= FRAMES and len(long_walk.pose.bones) == BONES
    # The least processor time of a few runs, since other programs may use the machine.
    beyond = min(cleaning_time(long_walk, first, last) for _ in range(3))
    figures.append(f"{FRAMES} frames of {BONES} bones: cleaned in {beyond:.2f} s beyond Blender's evaluation")
    assert beyond <= 1.0


def cleaning_time(armature, first: int, last: int) -> float:
    started = time.process_time()
    evaluate(armature, first, last)
    evaluation = time.process_time() - started
    started = time.process_time()
    assert bpy.ops.surefoot.clean() == {"FINISHED"}
    spent = time.process_time() - started
    bpy.ops.surefoot.show()
    bpy.data.actions.remove(bpy.data.actions["walk clean"])
    armature.animation_data.action.surefoot.plants.clear()
    return spent - evaluation
