"""Rigs that animators use: IK controls, drivers, rotation modes, inheritance, moved and scaled objects, Rigify."""

from __future__ import annotations

import addon_utils
import bpy
import numpy as np
import pytest
from extension.capture import action_frames, capture
from mathutils import Matrix, Vector
from scenes import curve_data, curves_of, drift, empty_scene, evaluated, heads, import_motion, quiet

FIRST, LAST = 1, 361


def cleaned_drift(armature, first: int = FIRST, last: int = LAST) -> tuple[float, float]:
    """Cleans, and returns the drift of the planted points before and after."""
    action = armature.animation_data.action
    before = evaluated(armature, first, last)
    captured = capture(armature, action, bpy.context.scene)
    assert bpy.ops.surefoot.clean() == {"FINISHED"}
    plants = armature.animation_data.action.surefoot.plants
    assert len(plants)
    names = [bone.name for bone in armature.pose.bones]
    after = evaluated(armature, first, last)
    return drift(before, before, names, captured, plants), drift(after, before, names, captured, plants)


@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE", "XYZ", "YXZ"])
def test_every_rotation_mode_is_keyed(walk, mode):
    armature = import_motion(walk)
    first = heads(armature, FIRST, LAST)
    for bone in armature.pose.bones:
        convert_rotation(armature, bone, mode)
    # Half a millimetre: Blender computes angle and axis of small rotations with few digits.
    np.testing.assert_allclose(heads(armature, FIRST, LAST), first, atol=0.05)
    before, after = cleaned_drift(armature)
    assert before > 0.02 and after < 2e-5


def convert_rotation(armature, bone, mode: str) -> None:
    """Replaces the rotation curves of a bone by those of another mode."""
    from extension.channels import rotation_path

    curves, old = curves_of(armature), f'pose.bones["{bone.name}"].rotation_euler'
    present = [curves.find(old, index=n) for n in range(3)]
    if None in present:
        return
    order = bone.rotation_mode
    angles = np.array([[curve.evaluate(frame) for curve in present] for frame in range(FIRST, LAST + 1)])
    from mathutils import Euler

    matrices = [Euler(row, order).to_matrix() for row in angles]
    for curve in present:
        curves.remove(curve)
    bone.rotation_mode = mode
    name, count = rotation_path(bone)
    previous = None
    new = [curves.new(f'pose.bones["{bone.name}"].{name}', index=n) for n in range(count)]
    for frame, matrix in enumerate(matrices, start=FIRST):
        if mode == "QUATERNION":
            value = matrix.to_quaternion()
            value.make_compatible(previous or value)
        elif mode == "AXIS_ANGLE":
            axis, angle = matrix.to_quaternion().to_axis_angle()
            value = (angle, *axis)
        else:
            value = matrix.to_euler(mode, previous) if previous else matrix.to_euler(mode)
        previous = value
        for curve, number in zip(new, value):
            curve.keyframe_points.insert(frame, number, options={"FAST"})


def test_an_object_that_is_turned_scaled_and_moved_is_cleaned(walk):
    armature = import_motion(walk)
    armature.matrix_world = (
        Matrix.Translation((3, -2, 0.5)) @ Matrix.Rotation(1.1, 4, "Z") @ Matrix.Diagonal((0.01, 0.01, 0.01, 1))
    )
    armature.location.z = 0.0
    before, after = cleaned_drift(armature)
    assert before > 0.02 and after < 5e-6
    notes = [note.name for note in armature.animation_data.action.surefoot.notes]
    assert not any("one unit is taken" in note for note in notes)


def test_root_motion_on_the_object_is_cleaned_by_the_bones(walk):
    armature = import_motion(walk)
    armature.scale = (0.01,) * 3
    for frame, x in ((FIRST, 0.0), (LAST, 0.5)):
        armature.location.x = x
        armature.keyframe_insert("location", index=0, frame=frame)
    moved = curve_data(curves_of(armature))["location", 0]
    before, after = cleaned_drift(armature)
    assert before > 0.02 and after < 5e-6
    assert curve_data(curves_of(armature))["location", 0] == moved


def test_bones_that_inherit_less_are_cleaned(walk):
    armature = import_motion(walk)
    bones = armature.data.bones
    bones["LeftLeg"].use_inherit_rotation = False
    bones["RightLeg"].inherit_scale = "NONE"
    bones["Hips"].use_local_location = False
    before, after = cleaned_drift(armature)
    assert after < 2e-5


def test_bones_with_quotes_in_their_names_are_keyed(walk):
    armature = import_motion(walk)
    armature.data.bones["LeftFoot"].name = 'Left"Foot\\'
    before, after = cleaned_drift(armature)
    assert before > 0.02 and after < 5e-6


def test_scaled_bones_are_cleaned(walk):
    armature = import_motion(walk)
    armature.pose.bones["Hips"].scale = (1.1, 1.1, 1.1)
    armature.pose.bones["LeftLeg"].scale = (1.05, 1.05, 1.05)
    before, after = cleaned_drift(armature)
    assert before > 0.02 and after < 2e-5


def test_a_leg_that_is_scaled_unevenly_is_noted(walk):
    armature = import_motion(walk)
    armature.pose.bones["LeftLeg"].scale = (1.0, 1.2, 1.0)
    bpy.ops.surefoot.clean()
    notes = [note.name for note in armature.animation_data.action.surefoot.notes]
    assert any("LeftLeg" in note and "scaled unevenly" in note for note in notes)


@pytest.fixture
def ik_rig(walk):
    """The walk with legs that reach for controls by inverse kinematics; the controls carry the captured ankles."""
    armature = import_motion(walk)
    ankles = {side: armature.data.bones.find(f"{side}Foot") for side in ("Left", "Right")}
    world = evaluated(armature, FIRST, LAST)
    bpy.ops.object.mode_set(mode="EDIT")
    for side in ankles:
        control = armature.data.edit_bones.new(f"{side}Control")
        foot = armature.data.edit_bones[f"{side}Foot"]
        control.head, control.tail, control.roll = foot.head, foot.tail, foot.roll
        control.use_deform = False
    bpy.ops.object.mode_set(mode="OBJECT")
    curves = curves_of(armature)
    for side, number in ankles.items():
        control = armature.pose.bones[f"{side}Control"]
        rest = np.linalg.inv(np.array(control.bone.matrix_local))
        placed = rest @ world[:, number]
        path = f'pose.bones["{side}Control"].location'
        for axis in range(3):
            curve = curves.new(path, index=axis)
            for frame in range(FIRST, LAST + 1, 3):
                curve.keyframe_points.insert(frame, placed[frame - FIRST, axis, 3], options={"FAST"})
            curve.update()
        constraint = armature.pose.bones[f"{side}Leg"].constraints.new("IK")
        constraint.target, constraint.subtarget, constraint.chain_count = armature, control.name, 2
    return armature


def test_a_rig_with_ik_is_baked_to_its_deform_bones_and_says_so(ik_rig):
    original = ik_rig.animation_data.action
    shown = heads(ik_rig, FIRST, LAST)
    curves = curve_data(curves_of(ik_rig, original))
    before, after = cleaned_drift(ik_rig)
    assert before > 0.02 and after < 2e-5
    clean = ik_rig.animation_data.action
    constraints = [bone.constraints[0] for bone in ik_rig.pose.bones if bone.constraints]
    assert len(constraints) == 2 and all(constraint.mute for constraint in constraints)
    count = len(ik_rig.data.bones) - 2
    expected = f"the rig was baked to {count} deform bones, and 2 constraints or drivers on them are off"
    assert expected in [note.name for note in clean.surefoot.notes]
    controls = {key: value for key, value in curves.items() if "Control" in key[0]}
    after = curve_data(curves_of(ik_rig, clean))
    assert controls and all(after[key] == value for key, value in controls.items())

    bpy.ops.surefoot.show()
    assert not any(constraint.mute for constraint in constraints)
    np.testing.assert_allclose(heads(ik_rig, FIRST, LAST), shown, atol=1e-4)
    assert curve_data(curves_of(ik_rig, original)) == curves
    bpy.ops.surefoot.show()
    assert all(constraint.mute for constraint in constraints)


def test_a_baked_rig_is_measured_and_cleaned_again_from_the_original(ik_rig):
    bpy.ops.surefoot.clean()
    once = heads(ik_rig, FIRST, LAST)
    bpy.ops.surefoot.measure()
    assert ik_rig.animation_data.action.surefoot.figures["Drift of planted feet"].after == "0.00 mm"
    np.testing.assert_array_equal(heads(ik_rig, FIRST, LAST), once)
    bpy.ops.surefoot.clean()
    np.testing.assert_allclose(heads(ik_rig, FIRST, LAST), once, atol=1e-3)


def test_driven_bones_are_baked_too(walk):
    armature = import_motion(walk)
    driver = armature.pose.bones["LeftToeBase"].driver_add("rotation_euler", 0)
    driver.driver.expression = "0.2"
    before, after = cleaned_drift(armature)
    assert before > 0.02 and after < 2e-5
    assert driver.mute
    bpy.ops.surefoot.show()
    assert not driver.mute


def test_other_nla_tracks_do_not_take_part(armature):
    data = armature.animation_data
    other = data.action.copy()
    for curve in curves_of(armature, other):
        for key in curve.keyframe_points:
            key.co[1] += 0.3
    strip = data.nla_tracks.new().strips.new("other", 1, other)
    strip.blend_type = "COMBINE"
    data.nla_tracks[0].mute = False
    expected = plants_without_nla(armature)
    bpy.ops.surefoot.detect()
    found = [(plant.first, plant.last) for plant in data.action.surefoot.plants]
    assert found == expected and data.use_nla


def plants_without_nla(armature):
    armature.animation_data.use_nla = False
    bpy.ops.surefoot.detect()
    armature.animation_data.use_nla = True
    return [(plant.first, plant.last) for plant in armature.animation_data.action.surefoot.plants]


def test_a_rigify_character_is_cleaned(walk):
    """Control bones of a generated rig, animated by their IK feet, with feet that slide."""
    empty_scene()
    with quiet():
        addon_utils.enable("rigify", default_set=True)
        bpy.ops.object.armature_basic_human_metarig_add()
        bpy.ops.pose.rigify_generate()
    rig = next(item for item in bpy.data.objects if item.type == "ARMATURE" and item.name != "metarig")
    bpy.context.view_layer.objects.active = rig
    scene = bpy.context.scene
    scene.render.fps = 30
    animate_steps(rig)
    frames = action_frames(rig.animation_data.action)
    before = evaluated(rig, *frames)
    captured = capture(rig, rig.animation_data.action, scene)
    assert not any("scaled unevenly" in note for note in captured.notes)
    assert {leg["side"] for leg in captured.clip.legs} == {"left", "right"}
    # The feet slide too far for the detector: an animator places the plants.
    add_plants(rig, captured)
    bpy.ops.surefoot.clean()
    clean = rig.animation_data.action
    after = evaluated(rig, *frames)
    names = [bone.name for bone in rig.pose.bones]
    assert drift(before, before, names, captured, clean.surefoot.plants) > 0.02
    assert drift(after, before, names, captured, clean.surefoot.plants) < 5e-5
    assert any("the rig was baked" in note.name for note in clean.surefoot.notes)


def animate_steps(rig) -> None:
    """Four steps, in which every foot that stands slides by 4 cm."""
    for side in "LR":
        rig.pose.bones[f"thigh_parent.{side}"]["IK_Stretch"] = 0.0
    torso = rig.pose.bones["torso"]
    for frame in (-59, 151):
        torso.location = Vector((0, -0.3 * (frame - 1) / 60, -0.12))
        torso.keyframe_insert("location", frame=frame)
    for curve in curves_of(rig):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    for name, start in (("foot_ik.L", 1), ("foot_ik.R", 31)):
        foot, ahead = rig.pose.bones[name], 0.005 * (start - 61)
        for step in range(3):
            frame = start + 60 * step - 60
            for offset, forward, height in ((0, 0.0, 0.0), (30, 0.04, 0.0), (45, 0.15, 0.12), (59, 0.3, 0.0)):
                foot.location = Vector((0, -(ahead + forward), height))
                foot.keyframe_insert("location", frame=frame + offset)
            ahead += 0.3


def add_plants(rig, captured) -> None:
    for leg, start in (("left", 1), ("right", 31)):
        for first in (start, start + 60):
            for point in ("HEEL", "BALL"):
                bpy.context.scene.frame_set(first + 2)
                bpy.ops.surefoot.add_plant(foot=leg, point=point)
                rig.animation_data.action.surefoot.plants[-1].last = min(first + 26, 121)
