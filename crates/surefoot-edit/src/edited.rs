//! What an edit gives: a motion and its plants, still to be cleaned.

use surefoot_core::{FootPoint, Footplants, FrameRange, Leg, Motion, Placed, Plant, PointOn, Vec3};

/// A motion as an edit left it, and who is to be held in it. Cleaning it is the edit's end:
/// [`surefoot_solve::clean`], or [`looped::clean`](crate::looped::clean) for a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// The motion; its feet skate.
    pub motion: Motion,
    /// The plants, of both motions where there were two.
    pub plants: Footplants,
    /// The frames that are no longer those of one capture.
    pub changed: FrameRange,
}

/// Plants of one point nearer than this are one stance, in metres: less than a foot's length, more
/// than what two captures of one step are apart.
pub(crate) const ONE_STANCE: f64 = 0.1;

/// How fast a foot may be asked to go from where one plant stands to where the next does, in metres
/// a second: a walking foot's.
pub(crate) const FOOT_SPEED: f64 = 2.0;

/// The point a plant holds.
pub(crate) fn held_point(legs: &[Leg], plant: &Plant) -> Option<PointOn> {
    let leg = legs.get(plant.leg)?;
    Some(match plant.point {
        FootPoint::Heel => leg.heel,
        FootPoint::Ball => leg.ball,
    })
}

/// Where a plant's point is on average while it is held, if it ever is.
pub(crate) fn mean_place(motion: &Motion, legs: &[Leg], plant: &Plant) -> Option<Vec3> {
    let point = held_point(legs, plant)?;
    let frames = plant.frames.start.min(motion.frames())..plant.frames.end.min(motion.frames());
    let count = frames.len() as f64;
    let mut placed = Placed::default();
    let sum: Vec3 = motion.poses[frames]
        .iter()
        .map(|pose| {
            pose.place(&motion.skeleton, &mut placed);
            placed.point(&point)
        })
        .sum();
    (count > 0.0).then(|| sum / count)
}
