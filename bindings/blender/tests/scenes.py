"""Scenes for tests, and measurements that use Blender's own evaluation in the user's scene."""

from __future__ import annotations

import json
import os
import struct
from contextlib import contextmanager
from pathlib import Path

import bpy
import numpy as np
import surefoot


@contextmanager
def quiet():
    """Drops what Blender's importers print."""
    saved = [os.dup(1), os.dup(2)]
    sink = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        yield
    finally:
        for number, stream in enumerate(saved, start=1):
            os.dup2(stream, number)
            os.close(stream)
        os.close(sink)


def empty_scene() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)


def import_motion(path: Path, fps: float = 30.0, up: str = "y"):
    """Imports a motion file as an animator does, and returns its armature as the active object."""
    empty_scene()
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = round(fps), round(fps) / fps
    with quiet():
        if path.suffix == ".bvh":
            axes = {"axis_up": up.upper(), "axis_forward": {"y": "-Z", "z": "Y"}[up]}
            bpy.ops.import_anim.bvh(filepath=str(path), update_scene_fps=True, update_scene_duration=True, **axes)
        elif path.suffix == ".fbx":
            bpy.ops.wm.fbx_import(filepath=str(path))
        else:
            bpy.ops.import_scene.gltf(filepath=str(path))
    armature = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    bpy.context.view_layer.objects.active = armature
    return armature


def without_matrix_attributes(path: Path, folder: Path) -> Path:
    """A copy of a GLB without its own vertex attributes, which Blender 5.0.1 fails to read as matrices."""
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20 : 20 + length])
    for mesh in document.get("meshes", ()):
        for primitive in mesh["primitives"]:
            primitive["attributes"] = {name: n for name, n in primitive["attributes"].items() if name[0] != "_"}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + length :]
    header = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
    copy = folder / path.name
    copy.write_bytes(header + text + rest)
    return copy


def evaluated(armature, first: int, last: int) -> np.ndarray:
    """The world matrices of all bones, (T, B, 4, 4), as Blender evaluates them in the user's scene."""
    scene, matrices = bpy.context.scene, []
    buffer = np.empty(16 * len(armature.pose.bones), dtype=np.float32)
    for frame in range(first, last + 1):
        scene.frame_set(frame)
        armature.pose.bones.foreach_get("matrix", buffer)
        pose = buffer.astype(np.float64).reshape(-1, 4, 4).swapaxes(1, 2)
        matrices.append(np.array(armature.matrix_world) @ pose)
    return np.array(matrices)


def heads(armature, first: int, last: int) -> np.ndarray:
    """The world positions of the heads of all bones, (T, B, 3)."""
    return evaluated(armature, first, last)[..., :3, 3]


def drift(matrices: np.ndarray, reference: np.ndarray, names: list[str], captured, plants) -> float:
    """The largest distance in metres of a planted point from where its plant began.

    ``matrices`` are those of the clean motion and ``reference`` those of the captured one, in which the foot points
    were found: a point is where it is on its bone there.
    """
    clip, first, worst = captured.clip, captured.first, 0.0
    feet = {leg["side"]: leg for leg in clip.legs}
    data = json.loads(clip.dumps_plants())
    ground = np.array(data.get("ground_m_per_s", (0.0, 0.0, 0.0)))[[0, 2, 1]] * (1, -1, 1) / clip.unit / clip.fps
    for plant in plants:
        joint, offset = feet[plant.foot][plant.point.lower()]
        bone = names.index(captured.joints.names[joint])
        start, end = plant.first - first, plant.last - first + 1
        # The point in the axes of its bone, from the first captured pose.
        pose = captured.arrays.world[0, joint] @ np.array(offset)
        local = np.linalg.inv(reference[0, bone]) @ np.append(reference[0, bone, :3, 3] + pose, 1.0)
        points = (matrices[start:end, bone] @ local)[:, :3] - np.arange(end - start)[:, None] * ground
        worst = max(worst, np.linalg.norm(points - points[0], axis=-1).max() * clip.unit)
    return float(worst)


def curve_data(curves) -> dict[tuple[str, int], tuple]:
    """Everything that a user can see of the curves of an action, by data path and index."""
    found = {}
    for curve in curves:
        keys = tuple(
            (
                tuple(key.co),
                tuple(key.handle_left),
                tuple(key.handle_right),
                key.handle_left_type,
                key.handle_right_type,
                key.interpolation,
                key.easing,
                key.type,
                key.amplitude,
                key.back,
                key.period,
            )
            for key in curve.keyframe_points
        )
        modifiers = tuple((modifier.type, modifier.mute, modifier.influence) for modifier in curve.modifiers)
        shown = (curve.extrapolation, curve.mute, curve.lock, curve.hide, curve.group.name if curve.group else None)
        found[curve.data_path, curve.array_index] = (keys, modifiers, shown)
    return found


def curves_of(armature, action=None):
    """The curves of an armature's action."""
    from extension.curves import fcurves
    from extension.results import slot_of

    action = action or armature.animation_data.action
    slot = getattr(armature.animation_data, "action_slot", None)
    return fcurves(action, slot_of(action, slot.identifier if slot else None))


def y_up(positions: np.ndarray, unit: float) -> np.ndarray:
    """Blender's positions in metres, Y up."""
    return np.stack([positions[..., 0], positions[..., 2], -positions[..., 1]], axis=-1) * unit


def load(path: Path) -> surefoot.Clip:
    return surefoot.load(path)
