//! How must a leg bend so that its ankle meets its target?
//!
//! In closed form: the knee about its one axis, damped near straight, the bones for what is left, up to
//! their limit; then the hip points the ankle at its target and turns about that line to spare the
//! ankle, which takes the rest.

use surefoot_core::math::sincos;
use surefoot_core::{Pose, Quat, Vec3};

use super::body::Seen;
use crate::kinematics::knee_hinge::Bones;
use crate::kinematics::rotation::{about_half, between, twist_about};
use crate::phases::legs::{BONES, damped, limited};
use crate::setup::Setup;

/// Where an ankle must be, and how turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Target {
    pub position: Vec3,
    pub turn: Quat,
}

/// What it took of a leg.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bent {
    /// How far the target is beyond the straight leg, in metres.
    pub beyond: f64,
    /// Added to the bones' length, as a fraction.
    pub stretch: f64,
    /// How far the ankle is from its target, in metres.
    pub short: f64,
}

/// Bends a leg of a pose, captured as `seen`, to its target.
pub(super) fn bend(seen: &Seen, setup: &Setup, leg: usize, target: &Target, pose: &mut Pose) -> Bent {
    let leg = &setup.legs[leg];
    let (thigh, shin) = (seen.knee - seen.hip, seen.ankle - seen.knee);
    let bones = Bones::new(thigh, shin, seen.axis);
    let wanted = target.position - seen.hip;
    let reach = wanted.length();
    let (bend, stretch) = share(&bones, reach, setup.settings.stretch_limit);
    let half = sincos(0.5 * bend);
    let knee = about_half(seen.axis, half);
    let ankle = (thigh + knee * shin) * (1.0 + stretch);
    let pointed = between(ankle, wanted);
    let twist = twist_about(
        target.turn * (pointed * knee * seen.ankle_turn).conjugate(),
        wanted.normalize_or(Vec3::Y),
    );
    let hip = twist * pointed;
    let [at_hip, at_knee, at_ankle] = [leg.leg.hip, leg.leg.knee, leg.leg.ankle].map(|joint| joint.index());
    pose.rotations[at_hip] = seen.hip_holder.conjugate() * (hip * seen.hip_turn);
    pose.rotations[at_knee] = about_half(leg.hinge.axis, half) * pose.rotations[at_knee];
    pose.rotations[at_ankle] = (hip * knee * seen.ankle_holder).conjugate() * target.turn;
    if stretch != 0.0 {
        for joint in leg.thigh.iter().chain(&leg.shin) {
            pose.offsets[joint.index()] *= 1.0 + stretch;
        }
    }
    Bent { beyond: reach - bones.longest(), stretch, short: (ankle.length() - reach).abs() }
}

/// Shares a reach between knee and bones: the change of bend, and of the bones' length.
fn share(bones: &Bones, reach: f64, limit: f64) -> (f64, f64) {
    // Rigid bones leave the knee no choice.
    if limit == 0.0 {
        return (bones.bend_beside(reach) - bones.bend, 0.0);
    }
    // As a difference: a knee captured a little backwards does not come round to the front.
    let asked = bones.bend_for(reach) - bones.bend_for(bones.reach(bones.bend));
    let bend = bones.bend + damped(bones.bend, asked);
    let left = reach / bones.reach(bend).max(1e-9) - 1.0;
    // The bones give ever less as they near their limit, and the knee bends on: no kink, no pop.
    let bend = bend + bones.bend_for(reach / (1.0 + limited(left, BONES * limit))) - bend.abs();
    let left = reach / bones.reach(bend).max(1e-9) - 1.0;
    if left.abs() <= limit {
        return (bend - bones.bend, left);
    }
    let bend = bones.bend_for(reach / (1.0 + limit.copysign(left)));
    let left = reach / bones.reach(bend).max(1e-9) - 1.0;
    (bend - bones.bend, left.clamp(-limit, limit))
}
