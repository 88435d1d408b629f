"""surefoot in Blender: finds the foot contacts of an action, holds the planted feet, and measures the result.

``operators`` holds the three operators. ``capture`` evaluates an action (``evaluation``, ``skeleton``, ``motion``) and
makes a clip of it; ``keying`` writes the clean clip into a new action (``channels``, ``curves``, ``results``). Plants
are in the list of the panel (``plant_list``, ``panel``) and on the time line (``bars``, ``timeline``).
"""

import bpy

from . import operators, panel, plant_list, properties, timeline

CLASSES = (*operators.CLASSES, *plant_list.CLASSES, *panel.CLASSES)


def register() -> None:
    properties.register()
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    timeline.register()


def unregister() -> None:
    timeline.unregister()
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
    properties.unregister()
