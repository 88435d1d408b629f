//! Conversion between root motion and in-place motion, as on a treadmill.
//!
//! A planted foot does not move relative to the ground, so the velocity of the hips relative to
//! planted points is the velocity of the body over the ground. The median over all plants gives one
//! constant velocity for the whole motion: in-place motion has it subtracted. In a motion that is
//! in place already, the planted points themselves move at the velocity of the treadmill, which is
//! subtracted to restore root motion.

use surefoot_core::{Floor, Plant, Vec3, WorldPose};

use crate::body_root::body_position;
use surefoot_core::Clip;

/// The median horizontal velocity of the hips relative to planted points, in metres per second.
///
/// This is the velocity that [`in_place`] removes. `None` if no plant has two frames.
pub fn body_velocity(clip: &Clip) -> Option<Vec3> {
    median(clip, |root, point| root - point)
}

/// The median horizontal velocity of planted points, in metres per second: that of the treadmill.
///
/// [`root_motion`] removes it. It is near zero for a motion that has root motion. `None` if no
/// plant has two frames.
pub fn treadmill_velocity(clip: &Clip) -> Option<Vec3> {
    median(clip, |_, point| point)
}

/// Subtracts a velocity from the motion, so that it stays in place over moving ground.
pub fn in_place(clip: &Clip, velocity: Vec3) -> Clip {
    Clip {
        motion: clip.motion.with_added_velocity(-velocity),
        ground_velocity: Some(-velocity),
        ..clip.clone()
    }
}

/// Restores root motion: subtracts the ground velocity, so that the ground is at rest and the body
/// travels.
pub fn root_motion(clip: &Clip, velocity: Vec3) -> Clip {
    let mut clip = clip.clone();
    if clip.ground_velocity.is_none() {
        // Spots were given in world space, but the ground below them moves: recompute them.
        clip.plants.plants.iter_mut().for_each(|plant| plant.spot = None);
    }
    Clip { ground_velocity: Some(velocity), ..clip }.relative_to_ground()
}

/// The velocity of a clip along its floor, in metres per second.
///
/// For a loop this is the travel of one period over its duration, so that the clip still loops in
/// place. For other clips it is [`body_velocity`], along the slope of the floor.
pub fn travel_velocity(clip: &Clip) -> Option<Vec3> {
    if let Some(looped) = &clip.looping {
        let pose = clip.motion.poses.get(clip.first_frame)?;
        let body = body_position(pose, &clip.motion.skeleton, &clip.legs);
        return Some((looped.travel.point(body) - body) * (clip.motion.fps / looped.period.max(1) as f64));
    }
    let mut velocity = body_velocity(clip)?;
    if let Some(plane) = clip.floor.as_ref().and_then(Floor::as_plane).filter(|plane| plane.normal.y > 1e-3) {
        // On a slope the velocity has a vertical part; without it the body would climb in place.
        velocity.y = -plane.normal.dot(velocity) / plane.normal.y;
    }
    Some(velocity)
}

/// The median over plants, per axis, of a velocity computed from those of the hips and the point.
fn median(clip: &Clip, of: impl Fn(Vec3, Vec3) -> Vec3) -> Option<Vec3> {
    let all: Vec<Vec3> = (clip.plants.plants.iter())
        .filter_map(|plant| velocities(clip, plant))
        .map(|(root, point)| {
            let velocity = of(root, point);
            Vec3::new(velocity.x, 0.0, velocity.z)
        })
        .collect();
    let middle = |axis: usize| {
        let mut values: Vec<f64> = all.iter().map(|velocity| velocity[axis]).collect();
        values.sort_by(f64::total_cmp);
        let half = values.len() / 2;
        if values.len() % 2 == 1 { values[half] } else { 0.5 * (values[half - 1] + values[half]) }
    };
    (!all.is_empty()).then(|| Vec3::new(middle(0), 0.0, middle(2)))
}

/// Mean velocities of the hips and of the planted point over a plant, in metres per second.
fn velocities(clip: &Clip, plant: &Plant) -> Option<(Vec3, Vec3)> {
    let Clip { motion, legs, .. } = clip;
    let leg = legs.get(plant.leg)?;
    let point = leg.point(plant.point);
    let last =
        plant.frames.end.min(motion.frames()).checked_sub(1).filter(|&last| last > plant.frames.start)?;
    let seconds = (last - plant.frames.start) as f64 / motion.fps;
    let positions = |frame: usize| {
        let world: WorldPose = motion.poses[frame].world(&motion.skeleton);
        let hips = legs.iter().map(|leg| world.joint(leg.hip)).sum::<Vec3>() / legs.len() as f64;
        (hips, world.point(point))
    };
    let ((hips, held), (hips_after, held_after)) = (positions(plant.frames.start), positions(last));
    Some(((hips_after - hips) / seconds, (held_after - held) / seconds))
}
