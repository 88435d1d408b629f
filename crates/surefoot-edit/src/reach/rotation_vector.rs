//! Rotation vectors: a rotation as its axis times its angle (exponential map).
//!
//! Euler angles have singularities, which a shoulder reaches, and files disagree on their order. A
//! rotation vector relative to the mean rotation of a joint is smooth up to a full turn around it,
//! does not depend on the channels of the file, and measures changes as angles.

use surefoot_core::math::{Mat3, PI, asin, atan2, floor, sincos, sqrt};
use surefoot_core::{JointId, Motion, Quat, Vec3};

/// The rotation about `v` by its length, in radians.
#[inline]
pub(super) fn exp(v: Vec3) -> Quat {
    let square = v.length_squared();
    if square < 1e-8 {
        // Taylor series of sin(θ/2)/θ and cos(θ/2), exact to the last bit here.
        let s = 0.5 - square / 48.0;
        return Quat::from_xyzw(v.x * s, v.y * s, v.z * s, 1.0 - square / 8.0);
    }
    let angle = sqrt(square);
    let (sin, cos) = sincos(0.5 * angle);
    let s = sin / angle;
    Quat::from_xyzw(v.x * s, v.y * s, v.z * s, cos)
}

/// The shortest rotation vector of a rotation, at most π long.
#[inline]
pub(super) fn log(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = Vec3::new(q.x, q.y, q.z);
    let sin = v.length();
    // Below this the angle is twice the sine to the last bit.
    if sin < 1e-9 { v * 2.0 } else { v * (2.0 * atan2(sin, q.w) / sin) }
}

/// The rotation vector nearest to `near`, among those that differ by full turns about the axis.
pub(super) fn log_near(q: Quat, near: Vec3) -> Vec3 {
    let v = log(q);
    let angle = v.length();
    if angle < 1e-12 && near.length_squared() < 1.0 {
        return v;
    }
    // The identity has no axis: full turns continue about the axis of `near`.
    let axis = if angle < 1e-12 { near.normalize_or_zero() } else { v / angle };
    let turns = floor((near.dot(axis) - angle) / (2.0 * PI) + 0.5);
    if turns == 0.0 { v } else { axis * (angle + 2.0 * PI * turns) }
}

/// The right Jacobian of the exponential map: the local angular velocity of `exp(v)` per change of
/// `v`.
pub(super) fn right_jacobian(v: Vec3) -> Mat3 {
    let square = v.length_squared();
    let (one, two) = if square < 1e-6 {
        (0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0)
    } else {
        let angle = sqrt(square);
        let (sin, cos) = sincos(angle);
        ((1.0 - cos) / square, (angle - sin) / (square * angle))
    };
    let cross = cross(v);
    Mat3::IDENTITY - cross * one + cross * cross * two
}

/// The inverse left Jacobian: the change of `v = log(q)` per rotation of `q` about world axes.
pub(super) fn inverse_left_jacobian(v: Vec3) -> Mat3 {
    let square = v.length_squared();
    let two = if square < 1e-6 {
        1.0 / 12.0 + square / 720.0
    } else {
        let angle = sqrt(square);
        let (sin, cos) = sincos(0.5 * angle);
        // Finite for angles up to π, the largest that `log` returns.
        (1.0 - 0.5 * angle * cos / sin) / square
    };
    let cross = cross(v);
    Mat3::IDENTITY - cross * 0.5 + cross * cross * two
}

fn cross(v: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0))
}

/// Spherical linear interpolation along the shorter arc.
pub(super) fn slerp(one: Quat, two: Quat, share: f64) -> Quat {
    if share == 0.0 { one } else { one * exp(log(one.conjugate() * two) * share) }
}

/// The angle between two rotations, in radians.
pub(super) fn angle_between(one: Quat, two: Quat) -> f64 {
    let q = one.conjugate() * two;
    2.0 * asin(Vec3::new(q.x, q.y, q.z).length().min(1.0))
}

/// The mean rotation of a joint over a motion.
pub fn mean_rotation(motion: &Motion, joint: JointId) -> Quat {
    mean_rotation_of(motion.poses.iter().map(|pose| pose.rotations[joint.index()]))
}

/// The rotations of a joint as rotation vectors relative to `center`, in radians, without jumps by
/// full turns.
pub fn angles(motion: &Motion, joint: JointId, center: Quat) -> Vec<Vec3> {
    rotation_vectors_of(motion.poses.iter().map(|pose| pose.rotations[joint.index()]), center)
}

/// The mean of rotations.
pub(super) fn mean_rotation_of(rotations: impl Iterator<Item = Quat> + Clone) -> Quat {
    let Some(first) = rotations.clone().next() else {
        return Quat::IDENTITY;
    };
    let (mut sum, mut count) = (Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), 0.0);
    for rotation in rotations {
        sum = if rotation.dot(first) < 0.0 { sum - rotation } else { sum + rotation };
        count += 1.0;
    }
    // Rotations spread over a full turn have no mean: use the first.
    if sum.length() > 1e-3 * count { sum.normalize() } else { first }
}

/// Rotation vectors relative to `center`, each the nearest to its predecessor.
pub(super) fn rotation_vectors_of(rotations: impl Iterator<Item = Quat>, center: Quat) -> Vec<Vec3> {
    let inverse = center.conjugate();
    let mut near = Vec3::ZERO;
    let vector = |rotation: Quat| {
        near = log_near(inverse * rotation, near);
        near
    };
    rotations.map(vector).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math::axis_rotation;

    const VECTORS: [Vec3; 5] = [
        Vec3::new(0.3, -0.2, 0.7),
        Vec3::new(1e-5, 2e-5, -1e-5),
        Vec3::ZERO,
        Vec3::new(2.0, 1.5, -1.0),
        Vec3::new(3.0, 0.5, 0.2),
    ];

    #[test]
    fn log_inverts_exp() {
        for v in VECTORS {
            assert!((log(exp(v)) - v).length() < 1e-12, "{v}");
            assert!((exp(v).length() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn jacobians_equal_finite_differences() {
        let step = 1e-6;
        for v in VECTORS {
            for axis in Vec3::AXES {
                let expected = log(exp(v).conjugate() * exp(v + axis * step)) / step;
                assert!((right_jacobian(v) * axis - expected).length() < 3e-6, "{v}");
                let expected = (log(exp(axis * step) * exp(v)) - v) / step;
                assert!((inverse_left_jacobian(v) * axis - expected).length() < 3e-5, "{v}");
            }
        }
    }

    #[test]
    fn log_near_is_continuous_past_full_turns() {
        let mut near = Vec3::ZERO;
        for step in 0..100 {
            let angle = f64::from(step) * 0.25;
            near = log_near(axis_rotation(1, angle), near);
            assert!((near - Vec3::Y * angle).length() < 1e-9, "{angle} {near}");
        }
        assert_eq!(log_near(Quat::IDENTITY, Vec3::Y * 2.0 * PI), Vec3::Y * (2.0 * PI));
    }

    #[test]
    fn slerp_divides_the_angle() {
        let one = axis_rotation(0, 0.2);
        assert!(angle_between(slerp(one, axis_rotation(0, 1.0), 0.25), axis_rotation(0, 0.4)) < 1e-12);
    }
}
