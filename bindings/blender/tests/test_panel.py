"""The panels, drawn into a layout that checks what Blender would: properties, operators and icons exist."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import pytest
from extension import panel, plant_list

ICONS = set(bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys())


class Layout:
    """Records the texts of a layout, and checks its arguments."""

    def __init__(self, texts: list[str]):
        self.texts = texts

    def _part(self, *_arguments, **_settings) -> Layout:
        return Layout(self.texts)

    row = column = box = grid_flow = _part

    def separator(self) -> None:
        pass

    def label(self, text: str = "", icon: str = "NONE") -> None:
        assert icon in ICONS, icon
        self.texts.append(text)

    def prop(self, data, name: str, text: str | None = None) -> None:
        assert name in data.bl_rna.properties, name
        self.texts.append(text if text is not None else data.bl_rna.properties[name].name)

    def prop_search(self, data, name: str, search, collection: str) -> None:
        self.prop(data, name)
        assert collection in search.bl_rna.properties

    def operator(self, name: str, text: str | None = None, icon: str = "NONE"):
        assert icon in ICONS, icon
        kind, _, own = name.partition(".")
        found = getattr(getattr(bpy.ops, kind), own).get_rna_type()
        self.texts.append(text if text is not None else found.name)
        return SimpleNamespace()

    def template_list(self, kind, _name, data, items, active_data, active, rows) -> None:
        assert hasattr(bpy.types, kind) and hasattr(data, items) and hasattr(active_data, active)
        for item in getattr(data, items):
            plant_list.SUREFOOT_UL_plants.draw_item(None, None, self, data, item, 0, active_data, active)


def texts_of(cls) -> list[str]:
    layout = Layout([])
    if not hasattr(cls, "poll") or cls.poll(bpy.context):
        cls.draw(SimpleNamespace(layout=layout), bpy.context)
    return layout.texts


@pytest.fixture
def texts(armature):
    return lambda: [text for cls in panel.CLASSES for text in texts_of(cls)]


def test_a_new_armature_shows_the_three_operators(texts):
    shown = texts()
    assert shown[:3] == ["Detect Contacts", "Clean Feet", "Measure"] and "walk" in shown
    assert "Bars on the time line" in shown and "before" not in shown


def test_plants_figures_notes_and_legs_are_shown(texts):
    bpy.ops.surefoot.clean()
    bpy.ops.surefoot.measure()
    shown = texts()
    assert {"before", "after", "Drift of planted feet", "0.00 mm", "left heel", "Original"} <= set(shown)
    assert any(text.startswith("one unit is taken as 0.01 m") for text in shown)
    assert "left: LeftUpLeg, LeftLeg, LeftFoot" in shown


def test_legs_can_be_picked_and_an_object_chosen_as_floor(texts, armature):
    armature.data.surefoot.is_picked = True
    bpy.ops.surefoot.add_leg()
    bpy.context.scene.surefoot.floor = "OBJECT"
    assert {"Side", "Thigh", "Shin", "Foot", "Add Leg"} <= set(texts())


def test_without_an_action_the_panel_says_what_is_missing(texts, armature):
    armature.animation_data_clear()
    shown = texts()
    assert shown[0] == "Select an armature with an action" and "Detect Contacts" not in shown
