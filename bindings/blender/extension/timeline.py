"""Plants as bars on the time line: draws them, and lets the mouse drag them."""

from __future__ import annotations

import blf
import bpy
import gpu
from gpu_extras.batch import batch_for_shader

from . import bars
from .capture import action_frames
from .operators import armature_of
from .results import source_of

#: Colours of left and right feet as in Blender's axes, and of other feet; heel and ball differ in brightness.
COLOURS = {"left": (0.30, 0.62, 0.95), "right": (0.95, 0.45, 0.35)}
OTHER_COLOUR = (0.55, 0.80, 0.40)
BALL_BRIGHTNESS = 0.75
LABEL_COLOUR = (0.9, 0.9, 0.9, 0.9)
#: Size of the row labels in points.
LABEL_SIZE = 10

_handler = None
_keymaps: list = []


def plants_and_rows(data) -> tuple[list[bars.Plant], dict[str, int]]:
    """The plants of an action in rows, one for each point of each foot."""
    labels = [f"{plant.foot} {plant.point.lower()}" for plant in data.plants]
    row_of = bars.rows(sorted(labels))
    return [bars.Plant(row_of[label], plant.first, plant.last) for label, plant in zip(labels, data.plants)], row_of


def colour_of(plant) -> tuple[float, float, float]:
    side = next((side for side in COLOURS if side in plant.foot.lower()), None)
    colour = COLOURS.get(side, OTHER_COLOUR)
    return tuple(BALL_BRIGHTNESS * part for part in colour) if plant.point == "BALL" else colour


def draw(data, to_x, scale: float, active: int | None = None) -> None:
    """Draws the plants of an action into the bound frame buffer, in pixels."""
    plants, row_of = plants_and_rows(data)
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    gpu.state.blend_set("ALPHA")
    for bar in bars.bars(plants, to_x, scale):
        colour = colour_of(data.plants[bar.plant])
        corners = [(bar.left, bar.low), (bar.right, bar.low), (bar.right, bar.high), (bar.left, bar.high)]
        _fill(shader, corners, (*colour, 1.0 if bar.plant == active else 0.8))
        if bar.plant == active:
            _outline(shader, corners)
    _label_rows(row_of, scale)
    gpu.state.blend_set("NONE")


def _fill(shader, corners, colour) -> None:
    batch = batch_for_shader(shader, "TRIS", {"pos": corners}, indices=[(0, 1, 2), (0, 2, 3)])
    shader.bind()
    shader.uniform_float("color", colour)
    batch.draw(shader)


def _outline(shader, corners) -> None:
    batch = batch_for_shader(shader, "LINE_STRIP", {"pos": [*corners, corners[0]]})
    shader.bind()
    shader.uniform_float("color", (1.0, 1.0, 1.0, 1.0))
    batch.draw(shader)


def _label_rows(row_of: dict[str, int], scale: float) -> None:
    font = 0
    blf.size(font, LABEL_SIZE * scale)
    blf.color(font, *LABEL_COLOUR)
    for label, row in row_of.items():
        blf.position(font, 6 * scale, scale * (bars.BOTTOM + row * bars.ROW + 1), 0)
        blf.draw(font, label)


def _draw_region() -> None:
    """Draws the bars into the region that Blender is drawing."""
    context = bpy.context
    armature = armature_of(context)
    if armature is None or not context.scene.surefoot.show_bars:
        return
    data = armature.animation_data.action.surefoot
    if len(data.plants):
        draw(data, _to_x(context.region), context.preferences.system.ui_scale, data.active)


def _to_x(region):
    return lambda frame: float(region.view2d.view_to_region(frame, 0.0, clip=False)[0])


class Drag:
    """A drag of one bar: from the press of the button until its release, or until it is cancelled."""

    def __init__(self, data, grip: bars.Grip, limits: tuple[int, int], frame: float):
        self.data, self.grip, self.limits, self.start = data, grip, limits, frame
        self.plants, _ = plants_and_rows(data)

    def move(self, frame: float) -> None:
        """Moves the bar to where the mouse is, in frames."""
        moved = round(frame - self.start)
        first, last = bars.dragged(self.plants, self.grip, moved, self.limits)
        self._set(first, last)

    def cancel(self) -> None:
        """Restores the plant."""
        plant = self.plants[self.grip.plant]
        self._set(plant.first, plant.last)

    def _set(self, first: int, last: int) -> None:
        plant = self.data.plants[self.grip.plant]
        if (plant.first, plant.last) != (first, last):
            # The end that moves away goes first: a plant must not end before it begins.
            if first > plant.last:
                plant.last, plant.first = last, first
            else:
                plant.first, plant.last = first, last


class SUREFOOT_OT_drag(bpy.types.Operator):
    """Drag an end of a plant, or all of it, on the time line"""

    bl_idname = "surefoot.drag"
    bl_label = "Drag Plant"
    bl_options = {"REGISTER", "UNDO", "BLOCKING"}

    @classmethod
    def poll(cls, context):
        return armature_of(context) is not None and context.region is not None and context.scene.surefoot.show_bars

    def invoke(self, context, event):
        armature = context.object
        action = armature.animation_data.action
        data, scale = action.surefoot, context.preferences.system.ui_scale
        plants, _ = plants_and_rows(data)
        drawn = bars.bars(plants, _to_x(context.region), scale)
        grip = bars.grip_at(drawn, event.mouse_region_x, event.mouse_region_y, scale)
        if grip is None:
            return {"PASS_THROUGH"}
        data["active"] = grip.plant
        self.drag = Drag(data, grip, action_frames(source_of(action)), self._frame(context, event))
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    @staticmethod
    def _frame(context, event) -> float:
        return context.region.view2d.region_to_view(event.mouse_region_x, event.mouse_region_y)[0]

    def modal(self, context, event):
        context.area.tag_redraw()
        if event.type == "MOUSEMOVE":
            self.drag.move(self._frame(context, event))
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            return {"FINISHED"}
        elif event.type in {"RIGHTMOUSE", "ESC"}:
            self.drag.cancel()
            return {"CANCELLED"}
        return {"RUNNING_MODAL"}


def register() -> None:
    global _handler
    bpy.utils.register_class(SUREFOOT_OT_drag)
    space = bpy.types.SpaceDopeSheetEditor
    _handler = space.draw_handler_add(_draw_region, (), "WINDOW", "POST_PIXEL")
    configuration = bpy.context.window_manager.keyconfigs.addon
    # Without a window there is no key configuration.
    if configuration:
        keymap = configuration.keymaps.new(name="Dopesheet", space_type="DOPESHEET_EDITOR")
        _keymaps.append((keymap, keymap.keymap_items.new(SUREFOOT_OT_drag.bl_idname, "LEFTMOUSE", "PRESS", head=True)))


def unregister() -> None:
    global _handler
    for keymap, item in _keymaps:
        keymap.keymap_items.remove(item)
    _keymaps.clear()
    bpy.types.SpaceDopeSheetEditor.draw_handler_remove(_handler, "WINDOW")
    _handler = None
    bpy.utils.unregister_class(SUREFOOT_OT_drag)
