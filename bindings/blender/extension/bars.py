"""Geometry of the bars on the time line: where they are, which one is under the mouse, and what a drag does.

Nothing here depends on Blender. Positions are pixels of the time line's region, from its lower left corner.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Height of a bar and of the row that it is in, and the distance of the first row from the lower edge, in pixels at a
#: resolution scale of 1.
BAR, ROW, BOTTOM = 10.0, 14.0, 24.0
#: Distance from an end of a bar within which the mouse holds that end, in pixels at a resolution scale of 1.
GRIP = 6.0


@dataclass(frozen=True)
class Bar:
    """A plant as a rectangle."""

    plant: int
    row: int
    left: float
    right: float
    low: float
    high: float


@dataclass(frozen=True)
class Plant:
    """The frames of a plant, and its row: one for each point of each foot."""

    row: int
    first: int
    last: int


@dataclass(frozen=True)
class Grip:
    """What the mouse holds: the first frame, the last frame or the whole of a plant."""

    plant: int
    part: str


def rows(labels: list[str]) -> dict[str, int]:
    """The row of each foot point, from the top of the list down to row 0 at the lower edge."""
    names = list(dict.fromkeys(labels))
    return {name: len(names) - 1 - number for number, name in enumerate(names)}


def bars(plants: list[Plant], to_x, scale: float = 1.0) -> list[Bar]:
    """The bars of plants. ``to_x`` gives the position of a frame; the last frame is covered to its end."""
    found = []
    for number, plant in enumerate(plants):
        low = scale * (BOTTOM + plant.row * ROW)
        # Half a frame to each side, so that a plant of one frame is visible and ends do not touch.
        left, right = to_x(plant.first - 0.5), to_x(plant.last + 0.5)
        found.append(Bar(number, plant.row, left, right, low, low + scale * BAR))
    return found


def grip_at(drawn: list[Bar], x: float, y: float, scale: float = 1.0) -> Grip | None:
    """What is at a position: an end of a bar within reach, else the bar under it. None if there is no bar."""
    reach = scale * GRIP
    ends = []
    for bar in drawn:
        if not bar.low <= y <= bar.high or not bar.left - reach <= x <= bar.right + reach:
            continue
        # The middle third of a short bar moves the whole of it.
        inner = min(reach, (bar.right - bar.left) / 3)
        for part, distance in (("first", x - bar.left), ("last", bar.right - x)):
            if -reach <= distance <= inner:
                # Of two ends at the same place, that of the bar under the mouse is held.
                ends.append((abs(distance), distance < 0, Grip(bar.plant, part)))
        if bar.left <= x <= bar.right:
            ends.append((reach, False, Grip(bar.plant, "whole")))
    return min(ends, key=lambda end: end[:2])[2] if ends else None


def dragged(plants: list[Plant], grip: Grip, frames: int, limits: tuple[int, int]) -> tuple[int, int]:
    """The first and last frame of a plant whose grip was dragged by a number of frames.

    A plant keeps at least one frame, stays inside ``limits`` and apart from its neighbours in the same row.
    """
    plant = plants[grip.plant]
    others = [other for number, other in enumerate(plants) if number != grip.plant and other.row == plant.row]
    low = max([limits[0]] + [other.last + 1 for other in others if other.last < plant.first])
    high = min([limits[1]] + [other.first - 1 for other in others if other.first > plant.last])
    # A plant that already overlaps its neighbour or leaves the limits may stay where it is.
    low, high = min(low, plant.first), max(high, plant.last)
    if grip.part == "first":
        return min(max(plant.first + frames, low), plant.last), plant.last
    if grip.part == "last":
        return plant.first, max(min(plant.last + frames, high), plant.first)
    moved = min(max(frames, low - plant.first), high - plant.last)
    return plant.first + moved, plant.last + moved
