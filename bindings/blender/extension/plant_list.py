"""The list of plants in the panel, and the operators that add, remove and choose plants and legs."""

from __future__ import annotations

import bpy
from bpy.props import EnumProperty

from .operators import armature_of
from .properties import POINTS


class SUREFOOT_UL_plants(bpy.types.UIList):
    """Plants, one per row: foot and point, first and last frame."""

    def draw_item(self, _context, layout, _data, plant, _icon, _active_data, _active_property, _index=0):
        row = layout.row(align=True)
        row.label(text=f"{plant.foot} {plant.point.lower()}", icon="PINNED")
        row.prop(plant, "first", text="")
        row.prop(plant, "last", text="")
        confidence = row.row()
        confidence.alignment = "RIGHT"
        confidence.label(text=f"{100 * plant.confidence:.0f} %" if plant.confidence >= 0 else "set")


class PlantOperator:
    """What the operators on the list share."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return armature_of(context) is not None


class SUREFOOT_OT_add_plant(PlantOperator, bpy.types.Operator):
    """Add a plant that starts at the current frame"""

    bl_idname = "surefoot.add_plant"
    bl_label = "Add Plant"

    #: Length of a new plant, in seconds.
    SECONDS = 0.25

    foot: bpy.props.StringProperty(name="Foot", default="left")
    point: EnumProperty(name="Point", items=POINTS)

    def invoke(self, context, _event):
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context):
        legs = [leg.name for leg in context.object.data.surefoot.legs]
        if legs and self.foot not in legs:
            self.report({"ERROR"}, f"foot: found {self.foot!r}, expected one of {', '.join(legs)}")
            return {"CANCELLED"}
        data, scene = context.object.animation_data.action.surefoot, context.scene
        plant = data.plants.add()
        plant.name, plant.foot, plant.point = f"{self.foot} {self.point.lower()}", self.foot, self.point
        length = max(1, round(self.SECONDS * scene.render.fps / scene.render.fps_base))
        plant.first, plant.last = scene.frame_current, scene.frame_current + length - 1
        plant.confidence = -1.0
        data["active"] = len(data.plants) - 1
        return {"FINISHED"}


class SUREFOOT_OT_remove_plant(PlantOperator, bpy.types.Operator):
    """Remove the plant that is chosen in the list"""

    bl_idname = "surefoot.remove_plant"
    bl_label = "Remove Plant"

    def execute(self, context):
        data = context.object.animation_data.action.surefoot
        if not 0 <= data.active < len(data.plants):
            return {"CANCELLED"}
        data.plants.remove(data.active)
        data["active"] = max(0, min(data.active, len(data.plants) - 1))
        return {"FINISHED"}


class SUREFOOT_OT_jump_to_plant(PlantOperator, bpy.types.Operator):
    """Go to the first or the last frame of the chosen plant"""

    bl_idname = "surefoot.jump_to_plant"
    bl_label = "Jump to Plant"

    end: EnumProperty(name="End", items=[("FIRST", "First frame", ""), ("LAST", "Last frame", "")])

    def execute(self, context):
        data = context.object.animation_data.action.surefoot
        if not 0 <= data.active < len(data.plants):
            return {"CANCELLED"}
        plant = data.plants[data.active]
        context.scene.frame_set(plant.first if self.end == "FIRST" else plant.last)
        return {"FINISHED"}


class SUREFOOT_OT_add_leg(PlantOperator, bpy.types.Operator):
    """Add a leg, to be picked from the bones of the armature"""

    bl_idname = "surefoot.add_leg"
    bl_label = "Add Leg"

    def execute(self, context):
        legs = context.object.data.surefoot.legs
        name = {0: "left", 1: "right"}.get(len(legs), f"leg {len(legs) + 1}")
        legs.add().name = name
        return {"FINISHED"}


class SUREFOOT_OT_remove_leg(PlantOperator, bpy.types.Operator):
    """Remove the last leg of the list"""

    bl_idname = "surefoot.remove_leg"
    bl_label = "Remove Leg"

    def execute(self, context):
        legs = context.object.data.surefoot.legs
        if not len(legs):
            return {"CANCELLED"}
        legs.remove(len(legs) - 1)
        return {"FINISHED"}


CLASSES = (
    SUREFOOT_UL_plants,
    SUREFOOT_OT_add_plant,
    SUREFOOT_OT_remove_plant,
    SUREFOOT_OT_jump_to_plant,
    SUREFOOT_OT_add_leg,
    SUREFOOT_OT_remove_leg,
)
