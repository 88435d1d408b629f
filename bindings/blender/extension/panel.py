"""The panels in the sidebar of the 3D viewport."""

from __future__ import annotations

import bpy

from .operators import armature_of


class SidebarPanel:
    """Where all panels are."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "surefoot"


class SUREFOOT_PT_main(SidebarPanel, bpy.types.Panel):
    """Detect, clean and measure."""

    bl_label = "surefoot"

    def draw(self, context):
        layout = self.layout
        armature = armature_of(context)
        if armature is None:
            layout.label(text="Select an armature with an action", icon="INFO")
            return
        action = armature.animation_data.action
        layout.operator("surefoot.detect", icon="VIEWZOOM")
        layout.operator("surefoot.clean", icon="CON_FOLLOWTRACK")
        layout.operator("surefoot.measure", icon="DRIVER_DISTANCE")
        row = layout.row()
        row.label(text=action.name, icon="ACTION")
        row.operator(
            "surefoot.show", text="Result" if not action.surefoot.source else "Original", icon="UV_SYNC_SELECT"
        )
        _draw_figures(layout, action.surefoot)
        for note in action.surefoot.notes:
            layout.label(text=note.name, icon="INFO")


def _draw_figures(layout, data) -> None:
    if not len(data.figures):
        return
    grid = layout.box().grid_flow(row_major=True, columns=3, even_columns=False)
    for text in ("", "before", "after"):
        grid.label(text=text)
    for figure in data.figures:
        grid.label(text=figure.name)
        grid.label(text=figure.before)
        grid.label(text=figure.after)


class SUREFOOT_PT_plants(SidebarPanel, bpy.types.Panel):
    """The plants of the action."""

    bl_label = "Plants"
    bl_parent_id = "SUREFOOT_PT_main"

    @classmethod
    def poll(cls, context):
        return armature_of(context) is not None

    def draw(self, context):
        data = context.object.animation_data.action.surefoot
        row = self.layout.row()
        row.template_list("SUREFOOT_UL_plants", "", data, "plants", data, "active", rows=6)
        column = row.column(align=True)
        column.operator("surefoot.add_plant", text="", icon="ADD")
        column.operator("surefoot.remove_plant", text="", icon="REMOVE")
        column.separator()
        column.operator("surefoot.jump_to_plant", text="", icon="PREV_KEYFRAME").end = "FIRST"
        column.operator("surefoot.jump_to_plant", text="", icon="NEXT_KEYFRAME").end = "LAST"
        self.layout.prop(context.scene.surefoot, "show_bars")


class SUREFOOT_PT_settings(SidebarPanel, bpy.types.Panel):
    """Floor, frames, unit, limits and the kind of result."""

    bl_label = "Settings"
    bl_parent_id = "SUREFOOT_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        layout, settings = self.layout, context.scene.surefoot
        layout.use_property_split = True
        layout.prop(settings, "floor")
        if settings.floor == "OBJECT":
            layout.prop(settings, "floor_object", text=" ")
        for name in ("frames", "unit", "stretch", "roll", "result"):
            layout.prop(settings, name)


class SUREFOOT_PT_legs(SidebarPanel, bpy.types.Panel):
    """The legs: found, or picked from the bones."""

    bl_label = "Legs"
    bl_parent_id = "SUREFOOT_PT_main"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        return armature_of(context) is not None

    def draw(self, context):
        layout, armature = self.layout, context.object.data
        layout.prop(armature.surefoot, "is_picked")
        if not armature.surefoot.is_picked:
            for leg in armature.surefoot.legs:
                layout.label(text=f"{leg.name}: {leg.hip}, {leg.knee}, {leg.ankle}")
            return
        for leg in armature.surefoot.legs:
            box = layout.box()
            box.prop(leg, "name", text="Side")
            for name in ("hip", "knee", "ankle"):
                box.prop_search(leg, name, armature, "bones")
        row = layout.row(align=True)
        row.operator("surefoot.add_leg", icon="ADD")
        row.operator("surefoot.remove_leg", icon="REMOVE")


CLASSES = (SUREFOOT_PT_main, SUREFOOT_PT_plants, SUREFOOT_PT_settings, SUREFOOT_PT_legs)
