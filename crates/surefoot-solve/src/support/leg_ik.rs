//! Bends a leg so that its ankle meets its target.
//!
//! In closed form: the knee about its hinge axis, damped near full extension; the bones by the remainder, up to their
//! limit; then the hip points the ankle at its target and swivels about that line so that the ankle, which takes the
//! remaining rotation, rotates least. Unlike the phases it neither moves the root nor smooths the knee.

use surefoot_core::math::sincos;
use surefoot_core::{Pose, Quat, Vec3};

use super::captured_motion::LegPose;
use crate::kinematics::knee_damping::{damp, soft_limit};
use crate::kinematics::knee_hinge::Bones;
use crate::kinematics::leg_ik::{BendAndStretch, NO_LENGTH};
use crate::kinematics::rotation::{HalfAngle, about_axis, shortest_arc, twist_about};
use crate::phases::legs::LASTING_STRETCH;
use crate::rules::Rules;
use crate::setup::Setup;

/// Where an ankle must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AnkleTarget {
    pub position: Vec3,
    pub rotation: Quat,
}

/// How well a leg fits its target.
#[derive(Clone, Copy, Debug)]
pub(super) struct LegFit {
    /// By how much the target is beyond the straight leg, in metres.
    pub out_of_reach: f64,
    /// Added to the length of the bones, as a fraction.
    pub stretch: f64,
    /// Distance from the ankle to its target, in metres.
    pub target_error: f64,
}

/// Bends a leg of a pose, captured as `captured`, to its target.
pub(super) fn solve(
    captured: &LegPose,
    setup: &Setup,
    leg: usize,
    target: &AnkleTarget,
    pose: &mut Pose,
) -> LegFit {
    let leg = &setup.legs[leg];
    let (thigh, shin) = (captured.knee - captured.hip, captured.ankle - captured.knee);
    let bones = Bones::new(thigh, shin, captured.knee_axis);
    let hip_to_target = target.position - captured.hip;
    let reach = hip_to_target.length();
    let BendAndStretch { bend, stretch } = bend_and_stretch(&bones, reach, &setup.rules);
    let (sin, cos) = sincos(0.5 * bend);
    let half = HalfAngle { sin, cos };
    let knee = about_axis(captured.knee_axis, half);
    let hip_to_ankle = (thigh + knee * shin) * (1.0 + stretch);
    let swing = shortest_arc(hip_to_ankle, hip_to_target);
    let twist = twist_about(
        target.rotation * (swing * knee * captured.ankle_rotation).conjugate(),
        hip_to_target.normalize_or(Vec3::Y),
    );
    let hip = twist * swing;
    let rotations = &mut pose.rotations;
    rotations[leg.leg.hip.index()] = captured.hip_parent.conjugate() * (hip * captured.hip_rotation);
    let knee_index = leg.leg.knee.index();
    rotations[knee_index] = about_axis(leg.hinge.axis, half) * rotations[knee_index];
    rotations[leg.leg.ankle.index()] = (hip * knee * captured.ankle_parent).conjugate() * target.rotation;
    if stretch != 0.0 {
        for joint in leg.thigh.iter().chain(&leg.shin) {
            pose.offsets[joint.index()] *= 1.0 + stretch;
        }
    }
    LegFit {
        out_of_reach: reach - bones.longest(),
        stretch,
        target_error: (hip_to_ankle.length() - reach).abs(),
    }
}

/// Shares a reach between knee and bones. The bend is relative to the captured one.
fn bend_and_stretch(bones: &Bones, reach: f64, rules: &Rules) -> BendAndStretch {
    let Rules { stretch_limit, knee_damping_angle: start, .. } = *rules;
    // With rigid bones the reach determines the bend.
    if stretch_limit == 0.0 {
        return BendAndStretch { bend: bones.bend_like_captured(reach) - bones.bend, stretch: 0.0 };
    }
    // As a difference: a knee captured slightly backwards must not flip to the front.
    let correction = bones.bend_for(reach) - bones.bend_for(bones.reach(bones.bend));
    let bend = bones.bend + damp(start, bones.bend, correction);
    let stretch_for = |bend: f64| reach / bones.reach(bend).max(NO_LENGTH) - 1.0;
    // The bones stretch ever less towards their limit while the knee keeps bending, so neither has a kink.
    let limited = soft_limit(stretch_for(bend), LASTING_STRETCH * stretch_limit);
    let bend = bend + bones.bend_for(reach / (1.0 + limited)) - bend.abs();
    let stretch = stretch_for(bend);
    if stretch.abs() <= stretch_limit {
        return BendAndStretch { bend: bend - bones.bend, stretch };
    }
    let bend = bones.bend_for(reach / (1.0 + stretch_limit.copysign(stretch)));
    let stretch = stretch_for(bend).clamp(-stretch_limit, stretch_limit);
    BendAndStretch { bend: bend - bones.bend, stretch }
}
