"""What the extension stores in a blend file: settings in the scene, legs in the armature, plants in the action."""

from __future__ import annotations

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

POINTS = [("HEEL", "Heel", "The heel is held in place"), ("BALL", "Ball", "The ball of the foot is held in place")]


def _edited(plant, _context) -> None:
    """A plant that a person has changed has no confidence of the detector, and ends after it begins."""
    plant.confidence = -1.0
    if plant.last < plant.first:
        plant.last = plant.first


def _show_frame(plants, context) -> None:
    """Goes to the first frame of the plant that was chosen in the list."""
    if 0 <= plants.active < len(plants.plants):
        context.scene.frame_set(plants.plants[plants.active].first)


class SurefootPlant(bpy.types.PropertyGroup):
    """Frames in which one foot point is held in place."""

    foot: StringProperty(name="Foot", description="The leg's name, such as left")
    point: EnumProperty(name="Point", items=POINTS, update=_edited)
    first: IntProperty(name="First", description="First frame of the plant", update=_edited)
    last: IntProperty(name="Last", description="Last frame of the plant", update=_edited)
    confidence: FloatProperty(name="Confidence", description="Confidence of the detector; -1 for a plant set by hand")


class SurefootFigure(bpy.types.PropertyGroup):
    """A figure of Measure, as text."""

    before: StringProperty()
    after: StringProperty()


class SurefootMuted(bpy.types.PropertyGroup):
    """A constraint or driver that is off while a baked action is shown."""

    bone: StringProperty()
    constraint: StringProperty()
    driver_path: StringProperty()
    driver_index: IntProperty()


class SurefootAction(bpy.types.PropertyGroup):
    """What is known about the feet of an action."""

    plants: CollectionProperty(type=SurefootPlant)
    active: IntProperty(name="Plant", update=_show_frame)
    source: PointerProperty(
        type=bpy.types.Action, name="Original", description="The action that this one is the result of cleaning"
    )
    figures: CollectionProperty(type=SurefootFigure)
    notes: CollectionProperty(type=SurefootFigure)
    muted: CollectionProperty(type=SurefootMuted)
    has_ground: BoolProperty(description="The ground moves under the feet, as on a treadmill")
    ground: FloatVectorProperty(description="Velocity of the ground in metres per second, Y up")


class SurefootLeg(bpy.types.PropertyGroup):
    """A leg, by its bones. The name of the group is its side."""

    hip: StringProperty(name="Thigh", description="The bone from hip to knee")
    knee: StringProperty(name="Shin", description="The bone from knee to ankle")
    ankle: StringProperty(name="Foot", description="The bone that begins at the ankle")


class SurefootArmature(bpy.types.PropertyGroup):
    """The legs of an armature."""

    is_picked: BoolProperty(
        name="Pick bones", description="Use the bones below; otherwise the legs are found by shape and name"
    )
    legs: CollectionProperty(type=SurefootLeg)


class SurefootScene(bpy.types.PropertyGroup):
    """Settings of the operators."""

    floor: EnumProperty(
        name="Floor",
        items=[
            ("FOUND", "Found", "The floor is found from where the feet stand"),
            ("OBJECT", "Object", "A plane or a mesh is the floor"),
            ("ZERO", "Z = 0", "The ground plane of the scene"),
            ("NONE", "None", "Every plant keeps its height"),
        ],
    )
    floor_object: PointerProperty(
        type=bpy.types.Object, name="Floor object", poll=lambda _self, candidate: candidate.type == "MESH"
    )
    frames: EnumProperty(
        name="Frames",
        items=[
            ("ACTION", "Action", "All frames of the action"),
            ("SCENE", "Scene", "The frames of the scene, or of its preview range where that is on"),
            ("KEYS", "Selected keys", "From the first to the last selected key of the action"),
        ],
    )
    unit: EnumProperty(
        name="Unit",
        items=[
            ("AUTO", "Auto", "The scene's unit, unless legs would be too long or too short in it"),
            ("SCENE", "Scene", "The scene's unit"),
        ],
    )
    stretch: EnumProperty(
        name="Stretch",
        items=[
            ("AUTO", "Auto", "Up to 3 % where the action moves bones against their parents, otherwise none"),
            ("NONE", "None", "Thigh and shin keep their length"),
        ],
    )
    roll: EnumProperty(
        name="Roll",
        items=[("kept", "Kept", "Feet keep their roll"), ("flat", "Flat", "Planted feet are laid flat on the floor")],
    )
    result: EnumProperty(
        name="Result",
        items=[
            ("ACTION", "New action", "The result is a new action; the original stays in the file"),
            ("NLA", "NLA layer", "The result is a strip on a new NLA track above the original"),
        ],
    )
    show_bars: BoolProperty(name="Bars on the time line", default=True)


CLASSES = (
    SurefootPlant,
    SurefootFigure,
    SurefootMuted,
    SurefootAction,
    SurefootLeg,
    SurefootArmature,
    SurefootScene,
)


def register() -> None:
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Action.surefoot = PointerProperty(type=SurefootAction)
    bpy.types.Armature.surefoot = PointerProperty(type=SurefootArmature)
    bpy.types.Scene.surefoot = PointerProperty(type=SurefootScene)


def unregister() -> None:
    del bpy.types.Scene.surefoot, bpy.types.Armature.surefoot, bpy.types.Action.surefoot
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
