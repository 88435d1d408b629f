//! Every vector, quaternion and sine.
//!
//! The functions are `libm`'s, written in Rust: native, browser, Python and C builds give the
//! same bits. `std`'s are the platform's, and `clippy.toml` forbids them.

/// A place or a direction, in metres where it is a length.
pub type Vec3 = glam::DVec3;
/// A turn. Unit length wherever it stands for a rotation.
pub type Quat = glam::DQuat;
/// Three columns, for the few places where a rotation is easier to read as axes.
pub type Mat3 = glam::DMat3;

pub use core::f64::consts::PI;
pub use libm::{
    acos, asin, atan, atan2, cbrt, cos, exp, floor, hypot, log as ln, log2, pow, sin, sincos, sqrt, tan,
};

/// `angle` moved by whole turns to the value nearest to `near`, both in radians.
pub fn nearest_turn(angle: f64, near: f64) -> f64 {
    let turn = 2.0 * PI;
    angle + turn * libm::rint((near - angle) / turn)
}

/// The turn by `angle` radians about the X, Y or Z axis (0, 1 or 2).
pub fn turn_about(axis: usize, angle: f64) -> Quat {
    let (sin, cos) = sincos(angle * 0.5);
    let mut xyzw = [0.0, 0.0, 0.0, cos];
    xyzw[axis] = sin;
    Quat::from_array(xyzw)
}

/// A weight that falls from 1 to 0 as `t` goes from 0 to 1, level at both ends.
pub fn fade(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    (2.0 * t - 3.0) * t * t + 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_angle_comes_back_to_the_turn_nearest_to_another() {
        assert!((nearest_turn(-3.1, 3.1) - (2.0 * PI - 3.1)).abs() < 1e-12);
        assert_eq!(nearest_turn(0.25, 0.5), 0.25);
        assert!((nearest_turn(0.0, 100.0) - 100.0).abs() <= PI);
    }

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_y() {
        let turned = turn_about(2, PI / 2.0) * Vec3::X;
        assert!((turned - Vec3::Y).length() < 1e-15);
    }
}
