"""Bars on the time line: drawn into a picture, and dragged as the modal operator does."""

from __future__ import annotations

import bpy
import gpu
import numpy as np
import pytest
from extension import bars, timeline

WIDTH, HEIGHT = 640, 120


def to_x(frame: float) -> float:
    """A time line of 1.6 pixels per frame from frame 1."""
    return 60 + 1.6 * (frame - 1)


@pytest.fixture
def walk_with_plants(armature):
    bpy.ops.surefoot.detect()
    return armature


@pytest.fixture
def graphics(walk_with_plants, tmp_path) -> None:
    """Starts Blender's graphics, which a process without a window does with its first render."""
    render = bpy.context.scene.render
    render.engine, render.resolution_x, render.resolution_y = "BLENDER_WORKBENCH", 8, 8
    render.filepath = str(tmp_path / "start.png")
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    bpy.ops.render.render(write_still=True)


def drawn(data, active: int | None = None) -> np.ndarray:
    """The picture that the extension draws, (height, width, 4), rows from below."""
    from mathutils import Matrix

    offscreen = gpu.types.GPUOffScreen(WIDTH, HEIGHT)
    with offscreen.bind():
        buffer = gpu.state.active_framebuffer_get()
        buffer.clear(color=(0.0, 0.0, 0.0, 1.0))
        with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
            gpu.matrix.load_matrix(Matrix.Identity(4))
            # Pixels to the range −1…1.
            gpu.matrix.load_projection_matrix(
                Matrix(((2 / WIDTH, 0, 0, -1), (0, 2 / HEIGHT, 0, -1), (0, 0, 1, 0), (0, 0, 0, 1)))
            )
            timeline.draw(data, to_x, 1.0, active)
        pixels = buffer.read_color(0, 0, WIDTH, HEIGHT, 4, 0, "UBYTE")
        pixels.dimensions = WIDTH * HEIGHT * 4
    picture = np.array(pixels, dtype=np.uint8).reshape(HEIGHT, WIDTH, 4)
    offscreen.free()
    return picture


def test_every_plant_is_drawn_in_the_colour_of_its_foot(walk_with_plants, graphics, request):
    data = walk_with_plants.animation_data.action.surefoot
    picture = drawn(data, active=3)
    plants, _ = timeline.plants_and_rows(data)
    for bar, plant in zip(bars.bars(plants, to_x), data.plants):
        colour = picture[int((bar.low + bar.high) / 2), int((bar.left + bar.right) / 2), :3].astype(int)
        is_left = plant.foot == "left"
        assert (colour[2] > colour[0] + 50) == is_left and (colour[0] > colour[2] + 50) != is_left
    empty = picture[int(bars.BOTTOM / 2), :, :3]
    assert empty.max() == 0
    if folder := request.config.getoption("--pictures"):
        save(picture, f"{folder}/blender-bars.png")


def save(picture: np.ndarray, path: str) -> None:
    image = bpy.data.images.new("bars", WIDTH, HEIGHT)
    image.pixels.foreach_set((picture.astype(np.float32) / 255).ravel())
    image.filepath_raw, image.file_format = path, "PNG"
    image.save()


def test_a_drag_moves_the_end_of_a_plant_and_can_be_cancelled(walk_with_plants):
    data = walk_with_plants.animation_data.action.surefoot
    before = (data.plants[1].first, data.plants[1].last)
    drag = timeline.Drag(data, bars.Grip(1, "last"), (1, 361), frame=before[1])
    drag.move(before[1] + 3.4)
    assert (data.plants[1].first, data.plants[1].last) == (before[0], before[1] + 3)
    drag.move(before[0] - 40)
    assert (data.plants[1].first, data.plants[1].last) == (before[0], before[0])
    drag.cancel()
    assert (data.plants[1].first, data.plants[1].last) == before
    assert data.plants[1].confidence == -1


def test_a_whole_plant_can_be_dragged_beyond_its_own_length(walk_with_plants):
    data = walk_with_plants.animation_data.action.surefoot
    plant = data.plants[0]
    length = plant.last - plant.first
    drag = timeline.Drag(data, bars.Grip(0, "whole"), (1, 361), frame=5.0)
    drag.move(5.0 + length + 9)
    assert (plant.first, plant.last - plant.first) == (1 + length + 9, length)
    drag.move(5.0)
    assert (plant.first, plant.last) == (1, 1 + length)
