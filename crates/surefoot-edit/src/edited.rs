//! What an edit gives: a motion and its plants, still to be cleaned.

use surefoot_core::{Footplants, FrameRange, Leg, Motion, Plant};

/// A motion as an edit left it, and who is to be held in it. Cleaning it is the edit's end:
/// [`surefoot_solve::clean`].
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// The motion; its feet skate.
    pub motion: Motion,
    /// The plants, of both motions where there were two.
    pub plants: Footplants,
    /// The frames that are no longer those of one capture.
    pub changed: FrameRange,
}

/// How fast a planted point may go in an edited motion, before it is cleaned, in metres a second. Steps
/// that are mixed slide at some decimetres a second; a foot on its way goes at metres.
pub(crate) const RESTS: f64 = 0.6;

/// The shortest plant that is kept when it is trimmed, in seconds.
pub(crate) const SHORTEST: f64 = 0.05;

/// The longest part of a plant in which its point rests in the edited motion; none where that is no
/// time at all. Only `changed` frames are looked at: in others the point is as it was captured.
///
/// Held while it is on its way, a foot would be pulled back and let go, and the knee would pay.
pub(crate) fn resting(motion: &Motion, legs: &[Leg], plant: Plant, changed: &FrameRange) -> Option<Plant> {
    let point = plant.foot_point(legs)?;
    let last = motion.frames().checked_sub(1)?;
    let place = |frame: usize| motion.poses[frame].world(&motion.skeleton).point(&point);
    let rests = |frame: usize| {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
        let far = place(before).distance(place(after));
        !changed.contains(&frame) || far * motion.fps <= RESTS * (after - before) as f64
    };
    let (mut best, mut run) = (0..0, plant.frames.start..plant.frames.start);
    for frame in plant.frames.start..plant.frames.end.min(last + 1) {
        if rests(frame) {
            run.end = frame + 1;
        } else {
            run = frame + 1..frame + 1;
        }
        if run.len() > best.len() {
            best = run.clone();
        }
    }
    let is_whole = best == plant.frames;
    (is_whole || best.len() as f64 >= SHORTEST * motion.fps).then_some(Plant { frames: best, ..plant })
}
