"""F-curves: only the frames that changed get other values."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from extension.curves import fcurves, find_or_add, replace, values
from scenes import curve_data, empty_scene

FRAMES = np.arange(1, 61)


@pytest.fixture
def curves():
    empty_scene()
    action = bpy.data.actions.new("keys")
    # Blender 4.2 has no slots.
    slot = action.slots.new(id_type="OBJECT", name="keys") if hasattr(action, "slots") else None
    return fcurves(action, slot)


def curve_with(curves, keys, interpolation="BEZIER"):
    curve = curves.new("location", index=0)
    for frame, value in keys:
        curve.keyframe_points.insert(frame, value).interpolation = interpolation
    curve.update()
    return curve


def changed_between(first: int, last: int) -> np.ndarray:
    return (FRAMES >= first) & (FRAMES <= last)


def replaced(curve, first: int, last: int, amount: float = 0.5):
    """Adds an amount in some frames, and returns the values before and after."""
    old = values(curve, FRAMES, 0.0)
    changed = changed_between(first, last)
    new = np.where(changed, old + amount, old)
    replace(curve, FRAMES, old, new, changed)
    return old, new


def test_a_key_on_every_frame_keeps_its_neighbours_and_interpolation(curves):
    curve = curve_with(curves, [(frame, np.sin(frame)) for frame in range(1, 61)], "LINEAR")
    before = curve_data([curve])["location", 0][0]
    _, new = replaced(curve, 20, 29)
    np.testing.assert_allclose(values(curve, FRAMES, 0.0), new, atol=1e-6)
    after = curve_data([curve])["location", 0][0]
    assert len(after) == 60 and all(key[5] == "LINEAR" for key in after)
    assert [key[0] for key in after[:19] + after[29:]] == [key[0] for key in before[:19] + before[29:]]


@pytest.mark.parametrize("interpolation", ["BEZIER", "LINEAR", "CONSTANT", "SINE"])
def test_keys_far_apart_keep_the_shape_of_the_rest_of_the_curve(curves, interpolation):
    curve = curve_with(curves, [(1, 0.0), (11, 2.0), (31, -1.0), (41, 3.0), (60, 0.0)], interpolation)
    between = np.arange(1.0, 60.0, 0.25)
    smooth = values(curve, between, 0.0)
    _, new = replaced(curve, 18, 22)
    np.testing.assert_allclose(values(curve, FRAMES, 0.0), new, atol=1e-5)
    # Also between frames, outside the two keys that the changed frames are between.
    outside = (between < 11) | (between > 31)
    np.testing.assert_allclose(values(curve, between, 0.0)[outside], smooth[outside], atol=1e-5)


def test_keys_between_frames_give_way_where_values_change(curves):
    curve = curve_with(curves, [(1.0 + 1.25 * n, np.cos(n)) for n in range(48)], "LINEAR")
    _, new = replaced(curve, 20, 30)
    np.testing.assert_allclose(
        values(curve, changed_frames := FRAMES[changed_between(20, 30)], 0.0), new[19:30], atol=1e-5
    )
    times = [key.co[0] for key in curve.keyframe_points]
    assert all(time == round(time) for time in times if 20 <= time <= 30) and len(changed_frames) == 11
    assert times == sorted(times)


def test_handles_that_a_person_has_set_move_with_their_key(curves):
    curve = curve_with(curves, [(1, 0.0), (20, 1.0), (40, 0.0)])
    for key in curve.keyframe_points:
        key.handle_left_type = key.handle_right_type = "FREE"
        key.handle_left, key.handle_right = (key.co[0] - 3, key.co[1] + 1), (key.co[0] + 2, key.co[1] - 1)
    curve.update()
    before = {key.co[0]: key.handle_left[1] - key.co[1] for key in curve.keyframe_points}
    replaced(curve, 20, 20)
    after = {key.co[0]: key.handle_left[1] - key.co[1] for key in curve.keyframe_points}
    assert after[20] == pytest.approx(before[20], abs=1e-5)


def test_modifiers_of_a_changed_curve_are_muted_and_their_values_kept(curves):
    curve = curve_with(curves, [(1, 0.0), (60, 6.0)], "LINEAR")
    curve.modifiers.new("NOISE").strength = 2.0
    _, new = replaced(curve, 20, 29)
    assert [modifier.mute for modifier in curve.modifiers] == [True]
    np.testing.assert_allclose(values(curve, FRAMES, 0.0), new, atol=1e-4)


def test_a_channel_without_a_curve_gets_one_in_the_group_of_its_bone(curves):
    curve = find_or_add(curves, 'pose.bones["Foot"].rotation_quaternion', 2, "Foot")
    assert curve.group.name == "Foot"
    assert find_or_add(curves, 'pose.bones["Foot"].rotation_quaternion', 2, "Foot") == curve
    old = values(None, FRAMES, 0.25)
    changed = changed_between(20, 29)
    new = np.where(changed, 1.0, old)
    replace(curve, FRAMES, old, new, changed)
    np.testing.assert_allclose(values(curve, FRAMES, 0.0), new, atol=1e-6)
    assert len(curve.keyframe_points) == 12


@pytest.mark.parametrize("extrapolation", ["CONSTANT", "LINEAR"])
@pytest.mark.parametrize("first, last", [(5, 8), (40, 45)])
def test_a_curve_keeps_its_extrapolation_beside_changed_frames(curves, extrapolation, first, last):
    curve = curve_with(curves, [(20, 1.0), (30, 2.0)], "LINEAR")
    curve.extrapolation = extrapolation
    _, new = replaced(curve, first, last)
    np.testing.assert_allclose(values(curve, FRAMES, 0.0), new, atol=1e-5)


def test_nothing_changes_without_changed_frames(curves):
    curve = curve_with(curves, [(1, 0.0), (11, 2.0), (31, -1.0)])
    before = curve_data([curve])
    replace(curve, FRAMES, FRAMES * 0.0, FRAMES * 0.0, np.zeros(60, dtype=bool))
    assert curve_data([curve]) == before
