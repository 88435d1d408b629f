//! Ground that carries a standing body: a lift and a turning platform.

use crate::curves::glide;
use crate::recipe::Kind;
use surefoot_core::math::{Quat, Vec3, axis_rotation};
use surefoot_core::{Footplants, Motion, Plant};

/// Time of rest before and after the ride, in seconds.
const REST: f64 = 1.0;
/// Mean speed of a lift, in metres per second.
const LIFT_SPEED: f64 = 0.25;
/// Mean speed of a platform, in radians per second.
const PLATFORM_SPEED: f64 = 0.35;
/// The axis of the platform, on the floor, in metres.
const PLATFORM_AXIS: Vec3 = Vec3::new(0.9, 0.0, 0.4);
/// Fraction of the ride in which the ground speeds up, and in which it slows down.
const EASE: f64 = 0.1;

/// The shortest motion, in seconds.
pub(crate) const MIN_SECONDS: f64 = 2.0 * REST + 1.0;

/// The rotation and translation of the ground at a time, for a motion of some duration.
fn ground_at(kind: Kind, time: f64, seconds: f64) -> (Quat, Vec3) {
    let ride = seconds - 2.0 * REST;
    let done = glide((time - REST) / ride, EASE, EASE);
    match kind {
        Kind::Lift => (Quat::IDENTITY, Vec3::Y * (LIFT_SPEED * ride * done)),
        Kind::Platform => {
            let turn = axis_rotation(1, PLATFORM_SPEED * ride * done);
            (turn, PLATFORM_AXIS - turn * PLATFORM_AXIS)
        }
        _ => (Quat::IDENTITY, Vec3::ZERO),
    }
}

/// Moves a standing body with its ground, and ends its plants while the ground moves.
pub(crate) fn carry(kind: Kind, motion: &mut Motion, plants: &mut Footplants, seconds: f64) {
    if !matches!(kind, Kind::Lift | Kind::Platform) {
        return;
    }
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        let (rotation, translation) = ground_at(kind, frame as f64 / motion.fps, seconds);
        pose.offsets[0] = rotation * pose.offsets[0] + translation;
        pose.rotations[0] = rotation * pose.rotations[0];
    }
    let frame_at = |time: f64| (time * motion.fps + 1e-9) as usize;
    let (last_before, first_after) = (frame_at(REST), frame_at(seconds - REST) + 1);
    let (rotation, translation) = ground_at(kind, seconds, seconds);
    let mut cut = Vec::new();
    for plant in &plants.plants {
        let before = plant.frames.start..plant.frames.end.min(last_before + 1);
        let after = plant.frames.start.max(first_after)..plant.frames.end;
        cut.push(Plant { frames: before, ..plant.clone() });
        let spot = plant.spot.map(|spot| rotation * spot + translation);
        cut.push(Plant { frames: after, spot, ..plant.clone() });
    }
    cut.retain(|plant| !plant.frames.is_empty());
    plants.plants = cut;
    plants.sort();
}
