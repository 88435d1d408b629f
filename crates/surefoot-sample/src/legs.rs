//! How does a leg bend, so that its ankle is where its foot is?
//!
//! Two bones and one hinge have one answer, up to the way the knee points.

use crate::bodies::{Bends, LegShape};
use crate::feet::FootAt;
use surefoot_core::Pose;
use surefoot_core::math::{Mat3, PI, Quat, Vec3, acos, axis_rotation, sqrt};

/// A leg that has been bent.
pub(crate) struct Bent {
    /// The thigh, in the world.
    pub thigh: Quat,
    /// The knee, in the thigh: a turn about its X axis.
    pub knee: Quat,
}

/// Bends a leg from `hip` to `ankle`, its hinge as near to `across` as it can be.
///
/// Straight down is the leg at rest; `across` points to the body's left.
pub(crate) fn bend(shape: &LegShape, hip: Vec3, ankle: Vec3, across: Vec3) -> Bent {
    let (thigh, shin) = (shape.thigh, shape.shin);
    let reach = (ankle - hip).length();
    let sign = match shape.bends {
        Bends::Forward => 1.0,
        Bends::Backward => -1.0,
    };
    let at_hip = angle_between(thigh, reach, shin);
    let at_knee = PI - angle_between(thigh, shin, reach);
    Bent {
        thigh: hanging(ankle - hip, across) * axis_rotation(0, -sign * at_hip),
        knee: axis_rotation(0, sign * at_knee),
    }
}

/// The angle between two sides of a triangle, from the law of cosines.
fn angle_between(a: f64, b: f64, opposite: f64) -> f64 {
    // The plan keeps every reach within these bones; the clamp takes up rounding only.
    acos(((a * a + b * b - opposite * opposite) / (2.0 * a * b)).clamp(-1.0, 1.0))
}

/// The turn that takes straight down to `along` and left as near as may be to `across`.
fn hanging(along: Vec3, across: Vec3) -> Quat {
    let up = -along.normalize();
    let left = (across - up * across.dot(up)).normalize();
    Quat::from_mat3(&Mat3::from_cols(left, up, left.cross(up)))
}

/// The greatest height of a girdle at which this leg reaches its ankle with `longest` of its length.
///
/// `hip` is where the hip would be with the girdle at height 0.
pub(crate) fn highest_girdle(shape: &LegShape, hip: Vec3, ankle: Vec3, longest: f64) -> f64 {
    let reach = longest * shape.length();
    let away = Vec3::new(hip.x - ankle.x, 0.0, hip.z - ankle.z);
    // Plans keep the feet within reach sideways by far.
    ankle.y + sqrt((reach * reach - away.length_squared()).max(0.0)) - hip.y
}

/// Turns hip, knee, ankle and toes so that the foot is where it should be.
pub(crate) fn bend_leg(pose: &mut Pose, shape: &LegShape, at: Vec3, girdle: Quat, foot: &FootAt) {
    let hip = at + girdle * shape.hip_in_girdle;
    // The knee points half way between where pelvis and toes do.
    let across = (girdle * Vec3::X).lerp(foot.turn * Vec3::X, 0.5);
    let bent = bend(shape, hip, foot.ankle, across);
    pose.rotations[shape.hip.index()] = girdle.inverse() * bent.thigh;
    pose.rotations[shape.knee.index()] = bent.knee;
    pose.rotations[shape.ankle.index()] = (bent.thigh * bent.knee).inverse() * foot.turn;
    if let Some(toes) = shape.toes {
        pose.rotations[toes.index()] = axis_rotation(0, foot.toe_bend);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::human::{Human, Toes};

    #[test]
    fn a_bent_leg_ends_at_its_ankle_with_the_knee_in_front() {
        let human = Human::new(Toes::Jointed);
        let shape = &human.legs[0];
        let (hip, ankle) = (Vec3::new(0.1, 0.9, 0.0), Vec3::new(0.15, 0.2, 0.3));
        let bent = bend(shape, hip, ankle, Vec3::X);
        let knee = hip - bent.thigh * Vec3::Y * shape.thigh;
        let end = knee - bent.thigh * bent.knee * Vec3::Y * shape.shin;
        assert!((end - ankle).length() < 1e-15);
        assert!((knee - (hip + ankle) * 0.5).z > 0.1);
    }
}
