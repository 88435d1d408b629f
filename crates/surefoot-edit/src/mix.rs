//! What is between two poses?

use surefoot_core::math::{acos, atan2, sin, sqrt};
use surefoot_core::{Pose, Quat, Vec3};

/// Beyond this the sine of the angle between two turns loses digits, and a straight line will do:
/// it is off by 1e-9 of that angle.
const NEARLY_ONE: f64 = 1.0 - 1e-9;

/// From one turn to another by the shortest way; either end comes back to the bit.
pub(crate) fn slerp(from: Quat, to: Quat, share: f64) -> Quat {
    if share <= 0.0 || from == to {
        return from;
    }
    if share >= 1.0 {
        return to;
    }
    let cos = from.dot(to);
    let (to, cos) = if cos < 0.0 { (-to, -cos) } else { (to, cos) };
    if cos > NEARLY_ONE {
        return (from * (1.0 - share) + to * share).normalize();
    }
    let angle = acos(cos.min(1.0));
    ((from * sin((1.0 - share) * angle) + to * sin(share * angle)) / sin(angle)).normalize()
}

/// From one place to another; either end, and a place between two that are one, to the bit.
pub(crate) fn lerp(from: Vec3, to: Vec3, share: f64) -> Vec3 {
    if share >= 1.0 { to } else { from + (to - from) * share }
}

/// From one pose to another, joint by joint.
pub(crate) fn mix(from: &Pose, to: &Pose, share: f64) -> Pose {
    let offsets = from.offsets.iter().zip(&to.offsets);
    let turns = from.rotations.iter().zip(&to.rotations);
    Pose {
        offsets: offsets.map(|(a, b)| lerp(*a, *b, share)).collect(),
        rotations: turns.map(|(a, b)| slerp(*a, *b, share)).collect(),
    }
}

/// A turn as axis times angle, by the shorter way.
pub(crate) fn log(turn: Quat) -> Vec3 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = Vec3::new(turn.x, turn.y, turn.z);
    let length = sqrt(axis.length_squared());
    // So small a turn is its own sine.
    if length < 1e-12 { axis * 2.0 } else { axis * (2.0 * atan2(length, turn.w) / length) }
}

/// The turn about an axis by its length.
pub(crate) fn exp(turn: Vec3) -> Quat {
    let angle = sqrt(turn.length_squared());
    if angle < 1e-12 {
        return Quat::from_xyzw(turn.x * 0.5, turn.y * 0.5, turn.z * 0.5, 1.0).normalize();
    }
    let axis = turn * (sin(angle * 0.5) / angle);
    Quat::from_xyzw(axis.x, axis.y, axis.z, surefoot_core::math::cos(angle * 0.5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math::axis_rotation;

    #[test]
    fn ends_come_back_to_the_bit_and_the_middle_is_half_way() {
        let (a, b) = (axis_rotation(0, 0.3), axis_rotation(0, 1.1));
        assert_eq!((slerp(a, b, 0.0), slerp(a, b, 1.0), slerp(a, a, 0.37)), (a, b, a));
        assert!((slerp(a, -b, 0.5) - axis_rotation(0, 0.7)).length() < 1e-15);
    }

    #[test]
    fn a_turn_comes_back_from_its_logarithm() {
        for turn in [Vec3::new(0.4, -1.0, 2.0), Vec3::new(1e-13, 0.0, 0.0), Vec3::ZERO] {
            assert!((log(exp(turn)) - turn).length() < 1e-15 + 1e-15 * turn.length(), "{turn}");
        }
    }
}
