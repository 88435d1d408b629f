//! How much faster does cleaning make the knees turn?

use surefoot_core::math::atan2;
use surefoot_core::{Leg, Motion, Placed, Vec3};
use surefoot_solve::{Scene, leg_shapes};

/// The largest change that was made to any knee's angular speed between two frames, in radians a
/// second. Both motions are of one body, with as many frames; those before `first_frame` are not
/// looked at.
///
/// A knee turns about its hinge, through straight and beyond, as captured knees do. The angle between
/// thigh and shin alone would turn back there, and be as fast the other way from one frame to the next.
pub fn knee_speed_added(before: &Motion, after: &Motion, legs: &[Leg], first_frame: usize) -> f64 {
    let performed = &before.poses[first_frame.min(before.frames())..];
    let scene =
        Scene { skeleton: before.skeleton.clone(), fps: before.fps, legs: legs.to_vec(), floor: None };
    // A body that cannot be cleaned was not.
    let Ok(shapes) = leg_shapes(&scene, performed) else { return 0.0 };
    let mut largest = 0.0_f64;
    let mut last: Vec<Option<f64>> = vec![None; legs.len()];
    let (mut one, mut other) = (Placed::default(), Placed::default());
    for (a, b) in performed.iter().zip(after.poses.iter().skip(first_frame)) {
        a.place(&before.skeleton, &mut one);
        b.place(&after.skeleton, &mut other);
        for ((leg, shape), last) in legs.iter().zip(&shapes).zip(&mut last) {
            let parent = before.skeleton.parent(leg.knee).unwrap_or(leg.hip);
            let bent =
                |placed: &Placed| bent(placed, leg, placed.rotations[parent.index()] * shape.knee_axis);
            let changed = bent(&other) - bent(&one);
            largest = last.map_or(largest, |last| largest.max((changed - last).abs()));
            *last = Some(changed);
        }
    }
    largest * after.fps
}

/// How far a knee is bent about its axis, in radians; below 0 beyond straight.
fn bent(placed: &Placed, leg: &Leg, axis: Vec3) -> f64 {
    let knee = placed.joint(leg.knee);
    let (thigh, shin) = (knee - placed.joint(leg.hip), placed.joint(leg.ankle) - knee);
    // A bone that has shrunk to nothing has no direction: atan2 then says straight.
    atan2(thigh.cross(shin).dot(axis), thigh.dot(shin))
}
