//! Turns as axis times angle, and the shortest turn from one direction to another.

use surefoot_core::math::{asin, atan2, sincos};
use surefoot_core::{Quat, Vec3};

/// A turn as its axis times its angle in radians.
pub(super) fn log(turn: Quat) -> Vec3 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = Vec3::new(turn.x, turn.y, turn.z);
    let sin = axis.length();
    // Below this the angle is twice the sine to the last bit.
    if sin < 1e-9 {
        return axis * 2.0;
    }
    let half = if sin < 0.7 { asin(sin) } else { atan2(sin, turn.w) };
    axis * (2.0 * half / sin)
}

/// The turn whose axis times angle this is.
pub(super) fn exp(vector: Vec3) -> Quat {
    let angle = vector.length();
    if angle < 1e-9 {
        return Quat::from_xyzw(vector.x * 0.5, vector.y * 0.5, vector.z * 0.5, 1.0);
    }
    let (sin, cos) = sincos(angle * 0.5);
    let axis = vector * (sin / angle);
    Quat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

/// The turn by `angle` radians about `axis`, of unit length.
pub(super) fn about(axis: Vec3, angle: f64) -> Quat {
    let (sin, cos) = sincos(angle * 0.5);
    Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// The shortest turn that points `from` where `to` points. Either may have any length; one of
/// none turns nothing.
pub(super) fn between(from: Vec3, to: Vec3) -> Quat {
    let scale = (from.length_squared() * to.length_squared()).sqrt();
    let cross = from.cross(to);
    let w = scale + from.dot(to);
    // Opposite, any axis square to them will do.
    if w <= 1e-12 * scale {
        if scale < 1e-300 {
            return Quat::IDENTITY;
        }
        let axis = from.any_orthonormal_vector();
        return Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    Quat::from_xyzw(cross.x, cross.y, cross.z, w).normalize()
}

/// The part of a turn that is about `axis`, of unit length: the angle in radians.
pub(super) fn twist(turn: Quat, axis: Vec3) -> f64 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    2.0 * atan2(Vec3::new(turn.x, turn.y, turn.z).dot(axis), turn.w)
}
