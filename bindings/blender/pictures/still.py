"""Renders the picture of the book: a walk before and after Clean Feet, with the frames of one plant in one picture.

``cargo xtask blender-pictures`` runs it: python still.py WALK.bvh OUT.png
"""

from __future__ import annotations

import struct
import sys
import tempfile
import zlib
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests")]

import bpy  # noqa: E402
import extension  # noqa: E402
import numpy as np  # noqa: E402
from mathutils import Matrix, Vector  # noqa: E402
from scenes import import_motion, quiet  # noqa: E402

WIDTH, HEIGHT = 480, 400
BODY, FLOOR, LINE = (0.62, 0.64, 0.68, 1), (0.90, 0.90, 0.88, 1), (0.72, 0.72, 0.70, 1)
#: Colours of the planted foot from the first to the last frame of its plant.
FIRST, LAST = np.array((0.16, 0.42, 0.80, 1)), np.array((0.93, 0.42, 0.22, 1))
#: How often the planted foot is shown.
GHOSTS = 5
#: Radius of a bone, as a fraction of its length.
THICKNESS = 0.1


def main(walk: Path, out: Path) -> None:
    extension.register()
    armature = import_motion(walk)
    armature.scale = (0.01,) * 3
    bpy.ops.surefoot.clean()
    clean = armature.animation_data.action
    plant = longest_plant(armature, clean)
    pictures = []
    for action in (clean.surefoot.source, clean):
        armature.animation_data.action = action
        shapes = add_figure(armature, plant)
        pictures.append(render(armature, plant, shapes))
    save(np.concatenate([pictures[0], np.ones((HEIGHT, 8, 4), np.float32), pictures[1]], axis=1), out)


def longest_plant(armature, action):
    """The plant of a left ball that slides furthest in the original."""
    plants = [plant for plant in action.surefoot.plants if (plant.foot, plant.point) == ("left", "BALL")]
    return max(plants[1:-1], key=lambda plant: plant.last - plant.first)


def add_figure(armature, plant) -> list:
    """The body in the middle of the plant, and the planted foot at times of the plant, as meshes."""
    middle = (plant.first + plant.last) // 2
    shapes = add_bones(armature, middle, lambda bone: bone.name not in ("LeftFoot", "LeftToeBase"), BODY)
    for share in np.linspace(0, 1, GHOSTS):
        frame = round(plant.first + share * (plant.last - plant.first))
        colour = FIRST + share * (LAST - FIRST)
        shapes += add_bones(armature, frame, lambda bone: bone.name in ("LeftFoot", "LeftToeBase"), colour)
    return shapes


def add_bones(armature, frame: int, is_shown, colour) -> list:
    bpy.context.scene.frame_set(frame)
    shapes = []
    for bone in filter(is_shown, armature.pose.bones):
        head, tail = armature.matrix_world @ bone.head, armature.matrix_world @ bone.tail
        if (tail - head).length > 0.02:
            shapes.append(add_cone(head, tail, colour))
    return shapes


def add_cone(head: Vector, tail: Vector, colour):
    axis = tail - head
    radius = max(0.018, THICKNESS * axis.length)
    bpy.ops.mesh.primitive_cone_add(vertices=16, radius1=radius, radius2=0.6 * radius, depth=axis.length)
    shape = bpy.context.object
    shape.matrix_world = Matrix.Translation((head + tail) / 2) @ axis.to_track_quat("Z", "Y").to_matrix().to_4x4()
    shape.color = colour
    return shape


def add_floor(centre: Vector) -> list:
    bpy.ops.mesh.primitive_plane_add(size=40, location=(centre.x, centre.y, -0.002))
    bpy.context.object.color = FLOOR
    shapes = [bpy.context.object]
    for number in range(-40, 41):
        for size in ((0.004, 8, 1), (8, 0.004, 1)):
            across = (0.1 * number, 0) if size[0] < 1 else (0, 0.1 * number)
            place = (round(centre.x, 1) + across[0], round(centre.y, 1) + across[1], 0)
            bpy.ops.mesh.primitive_plane_add(size=1, location=place)
            bpy.context.object.scale, bpy.context.object.color = size, LINE
            shapes.append(bpy.context.object)
    return shapes


def render(armature, plant, shapes) -> np.ndarray:
    scene = bpy.context.scene
    scene.frame_set((plant.first + plant.last) // 2)
    foot = armature.matrix_world @ armature.pose.bones["LeftFoot"].head
    shapes = shapes + add_floor(foot)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    camera.data.lens = 62
    camera.location = foot + Vector((1.15, -0.35, 0.42))
    camera.rotation_euler = (foot + Vector((0, -0.08, 0.03)) - camera.location).to_track_quat("-Z", "Y").to_euler()
    armature.hide_render = True
    scene.camera, settings = camera, scene.render
    settings.engine, settings.resolution_x, settings.resolution_y = "BLENDER_WORKBENCH", WIDTH, HEIGHT
    shading = scene.display.shading
    shading.light, shading.color_type, shading.show_shadows, shading.show_cavity = "STUDIO", "OBJECT", True, True
    shading.shadow_intensity = 0.25
    scene.world = scene.world or bpy.data.worlds.new("sky")
    scene.world.color = (0.35, 0.42, 0.50)
    scene.view_settings.view_transform, scene.view_settings.exposure = "Standard", 1.0
    scene.display.render_aa = "16"
    path = Path(tempfile.mkdtemp()) / "still.png"
    settings.filepath, settings.dither_intensity = str(path), 0.0
    with quiet():
        bpy.ops.render.render(write_still=True)
    for shape in [*shapes, camera]:
        bpy.data.objects.remove(shape)
    bpy.context.view_layer.objects.active = armature
    image = bpy.data.images.load(str(path))
    pixels = np.empty(WIDTH * HEIGHT * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    return pixels.reshape(HEIGHT, WIDTH, 4)


def save(picture: np.ndarray, out: Path) -> None:
    """Writes a picture whose rows start at the lower edge, as RGB of eight bits."""
    pixels = np.round(picture[::-1, :, :3] * 255).astype(np.uint8)
    height, width, _ = pixels.shape
    # The difference to the pixel on the left compresses best.
    pixels[:, 1:] -= pixels[:, :-1].copy()
    rows = np.concatenate([np.ones((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b"")]
    with out.open("wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for name, data in chunks:
            file.write(struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
