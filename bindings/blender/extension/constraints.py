"""Constraints and drivers of bones, which keys cannot override: finds them, and turns them off and on again."""

from __future__ import annotations

import re

#: The bone and the channel in the data path of a driver.
BONE_PATH = re.compile(r'pose\.bones\["(?P<bone>(?:[^"\\]|\\.)+)"\]\.(?P<channel>\w+)$')
CHANNELS = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")


def constraints_of(armature_object, names: set[str]) -> list[tuple[str, str]]:
    """The constraints in effect on these bones, as names of bone and constraint."""
    bones = (armature_object.pose.bones[name] for name in sorted(names))
    return [(bone.name, constraint.name) for bone in bones for constraint in bone.constraints if not constraint.mute]


def drivers_of(armature_object, names: set[str]) -> list[tuple[str, int]]:
    """The drivers in effect on channels of these bones, as data path and index."""
    data = armature_object.animation_data
    found = []
    for driver in data.drivers if data else ():
        match = BONE_PATH.match(driver.data_path)
        if match and match["bone"] in names and match["channel"] in CHANNELS and not driver.mute:
            found.append((driver.data_path, driver.array_index))
    return found


def record(muted, armature_object, names: set[str]) -> None:
    """Lists the constraints and drivers of these bones in a collection of ``SurefootMuted``."""
    muted.clear()
    for bone, constraint in constraints_of(armature_object, names):
        item = muted.add()
        item.bone, item.constraint = bone, constraint
    for path, index in drivers_of(armature_object, names):
        item = muted.add()
        item.driver_path, item.driver_index = path, index


def set_muted(muted, armature_object, mute: bool) -> None:
    """Turns the listed constraints and drivers off or on. What was deleted since is left out."""
    drivers = armature_object.animation_data.drivers
    for item in muted:
        if item.driver_path:
            driver = drivers.find(item.driver_path, index=item.driver_index)
            if driver:
                driver.mute = mute
            continue
        bone = armature_object.pose.bones.get(item.bone)
        constraint = bone.constraints.get(item.constraint) if bone else None
        if constraint:
            constraint.mute = mute
