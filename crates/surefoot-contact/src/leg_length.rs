//! The length of a leg, which is the unit of length of all detection methods.

use surefoot_core::{Leg, WorldPose};

/// Returns thigh and shin together, in metres. Returns 1 for a leg whose joints coincide, so that
/// lengths divided by it stay finite.
pub(crate) fn leg_length(pose: &WorldPose, leg: &Leg) -> f64 {
    or_one_metre(thigh_and_shin(pose, leg))
}

/// Returns the mean length of two legs, in metres; 1 if both have length 0.
pub(crate) fn mean_leg_length(pose: &WorldPose, legs: [&Leg; 2]) -> f64 {
    let [left, right] = legs.map(|leg| thigh_and_shin(pose, leg));
    or_one_metre(0.5 * (left + right))
}

fn thigh_and_shin(pose: &WorldPose, leg: &Leg) -> f64 {
    let bone = |from, to| pose.joint(from).distance(pose.joint(to));
    bone(leg.hip, leg.knee) + bone(leg.knee, leg.ankle)
}

fn or_one_metre(length: f64) -> f64 {
    if length > 0.0 { length } else { 1.0 }
}
