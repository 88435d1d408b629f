//! How hard are the knees and the body jerked?
//!
//! The second difference `x(t+1) − 2·x(t) + x(t−1)` times fps², at every frame that has one on
//! either side; its size. The file's own, not smoothed: a pop lasts a single frame.

use crate::paths::Paths;
use crate::rank::largest;
use surefoot_core::Vec3;

/// The size of every knee's angular acceleration at every frame, in radians a second squared.
pub(crate) fn knee_accelerations(paths: &Paths) -> Vec<f64> {
    let rate = paths.fps * paths.fps;
    let of_leg = |angles: Vec<f64>| -> Vec<f64> {
        angles.windows(3).map(|at| (at[2] - 2.0 * at[1] + at[0]).abs() * rate).collect()
    };
    paths.legs.iter().flat_map(|leg| of_leg(leg.knee_angles())).collect()
}

/// The size of the root's acceleration at every frame, in metres a second squared.
pub(crate) fn root_accelerations(paths: &Paths) -> Vec<f64> {
    let rate = paths.fps * paths.fps;
    paths.root.windows(3).map(|at| second_difference(at).length() * rate).collect()
}

/// The largest acceleration of any hip, knee or ankle, in metres a second squared.
pub(crate) fn leg_acceleration_max(paths: &Paths) -> Option<f64> {
    let joints = paths.legs.iter().flat_map(|leg| [&leg.hip, &leg.knee, &leg.ankle]);
    let jolts = joints.flat_map(|path| path.windows(3).map(|at| second_difference(at).length()));
    largest(jolts).map(|most| most * paths.fps * paths.fps)
}

/// `x(t+1) − 2·x(t) + x(t−1)` of three places in a row.
pub(crate) fn second_difference(at: &[Vec3]) -> Vec3 {
    at[2] - 2.0 * at[1] + at[0]
}
