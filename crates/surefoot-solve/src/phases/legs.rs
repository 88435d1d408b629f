//! Phase 4: bends each planted leg until its ankle reaches its target.
//!
//! The knee is a hinge; its angle follows from the distance between hip and ankle by the law of cosines. Near
//! full extension the knee is damped, and it follows a filtered correction throughout; thigh and shin stretch by
//! the remainder, a few millimetres. The hip then points the ankle at its target and swivels about that line to
//! spare the ankle, and the ankle takes the rest.
//!
//! Two steps: [`request`] computes the bend and swivel of each frame by itself, [`filter`] smooths them over the
//! stance. The rotations of the joints follow from the bend without looking at other frames. [`solve`] computes them
//! when phase 5 needs them, for a frame that leaves the cleaner and for the edges of a stance: a leg correction takes
//! 200 bytes, so that storing one for every frame of the window would enlarge the leg slots by almost half, and most
//! of them would never be read.
//!
//! Reads the targets (phase 2) and the root (phase 3); writes the bend and swivel of planted legs. Free legs are
//! left to phase 5.

use surefoot_core::{Quat, Vec3};

use crate::kinematics::knee_damping::{NEARLY_STRAIGHT, damp, is_undamped, limit_straightening, soft_limit};
use crate::kinematics::knee_filter;
use crate::kinematics::knee_hinge::Bones;
use crate::kinematics::leg::LegCorrection;
use crate::kinematics::leg_ik::{BendAndStretch, BentLeg, HipToTarget, NO_LENGTH, Swivel, point_at_target};
use crate::setup::Setup;
use crate::stream::slots::{KneeCorrection, LegSlot};
use crate::stream::window::Window;

/// Fraction of the stretch limit that the bones may use for lasting corrections; the rest is left for what the
/// filter removes. At 1 the bones would reach their limit in every filtered peak, and the knee would follow it.
pub(crate) const LASTING_STRETCH: f64 = 0.9;

/// Requests a knee correction for the planted legs of one frame.
pub(crate) fn request(window: &mut Window, setup: &Setup, frame: usize) {
    for leg in 0..setup.legs.len() {
        if window.is_planted(frame, leg) {
            request_leg(window, setup, frame, leg);
        }
    }
}

#[inline(never)]
fn request_leg(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let LegSlot { stance, rotation_correction, .. } = window.leg(frame, leg);
    let hip_to_target = stance.hip_to_target - window.root_correction(frame).unwrap_or(Vec3::ZERO);
    let reach = hip_to_target.length();
    let bend = bend_for_reach(&stance.bones, reach, setup.rules.stretch_limit);
    if setup.rules.filter_knee {
        let swivel = swivel_of(*rotation_correction, hip_to_target, reach);
        window.set_knee_request(frame, leg, KneeCorrection { bend, swivel }.into());
    } else {
        window.stance_mut(frame, leg).bend_correction = bend;
    }
}

/// Filters the knee corrections of the planted legs at one frame.
pub(crate) fn filter(window: &mut Window, setup: &Setup, frame: usize) {
    if !setup.rules.filter_knee {
        return;
    }
    for leg in 0..setup.legs.len() {
        if window.is_planted(frame, leg) {
            filter_leg(window, setup, frame, leg);
        }
    }
}

#[inline(never)]
fn filter_leg(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let KneeCorrection { bend, swivel } = knee_filter::filter(window, setup, frame, leg);
    let slot = window.leg_mut(frame, leg);
    slot.stance.bend_correction = limit_straightening(slot.stance.bones.bend, bend, NEARLY_STRAIGHT);
    slot.half_swivel = half_sine(swivel);
}

/// The correction of a planted leg for a root correction.
// Inlined for speed; a WebAssembly module is smaller without.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(crate) fn solve(slot: &LegSlot, setup: &Setup, leg: usize, root: Vec3) -> LegCorrection {
    let (stance, limit) = (&slot.stance, setup.rules.stretch_limit);
    let vector = stance.hip_to_target - root;
    let reach = vector.length();
    let mut bent = BentLeg::new(&slot.captured, stance.bend_correction);
    let mut stretch = reach / bent.reach.max(NO_LENGTH) - 1.0;
    if stretch.abs() > limit {
        let limited = bend_at_limit(&stance.bones, reach, stretch, limit);
        (bent, stretch) = (BentLeg::new(&slot.captured, limited.bend), limited.stretch);
    }
    let swivel = match setup.rules.filter_knee {
        true => Swivel::HalfSine(slot.half_swivel),
        false => Swivel::LeastAnkleRotation,
    };
    let hinge = setup.legs[leg].hinge.axis;
    point_at_target(
        &slot.captured,
        hinge,
        &slot.target(),
        HipToTarget { vector, reach },
        &bent,
        stretch,
        swivel,
    )
}

/// The swivel of a foot's rotation about the line from hip to ankle, as the sine of the angle; smaller where the
/// foot rotates about other axes too.
///
/// The value is the same for a quaternion and its negative, and 0 where the rotation is too large to have a
/// direction: a value that is averaged must not jump there.
fn swivel_of(rotation: Quat, hip_to_target: Vec3, reach: f64) -> f64 {
    // A target at the hip has no line.
    if reach < NO_LENGTH {
        return 0.0;
    }
    2.0 * rotation.w * Vec3::new(rotation.x, rotation.y, rotation.z).dot(hip_to_target) / reach
}

/// The sine of half the angle whose sine is given.
fn half_sine(sin: f64) -> f64 {
    // The fitted line may exceed every sine.
    let sin = sin.clamp(-1.0, 1.0);
    sin / (2.0 * (1.0 + (1.0 - sin * sin).sqrt())).sqrt()
}

/// The bend correction for a reach, with bones that stretch a little.
fn bend_for_reach(bones: &Bones, reach: f64, stretch_limit: f64) -> f64 {
    let correction = bones.bend_for(reach) - bones.bend;
    // With rigid bones the reach determines the bend.
    if stretch_limit == 0.0 {
        return correction;
    }
    if is_undamped(bones.bend, bones.bend + correction) {
        return correction;
    }
    let bend = bones.bend + damp(bones.bend, correction);
    let stretch = reach / bones.reach(bend).max(NO_LENGTH) - 1.0;
    // As a difference: a knee captured slightly backwards must not flip to the front.
    let stretched = reach / (1.0 + soft_limit(stretch, LASTING_STRETCH * stretch_limit));
    let more = bones.bend_for(stretched) - bend.abs();
    bend + more - bones.bend
}

/// The bend and stretch of a leg whose bones would have to stretch by `stretch`, more than the limit: the knee
/// takes the rest.
fn bend_at_limit(bones: &Bones, reach: f64, stretch: f64, limit: f64) -> BendAndStretch {
    let bend = bones.bend_for(reach / (1.0 + limit.copysign(stretch)));
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
