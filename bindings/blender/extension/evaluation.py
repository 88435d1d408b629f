"""The matrices of an armature's bones over an action, as Blender evaluates them.

The armature is evaluated in a scene of its own, in which nothing else is computed but what the armature depends on. The
user's scene keeps its frame.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import Callable, Iterator

import bpy
import numpy as np


@dataclass
class Evaluation:
    """The evaluated matrices of an armature."""

    #: The scene frame of each pose, consecutive.
    frames: np.ndarray
    #: The object's matrix in the world, (T, 4, 4).
    object_matrices: np.ndarray
    #: The matrix of every bone in the armature, (T, B, 4, 4).
    pose_matrices: np.ndarray


def evaluate(armature_object, first: int, last: int, progress: Callable[[float], None] = lambda _: None) -> Evaluation:
    """Evaluates every frame from ``first`` to ``last``. ``progress`` is called with the share that is done."""
    frames = np.arange(first, last + 1)
    count = len(armature_object.pose.bones)
    pose = np.empty((len(frames), count * 16), dtype=np.float32)
    placed = np.empty((len(frames), 4, 4))
    with _scene_of(armature_object) as scene:
        layer = scene.view_layers[0]
        for number, frame in enumerate(frames):
            scene.frame_set(int(frame))
            evaluated = armature_object.evaluated_get(layer.depsgraph)
            evaluated.pose.bones.foreach_get("matrix", pose[number])
            placed[number] = evaluated.matrix_world
            if number % 50 == 0:
                progress(number / len(frames))
    # Blender stores matrices by columns.
    matrices = pose.reshape(len(frames), count, 4, 4).astype(np.float64).swapaxes(-1, -2)
    return Evaluation(frames, placed, matrices)


@contextmanager
def _scene_of(armature_object) -> Iterator[bpy.types.Scene]:
    """A scene with the armature alone, at the frame rate and in the unit of the user's scene."""
    shown = bpy.context.scene
    scene = bpy.data.scenes.new("surefoot")
    try:
        scene.render.fps, scene.render.fps_base = shown.render.fps, shown.render.fps_base
        scene.unit_settings.scale_length = shown.unit_settings.scale_length
        scene.collection.objects.link(armature_object)
        layer = scene.view_layers[0]
        layer.update()
        yield scene
    finally:
        bpy.data.scenes.remove(scene)
