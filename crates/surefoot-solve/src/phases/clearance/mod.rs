//! Phase 6: keeps free feet and toes above the floor, and applies the corrections to the pose.
//!
//! A correction may push a free foot below the floor: the root comes down with a plant, or the blend leads the foot
//! through the floor. [`lift`] rotates and lifts such a foot by the least that brings heel and ball out of the
//! floor, and its leg bends for it; [`landing`] makes the knee bend in time for a foot that comes down fast;
//! [`toes`] raises toes at their joint. All of them act in proportion to the correction of the leg: a foot that no
//! correction reaches stays as captured, below the floor or not.
//!
//! Reads the corrections (phase 5) and the captured heights of free feet; writes the pose that leaves the cleaner.
//! Planted feet are where their plants are, and only their toes are raised.

use surefoot_core::Vec3;

use crate::kinematics::leg::{CapturedLeg, LegCorrection, LinearCorrection};
use crate::kinematics::leg_ik::from_linear;
use crate::setup::Setup;
use crate::stream::poses::Output;
use crate::stream::window::Window;
use landing::{NEAR_FLOOR, StanceFrames};
use lift::FreeFoot;

pub(crate) mod landing;
pub(crate) mod lift;
pub(crate) mod toes;

/// Lifts the free feet of one frame out of the floor and writes its pose to the output.
pub(crate) fn clear(window: &mut Window, output: &mut Output, setup: &Setup, frame: usize) {
    let root = window.root_correction(frame).unwrap_or(Vec3::ZERO);
    window.take_pose(setup, frame, output);
    // Adding 0 would turn −0 into 0.
    if root != Vec3::ZERO {
        output.pose.offsets[setup.root.index()] += root;
    }
    for leg in 0..setup.legs.len() {
        clear_leg(window, output, setup, frame, leg, root);
    }
}

#[inline(never)]
fn clear_leg(window: &Window, output: &mut Output, setup: &Setup, frame: usize, leg: usize, root: Vec3) {
    if !window.is_planted(frame, leg) {
        lift_free_foot(window, setup, frame, leg, root, &mut output.corrections[leg]);
    }
    output.apply(leg, &setup.legs[leg]);
    if let (Some(floor), Some(correction)) = (&setup.floor, &output.corrections[leg]) {
        let captured = &window.leg(frame, leg).captured;
        toes::raise_toes(&mut output.pose, captured, &setup.legs[leg], floor, correction);
    }
}

fn lift_free_foot(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    root: Vec3,
    correction: &mut Option<LegCorrection>,
) {
    let Some(floor) = &setup.floor else { return };
    let captured = &window.leg(frame, leg).captured;
    let hinge = setup.legs[leg].hinge.axis;
    if correction.is_none() && is_pushed_down(captured, setup, root) {
        *correction = Some(from_linear(captured, hinge, root, &LinearCorrection::default(), 0.0));
    }
    let Some(correction) = correction else { return };
    let edges = &window.leg_states[leg].stance_edges;
    let stances = StanceFrames { before: edges.frame_before(), after: edges.frame_after() };
    let rules = &setup.rules;
    let margin = rules.clearance_margin * setup.landing.onset(frame, stances);
    let foot = FreeFoot { captured, hinge, floor, root, stretch_limit: rules.stretch_limit, margin };
    lift::lift_out(correction, &foot, |correction, heights| {
        landing::anticipate(window, setup, frame, leg, correction, heights, stances)
    });
}

/// Whether the root correction pushes down a foot near the floor that no other correction reaches.
fn is_pushed_down(captured: &CapturedLeg, setup: &Setup, root: Vec3) -> bool {
    let Some(floor) = setup.floor.as_ref().filter(|_| setup.rules.anticipate_landings) else {
        return false;
    };
    let is_near = || floor.above(captured.heel).min(floor.above(captured.ball)) < NEAR_FLOOR;
    root != Vec3::ZERO && is_near() && floor.plane_under(captured.ankle).normal.dot(root) < 0.0
}
