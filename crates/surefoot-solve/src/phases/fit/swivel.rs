//! The swivel of a leg about the line from hip to ankle, smoothed.
//!
//! A leg swivels with its foot, so that the ankle need not twist. But a captured foot shakes, and once it is planted, a
//! leg that followed its captured rotation in every frame would shake instead. So the swivel is the mean over the
//! frames around.

use surefoot_core::{Quat, Vec3};

use crate::kinematics::leg_ik::NO_LENGTH;
use crate::phases::Phase;
use crate::setup::Setup;
use crate::stream::window::Window;

/// The swivel of a foot's rotation about the line from hip to ankle, as the sine of the angle; smaller where the foot
/// rotates about other axes too.
///
/// The value is the same for a quaternion and its negative, and 0 where the rotation is too large to have a direction: a
/// value that is averaged must not jump there.
pub(super) fn swivel_of(rotation: Quat, hip_to_ankle: Vec3) -> f64 {
    let reach = hip_to_ankle.length();
    // A target at the hip has no line.
    if reach < NO_LENGTH {
        return 0.0;
    }
    2.0 * rotation.w * Vec3::new(rotation.x, rotation.y, rotation.z).dot(hip_to_ankle) / reach
}

/// The smoothed swivel of a leg at a frame, as the sine of half the angle.
pub(super) fn smooth(window: &Window, setup: &Setup, frame: usize, leg: usize) -> f64 {
    let half = setup.windows.swivel;
    let range = window.around(Phase::Fit, frame, half.frames);
    let weights = &setup.swivel_weights[range.start + half.frames - frame..];
    let (mut sum, mut total) = (0.0, 0.0);
    for (geometry, weight) in window.leg_geometry(leg, range).iter().zip(weights) {
        sum += weight * geometry.swivel;
        total += weight;
    }
    half_sine(sum / total)
}

/// The sine of half the angle whose sine is given.
fn half_sine(sin: f64) -> f64 {
    let sin = sin.clamp(-1.0, 1.0);
    sin / (2.0 * (1.0 + (1.0 - sin * sin).sqrt())).sqrt()
}
