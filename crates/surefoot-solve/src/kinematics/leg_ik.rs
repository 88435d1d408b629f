//! Inverse kinematics of one leg: the joint rotations that put its ankle where it should be.
//!
//! Everything is in closed form. The bend of the knee is decided by the phases; the functions here
//! turn a bend, a stretch and an ankle position into the rotations of hip, knee and ankle.

use surefoot_core::{Quat, Vec3};

use super::leg::{CapturedLeg, LegCorrection, LinearCorrection, Target};
use super::rotation::{
    HalfAngle, about_axis, exp, half_angle, rotate, shortest_arc_scaled, to_parent, to_world, twist_about,
};

/// Lengths below this are degenerate, in metres: a reach or bone without length.
pub(crate) const NO_LENGTH: f64 = 1e-9;

/// A captured leg with another bend of the knee, its hip not yet rotated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BentLeg {
    /// Added to the bend, in radians.
    bend: f64,
    half: HalfAngle,
    /// World-space rotation of the knee.
    knee: Quat,
    /// Hip to ankle with the captured bone lengths.
    hip_to_ankle: Vec3,
    /// Length of `hip_to_ankle`, in metres.
    pub reach: f64,
}

impl BentLeg {
    // Inlined for speed; a WebAssembly module is smaller without.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub fn new(captured: &CapturedLeg, bend: f64) -> Self {
        let half = half_angle(bend);
        let knee = about_axis(captured.knee_axis, half);
        let hip_to_ankle = captured.thigh() + rotate(knee, captured.shin());
        Self { bend, half, knee, hip_to_ankle, reach: hip_to_ankle.length() }
    }
}

/// The straight line from the hip to the ankle target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HipToTarget {
    pub vector: Vec3,
    /// Length of `vector`, in metres.
    pub reach: f64,
}

/// How the spare rotation about the line from hip to ankle is chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Swivel {
    /// As published (equation 9): so that the ankle rotates least.
    LeastAnkleRotation,
    /// A given angle, as the sine of half of it.
    HalfSine(f64),
}

/// Rotates hip and ankle of a bent leg so that the ankle meets its target.
#[inline(always)]
pub(crate) fn point_at_target(
    captured: &CapturedLeg,
    hinge: Vec3,
    target: &Target,
    to_target: HipToTarget,
    bent: &BentLeg,
    stretch: f64,
    swivel: Swivel,
) -> LegCorrection {
    let HipToTarget { vector, reach } = to_target;
    let swing = shortest_arc_scaled(bent.hip_to_ankle, vector, bent.reach * reach);
    // A target at the hip has no direction: any axis will do.
    let axis = if reach > NO_LENGTH { vector * (1.0 / reach) } else { Vec3::Y };
    let twist = match swivel {
        Swivel::HalfSine(sin) => about_axis(axis, HalfAngle { sin, cos: (1.0 - sin * sin).max(0.0).sqrt() }),
        Swivel::LeastAnkleRotation => {
            twist_about(target.rotation_correction * (swing * bent.knee).conjugate(), axis)
        }
    };
    let hip = twist * swing;
    let ankle = (hip * bent.knee).conjugate() * target.rotation_correction;
    LegCorrection {
        hip: to_parent(captured.hip_parent, hip),
        knee: about_axis(hinge, bent.half),
        ankle: to_parent(captured.ankle_parent, ankle),
        bend: bent.bend,
        stretch,
        foot: *target,
        target_error: (bent.reach * (1.0 + stretch) - reach).abs(),
        floor_depth: 0.0,
    }
}

/// The leg correction with these coordinates, for a root moved by `root`. `floor_depth` is for the caller to fill in.
pub(crate) fn from_linear(
    captured: &CapturedLeg,
    hinge: Vec3,
    root: Vec3,
    linear: &LinearCorrection,
) -> LegCorrection {
    let (hip, ankle) = (exp(linear.hip), exp(linear.ankle));
    let half = half_angle(linear.bend);
    let knee = about_axis(captured.knee_axis, half);
    let hip_to_ankle = captured.thigh() + rotate(knee, captured.shin());
    let hip_in_world = to_world(captured.hip_parent, hip);
    let rotation_correction = hip_in_world * knee * to_world(captured.ankle_parent, ankle);
    let position = captured.hip + root + rotate(hip_in_world, hip_to_ankle) * (1.0 + linear.stretch);
    LegCorrection {
        hip,
        knee: about_axis(hinge, half),
        ankle,
        bend: linear.bend,
        stretch: linear.stretch,
        foot: Target { position, rotation_correction },
        target_error: 0.0,
        floor_depth: 0.0,
    }
}

/// A change of bend and stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BendAndStretch {
    /// Added to the bend of an already corrected knee, in radians.
    pub bend: f64,
    /// The new stretch of the bones, as a fraction.
    pub stretch: f64,
}

/// Changes a corrected leg so that its ankle comes to `target`, `hip_to_ankle` from the hip.
///
/// The hip rotates by the shortest arc from its corrected rotation: a leg that is not moved does not rotate. A swivel
/// that reduces the rotation of the ankle would move the knee sideways.
pub(crate) fn move_ankle(
    captured: &CapturedLeg,
    hinge: Vec3,
    correction: &LegCorrection,
    target: &Target,
    hip_to_ankle: Vec3,
    change: BendAndStretch,
) -> LegCorrection {
    let bend = correction.bend + change.bend;
    let half = half_angle(bend);
    let knee = about_axis(captured.knee_axis, half);
    let before = to_world(captured.hip_parent, correction.hip);
    let bent = rotate(before, captured.thigh() + rotate(knee, captured.shin()));
    let (bent_reach, reach) = (bent.length(), hip_to_ankle.length());
    let hip = shortest_arc_scaled(bent, hip_to_ankle, bent_reach * reach) * before;
    let ankle = (hip * knee).conjugate() * target.rotation_correction;
    LegCorrection {
        hip: to_parent(captured.hip_parent, hip),
        knee: about_axis(hinge, half),
        ankle: to_parent(captured.ankle_parent, ankle),
        bend,
        stretch: change.stretch,
        foot: *target,
        target_error: (bent_reach * (1.0 + change.stretch) - reach).abs(),
        ..*correction
    }
}
