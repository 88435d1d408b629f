"""Plants between the list of an action, in scene frames, and a clip of surefoot, in frames from 0."""

from __future__ import annotations

import json


def store(action_data, clip, first: int) -> None:
    """Fills the list of an action with the plants of a clip whose first frame is this scene frame."""
    document = json.loads(clip.dumps_plants())
    ground = document.get("ground_m_per_s")
    action_data.has_ground = ground is not None
    action_data.ground = ground or (0.0, 0.0, 0.0)
    action_data.plants.clear()
    for plant in document["plants"]:
        item = action_data.plants.add()
        item.name = f"{plant['foot']} {plant['point']}"
        item.foot, item.point = plant["foot"], plant["point"].upper()
        item.first, item.last = first + plant["first"], first + plant["last"]
        # Last, because setting frames clears it.
        item.confidence = plant.get("confidence", -1.0)


def copy(source, target) -> None:
    """Copies the plants from one action's list to another's."""
    target.plants.clear()
    target.has_ground, target.ground = source.has_ground, source.ground
    for plant in source.plants:
        item = target.plants.add()
        item.name, item.foot, item.point = plant.name, plant.foot, plant.point
        item.first, item.last = plant.first, plant.last
        item.confidence = plant.confidence


def text(action_data, first: int, count: int, fps: float, chosen: tuple[int, int]) -> str:
    """The plants of an action as a plants file, cut to the chosen frames."""
    low, high = max(first, chosen[0]), min(first + count - 1, chosen[1])
    found = []
    for plant in action_data.plants:
        start, end = max(plant.first, low), min(plant.last, high)
        if start > end:
            continue
        entry = {"foot": plant.foot, "point": plant.point.lower(), "first": start - first, "last": end - first}
        if plant.confidence >= 0:
            entry["confidence"] = plant.confidence
        found.append(entry)
    document = {"surefoot": "plants/1", "motion": {"frames": count, "fps": fps}, "plants": found}
    if action_data.has_ground:
        document["ground_m_per_s"] = list(action_data.ground)
    return json.dumps(document)
