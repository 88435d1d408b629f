//! Vectors, quaternions and elementary functions.
//!
//! The functions come from `libm`, which is pure Rust, so that native, browser, Python and C builds
//! give the same bits. Those of `std` differ between platforms; `clippy.toml` forbids them.

/// A position or direction; lengths are in metres.
pub type Vec3 = glam::DVec3;
/// A rotation, as a unit quaternion.
pub type Quat = glam::DQuat;
/// A 3 × 3 matrix of three columns.
pub type Mat3 = glam::DMat3;

pub use core::f64::consts::PI;
pub use libm::{
    acos, asin, atan, atan2, cbrt, ceil, cos, exp, floor, hypot, log as ln, log2, pow, sin, sincos, sqrt, tan,
};

/// The angle nearest to `near` that differs from `angle` by whole turns, in radians.
pub fn nearest_equivalent_angle(angle: f64, near: f64) -> f64 {
    let turn = 2.0 * PI;
    angle + turn * libm::rint((near - angle) / turn)
}

/// The rotation by `angle` radians about the X, Y or Z axis (0, 1 or 2).
pub fn axis_rotation(axis: usize, angle: f64) -> Quat {
    let (sin, cos) = sincos(angle * 0.5);
    let mut xyzw = [0.0, 0.0, 0.0, cos];
    xyzw[axis] = sin;
    Quat::from_array(xyzw)
}

/// Cosine above which linear interpolation replaces `slerp`.
///
/// The sine of so small an angle loses digits; linear interpolation is off by 1e-9 of the angle.
const NEARLY_ONE: f64 = 1.0 - 1e-9;

/// Spherical linear interpolation along the shorter arc. Exact at both ends.
pub fn slerp(from: Quat, to: Quat, share: f64) -> Quat {
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

/// 1.5 × 2⁵²: adding it to a number below 2⁵¹ and subtracting it again rounds to the nearest integer.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// Sine and cosine of an angle in degrees, with an error of at most one unit in the last place.
///
/// Whole quarter turns are removed exactly, which is impossible in radians. The remaining angle is
/// within 45°, where the truncated series have an error of 10⁻¹⁹. Five times as fast as `libm`;
/// BVH files have millions of angles in degrees.
#[inline]
pub fn sincos_degrees(degrees: f64) -> (f64, f64) {
    let quarters = degrees * (1.0 / 90.0) + ROUNDER;
    let quarter = quarters.to_bits() & 3;
    let t = (degrees - 90.0 * (quarters - ROUNDER)) * (PI / 180.0);
    let z = t * t;
    let sin = -1.0 / 6.0 + z * (1.0 / 120.0 + z * sine_tail(z));
    let sin = t + t * z * sin;
    let half = 0.5 * z;
    let near = 1.0 - half;
    // The rounding error of `near` is added back with the rest of the series.
    let cos = near + (((1.0 - near) - half) + z * z * (1.0 / 24.0 + z * cosine_tail(z)));
    match quarter {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The terms of the sine series from t⁷ on, divided by t⁵.
#[inline]
fn sine_tail(z: f64) -> f64 {
    -1.0 / 5040.0
        + z * (1.0 / 362_880.0
            + z * (-1.0 / 39_916_800.0 + z * (1.0 / 6_227_020_800.0 - z / 1.307_674_368e12)))
}

/// The terms of the cosine series from t⁶ on, divided by t⁴.
#[inline]
fn cosine_tail(z: f64) -> f64 {
    -1.0 / 720.0
        + z * (1.0 / 40_320.0
            + z * (-1.0 / 3_628_800.0
                + z * (1.0 / 479_001_600.0 + z * (-1.0 / 8.717_829_12e10 + z * (1.0 / 2.092_278_988_8e13)))))
}

/// `rotation`, followed by a rotation by `degrees` about its local X, Y or Z axis (0, 1 or 2).
#[inline]
pub fn rotate_about_local_axis(rotation: Quat, axis: usize, degrees: f64) -> Quat {
    let (sin, cos) = sincos_degrees(degrees * 0.5);
    let Quat { x, y, z, w } = rotation;
    match axis {
        0 => Quat::from_xyzw(x * cos + w * sin, y * cos + z * sin, z * cos - y * sin, w * cos - x * sin),
        1 => Quat::from_xyzw(x * cos - z * sin, y * cos + w * sin, z * cos + x * sin, w * cos - y * sin),
        _ => Quat::from_xyzw(x * cos + y * sin, y * cos - x * sin, z * cos + w * sin, w * cos - z * sin),
    }
}

/// A blend weight that falls from 1 to 0 as `t` goes from 0 to 1, with zero slope at both ends.
pub fn fade(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    (2.0 * t - 3.0) * t * t + 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_equivalent_angle_is_within_half_a_turn() {
        assert!((nearest_equivalent_angle(-3.1, 3.1) - (2.0 * PI - 3.1)).abs() < 1e-12);
        assert_eq!(nearest_equivalent_angle(0.25, 0.5), 0.25);
        assert!((nearest_equivalent_angle(0.0, 100.0) - 100.0).abs() <= PI);
    }

    #[test]
    fn sines_of_degrees_equal_those_of_radians() {
        for n in -40_000..40_000 {
            let degrees = f64::from(n) * 0.0173;
            let (sin, cos) = sincos_degrees(degrees);
            // Converting to radians rounds the angle by up to 2e-16 of its value.
            let slack = 2.3e-16 + degrees.abs() * 4e-18;
            assert!((sin - super::sin(degrees * (PI / 180.0))).abs() < slack, "{degrees}");
            assert!((cos - super::cos(degrees * (PI / 180.0))).abs() < slack, "{degrees}");
        }
    }

    #[test]
    fn sines_of_quarter_turns_are_exact() {
        for n in -8..8 {
            let expected = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][(n & 3) as usize];
            assert_eq!(sincos_degrees(f64::from(n) * 90.0), expected);
        }
        assert!(sincos_degrees(1e12).0.is_finite());
    }

    #[test]
    fn rotating_about_a_local_axis_is_a_product() {
        let rotation = axis_rotation(0, 0.3) * axis_rotation(2, 1.1);
        for axis in 0..3 {
            let product = rotation * axis_rotation(axis, 50.0 * PI / 180.0);
            assert!((rotate_about_local_axis(rotation, axis, 50.0) - product).length() < 1e-15);
        }
    }

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let rotated = axis_rotation(2, PI / 2.0) * Vec3::X;
        assert!((rotated - Vec3::Y).length() < 1e-15);
    }
}
