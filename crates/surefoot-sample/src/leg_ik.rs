//! Two-bone inverse kinematics: bends a leg so that its ankle reaches its foot.

use crate::bodies::{KneeDirection, LegShape};
use crate::feet::FootPose;
use surefoot_core::Pose;
use surefoot_core::math::{Mat3, PI, Quat, Vec3, acos, axis_rotation, sqrt};

/// The rotations of a bent leg.
pub(crate) struct LegRotations {
    /// The thigh, in world space.
    pub thigh: Quat,
    /// The knee relative to the thigh: a rotation about its X axis.
    pub knee: Quat,
}

/// Bends a leg from `hip` to `ankle` with the hinge axis as near to `left` as possible.
///
/// At rest the leg points straight down; `left` is the body's left.
pub(crate) fn solve_leg(shape: &LegShape, hip: Vec3, ankle: Vec3, left: Vec3) -> LegRotations {
    let (thigh, shin) = (shape.thigh, shape.shin);
    let reach = (ankle - hip).length();
    let sign = match shape.knee_direction {
        KneeDirection::Forward => 1.0,
        KneeDirection::Backward => -1.0,
    };
    let at_hip = angle_between(thigh, reach, shin);
    let at_knee = PI - angle_between(thigh, shin, reach);
    LegRotations {
        thigh: straight_leg_rotation(ankle - hip, left) * axis_rotation(0, -sign * at_hip),
        knee: axis_rotation(0, sign * at_knee),
    }
}

/// The angle between two sides of a triangle, by the law of cosines.
fn angle_between(a: f64, b: f64, opposite: f64) -> f64 {
    // Every planned reach is within the leg's length; the clamp is for rounding errors.
    acos(((a * a + b * b - opposite * opposite) / (2.0 * a * b)).clamp(-1.0, 1.0))
}

/// The rotation that takes straight down to `along` and the X axis as near as possible to `left`.
fn straight_leg_rotation(along: Vec3, left: Vec3) -> Quat {
    let up = -along.normalize();
    let left = (left - up * left.dot(up)).normalize();
    Quat::from_mat3(&Mat3::from_cols(left, up, left.cross(up)))
}

/// The largest height of a girdle at which a leg reaches its ankle with `max_extension` of its length.
///
/// `hip` is the position of the hip with the girdle at height 0.
pub(crate) fn max_girdle_height(shape: &LegShape, hip: Vec3, ankle: Vec3, max_extension: f64) -> f64 {
    let reach = max_extension * shape.length();
    let horizontal = Vec3::new(hip.x - ankle.x, 0.0, hip.z - ankle.z);
    // Planned feet are always within horizontal reach; the maximum avoids NaN if one is not.
    ankle.y + sqrt((reach * reach - horizontal.length_squared()).max(0.0)) - hip.y
}

/// Rotates hip, knee, ankle and toes of a pose so that the foot has the given pose. `girdle` is the
/// rotation and `position` the position of the girdle that the leg is attached to.
pub(crate) fn pose_leg(pose: &mut Pose, shape: &LegShape, position: Vec3, girdle: Quat, foot: &FootPose) {
    let hip = position + girdle * shape.hip_in_girdle;
    // The knee points halfway between the pelvis and the toes.
    let left = (girdle * Vec3::X).lerp(foot.rotation * Vec3::X, 0.5);
    let leg = solve_leg(shape, hip, foot.ankle, left);
    pose.rotations[shape.hip.index()] = girdle.inverse() * leg.thigh;
    pose.rotations[shape.knee.index()] = leg.knee;
    pose.rotations[shape.ankle.index()] = (leg.thigh * leg.knee).inverse() * foot.rotation;
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
        let leg = solve_leg(shape, hip, ankle, Vec3::X);
        let knee = hip - leg.thigh * Vec3::Y * shape.thigh;
        let end = knee - leg.thigh * leg.knee * Vec3::Y * shape.shin;
        assert!((end - ankle).length() < 1e-15);
        assert!((knee - (hip + ankle) * 0.5).z > 0.1);
    }
}
