"""Bars on the time line: where they are, what the mouse holds, and what a drag does."""

from __future__ import annotations

import pytest
from extension.bars import BAR, BOTTOM, ROW, Grip, Plant, bars, dragged, grip_at, rows

#: A time line of 10 pixels per frame that starts at frame 0.
PLANTS = [Plant(1, 10, 20), Plant(1, 30, 40), Plant(0, 5, 5)]


def to_x(frame: float) -> float:
    return 10.0 * frame


def at(plant: Plant, frame: float) -> tuple[float, float]:
    return to_x(frame), BOTTOM + plant.row * ROW + BAR / 2


def test_each_foot_point_has_a_row_of_its_own():
    assert rows(["left ball", "left heel", "left ball", "right heel"]) == {
        "left ball": 2,
        "left heel": 1,
        "right heel": 0,
    }


def test_a_bar_covers_all_frames_of_its_plant():
    first, _, single = bars(PLANTS, to_x)
    assert (first.left, first.right) == (95.0, 205.0)
    assert (single.left, single.right) == (45.0, 55.0)
    assert single.high < first.low
    doubled = bars(PLANTS, to_x, scale=2.0)[0]
    assert doubled.high - doubled.low == 2 * BAR and doubled.left == first.left


@pytest.mark.parametrize(
    "frame, part", [(9.4, "first"), (9.0, "first"), (10.0, "first"), (15.0, "whole"), (20.4, "last"), (21.0, "last")]
)
def test_the_mouse_holds_an_end_or_the_whole(frame, part):
    assert grip_at(bars(PLANTS, to_x), *at(PLANTS[0], frame)) == Grip(0, part)


def test_a_plant_of_one_frame_can_be_held_at_both_ends_and_moved():
    found = [grip_at(bars(PLANTS, to_x), *at(PLANTS[2], frame)).part for frame in (4.5, 5.0, 5.5)]
    assert found == ["first", "whole", "last"]


def test_nothing_is_held_beside_the_bars():
    drawn = bars(PLANTS, to_x)
    assert grip_at(drawn, *at(PLANTS[0], 25.0)) is None
    assert grip_at(drawn, 150.0, BOTTOM + ROW - 1) is None
    assert grip_at(drawn, 150.0, 500.0) is None
    assert grip_at([], 0.0, 0.0) is None


def test_of_two_bars_that_touch_the_nearer_end_is_held():
    drawn = bars([Plant(0, 0, 9), Plant(0, 10, 19)], to_x)
    assert grip_at(drawn, *at(Plant(0, 0, 0), 9.4)) == Grip(0, "last")
    assert grip_at(drawn, *at(Plant(0, 0, 0), 9.6)) == Grip(1, "first")


@pytest.mark.parametrize(
    "part, frames, expected",
    [
        ("first", -3, (7, 20)),
        ("first", 50, (20, 20)),
        ("first", -50, (0, 20)),
        ("last", 4, (10, 24)),
        ("last", 50, (10, 29)),
        ("last", -50, (10, 10)),
        ("whole", 5, (15, 25)),
        ("whole", 50, (19, 29)),
        ("whole", -50, (0, 10)),
    ],
)
def test_a_drag_keeps_a_frame_and_stays_apart_from_neighbours(part, frames, expected):
    assert dragged(PLANTS, Grip(0, part), frames, (0, 100)) == expected


def test_a_drag_stays_inside_the_action():
    assert dragged(PLANTS, Grip(1, "last"), 500, (0, 100)) == (30, 100)


def test_a_plant_that_overlaps_another_can_still_be_made_shorter():
    plants = [Plant(0, 10, 20), Plant(0, 15, 40)]
    assert dragged(plants, Grip(0, "last"), -8, (0, 100)) == (10, 12)
    assert dragged(plants, Grip(0, "first"), 0, (0, 100)) == (10, 20)
