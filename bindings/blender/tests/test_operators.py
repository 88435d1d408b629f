"""Detect contacts, Clean feet and Measure on a walk that skates."""

from __future__ import annotations

import json
import subprocess

import bpy
import numpy as np
import pytest
from extension.capture import capture
from scenes import curve_data, curves_of, drift, empty_scene, evaluated, heads

FIRST, LAST = 1, 361


def plants_of(action) -> list[tuple[str, str, int, int]]:
    return [(plant.foot, plant.point, plant.first, plant.last) for plant in action.surefoot.plants]


def test_contacts_are_those_of_the_command_in_scene_frames(armature, walk, command, tmp_path):
    assert bpy.ops.surefoot.detect() == {"FINISHED"}
    found = plants_of(armature.animation_data.action)
    subprocess.run([command, "detect", walk, "-o", tmp_path / "p.json"], check=True, capture_output=True)
    plants = json.loads((tmp_path / "p.json").read_text())["plants"]
    expected = [(plant["foot"], plant["point"].upper(), plant["first"] + 1, plant["last"] + 1) for plant in plants]
    assert [plant[:2] for plant in found] == [plant[:2] for plant in expected] and len(found) > 10
    # Every step of the walk is the same, and the confidence at the end of one is at the threshold to six digits.
    np.testing.assert_allclose([plant[2:] for plant in found], [plant[2:] for plant in expected], atol=1)
    assert all(0 < plant.confidence <= 1 for plant in armature.animation_data.action.surefoot.plants)
    assert [(leg.name, leg.hip) for leg in armature.data.surefoot.legs] == [
        ("left", "LeftUpLeg"),
        ("right", "RightUpLeg"),
    ]


def test_the_result_is_a_new_action_and_only_changed_bones_have_other_curves(armature):
    original = armature.animation_data.action
    # A bone that the cleaner does not touch, as an animator may leave it.
    hand = next(curve for curve in curves_of(armature) if '"LeftArm"' in curve.data_path)
    hand.modifiers.new("NOISE").strength = 0.01
    for key in hand.keyframe_points:
        key.interpolation, key.handle_left_type, key.handle_right_type = "BEZIER", "FREE", "FREE"
        key.handle_left, key.handle_right = (key.co[0] - 0.3, key.co[1] + 0.02), (key.co[0] + 0.3, key.co[1] - 0.02)
    before = curve_data(curves_of(armature, original))
    assert bpy.ops.surefoot.clean() == {"FINISHED"}
    clean = armature.animation_data.action
    assert clean.name == "walk clean" and clean.surefoot.source == original
    assert curve_data(curves_of(armature, original)) == before
    after = curve_data(curves_of(armature, clean))
    changed = {path.split('"')[1] for path, index in after if after[path, index] != before.get((path, index))}
    sides = [f"{side}{part}" for side in ("Left", "Right") for part in ("UpLeg", "Leg", "Foot", "ToeBase")]
    # The pelvis tilts, and what is attached to it keeps its orientation.
    assert changed and changed <= {"Hips", "Spine", *sides}
    assert after[hand.data_path, hand.array_index] == before[hand.data_path, hand.array_index]


def test_planted_feet_stay_in_place(armature):
    original = armature.animation_data.action
    before = evaluated(armature, FIRST, LAST)
    captured = capture(armature, original, bpy.context.scene)
    bpy.ops.surefoot.clean()
    names = [bone.name for bone in armature.pose.bones]
    plants = armature.animation_data.action.surefoot.plants
    assert drift(before, before, names, captured, plants) > 0.02
    assert drift(evaluated(armature, FIRST, LAST), before, names, captured, plants) < 5e-6


def test_one_undo_restores_everything(armature):
    bpy.ops.ed.undo_push(message="import")
    before = heads(armature, FIRST, FIRST + 30)
    bpy.ops.surefoot.clean()
    bpy.ops.ed.undo_push(message="clean")
    bpy.ops.ed.undo()
    armature = bpy.context.object
    assert [action.name for action in bpy.data.actions] == ["walk"]
    assert armature.animation_data.action.name == "walk" and not armature.animation_data.action.surefoot.plants
    np.testing.assert_array_equal(heads(armature, FIRST, FIRST + 30), before)
    assert len(bpy.data.scenes) == 1


def test_measure_compares_with_the_original_as_blender_evaluates_both(armature, walk, command):
    bpy.ops.surefoot.measure()
    alone = {row.name: (row.before, row.after) for row in armature.animation_data.action.surefoot.figures}
    run = subprocess.run([command, "measure", walk, "--json"], check=True, capture_output=True)
    expected = json.loads(run.stdout)["drift_max_m"]
    before, after = alone["Drift of planted feet"]
    assert before == "" and float(after.split()[0]) == pytest.approx(1e3 * expected, abs=0.05)
    bpy.ops.surefoot.clean()
    bpy.ops.surefoot.measure()
    rows = {row.name: (row.before, row.after) for row in armature.animation_data.action.surefoot.figures}
    assert rows["Drift of planted feet"][1] == "0.00 mm" and rows["New slides"][1] == "0"
    assert rows["Drift of planted feet"][0] == alone["Drift of planted feet"][1]


def test_cleaning_again_starts_from_the_original(armature):
    bpy.ops.surefoot.clean()
    once = heads(armature, FIRST, LAST)
    names = [action.name for action in bpy.data.actions]
    bpy.ops.surefoot.clean()
    assert [action.name for action in bpy.data.actions] == names == ["walk", "walk clean"]
    np.testing.assert_array_equal(heads(armature, FIRST, LAST), once)


def test_edited_plants_are_held(armature):
    bpy.ops.surefoot.detect()
    data = armature.animation_data.action.surefoot
    for number in reversed(range(len(data.plants))):
        if data.plants[number].foot == "right":
            data.active = number
            bpy.ops.surefoot.remove_plant()
    plant = data.plants[1]
    plant.first, plant.last = plant.first - 4, plant.last + 2
    assert plant.confidence == -1
    expected = plants_of(armature.animation_data.action)
    before = evaluated(armature, FIRST, LAST)
    captured = capture(armature, armature.animation_data.action, bpy.context.scene)
    bpy.ops.surefoot.clean()
    clean = armature.animation_data.action
    assert plants_of(clean) == expected
    names = [bone.name for bone in armature.pose.bones]
    assert drift(evaluated(armature, FIRST, LAST), before, names, captured, clean.surefoot.plants) < 5e-6


def test_plants_are_added_chosen_and_removed(armature):
    bpy.ops.surefoot.detect()
    data, scene = armature.animation_data.action.surefoot, bpy.context.scene
    count = len(data.plants)
    scene.frame_set(100)
    assert bpy.ops.surefoot.add_plant(foot="left", point="BALL") == {"FINISHED"}
    added = data.plants[data.active]
    assert (len(data.plants), added.foot, added.point) == (count + 1, "left", "BALL")
    assert (added.first, added.last) == (100, 114)
    with pytest.raises(RuntimeError, match="found 'tail', expected one of left, right"):
        bpy.ops.surefoot.add_plant(foot="tail")
    data.active = 3
    assert scene.frame_current == data.plants[3].first
    bpy.ops.surefoot.jump_to_plant(end="LAST")
    assert scene.frame_current == data.plants[3].last
    data.active = count
    bpy.ops.surefoot.remove_plant()
    assert len(data.plants) == count
    added = data.plants[0]
    added.first = added.last + 5
    assert added.last == added.first


def test_only_the_chosen_frames_are_held(armature):
    scene = bpy.context.scene
    before = heads(armature, FIRST, LAST)
    scene.surefoot.frames = "SCENE"
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 150, 230
    bpy.ops.surefoot.clean()
    moved = np.abs(heads(armature, FIRST, LAST) - before).max(axis=(1, 2)) > 1e-4
    assert moved[149:230].any() and not moved[:100].any() and not moved[290:].any()
    clean = armature.animation_data.action
    left = curve_data(curves_of(armature, clean))
    source = curve_data(curves_of(armature, clean.surefoot.source))
    same = [len(left[key][0]) == len(source[key][0]) for key in source]
    assert all(same) and not set(left) - set(source)


def test_selected_keys_choose_the_frames(armature):
    scene = bpy.context.scene
    for curve in curves_of(armature):
        flags = np.array([150 <= key.co[0] <= 230 for key in curve.keyframe_points])
        curve.keyframe_points.foreach_set("select_control_point", flags)
    before = heads(armature, FIRST, LAST)
    scene.surefoot.frames = "KEYS"
    bpy.ops.surefoot.clean()
    moved = np.abs(heads(armature, FIRST, LAST) - before).max(axis=(1, 2)) > 1e-4
    assert moved[149:230].any() and not moved[:100].any() and not moved[290:].any()


def add_mesh(name: str, vertices, faces):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    placed = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(placed)
    return placed


def test_an_object_is_the_floor(armature):
    # In centimetres, as the walk is: 3 cm above its ground.
    plane = add_mesh("floor", [(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)], [(0, 1, 2, 3)])
    plane.location, plane.scale = (0, 0, 3), (40, 40, 1)
    settings = bpy.context.scene.surefoot
    settings.floor, settings.floor_object = "OBJECT", plane
    bpy.context.view_layer.update()
    captured = capture(armature, armature.animation_data.action, bpy.context.scene)
    captured.clip.detect()
    ball = captured.joints.names.index("LeftToeBase")
    clean = captured.clip.clean()
    held = next(plant for plant in clean.plants if plant["point"] == "ball" and plant["foot"] == "left")
    assert clean.positions[held["first"] : held["last"] + 1, ball, 2] == pytest.approx(3.0, abs=0.5)


def test_a_mesh_is_the_floor_and_an_object_without_faces_is_not(armature):
    stairs = [(-900, y, z) for y, z in ((-900, 0), (-100, 0), (-100, 15), (900, 15))]
    vertices = stairs + [(900, y, z) for _, y, z in stairs]
    mesh = add_mesh("stairs", vertices, [(0, 4, 5, 1), (2, 6, 7, 3)])
    settings = bpy.context.scene.surefoot
    settings.floor, settings.floor_object = "OBJECT", mesh
    bpy.context.view_layer.update()
    assert bpy.ops.surefoot.clean() == {"FINISHED"}
    settings.floor_object = add_mesh("points", [(0, 0, 0)], [])
    with pytest.raises(RuntimeError, match="points: found no faces, expected a plane or a mesh"):
        bpy.ops.surefoot.clean()
    settings.floor_object = None
    with pytest.raises(RuntimeError, match="found no object, expected a plane or a mesh"):
        bpy.ops.surefoot.clean()


def test_the_result_can_be_an_nla_layer(armature):
    bpy.ops.surefoot.clean()
    expected = heads(armature, FIRST, LAST)
    bpy.ops.surefoot.show()
    before = heads(armature, FIRST, LAST)
    bpy.context.scene.surefoot.result = "NLA"
    bpy.ops.surefoot.clean()
    data = armature.animation_data
    assert data.action is None and [track.name for track in data.nla_tracks][-1] == "surefoot"
    np.testing.assert_allclose(heads(armature, FIRST, LAST), expected, atol=1e-4)
    data.nla_tracks[-1].mute = True
    np.testing.assert_allclose(heads(armature, FIRST, LAST), before, atol=1e-4)


def test_show_changes_between_original_and_result(armature):
    with pytest.raises(RuntimeError, match="found no result, run Clean Feet first"):
        bpy.ops.surefoot.show()
    bpy.ops.surefoot.clean()
    bpy.ops.surefoot.show()
    assert armature.animation_data.action.name == "walk"
    bpy.ops.surefoot.show()
    assert armature.animation_data.action.name == "walk clean"


def test_picked_legs_replace_the_found_ones(armature):
    settings = armature.data.surefoot
    settings.is_picked = True
    with pytest.raises(RuntimeError, match="found no bones, expected thigh, shin and foot"):
        bpy.ops.surefoot.detect()
    bpy.ops.surefoot.add_leg()
    leg = settings.legs[0]
    leg.hip, leg.knee, leg.ankle = "LeftUpLeg", "LeftLeg", "LeftFoot"
    bpy.ops.surefoot.detect()
    assert {plant.foot for plant in armature.animation_data.action.surefoot.plants} == {"left"}
    leg.ankle = "Pinky"
    with pytest.raises(RuntimeError, match="left leg: found 'Pinky', expected a bone of walk"):
        bpy.ops.surefoot.detect()
    bpy.ops.surefoot.remove_leg()
    assert not settings.legs


def test_operators_are_off_without_an_action(armature):
    armature.animation_data_clear()
    assert not bpy.ops.surefoot.clean.poll()
    empty_scene()
    assert not bpy.ops.surefoot.detect.poll()


def test_the_frame_and_the_scenes_of_the_user_stay(armature):
    scene = bpy.context.scene
    scene.frame_set(42)
    bpy.ops.surefoot.clean()
    bpy.ops.surefoot.measure()
    assert scene.frame_current == 42 and list(bpy.data.scenes) == [scene]
    assert list(scene.objects) == [armature] and armature.users_scene == (scene,)
