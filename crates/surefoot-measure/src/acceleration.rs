//! Accelerations of knees, root and leg joints.
//!
//! The magnitude of the second difference `x(t+1) − 2·x(t) + x(t−1)` times fps², at every frame with
//! two neighbours. It is not smoothed, because a pop lasts a single frame.

use crate::paths::Paths;
use crate::statistics::largest;
use surefoot_core::Vec3;

/// The magnitude of the angular acceleration of every knee at every frame, in rad/s².
pub(crate) fn knee_accelerations(paths: &Paths) -> Vec<f64> {
    paths.legs.iter().flat_map(|leg| angular_accelerations(&leg.knee_angles(), paths.fps)).collect()
}

/// The magnitude of the second difference of angles at each but the first and last frame, in rad/s².
pub(crate) fn angular_accelerations(angles: &[f64], fps: f64) -> Vec<f64> {
    angles.windows(3).map(|at| (at[2] - 2.0 * at[1] + at[0]).abs() * fps * fps).collect()
}

/// The magnitude of the acceleration of the root at every frame, in m/s².
pub(crate) fn root_accelerations(paths: &Paths) -> Vec<f64> {
    let rate = paths.fps * paths.fps;
    paths.root.windows(3).map(|at| second_difference(at).length() * rate).collect()
}

/// The largest acceleration of any hip, knee or ankle, in m/s².
pub(crate) fn leg_acceleration_max(paths: &Paths) -> Option<f64> {
    let joints = paths.legs.iter().flat_map(|leg| [&leg.hip, &leg.knee, &leg.ankle]);
    let accelerations = joints.flat_map(|path| path.windows(3).map(|at| second_difference(at).length()));
    largest(accelerations).map(|most| most * paths.fps * paths.fps)
}

/// `x(t+1) − 2·x(t) + x(t−1)` of three consecutive positions.
pub(crate) fn second_difference(at: &[Vec3]) -> Vec3 {
    at[2] - 2.0 * at[1] + at[0]
}
