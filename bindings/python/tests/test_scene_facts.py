"""What a program states about a motion in arrays: floor, unit, ends of bones, plants."""

from __future__ import annotations

import json

import numpy as np
import pytest
import surefoot


@pytest.fixture
def captured():
    return surefoot.load("walk.bvh")


def clip_of(captured, **facts) -> surefoot.Clip:
    arrays = captured.rotations, captured.root, captured.offsets, captured.parents
    return surefoot.from_arrays(*arrays, fps=captured.fps, names=captured.names, **facts)


def height_of_left_ball(clip) -> float:
    clean = clip.clean()
    plant = next(plant for plant in clean.plants if (plant["foot"], plant["point"]) == ("left", "ball"))
    (joint, _) = next(leg for leg in clean.legs if leg["side"] == "left")["ball"]
    return clean.positions[plant["first"] + 5, joint, 1]


def test_a_plane_and_a_mesh_are_floors(captured):
    level = height_of_left_ball(clip_of(captured, floor=0.02))
    assert level == pytest.approx(height_of_left_ball(clip_of(captured, floor=((0, 2, 0), (5, 0.02, 5)))), abs=1e-9)
    vertices = [(-9, 0.02, -9), (9, 0.02, -9), (9, 0.02, 9), (-9, 0.02, 9)]
    assert level == pytest.approx(
        height_of_left_ball(clip_of(captured, floor=(vertices, [(0, 1, 2), (0, 2, 3)]))), abs=1e-9
    )
    assert level != pytest.approx(height_of_left_ball(clip_of(captured, floor=0.0)), abs=1e-3)


def test_floors_have_the_unit_and_axes_of_the_arrays(captured):
    turned = captured.root[:, [0, 2, 1]] * (100, -100, 100)
    rotations = captured.rotations[..., [0, 1, 3, 2]] * (1, 1, -1, 1)
    offsets = captured.offsets[:, [0, 2, 1]] * (100, -100, 100)
    clip = surefoot.from_arrays(
        rotations,
        turned,
        offsets,
        captured.parents,
        fps=60,
        names=captured.names,
        up="z",
        unit=0.01,
        floor=((0, 0, 1), (0, 0, 2)),
    )
    expected = clip_of(captured, floor=0.02).clean().positions
    np.testing.assert_allclose(clip.clean().positions[..., 2] / 100, expected[..., 1], atol=1e-9)


@pytest.mark.parametrize(
    "floor, message",
    [
        (((0, 0, 0), (0, 0, 0)), "normal of a plane must not be zero"),
        (((0, 1), (0, 0)), "expected a plane as"),
        (([(0, 0, 0)], [(0, 1, 2)]), "found vertex 1, expected one below 1"),
        (([(0, 0), (1, 1)], [(0, 1, 1)]), "expected a mesh as"),
        ((1, 2, 3), "found 3 values, expected"),
        ("level", "expected a height in metres"),
    ],
)
def test_a_wrong_floor_is_refused(captured, floor, message):
    with pytest.raises(ValueError, match=message):
        clip_of(captured, floor=floor)


def test_the_unit_is_inferred_like_that_of_a_file(captured):
    arrays = captured.rotations, 100 * captured.root, 100 * captured.offsets, captured.parents
    clip = surefoot.from_arrays(*arrays, fps=60, names=captured.names, unit="auto")
    assert clip.unit == 0.01 and captured.unit == 1.0
    np.testing.assert_allclose(clip.clean().positions / 100, clip_of(captured).clean().positions, atol=1e-6)


def test_ends_of_bones_are_foot_points(captured):
    toe = captured.names.index("LeftToeBase")
    ends = np.full((len(captured.names), 3), np.nan)
    ends[toe] = (0.0, 0.0, 0.09)
    left = next(leg for leg in clip_of(captured, ends=ends).legs if leg["side"] == "left")
    assert left["toe"] == (toe, pytest.approx([0.0, 0.0, 0.09]))
    with pytest.raises(ValueError, match="ends: found shape"):
        clip_of(captured, ends=ends[1:])


def test_plants_go_out_and_in_as_text(captured):
    clip = clip_of(captured)
    document = json.loads(clip.dumps_plants())
    assert len(document["plants"]) == len(clip.plants) > 10
    document["plants"] = document["plants"][:3]
    document["plants"][0]["last"] += 2
    clip.loads_plants(json.dumps(document))
    assert [(plant["first"], plant["last"]) for plant in clip.plants] == [
        (plant["first"], plant["last"]) for plant in document["plants"]
    ]
    assert len(clip.clean().plants) == 3
    document["plants"][0]["foot"] = "middle"
    with pytest.raises(surefoot.FormatError, match="middle"):
        clip.loads_plants(json.dumps(document))


def test_warnings_of_the_inference_are_those_of_the_file(captured):
    lifted = captured.root + np.linspace(0, 3, captured.frames)[:, None] * (0, 1, 0)
    clip = surefoot.from_arrays(
        captured.rotations, lifted, captured.offsets, captured.parents, fps=60, names=captured.names
    )
    assert any("floor is uncertain" in warning for warning in clip.warnings)
    assert clip_of(captured).warnings == captured.warnings == []
