"""Actions beside each other: the original, and the clean one that is made from it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator

from .constraints import set_muted


def source_of(action):
    """The action that was captured: the original of a clean action, otherwise the action itself."""
    return action.surefoot.source or action


def slot_of(action, identifier: str | None):
    """The slot of an action with this identifier, or its first one; None before Blender 4.4."""
    slots = getattr(action, "slots", None)
    if not slots:
        return None
    return next((slot for slot in slots if slot.identifier == identifier), slots[0])


def show(armature_object, action) -> None:
    """Assigns an action to the armature, and turns off the constraints that a baked action replaces."""
    data = armature_object.animation_data
    shown = data.action
    slot = getattr(data, "action_slot", None)
    identifier = slot.identifier if slot else None
    if shown:
        set_muted(shown.surefoot.muted, armature_object, False)
    if shown is not action:
        data.action = action
        if hasattr(data, "action_slot"):
            data.action_slot = slot_of(action, identifier)
    set_muted(action.surefoot.muted, armature_object, True)


@contextmanager
def showing(armature_object, action) -> Iterator[None]:
    """Shows an action alone, without the other tracks of the NLA, and then what was shown before."""
    data = armature_object.animation_data
    shown, uses_nla = data.action, data.use_nla
    try:
        data.use_nla = False
        show(armature_object, action)
        yield
    finally:
        show(armature_object, shown)
        data.use_nla = uses_nla


def copy_of(source, name: str):
    """A copy of an action, to be made its clean result."""
    clean = source.copy()
    clean.name = name
    clean.surefoot.source = source
    clean.use_fake_user = True
    return clean


def add_to_nla(armature_object, source, clean) -> None:
    """Puts the original and the clean action on NLA tracks, the clean one on top, and leaves the armature without an
    active action, which would hide them."""
    data = armature_object.animation_data
    slot = getattr(data, "action_slot", None)
    identifier = slot.identifier if slot else None
    tracks = data.nla_tracks
    if not any(strip.action == source and not track.mute for track in tracks for strip in track.strips):
        _add_strip(tracks.new(), source, identifier)
    top = tracks.new(prev=tracks[-1])
    top.name = "surefoot"
    _add_strip(top, clean, identifier)
    data.action = None


def _add_strip(track, action, identifier: str | None) -> None:
    first, last = action.frame_range
    strip = track.strips.new(action.name, int(first), action)
    if hasattr(strip, "action_slot"):
        strip.action_slot = slot_of(action, identifier)
    # The start of a new strip is rounded to a frame; keys may begin between two.
    strip.action_frame_start, strip.action_frame_end = first, last
    strip.frame_start, strip.frame_end = first, last
