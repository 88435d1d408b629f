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
    let (by, cos) = sine_over(0.25 * vector.length_squared());
    let axis = vector * (0.5 * by);
    Quat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

/// Sine and cosine of half an angle.
pub(crate) fn of_half(angle: f64) -> (f64, f64) {
    let half = 0.5 * angle;
    let (by, cos) = sine_over(half * half);
    (half * by, cos)
}

/// The sine of an angle over the angle, and its cosine, by its square.
///
/// Both are series of the square. Most angles here are changes, and small: up to a quarter of a radian these
/// terms tell them to the last bit, in a third of the steps, and without a root.
#[inline]
fn sine_over(squared: f64) -> (f64, f64) {
    if squared > 0.0625 {
        let angle = squared.sqrt();
        let (sin, cos) = sincos(angle);
        return (sin / angle, cos);
    }
    // One over 3!, 5!, ..., and over 2!, 4!, ...
    const SINE: [f64; 5] = [-1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0];
    const COSINE: [f64; 6] =
        [-0.5, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0];
    // By twos and fours: term after term, each would have to wait for the one before.
    let fourth = squared * squared;
    let eighth = fourth * fourth;
    let two = |terms: &[f64], n: usize| terms[n] + terms[n + 1] * squared;
    let four = |terms: &[f64]| two(terms, 0) + two(terms, 2) * fourth;
    let sine = four(&SINE) + SINE[4] * eighth;
    let cosine = four(&COSINE) + two(&COSINE, 4) * eighth;
    (1.0 + squared * sine, 1.0 + squared * cosine)
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
pub(crate) fn seen_from(holder: Quat, turn: Quat) -> Quat {
    in_world(holder.conjugate(), turn)
}

/// A turn seen from a joint that is turned by `holder`, in the world.
pub(crate) fn in_world(holder: Quat, turn: Quat) -> Quat {
    let axis = turned(holder, Vec3::new(turn.x, turn.y, turn.z));
    Quat::from_xyzw(axis.x, axis.y, axis.z, turn.w)
}

/// The shortest turn that points `from` where `to` points. Either may have any length; one of
/// none turns nothing.
pub(crate) fn between(from: Vec3, to: Vec3) -> Quat {
    between_scaled(from, to, (from.length_squared() * to.length_squared()).sqrt())
}

/// The same where the product of their lengths is known.
#[inline]
pub(crate) fn between_scaled(from: Vec3, to: Vec3, scale: f64) -> Quat {
    // Beyond that their squares are no numbers any more, and they point nowhere.
    if !(1e-150..1e150).contains(&scale) {
        return Quat::IDENTITY;
    }
    let cross = from.cross(to);
    let w = scale + from.dot(to);
    // Opposite, any axis square to them will do.
    if w <= 1e-12 * scale {
        let axis = from.any_orthonormal_vector();
        return Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    // Its length squared is twice that product; of a large turn, rounding would tell.
    let squared = if w >= scale { 2.0 * scale * w } else { cross.length_squared() + w * w };
    let by = 1.0 / squared.sqrt();
    Quat::from_xyzw(cross.x * by, cross.y * by, cross.z * by, w * by)
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
pub(crate) fn raised(arm: Vec3, up: Vec3, height: f64) -> Quat {
    let now = arm.dot(up);
    if now >= height - 1e-12 {
        return Quat::IDENTITY;
    }
    // An arm that points straight down has no side to turn to.
    let Some(level) = (arm - up * now).try_normalize() else { return Quat::IDENTITY };
    let squared = arm.length_squared();
    let out_squared = squared - height * height;
    // No arm comes higher than it is long.
    if out_squared <= 0.0 {
        return between(arm, up);
    }
    between_scaled(arm, level * out_squared.sqrt() + up * height, squared)
}

/// Ground that rises more steeply than this along an arm is a step that the arm sticks into, and no
/// turn is meant to bring it out: the sine of 45°.
const STEP: f64 = 0.7;

/// The least turn about `pivot` that brings the end of `arm` up to a height over the ground under it.
///
/// The height is asked of the plane of that ground, and measured from the pivot. On uneven ground
/// the end comes to be over other ground as it turns; a few rounds settle that.
#[inline]
pub(crate) fn raised_over(floor: &Floor, pivot: Vec3, arm: Vec3, height: impl Fn(&Plane) -> f64) -> Quat {
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
    use surefoot_core::math;

    #[test]
    fn a_turn_comes_back_from_its_vector() {
        for vector in
            [Vec3::ZERO, Vec3::new(1e-12, 0.0, 0.0), Vec3::new(0.3, -1.0, 2.0), Vec3::new(0.0, 3.1, 0.0)]
        {
            assert!((log(exp(vector)) - vector).length() < 1e-12, "{vector}");
        }
    }

    #[test]
    fn series_and_sines_agree_to_the_last_bits_where_they_meet_and_below() {
        for n in 0..=2000 {
            let angle = 0.0003 * f64::from(n);
            let (sin, cos) = of_half(angle);
            let (known_sin, known_cos) = sincos(0.5 * angle);
            assert!((sin - known_sin).abs() <= 2.0 * f64::EPSILON * known_sin, "{angle}: {sin} {known_sin}");
            assert!((cos - known_cos).abs() <= 2.0 * f64::EPSILON, "{angle}: {cos} {known_cos}");
            assert_eq!((sin, cos), (-of_half(-angle).0, of_half(-angle).1));
        }
    }

    #[test]
    fn the_shortest_turn_is_of_unit_length_however_large_it_is() {
        for n in 0..=1000 {
            // Up to half a turn, and ever closer to it.
            let angle = core::f64::consts::PI * (1.0 - math::exp(-0.03 * f64::from(n)));
            let (sin, cos) = sincos(angle);
            let turn = between(Vec3::X * 0.4, Vec3::new(cos, sin, 0.0) * 0.9);
            assert!((turn.length_squared() - 1.0).abs() < 1e-14, "{angle}: {turn}");
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
        for none in [Vec3::ZERO, Vec3::X * 1e-315, Vec3::X * 1e-160, Vec3::X * 1e200] {
            assert_eq!(between(none, Vec3::new(440.0, 0.1, 0.0)), Quat::IDENTITY, "{none}");
        }
        let turned = between(Vec3::X * 1e-70, Vec3::Y * 1e70) * Vec3::X;
        assert!((turned - Vec3::Y).length() < 1e-12, "{turned}");
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
