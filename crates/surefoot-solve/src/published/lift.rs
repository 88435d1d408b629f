//! Lifts free feet out of the floor by the least translation, as published, and bends the leg accordingly.

use surefoot_core::{Floor, Vec3};

use crate::kinematics::leg::{CapturedLeg, LegCorrection, LinearCorrection, Target};
use crate::kinematics::leg_ik::{BendAndStretch, NO_LENGTH, from_linear, move_ankle};
use crate::kinematics::rotation::rotate;
use crate::phases::clearance::NEGLIGIBLE_DEPTH;
use crate::phases::legs::bend_for_reach;
use crate::setup::Setup;

/// Lifts the free foot of a leg whose root is moved by `root`.
pub(crate) fn lift_free_foot(
    captured: &CapturedLeg,
    setup: &Setup,
    leg: usize,
    root: Vec3,
    correction: &mut Option<LegCorrection>,
) {
    let Some(floor) = &setup.floor else { return };
    let hinge = setup.legs[leg].hinge.axis;
    let current = match correction {
        Some(correction) => *correction,
        None => from_linear(captured, hinge, root, &LinearCorrection::default()),
    };
    let depth = depth_below(floor, captured, &current);
    if depth <= NEGLIGIBLE_DEPTH {
        return;
    }
    let up = floor.plane_under(current.foot.position).normal;
    let position = current.foot.position + up * depth;
    let hip = captured.hip + root;
    let (before, hip_to_ankle) = ((current.foot.position - hip).length(), position - hip);
    let limit = setup.rules.stretch_limit;
    let (bones, after) = (captured.bones(), hip_to_ankle.length());
    // As a difference, so that a foot that is hardly lifted hardly changes.
    let bend = bend_for_reach(&bones, after, &setup.rules) - bend_for_reach(&bones, before, &setup.rules);
    let stretch = after / bones.reach(bones.bend + current.bend + bend).max(NO_LENGTH) - 1.0;
    let change = BendAndStretch { bend, stretch: stretch.clamp(-limit, limit) };
    let target = Target { position, ..current.foot };
    *correction = Some(move_ankle(captured, hinge, &current, &target, hip_to_ankle, change));
}

/// Depth of the lower of heel and ball below the floor, in metres, beyond the depth of the nearest plants.
fn depth_below(floor: &Floor, captured: &CapturedLeg, correction: &LegCorrection) -> f64 {
    let foot = &correction.foot;
    let height =
        |point: Vec3| floor.above(foot.position + rotate(foot.rotation_correction, point - captured.ankle));
    -height(captured.heel).min(height(captured.ball)) - correction.floor_depth
}
