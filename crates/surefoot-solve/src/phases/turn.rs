//! Turns as axis times angle, and the shortest turn from one direction to another.

use surefoot_core::math::{asin, atan2, sincos};
use surefoot_core::{Floor, Plane, Quat, Vec3};

/// A turn as its axis times its angle in radians.
pub(crate) fn log(turn: Quat) -> Vec3 {
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
pub(crate) fn exp(vector: Vec3) -> Quat {
    let angle = vector.length();
    if angle < 1e-9 {
        return Quat::from_xyzw(vector.x * 0.5, vector.y * 0.5, vector.z * 0.5, 1.0);
    }
    let (sin, cos) = sincos(angle * 0.5);
    let axis = vector * (sin / angle);
    Quat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

/// What a turn of unit length makes of a vector: a fifth fewer steps than for a turn of any length.
#[inline(always)]
pub(crate) fn turned(turn: Quat, vector: Vec3) -> Vec3 {
    let axis = Vec3::new(turn.x, turn.y, turn.z);
    let across = axis.cross(vector);
    let across = across + across;
    vector + across * turn.w + axis.cross(across)
}

/// The turn about `axis`, of unit length, for sine and cosine of half its angle.
pub(crate) fn about_half(axis: Vec3, (sin, cos): (f64, f64)) -> Quat {
    Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// A turn in the world, seen from a joint that is turned by `holder`: that is its axis, seen from there.
pub(super) fn seen_from(holder: Quat, turn: Quat) -> Quat {
    in_world(holder.conjugate(), turn)
}

/// A turn seen from a joint that is turned by `holder`, in the world.
pub(super) fn in_world(holder: Quat, turn: Quat) -> Quat {
    let axis = turned(holder, Vec3::new(turn.x, turn.y, turn.z));
    Quat::from_xyzw(axis.x, axis.y, axis.z, turn.w)
}

/// The shortest turn that points `from` where `to` points. Either may have any length; one of
/// none turns nothing.
pub(crate) fn between(from: Vec3, to: Vec3) -> Quat {
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

/// The part of a turn that is about `axis`, of unit length.
pub(crate) fn twist_about(turn: Quat, axis: Vec3) -> Quat {
    let along = Vec3::new(turn.x, turn.y, turn.z).dot(axis);
    let length = (along * along + turn.w * turn.w).sqrt();
    // Half a turn about an axis square to this one has no part about it.
    if length < 1e-9 {
        return Quat::IDENTITY;
    }
    let sin = axis * (along / length);
    Quat::from_xyzw(sin.x, sin.y, sin.z, turn.w / length)
}

/// The least turn that brings the end of `arm` up to `height`, both measured along `up`. Nothing
/// where it is as high already.
pub(super) fn raised(arm: Vec3, up: Vec3, height: f64) -> Quat {
    let now = arm.dot(up);
    if now >= height - 1e-12 {
        return Quat::IDENTITY;
    }
    // An arm that points straight down has no side to turn to.
    let Some(level) = (arm - up * now).try_normalize() else { return Quat::IDENTITY };
    let length = (arm.length_squared() - height * height).max(0.0).sqrt();
    between(arm, level * length + up * height)
}

/// Ground that rises more steeply than this along an arm is a step that the arm sticks into, and no
/// turn is meant to bring it out: the sine of 45°.
const STEP: f64 = 0.7;

/// The least turn about `pivot` that brings the end of `arm` up to a height over the ground under it.
///
/// The height is asked of the plane of that ground, and measured from the pivot. On uneven ground
/// the end comes to be over other ground as it turns; a few rounds settle that.
#[inline]
pub(super) fn raised_over(floor: &Floor, pivot: Vec3, arm: Vec3, height: impl Fn(&Plane) -> f64) -> Quat {
    match floor {
        Floor::Plane(plane) => raised(arm, plane.normal, height(plane)),
        Floor::Surface(_) => raised_over_uneven(floor, pivot, arm, &height),
    }
}

#[cold]
#[inline(never)]
fn raised_over_uneven(floor: &Floor, pivot: Vec3, arm: Vec3, height: &dyn Fn(&Plane) -> f64) -> Quat {
    let mut turn = Quat::IDENTITY;
    for _ in 0..4 {
        let plane = floor.plane_under(pivot + turn * arm);
        let height = height(&plane);
        if height > STEP * arm.length() {
            return Quat::IDENTITY;
        }
        turn = raised(arm, plane.normal, height);
    }
    turn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_comes_back_from_its_vector() {
        for vector in
            [Vec3::ZERO, Vec3::new(1e-12, 0.0, 0.0), Vec3::new(0.3, -1.0, 2.0), Vec3::new(0.0, 3.1, 0.0)]
        {
            assert!((log(exp(vector)) - vector).length() < 1e-12, "{vector}");
        }
    }

    #[test]
    fn the_shortest_turn_points_where_it_should() {
        let pairs = [
            (Vec3::X, Vec3::Y),
            (Vec3::X, Vec3::X * 3.0),
            (Vec3::X, -Vec3::X),
            (Vec3::new(1.0, 2.0, 3.0), Vec3::Z),
        ];
        for (from, to) in pairs {
            let turned = between(from, to) * from.normalize();
            assert!((turned - to.normalize()).length() < 1e-12, "{from} {to}");
        }
        assert_eq!(between(Vec3::ZERO, Vec3::X), Quat::IDENTITY);
    }

    #[test]
    fn the_twist_of_a_turn_about_its_own_axis_is_itself() {
        for angle in [-3.0, -0.5, 0.0, 1.0, 3.0] {
            assert!((twist_about(exp(Vec3::Z * angle), Vec3::Z) - exp(Vec3::Z * angle)).length() < 1e-12);
        }
        assert!((twist_about(exp(Vec3::X), Vec3::Z) - Quat::IDENTITY).length() < 1e-12);
        assert_eq!(twist_about(exp(Vec3::X * core::f64::consts::PI), Vec3::Z).w, 1.0);
    }

    #[test]
    fn a_raised_arm_is_as_high_as_asked_and_as_long_as_before() {
        let arm = Vec3::new(0.2, -0.05, 0.1);
        let up = raised(arm, Vec3::Y, 0.02) * arm;
        assert!((up.y - 0.02).abs() < 1e-12 && (up.length() - arm.length()).abs() < 1e-12);
        assert_eq!(raised(arm, Vec3::Y, -0.1), Quat::IDENTITY);
        assert_eq!(raised(-Vec3::Y, Vec3::Y, 0.0), Quat::IDENTITY);
    }
}
