//! Bodies that perform a motion, and the sampling of what they do.

use crate::bodies::human::Human;
use crate::bodies::{self, LegShape};
use crate::feet::PlantedTime;
use crate::sample::Sample;
use surefoot_core::{Floor, FootPoint, Footplants, FrameRange, Leg, Motion, Plant, Pose, Skeleton};

/// A body that performs a motion, as a function of time in seconds.
pub(crate) trait Actor {
    /// The skeleton.
    fn skeleton(&self) -> &Skeleton;

    /// The person; `None` for an animal.
    fn human(&self) -> Option<&Human>;

    /// The pose at `time`.
    fn pose(&self, time: f64) -> Pose;

    /// The legs, and the arms of a body whose hands are planted.
    fn limbs(&self) -> Vec<Leg>;

    /// The times in which a point of a limb is planted.
    fn planted_times(&self, limb: usize, point: FootPoint) -> Vec<PlantedTime>;
}

/// Samples the motion of an actor: on level ground, on the actor's own skeleton and without damage.
pub(crate) fn perform(actor: &dyn Actor, fps: f64, seconds: f64) -> Sample {
    let frames = (seconds * fps + 1e-9) as usize + 1;
    let times = (0..frames).map(|frame| frame as f64 / fps);
    let mut poses: Vec<Pose> = times.map(|time| actor.pose(time)).collect();
    make_quaternions_continuous(&mut poses);
    Sample {
        motion: Motion { skeleton: actor.skeleton().clone(), fps, poses },
        legs: actor.limbs(),
        plants: plants(actor, fps, frames),
        floor: Floor::level(0.0),
        stairs: Vec::new(),
    }
}

/// The legs of a person.
pub(crate) fn human_legs(human: &Human) -> Vec<Leg> {
    legs(&["left", "right"], &human.legs)
}

/// The legs of a body.
pub(crate) fn legs(sides: &[&str], shapes: &[LegShape]) -> Vec<Leg> {
    sides.iter().zip(shapes).map(|(side, shape)| bodies::leg(side, shape)).collect()
}

/// Replaces each quaternion by its negative where that is nearer to the frame before.
fn make_quaternions_continuous(poses: &mut [Pose]) {
    for frame in 1..poses.len() {
        let (before, after) = poses.split_at_mut(frame);
        let before = &before[frame - 1].rotations;
        for (rotation, last) in after[0].rotations.iter_mut().zip(before) {
            if rotation.dot(*last) < 0.0 {
                *rotation = -*rotation;
            }
        }
    }
}

fn plants(actor: &dyn Actor, fps: f64, frames: usize) -> Footplants {
    let mut plants = Footplants::default();
    for leg in 0..actor.limbs().len() {
        for point in FootPoint::ALL {
            let plant = |PlantedTime { from, to, spot, hold }: PlantedTime| Plant {
                spot: Some(spot),
                hold,
                ..Plant::new(leg, point, frames_within(from, to, fps, frames))
            };
            let all = actor.planted_times(leg, point).into_iter().map(plant);
            plants.plants.extend(all.filter(|plant| !plant.frames.is_empty()));
        }
    }
    plants.sort();
    plants
}

/// The frames in a closed time interval.
fn frames_within(from: f64, to: f64, fps: f64, frames: usize) -> FrameRange {
    let is_inside = |frame: &usize| {
        let time = *frame as f64 / fps;
        from <= time && time <= to
    };
    let first = (0..frames).find(is_inside).unwrap_or(frames);
    let end = (first..frames).find(|frame| !is_inside(frame)).unwrap_or(frames);
    first..end
}
