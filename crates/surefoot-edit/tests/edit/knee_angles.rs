//! Knee angles of a motion, for the tests and benches of every edit.

use surefoot_core::{Clip, Leg, Motion, Pose};

/// The largest increase of any knee's angular speed by cleaning, in radians per second.
///
/// Unlike [`knee_speed_added`](surefoot_edit::knee_speed_added), it ignores knees that become slower, for
/// example where cleaning removes a snap of the captured knee.
pub fn knee_speed_increase(before: &Motion, after: &Motion, legs: &[Leg], first_frame: usize) -> f64 {
    let angles = |motion: &Motion| knee_angles(motion, before, legs, first_frame);
    let (angles_before, angles_after) = (angles(before), angles(after));
    let speeds = |angles: &[f64]| angles.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect::<Vec<_>>();
    let increase = |(before, after): (&Vec<f64>, &Vec<f64>)| {
        speeds(before).iter().zip(speeds(after)).map(|(before, after)| after - before).fold(0.0, f64::max)
    };
    angles_before.iter().zip(&angles_after).map(increase).fold(0.0, f64::max) * after.fps
}

/// The hinge angle of each knee in each frame, in radians; negative if bent backwards. The hinge axis
/// is that of `reference`, a motion of the same skeleton.
pub fn knee_angles(motion: &Motion, reference: &Motion, legs: &[Leg], first_frame: usize) -> Vec<Vec<f64>> {
    let clip = Clip { motion: reference.clone(), legs: legs.to_vec(), first_frame, ..Clip::default() };
    let shapes = surefoot_solve::leg_shapes(&clip).unwrap();
    let angles = |(leg, shape): (&Leg, &surefoot_solve::LegShape)| {
        let angle = |pose: &Pose| {
            let world = pose.world(&motion.skeleton);
            let knee = world.joint(leg.knee);
            let (thigh, shin) = (knee - world.joint(leg.hip), world.joint(leg.ankle) - knee);
            let parent = motion.skeleton.parent(leg.knee).unwrap_or(leg.hip);
            let axis = world.rotations[parent.index()] * shape.knee_axis;
            surefoot_core::math::atan2(thigh.cross(shin).dot(axis), thigh.dot(shin))
        };
        motion.poses[first_frame..].iter().map(angle).collect()
    };
    legs.iter().zip(&shapes).map(angles).collect()
}
