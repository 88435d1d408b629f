//! Interpolation of rotations, positions and poses, and the exponential map.

use surefoot_core::math::{atan2, sin, sqrt};
use surefoot_core::{Pose, Quat, Vec3};

pub(crate) use surefoot_core::math::slerp;

/// Linear interpolation of positions. Exact at both ends and for equal positions.
pub(crate) fn lerp(from: Vec3, to: Vec3, share: f64) -> Vec3 {
    if share >= 1.0 { to } else { from + (to - from) * share }
}

/// Interpolates two poses joint by joint.
pub(crate) fn interpolate(from: &Pose, to: &Pose, share: f64) -> Pose {
    let offsets = from.offsets.iter().zip(&to.offsets);
    let rotations = from.rotations.iter().zip(&to.rotations);
    Pose {
        offsets: offsets.map(|(a, b)| lerp(*a, *b, share)).collect(),
        rotations: rotations.map(|(a, b)| slerp(*a, *b, share)).collect(),
    }
}

/// The rotation vector (axis times angle, in radians) of a rotation, at most π long.
pub(crate) fn log(rotation: Quat) -> Vec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let axis = Vec3::new(rotation.x, rotation.y, rotation.z);
    let length = sqrt(axis.length_squared());
    // Below this the sine equals the angle to the last bit.
    if length < 1e-12 { axis * 2.0 } else { axis * (2.0 * atan2(length, rotation.w) / length) }
}

/// The exponential map: the rotation about `rotation` by its length, in radians.
pub(crate) fn exp(rotation: Vec3) -> Quat {
    let angle = sqrt(rotation.length_squared());
    if angle < 1e-12 {
        return Quat::from_xyzw(rotation.x * 0.5, rotation.y * 0.5, rotation.z * 0.5, 1.0).normalize();
    }
    let axis = rotation * (sin(angle * 0.5) / angle);
    Quat::from_xyzw(axis.x, axis.y, axis.z, surefoot_core::math::cos(angle * 0.5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math::axis_rotation;

    #[test]
    fn slerp_is_exact_at_both_ends_and_halves_the_angle() {
        let (a, b) = (axis_rotation(0, 0.3), axis_rotation(0, 1.1));
        assert_eq!((slerp(a, b, 0.0), slerp(a, b, 1.0), slerp(a, a, 0.37)), (a, b, a));
        assert!((slerp(a, -b, 0.5) - axis_rotation(0, 0.7)).length() < 1e-15);
    }

    #[test]
    fn log_inverts_exp() {
        for rotation in [Vec3::new(0.4, -1.0, 2.0), Vec3::new(1e-13, 0.0, 0.0), Vec3::ZERO] {
            assert!(
                (log(exp(rotation)) - rotation).length() < 1e-15 + 1e-15 * rotation.length(),
                "{rotation}"
            );
        }
    }
}
