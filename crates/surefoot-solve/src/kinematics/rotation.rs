//! Rotations: the exponential map, the shortest arc between directions, swing–twist, and raising the
//! end of a rigid arm to a height.

use surefoot_core::math::{asin, atan2, sincos};
use surefoot_core::{Floor, Plane, Quat, Vec3};

/// The rotation vector of a rotation: its axis times its angle in radians, at most π long.
pub(crate) fn log(rotation: Quat) -> Vec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let axis = Vec3::new(rotation.x, rotation.y, rotation.z);
    let sin = axis.length();
    // Below this the angle is twice the sine to the last bit, and the division would be 0 by 0.
    if sin < 1e-9 {
        return axis * 2.0;
    }
    // The arcsine loses digits towards 90°.
    let half = if sin < 0.7 { asin(sin) } else { atan2(sin, rotation.w) };
    axis * (2.0 * half / sin)
}

/// The rotation with this rotation vector.
pub(crate) fn exp(vector: Vec3) -> Quat {
    let (sinc, cos) = sinc_and_cos(0.25 * vector.length_squared());
    let axis = vector * (0.5 * sinc);
    Quat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

/// Sine and cosine of half a rotation angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HalfAngle {
    pub sin: f64,
    pub cos: f64,
}

/// Sine and cosine of half an angle in radians.
pub(crate) fn half_angle(angle: f64) -> HalfAngle {
    let half = 0.5 * angle;
    let (sinc, cos) = sinc_and_cos(half * half);
    HalfAngle { sin: half * sinc, cos }
}

/// `sin(x) / x` and `cos(x)` for a given `x²`.
///
/// Both are power series of x². Most angles here are corrections and therefore small: up to a quarter
/// of a radian these terms are exact to the last bit, in a third of the instructions of a sine and
/// without a square root.
#[inline]
fn sinc_and_cos(squared: f64) -> (f64, f64) {
    if squared > 0.0625 {
        let angle = squared.sqrt();
        let (sin, cos) = sincos(angle);
        return (sin / angle, cos);
    }
    // 1/3!, 1/5!, … and 1/2!, 1/4!, …, with alternating signs.
    const SINC: [f64; 5] = [-1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0];
    const COS: [f64; 6] =
        [-0.5, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0];
    // Estrin's scheme: in Horner's every term would wait for the one before it.
    let fourth = squared * squared;
    let eighth = fourth * fourth;
    let two = |terms: &[f64], n: usize| terms[n] + terms[n + 1] * squared;
    let four = |terms: &[f64]| two(terms, 0) + two(terms, 2) * fourth;
    let sinc = four(&SINC) + SINC[4] * eighth;
    let cos = four(&COS) + two(&COS, 4) * eighth;
    (1.0 + squared * sinc, 1.0 + squared * cos)
}

/// A vector rotated by a quaternion of unit length.
///
/// Takes a fifth fewer instructions than `Quat * Vec3`, which allows any length.
#[inline(always)]
pub(crate) fn rotate(rotation: Quat, vector: Vec3) -> Vec3 {
    let axis = Vec3::new(rotation.x, rotation.y, rotation.z);
    let across = axis.cross(vector);
    let across = across + across;
    vector + across * rotation.w + axis.cross(across)
}

/// The rotation about `axis`, of unit length.
pub(crate) fn about_axis(axis: Vec3, HalfAngle { sin, cos }: HalfAngle) -> Quat {
    Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// A world-space rotation in the space of a parent rotated by `parent`: `parent⁻¹ · rotation · parent`.
pub(crate) fn to_parent(parent: Quat, rotation: Quat) -> Quat {
    to_world(parent.conjugate(), rotation)
}

/// A rotation in the space of a parent rotated by `parent`, in world space:
/// `parent · rotation · parent⁻¹`.
pub(crate) fn to_world(parent: Quat, rotation: Quat) -> Quat {
    let axis = rotate(parent, Vec3::new(rotation.x, rotation.y, rotation.z));
    Quat::from_xyzw(axis.x, axis.y, axis.z, rotation.w)
}

/// The rotation by the shortest arc from the direction of `from` to that of `to`; none where either has
/// no length.
pub(crate) fn shortest_arc(from: Vec3, to: Vec3) -> Quat {
    shortest_arc_scaled(from, to, (from.length_squared() * to.length_squared()).sqrt())
}

/// The same as [`shortest_arc`] where `scale`, the product of the two lengths, is known.
#[inline]
pub(crate) fn shortest_arc_scaled(from: Vec3, to: Vec3, scale: f64) -> Quat {
    // Outside this range the squares underflow or overflow, and the vectors have no direction.
    if !(1e-150..1e150).contains(&scale) {
        return Quat::IDENTITY;
    }
    let cross = from.cross(to);
    let w = scale + from.dot(to);
    // Opposite directions: any perpendicular axis gives a shortest arc.
    if w <= 1e-12 * scale {
        let axis = from.any_orthonormal_vector();
        return Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    // The squared length is 2 · scale · w; beyond 90° that form loses digits.
    let squared = if w >= scale { 2.0 * scale * w } else { cross.length_squared() + w * w };
    let by = 1.0 / squared.sqrt();
    Quat::from_xyzw(cross.x * by, cross.y * by, cross.z * by, w * by)
}

/// The twist of a rotation about `axis`, of unit length (swing–twist decomposition).
pub(crate) fn twist_about(rotation: Quat, axis: Vec3) -> Quat {
    let along = Vec3::new(rotation.x, rotation.y, rotation.z).dot(axis);
    let length = (along * along + rotation.w * rotation.w).sqrt();
    // A rotation by 180° about a perpendicular axis has no twist.
    if length < 1e-9 {
        return Quat::IDENTITY;
    }
    let sin = axis * (along / length);
    Quat::from_xyzw(sin.x, sin.y, sin.z, rotation.w / length)
}

/// The smallest rotation that raises the end of `arm` to `height`, both measured along `up`; none
/// where the end is that high already.
pub(crate) fn raise_to(arm: Vec3, up: Vec3, height: f64) -> Quat {
    let now = arm.dot(up);
    // Less than this is rounding, in metres.
    if now >= height - 1e-12 {
        return Quat::IDENTITY;
    }
    // An arm straight down has no direction to rotate towards.
    let Some(level) = (arm - up * now).try_normalize() else { return Quat::IDENTITY };
    let squared = arm.length_squared();
    let level_squared = squared - height * height;
    // An arm shorter than the height points straight up.
    if level_squared <= 0.0 {
        return shortest_arc(arm, up);
    }
    shortest_arc_scaled(arm, level * level_squared.sqrt() + up * height, squared)
}

/// Rise of the ground along an arm, as a fraction of its length, above which the ground is a step that
/// the arm sticks into and no rotation can bring it out: the sine of 45°.
const STEP_RISE: f64 = 0.7;

/// Number of fixed-point iterations on uneven ground. Where the ground changes gradually, each moves the
/// end by much less than the one before; more iterations cost time and change little.
const UNEVEN_ITERATIONS: usize = 4;

/// The smallest rotation about `pivot` that raises the end of `arm` to a height above the ground under
/// it.
///
/// `height` gives the height, measured from the pivot along the normal, for the plane under the end. On
/// uneven ground the end moves over other ground as it rotates; a few iterations settle that.
#[inline]
pub(crate) fn raise_above_floor(
    floor: &Floor,
    pivot: Vec3,
    arm: Vec3,
    height: impl Fn(&Plane) -> f64,
) -> Quat {
    match floor {
        Floor::Plane(plane) => raise_to(arm, plane.normal, height(plane)),
        Floor::Surface(_) => raise_above_uneven(floor, pivot, arm, &height),
    }
}

#[cold]
#[inline(never)]
fn raise_above_uneven(floor: &Floor, pivot: Vec3, arm: Vec3, height: &dyn Fn(&Plane) -> f64) -> Quat {
    let mut rotation = Quat::IDENTITY;
    for _ in 0..UNEVEN_ITERATIONS {
        let plane = floor.plane_under(pivot + rotation * arm);
        let height = height(&plane);
        if height > STEP_RISE * arm.length() {
            return Quat::IDENTITY;
        }
        rotation = raise_to(arm, plane.normal, height);
    }
    rotation
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math;

    #[test]
    fn log_inverts_exp() {
        for vector in
            [Vec3::ZERO, Vec3::new(1e-12, 0.0, 0.0), Vec3::new(0.3, -1.0, 2.0), Vec3::new(0.0, 3.1, 0.0)]
        {
            assert!((log(exp(vector)) - vector).length() < 1e-12, "{vector}");
        }
    }

    #[test]
    fn the_power_series_agrees_with_sine_and_cosine_to_the_last_bits() {
        for n in 0..=2000 {
            let angle = 0.0003 * f64::from(n);
            let HalfAngle { sin, cos } = half_angle(angle);
            let (known_sin, known_cos) = sincos(0.5 * angle);
            assert!((sin - known_sin).abs() <= 2.0 * f64::EPSILON * known_sin, "{angle}: {sin} {known_sin}");
            assert!((cos - known_cos).abs() <= 2.0 * f64::EPSILON, "{angle}: {cos} {known_cos}");
            assert_eq!((sin, cos), (-half_angle(-angle).sin, half_angle(-angle).cos));
        }
    }

    #[test]
    fn the_shortest_arc_has_unit_length_up_to_180_degrees() {
        for n in 0..=1000 {
            // Approaches 180° ever more closely.
            let angle = core::f64::consts::PI * (1.0 - math::exp(-0.03 * f64::from(n)));
            let (sin, cos) = sincos(angle);
            let arc = shortest_arc(Vec3::X * 0.4, Vec3::new(cos, sin, 0.0) * 0.9);
            assert!((arc.length_squared() - 1.0).abs() < 1e-14, "{angle}: {arc}");
        }
    }

    #[test]
    fn the_shortest_arc_rotates_one_direction_to_the_other() {
        let pairs = [
            (Vec3::X, Vec3::Y),
            (Vec3::X, Vec3::X * 3.0),
            (Vec3::X, -Vec3::X),
            (Vec3::new(1.0, 2.0, 3.0), Vec3::Z),
        ];
        for (from, to) in pairs {
            let rotated = shortest_arc(from, to) * from.normalize();
            assert!((rotated - to.normalize()).length() < 1e-12, "{from} {to}");
        }
        for degenerate in [Vec3::ZERO, Vec3::X * 1e-315, Vec3::X * 1e-160, Vec3::X * 1e200] {
            assert_eq!(shortest_arc(degenerate, Vec3::new(440.0, 0.1, 0.0)), Quat::IDENTITY, "{degenerate}");
        }
        let rotated = shortest_arc(Vec3::X * 1e-70, Vec3::Y * 1e70) * Vec3::X;
        assert!((rotated - Vec3::Y).length() < 1e-12, "{rotated}");
    }

    #[test]
    fn the_twist_about_its_own_axis_is_the_whole_rotation() {
        for angle in [-3.0, -0.5, 0.0, 1.0, 3.0] {
            assert!((twist_about(exp(Vec3::Z * angle), Vec3::Z) - exp(Vec3::Z * angle)).length() < 1e-12);
        }
        assert!((twist_about(exp(Vec3::X), Vec3::Z) - Quat::IDENTITY).length() < 1e-12);
        assert_eq!(twist_about(exp(Vec3::X * core::f64::consts::PI), Vec3::Z).w, 1.0);
    }

    #[test]
    fn a_raised_arm_reaches_the_height_and_keeps_its_length() {
        let arm = Vec3::new(0.2, -0.05, 0.1);
        let up = raise_to(arm, Vec3::Y, 0.02) * arm;
        assert!((up.y - 0.02).abs() < 1e-12 && (up.length() - arm.length()).abs() < 1e-12);
        assert_eq!(raise_to(arm, Vec3::Y, -0.1), Quat::IDENTITY);
        assert_eq!(raise_to(-Vec3::Y, Vec3::Y, 0.0), Quat::IDENTITY);
    }
}
