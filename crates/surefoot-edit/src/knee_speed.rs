//! The change that cleaning makes to the angular speed of the knees.

use surefoot_core::math::{PI, acos};
use surefoot_core::{Leg, Motion, WorldPose};

/// The largest change of any knee's angular speed from `before` to `after`, in radians per second.
///
/// Both motions need the same skeleton and number of frames. Frames before `first_frame` are
/// ignored.
pub fn knee_speed_added(before: &Motion, after: &Motion, legs: &[Leg], first_frame: usize) -> f64 {
    let mut largest = 0.0_f64;
    let mut last: Vec<Option<f64>> = vec![None; legs.len()];
    let (mut one, mut other) = (WorldPose::default(), WorldPose::default());
    for (a, b) in before.poses.iter().zip(&after.poses).skip(first_frame) {
        a.forward_kinematics(&before.skeleton, &mut one);
        b.forward_kinematics(&after.skeleton, &mut other);
        for (leg, last) in legs.iter().zip(&mut last) {
            let changed = knee_angle(&other, leg) - knee_angle(&one, leg);
            largest = last.map_or(largest, |last| largest.max((changed - last).abs()));
            *last = Some(changed);
        }
    }
    largest * after.fps
}

/// The angle at the knee between hip and ankle, in radians; a straight leg has π.
fn knee_angle(world: &WorldPose, leg: &Leg) -> f64 {
    let knee = world.joint(leg.knee);
    let (up, down) = (world.joint(leg.hip) - knee, world.joint(leg.ankle) - knee);
    // A bone of length zero has no direction: treat the leg as straight.
    match (up.try_normalize(), down.try_normalize()) {
        (Some(up), Some(down)) => acos(up.dot(down).clamp(-1.0, 1.0)),
        _ => PI,
    }
}
