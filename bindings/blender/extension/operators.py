"""Detect contacts, Clean feet and Measure."""

from __future__ import annotations

from contextlib import contextmanager

import bpy
import surefoot

from . import constraints, plants
from .capture import Capture, CaptureError, capture, chosen_frames
from .curves import fcurves
from .figures import figure_rows, in_scene_frames
from .floors import FloorError
from .keying import key_changes, key_everything
from .results import add_to_nla, copy_of, show, slot_of, source_of

PROBLEMS = (CaptureError, FloorError, surefoot.FormatError, ValueError)


def armature_of(context):
    """The active armature that has an action, or None."""
    active = context.object
    data = active.animation_data if active and active.type == "ARMATURE" else None
    return active if data and data.action else None


class FootOperator:
    """What the three operators share."""

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        if armature_of(context) is None:
            cls.poll_message_set("Select an armature with an action")
            return False
        if context.object.animation_data.use_tweak_mode:
            cls.poll_message_set("Leave the tweak mode of the NLA first")
            return False
        return True

    def execute(self, context):
        try:
            with _progress(context) as progress:
                message = self.run(context, context.object, progress)
        except PROBLEMS as error:
            self.report({"ERROR"}, _sentence(error))
            return {"CANCELLED"}
        self.report({"INFO"}, message)
        return {"FINISHED"}


@contextmanager
def _progress(context):
    """Shows a number at the mouse pointer while an operator runs."""
    manager = context.window_manager
    manager.progress_begin(0, 100)
    try:
        yield lambda share: manager.progress_update(int(100 * share))
    finally:
        manager.progress_end()


def _sentence(error: Exception) -> str:
    """The message of an error, with what was found and expected."""
    found, expected = getattr(error, "found", None), getattr(error, "expected", None)
    parts = [str(error)] + [f"found {found}"] * bool(found) + [f"expected {expected}"] * bool(expected)
    return "; ".join(parts)


class SUREFOOT_OT_detect(FootOperator, bpy.types.Operator):
    """Find the frames in which each heel and ball is planted"""

    bl_idname = "surefoot.detect"
    bl_label = "Detect Contacts"

    def run(self, context, armature, progress) -> str:
        action = armature.animation_data.action
        captured = capture(armature, source_of(action), context.scene, progress)
        captured.clip.detect()
        plants.store(action.surefoot, captured.clip, captured.first)
        _store_notes(action.surefoot, captured.notes)
        _store_legs(armature, captured)
        return f"{len(action.surefoot.plants)} plants found"


class SUREFOOT_OT_clean(FootOperator, bpy.types.Operator):
    """Hold every planted heel and ball in place. The result is a new action; the original stays as it is"""

    bl_idname = "surefoot.clean"
    bl_label = "Clean Feet"

    def run(self, context, armature, progress) -> str:
        scene = context.scene
        shown = armature.animation_data.action
        source = source_of(shown)
        captured = capture(armature, source, scene, lambda share: progress(0.7 * share))
        notes = list(captured.notes)
        if not len(shown.surefoot.plants):
            plants.store(shown.surefoot, captured.clip, captured.first)
        chosen = chosen_frames(scene, source)
        clip = captured.clip
        clip.loads_plants(plants.text(shown.surefoot, captured.first, clip.frames, clip.fps, chosen))
        clean = clip.clean(roll=scene.surefoot.roll, stretch=_stretch(armature, captured, source, scene))
        progress(0.8)
        result = self._new_action(armature, shown, source)
        bones, note = _key(armature, source, result, captured, clean)
        notes += [note] * bool(note) + [in_scene_frames(text, captured.first) for text in clean.notes]
        _store_notes(result.surefoot, notes)
        _store_legs(armature, captured)
        show(armature, result)
        if scene.surefoot.result == "NLA":
            add_to_nla(armature, source, result)
        progress(1.0)
        return f"{len(bones)} bones changed in {result.name}" + (f"; {note}" if note else "")

    @staticmethod
    def _new_action(armature, shown, source):
        """The action of the result: a new one, in place of the result that is shown."""
        result = copy_of(source, f"{source.name} clean")
        plants.copy(shown.surefoot, result.surefoot)
        if shown != source:
            name = shown.name
            show(armature, source)
            bpy.data.actions.remove(shown)
            result.name = name
        return result


#: Largest stretch of thigh and shin where bones below the root have keys of their location, as a fraction.
STRETCH = 0.03


def _stretch(armature, captured: Capture, source, scene) -> float:
    """The limit of stretch: none unless the action moves bones against their parents, as for the command."""
    names, data = captured.joints.names, armature.data.bones
    legs = [names[leg[part]] for leg in captured.clip.legs for part in ("knee", "ankle")]
    # A bone that is connected to its parent cannot be moved.
    if scene.surefoot.stretch == "NONE" or any(data[name].use_connect for name in legs):
        return 0.0
    slot = getattr(armature.animation_data, "action_slot", None)
    present = fcurves(source, slot_of(source, slot.identifier if slot else None))
    below = {name for name, parent in zip(names, captured.joints.parents) if parent >= 0}
    located = (constraints.BONE_PATH.match(curve.data_path) for curve in present)
    moves = any(match and match["channel"] == "location" and match["bone"] in below for match in located)
    return STRETCH if moves or captured.arrays.has_translations else 0.0


def _key(armature, source, result, captured: Capture, clean) -> tuple[list[str], str]:
    """Writes the clean motion into the curves of the result, and returns the bones and a note for the user."""
    slot = getattr(armature.animation_data, "action_slot", None)
    target = fcurves(result, slot_of(result, slot.identifier if slot else None))
    names = {name for name, number in zip(captured.joints.names, captured.joints.bones) if number >= 0}
    show(armature, source)
    constraints.record(result.surefoot.muted, armature, names)
    count = len(result.surefoot.muted)
    if not count:
        return key_changes(armature, target, captured, clean), ""
    bones = key_everything(armature, target, captured, clean)
    return bones, f"the rig was baked to {len(bones)} deform bones, and {count} constraints or drivers on them are off"


class SUREFOOT_OT_measure(FootOperator, bpy.types.Operator):
    """Measure how far planted feet move, before and after cleaning, from the bones as Blender evaluates them"""

    bl_idname = "surefoot.measure"
    bl_label = "Measure"

    def run(self, context, armature, progress) -> str:
        action = armature.animation_data.action
        data, source = action.surefoot, source_of(action)
        before = capture(armature, source, context.scene, lambda share: progress(0.5 * share))
        clip = before.clip
        if not len(data.plants):
            plants.store(data, clip, before.first)
        frames = chosen_frames(context.scene, source)
        clip.loads_plants(plants.text(data, before.first, clip.frames, clip.fps, frames))
        figures = clip.measure()
        if action != source:
            after = capture(armature, action, context.scene, lambda share: progress(0.5 + 0.5 * share))
            figures = after.clip.measure(before=clip)
        _store_figures(data, figures)
        return ", ".join(f"{row.name}: {row.after}" for row in data.figures[:2])


class SUREFOOT_OT_show(FootOperator, bpy.types.Operator):
    """Switch between the original action and its clean result"""

    bl_idname = "surefoot.show"
    bl_label = "Show Original or Result"

    def run(self, _context, armature, _progress) -> str:
        action = armature.animation_data.action
        if action.surefoot.source:
            show(armature, action.surefoot.source)
        else:
            results = [other for other in bpy.data.actions if other.surefoot.source == action]
            if not results:
                raise CaptureError(f"{action.name}: found no result, run Clean Feet first")
            show(armature, results[-1])
        return f"{armature.animation_data.action.name} is shown"


def _store_notes(data, notes: list[str]) -> None:
    data.notes.clear()
    for note in notes:
        data.notes.add().name = note


def _store_figures(data, figures: dict) -> None:
    data.figures.clear()
    for name, before, after in figure_rows(figures):
        row = data.figures.add()
        row.name, row.before, row.after = name, before, after


def _store_legs(armature, captured: Capture) -> None:
    """Lists the bones of the legs, for the user to see and to correct."""
    settings = armature.data.surefoot
    if settings.is_picked:
        return
    settings.legs.clear()
    for leg in captured.clip.legs:
        item = settings.legs.add()
        item.name = leg["side"]
        item.hip, item.knee, item.ankle = (captured.joints.names[leg[part]] for part in ("hip", "knee", "ankle"))


CLASSES = (SUREFOOT_OT_detect, SUREFOOT_OT_clean, SUREFOOT_OT_measure, SUREFOOT_OT_show)
