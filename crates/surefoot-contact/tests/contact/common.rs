//! Generated motions, transformations of motions, and comparisons of plants.

use surefoot_contact::{Method, Settings, detect};
use surefoot_core::{FootPoint, Footplants, FrameRange, JointPoint, Leg, Motion, Quat, Vec3};
use surefoot_sample::{Kind, Recipe, Sample, Skate, make};

pub const POINTS: [FootPoint; 2] = [FootPoint::Heel, FootPoint::Ball];

/// A generated motion of six seconds.
pub fn sample(kind: Kind, fps: f64, skate: Option<Skate>) -> Sample {
    make(&Recipe { kind, fps, skate, seconds: 6.0, ..Recipe::default() }).unwrap()
}

/// The settings of a method, with defaults for the rest.
pub fn by(method: Method) -> Settings {
    Settings { detector: method, ..Settings::default() }
}

pub fn detect_sample(sample: &Sample, settings: &Settings) -> Footplants {
    detect(&sample.motion, &sample.legs, Some(&sample.floor), settings)
}

/// The frames of each plant, by leg and point, without confidences, whose rounding may differ.
pub fn frames(plants: &Footplants) -> Vec<(usize, FootPoint, FrameRange)> {
    plants.plants.iter().map(|plant| (plant.leg, plant.point, plant.frames.clone())).collect()
}

/// Asserts that two lists hold the same plants with edges at most `tolerance` frames apart.
#[track_caller]
pub fn assert_same_plants(a: &Footplants, b: &Footplants, tolerance: usize) {
    let (a, b) = (frames(a), frames(b));
    assert_eq!(a.len(), b.len(), "{a:#?} {b:#?}");
    for (a, b) in a.iter().zip(&b) {
        let near = a.2.start.abs_diff(b.2.start) <= tolerance && a.2.end.abs_diff(b.2.end) <= tolerance;
        assert!(a.0 == b.0 && a.1 == b.1 && near, "{a:?} {b:?}");
    }
}

/// Whether the heel or the ball of a foot is planted.
pub fn foot_is_down(plants: &Footplants, leg: usize, frame: usize) -> bool {
    POINTS.into_iter().any(|point| plants.is_planted(leg, point, frame))
}

/// Every foot of a biped at every frame.
pub fn feet_and_frames(frames: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..frames).flat_map(|frame| [(0, frame), (1, frame)])
}

/// The fraction of feet and frames in which two lists of plants disagree on whether the foot is down.
pub fn disagreement(one: &Footplants, other: &Footplants, frames: usize) -> f64 {
    let differs =
        |&(leg, frame): &(usize, usize)| foot_is_down(one, leg, frame) != foot_is_down(other, leg, frame);
    feet_and_frames(frames).filter(differs).count() as f64 / (2 * frames) as f64
}

/// Whether a point moves by less than a nanometre from a frame to the next. A plant that ends between
/// two frames has not always left by the second, so detection may end it one frame late.
pub fn stays(motion: &Motion, leg: &Leg, point: FootPoint, frame: usize) -> bool {
    let joint_point = if point == FootPoint::Heel { leg.heel } else { leg.ball };
    let position = |frame: usize| motion.poses[frame].world(&motion.skeleton).point(&joint_point);
    frame + 1 < motion.frames() && position(frame).distance(position(frame + 1)) < 1e-9
}

fn with_points(leg: &Leg, change: impl Fn(Vec3) -> Vec3) -> Leg {
    let point = |point: JointPoint| JointPoint { offset: change(point.offset), ..point };
    Leg { heel: point(leg.heel), ball: point(leg.ball), toe: point(leg.toe), ..leg.clone() }
}

/// The motion and legs of a body `factor` times as large.
pub fn scaled(motion: &Motion, legs: &[Leg], factor: f64) -> (Motion, Vec<Leg>) {
    let mut motion = motion.clone();
    motion.skeleton = motion.skeleton.scaled(factor);
    motion.poses.iter_mut().flat_map(|pose| &mut pose.offsets).for_each(|offset| *offset *= factor);
    (motion, legs.iter().map(|leg| with_points(leg, |offset| offset * factor)).collect())
}

/// The motion mirrored at the plane x = 0, with left and right legs exchanged.
pub fn mirrored(motion: &Motion, legs: &[Leg]) -> (Motion, Vec<Leg>) {
    let mirror = |v: Vec3| Vec3::new(-v.x, v.y, v.z);
    let mut motion = motion.clone();
    for pose in &mut motion.poses {
        pose.offsets.iter_mut().for_each(|offset| *offset = mirror(*offset));
        for rotation in &mut pose.rotations {
            *rotation = Quat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w);
        }
    }
    (motion, legs.iter().rev().map(|leg| with_points(leg, mirror)).collect())
}

/// Plants of a mirrored motion, with the legs named as in the original.
pub fn mirrored_plants(mut plants: Footplants) -> Footplants {
    plants.plants.iter_mut().for_each(|plant| plant.leg = 1 - plant.leg);
    plants.sort();
    plants
}

/// The motion rotated about the world's origin and then translated.
pub fn moved(motion: &Motion, rotation: Quat, translation: Vec3) -> Motion {
    let mut motion = motion.clone();
    for pose in &mut motion.poses {
        pose.offsets[0] = rotation * pose.offsets[0] + translation;
        pose.rotations[0] = rotation * pose.rotations[0];
    }
    motion
}

/// Rotates each pose about a fixed point by a rotation that depends on the time in seconds.
pub fn rotate_about(motion: &mut Motion, centre: Vec3, rotation: impl Fn(f64) -> Quat) {
    let fps = motion.fps;
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        let rotation = rotation(frame as f64 / fps);
        pose.offsets[0] = centre + rotation * (pose.offsets[0] - centre);
        pose.rotations[0] = rotation * pose.rotations[0];
    }
}
