//! The hinge axis of the toes, estimated from how they move.

use surefoot_core::{Leg, Pose, Quat, Vec3};

use super::rotation::log;

/// Number of poses that the axis is estimated from: more do not change it measurably.
const MOST_POSES: usize = 400;

/// Root mean square of the rotation about the axis below which toes do not move, in radians: 1°. Below it the axis would
/// be that of the noise.
const LEAST_MOVEMENT: f64 = 0.017;

/// Fraction of the squared rotation that must be about the axis; otherwise the toes are not a hinge.
const LEAST_SHARE: f64 = 0.8;

/// Iterations of the power method. Toes that are a hinge at all have one dominant axis, which a few find.
const ITERATIONS: usize = 20;

/// The main axis of the rotations of the toe joint relative to their mean, in the space of its parent; `None` for toes
/// that do not move or not about one axis.
pub(crate) fn estimate(leg: &Leg, poses: &[Pose]) -> Option<Vec3> {
    let stride = (poses.len() / MOST_POSES).max(1);
    let rotations = || poses.iter().step_by(stride).map(|pose| pose.rotations[leg.toe.joint.index()]);
    let first = rotations().next()?;
    let offsets: Vec<Vec3> = rotations().map(|rotation: Quat| log(rotation * first.conjugate())).collect();
    let count = offsets.len() as f64;
    let mean = offsets.iter().sum::<Vec3>() / count;
    let total = offsets.iter().map(|offset| (offset - mean).length_squared()).sum::<f64>() / count;
    // The product of the covariance of the rotation vectors with a direction.
    let covariance = |axis: Vec3| {
        offsets.iter().map(|offset| (offset - mean) * (offset - mean).dot(axis)).sum::<Vec3>() / count
    };
    let mut axis = Vec3::new(0.6, 0.5, 0.4).normalize();
    let mut largest = 0.0;
    for _ in 0..ITERATIONS {
        let next = covariance(axis);
        largest = next.length();
        axis = next.try_normalize()?;
    }
    (largest.sqrt() > LEAST_MOVEMENT && largest > LEAST_SHARE * total).then_some(axis)
}
