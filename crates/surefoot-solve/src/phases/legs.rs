//! Phase 7: bends each leg until its ankle reaches its target, and writes the pose.
//!
//! The knee is a hinge; its angle follows from the distance between hip and ankle by the law of cosines. The hip then
//! points the ankle at its target and swivels about that line so that the ankle need not twist; the ankle takes the
//! remaining rotation. A target beyond the straight leg is met by stretching thigh and shin, as far as they may.
//!
//! Reads the targets (phases 2 to 4 and 6) and the root (phases 5 and 6); writes the pose that leaves the cleaner. A leg
//! that nothing moves is left exactly as captured.

use surefoot_core::Vec3;

use crate::kinematics::knee_damping::{damp, is_undamped, soft_limit};
use crate::kinematics::knee_hinge::Bones;
use crate::kinematics::leg::LegCorrection;
use crate::kinematics::leg_ik::{BendAndStretch, BentLeg, HipToTarget, NO_LENGTH, Swivel, point_at_target};
use crate::kinematics::rotation::to_parent;
use crate::phases::fit::pelvis::TiltedPelvis;
use crate::phases::toes::{self, HeldTip, hold_tip, raise_toes};
use crate::plants::ActivePlant;
use crate::published::lift::lift_free_foot;
use crate::rules::Rules;
use crate::setup::Setup;
use crate::stream::poses::Output;
use crate::stream::slots::LegSlot;
use crate::stream::window::Window;

/// Fraction of the stretch limit that the bones may use for lasting corrections; the rest is left for what the
/// filter removes. At 1 the bones would reach their limit in every filtered peak, and the knee would follow it.
pub(crate) const LASTING_STRETCH: f64 = 0.9;

/// Stretch that is rounding.
const ROUNDING: f64 = 1e-13;

/// Computes the bends of the planted legs of one frame, as published: damped near full extension.
pub(crate) fn bend(window: &mut Window, setup: &Setup, frame: usize) {
    let root = window.root_correction(frame).unwrap_or(Vec3::ZERO);
    for leg in 0..setup.legs.len() {
        if window.is_planted(frame, leg) {
            let stance = window.stance_mut(frame, leg);
            let reach = (stance.hip_to_target - root).length();
            stance.bend_correction = bend_for_reach(&stance.bones, reach, &setup.rules);
        }
    }
}

/// Writes the pose of one frame to the output.
pub(crate) fn write_pose(window: &mut Window, output: &mut Output, setup: &Setup, frame: usize) {
    let root = window.root_correction(frame).unwrap_or(Vec3::ZERO);
    let tilted = window.tilted_pelvis(frame);
    window.take_pose(setup, frame, output);
    // Adding 0 would turn −0 into 0.
    if root != Vec3::ZERO {
        output.pose.offsets[setup.root.index()] += root;
    }
    if let Some(tilted) = &tilted {
        tilted.rotate_pelvis(&mut output.pose, setup);
    }
    for leg in 0..setup.legs.len() {
        write_leg(window, output, setup, frame, leg, Body { root, tilted });
    }
}

/// What is added to the captured body.
#[derive(Clone, Copy)]
struct Body {
    root: Vec3,
    tilted: Option<TiltedPelvis>,
}

#[inline(never)]
fn write_leg(window: &Window, output: &mut Output, setup: &Setup, frame: usize, leg: usize, body: Body) {
    let Body { root, tilted } = body;
    let slot = window.leg(frame, leg);
    let is_planted = window.is_planted(frame, leg);
    let correction = &mut output.corrections[leg];
    if setup.rules.is_published {
        if !is_planted {
            lift_free_foot(&slot.captured, setup, leg, root, correction);
        }
    } else if let Some(tilted) = tilted {
        let shift = tilted.shift(slot.captured.hip);
        let mut solved = solve(slot, setup, leg, root + shift);
        // The leg keeps its orientation in the room.
        solved.hip = to_parent(slot.captured.hip_parent, tilted.rotation.conjugate()) * solved.hip;
        *correction = Some(solved);
    } else {
        let is_moved = is_planted || slot.is_displaced || root * slot.root_share != Vec3::ZERO;
        *correction = is_moved.then(|| solve(slot, setup, leg, root));
    }
    output.apply(leg, &setup.legs[leg]);
    output.toe_errors[leg] = None;
    if let Some((toe, spot)) = planted_toe(window, frame, leg) {
        let foot = output.corrections[leg].map_or_else(|| slot.target(), |correction| correction.foot);
        let tip = HeldTip { spot, hold: toe.hold };
        output.toe_errors[leg] =
            hold_tip(&mut output.pose, slot, &setup.legs[leg], setup.floor.as_ref(), &foot, &tip);
        if output.toe_errors[leg].is_some() {
            return;
        }
    }
    if let Some(floor) = &setup.floor {
        let eased = toes::eased_angle(window, setup, frame, leg);
        raise_toes(&mut output.pose, slot, &setup.legs[leg], floor, output.corrections[leg].as_ref(), eased);
    }
}

/// The plant of a toe tip beside a planted ball, and its spot.
fn planted_toe(window: &Window, frame: usize, leg: usize) -> Option<(ActivePlant, Vec3)> {
    let details = window.details(frame, leg)?;
    details.toe.map(|toe| (toe, details.toe_spot))
}

/// The correction of a leg with a target, for a root correction.
// Inlined for speed; a WebAssembly module is smaller without.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(crate) fn solve(slot: &LegSlot, setup: &Setup, leg: usize, root: Vec3) -> LegCorrection {
    let (stance, limit) = (&slot.stance, setup.rules.stretch_limit);
    let root = root * slot.root_share;
    let vector = stance.hip_to_target - root;
    let reach = vector.length();
    let mut bent = BentLeg::new(&slot.captured, stance.bend_correction);
    let mut stretch = reach / bent.reach.max(NO_LENGTH) - 1.0;
    if stretch.abs() <= limit + ROUNDING {
        stretch = stretch.clamp(-limit, limit);
    } else {
        let limited = bend_at_limit(&stance.bones, reach, stretch, limit);
        (bent, stretch) = (BentLeg::new(&slot.captured, limited.bend), limited.stretch);
    }
    let hinge = setup.legs[leg].hinge.axis;
    let target = slot.target();
    let swivel = match setup.rules.is_published {
        true => Swivel::LeastAnkleRotation,
        false => Swivel::HalfSine(slot.half_swivel),
    };
    point_at_target(&slot.captured, hinge, &target, HipToTarget { vector, reach }, &bent, stretch, swivel)
}

/// The bend correction for a reach, with bones that stretch a little.
pub(crate) fn bend_for_reach(bones: &Bones, reach: f64, rules: &Rules) -> f64 {
    let Rules { stretch_limit, knee_damping_angle: start, .. } = *rules;
    let correction = bones.bend_for(reach) - bones.bend;
    // With rigid bones the reach determines the bend.
    if stretch_limit == 0.0 {
        return correction;
    }
    if is_undamped(start, bones.bend, bones.bend + correction) {
        return correction;
    }
    let bend = bones.bend + damp(start, bones.bend, correction);
    let stretch = reach / bones.reach(bend).max(NO_LENGTH) - 1.0;
    // As a difference: a knee captured slightly backwards must not flip to the front.
    let stretched = reach / (1.0 + soft_limit(stretch, LASTING_STRETCH * stretch_limit));
    let more = bones.bend_for(stretched) - bend.abs();
    bend + more - bones.bend
}

/// The bend and stretch of a leg whose bones would have to stretch by `stretch`, more than the limit: the knee
/// takes the rest.
fn bend_at_limit(bones: &Bones, reach: f64, stretch: f64, limit: f64) -> BendAndStretch {
    let bend = bones.bend_like_captured(reach / (1.0 + limit.copysign(stretch)));
    let stretch = reach / bones.reach(bend).max(NO_LENGTH) - 1.0;
    // Where a bend has this reach, the clamp removes rounding only.
    BendAndStretch { bend: bend - bones.bend, stretch: stretch.clamp(-limit, limit) }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bend_and_stretch_together_make_the_reach() {
        let bones = Bones::new(Vec3::new(0.0, -0.42, 0.03), Vec3::new(0.02, -0.4, -0.05), Vec3::X);
        for limit in [0.0, 0.01, 0.03, 0.2] {
            for reach in [0.2, 0.5, 0.8, 0.81, 0.815] {
                for filtered in [-0.4, -0.1, 0.0, 0.05, 0.6] {
                    let stretch = reach / bones.reach(bones.bend + filtered) - 1.0;
                    let BendAndStretch { bend, stretch } = match stretch.abs() <= limit {
                        true => BendAndStretch { bend: filtered, stretch },
                        false => bend_at_limit(&bones, reach, stretch, limit),
                    };
                    assert!(stretch.abs() <= limit, "{limit} {reach} {filtered}: {stretch}");
                    let made = bones.reach(bones.bend + bend) * (1.0 + stretch);
                    assert!((made - reach).abs() < 1e-12, "{limit} {reach} {filtered}: {made}");
                }
            }
        }
    }
}
