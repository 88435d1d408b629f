//! A motion that stays in place, as on a treadmill, and one that goes: from one to the other.
//!
//! What feet stand on is the ground. While a point is planted, the body goes past it at the
//! ground's speed; the median of that over all plants is the speed of the whole motion, one
//! velocity over the ground. In place it is taken off, for root motion what the plants lack of
//! standing still is put on.

use surefoot_core::{Floor, FootPoint, Plant, Vec3, WorldPose};

use surefoot_core::Clip;

/// The velocity over the ground at which the body passes its plants, in metres a second: what
/// [`in_place`] takes off. None without a plant of two frames.
pub fn travel(clip: &Clip) -> Option<Vec3> {
    median(clip, |root, point| root - point)
}

/// The velocity at which the ground goes by under planted feet, as on a treadmill: what
/// [`root_motion`] puts on, with its sign turned. Near zero for a motion that goes by itself.
pub fn belt(clip: &Clip) -> Option<Vec3> {
    median(clip, |_, point| point)
}

/// The motion with a velocity taken off: it stays in place, on ground that goes by under it.
pub fn in_place(clip: &Clip, travel: Vec3) -> Clip {
    Clip { motion: clip.motion.with_added_velocity(-travel), ground_velocity: Some(-travel), ..clip.clone() }
}

/// The motion with its belt's velocity put on: the ground stands, and the body goes.
pub fn root_motion(clip: &Clip, belt: Vec3) -> Clip {
    let mut clip = clip.clone();
    if clip.ground_velocity.is_none() {
        // A spot in the room stands on ground that is elsewhere in each frame.
        clip.plants.plants.iter_mut().for_each(|plant| plant.spot = None);
    }
    Clip { ground_velocity: Some(belt), ..clip }.relative_to_ground()
}

/// How fast a clip goes along its floor: a loop as far as it gets in a round, so that in place it still
/// loops; any other as [`travel`] says.
pub fn speed(clip: &Clip) -> Option<Vec3> {
    if let Some(looped) = &clip.looping {
        let root = clip.motion.poses.get(clip.first_frame)?.offsets.first().copied()?;
        return Some((looped.travel.point(root) - root) * (clip.motion.fps / looped.period.max(1) as f64));
    }
    let mut speed = travel(clip)?;
    if let Some(plane) = clip.floor.as_ref().and_then(Floor::as_plane).filter(|plane| plane.normal.y > 1e-3) {
        // Up or down as the floor goes: what is taken off must not leave the body climbing in place.
        speed.y = -plane.normal.dot(speed) / plane.normal.y;
    }
    Some(speed)
}

/// The median over plants, axis by axis, of a velocity made of the root's and the point's.
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

/// How fast the hips and the held point go during a plant, mean from its first frame to its last.
fn velocities(clip: &Clip, plant: &Plant) -> Option<(Vec3, Vec3)> {
    let Clip { motion, legs, .. } = clip;
    let leg = legs.get(plant.leg)?;
    let point = match plant.point {
        FootPoint::Heel => &leg.heel,
        FootPoint::Ball => &leg.ball,
    };
    let last =
        plant.frames.end.min(motion.frames()).checked_sub(1).filter(|&last| last > plant.frames.start)?;
    let seconds = (last - plant.frames.start) as f64 / motion.fps;
    let seen = |frame: usize| {
        let placed: WorldPose = motion.poses[frame].world(&motion.skeleton);
        let hips = legs.iter().map(|leg| placed.joint(leg.hip)).sum::<Vec3>() / legs.len() as f64;
        (hips, placed.point(point))
    };
    let ((hips, held), (hips_after, held_after)) = (seen(plant.frames.start), seen(last));
    Some(((hips_after - hips) / seconds, (held_after - held) / seconds))
}
