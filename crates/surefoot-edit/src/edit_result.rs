//! The result of an edit: a motion and its plants, not yet cleaned.

use surefoot_core::{Footplants, FrameRange, Leg, Motion, Plant};

/// An edited motion and the plants to hold in it.
///
/// Its planted feet still skate: pass the motion and plants to [`surefoot_solve::clean`].
#[derive(Clone, Debug, PartialEq)]
pub struct EditResult {
    /// The edited motion, before cleaning.
    pub motion: Motion,
    /// The plants; for edits of two motions, those of both.
    pub plants: Footplants,
    /// The frames whose poses differ from the input.
    pub changed: FrameRange,
}

/// Largest speed of a planted point in an edited motion before cleaning, in metres per second.
///
/// Blended stances slide at 0.1–0.5 m/s, a swinging foot moves at several m/s. A lower limit drops
/// stances that cleaning could hold; a higher one would hold feet during swing.
pub(crate) const MAX_PLANTED_SPEED: f64 = 0.6;

/// Shortest plant that is kept after trimming, in seconds. Shorter remainders are a few frames at
/// the edge of a swing and would only make the foot twitch.
pub(crate) const MIN_PLANT_SECONDS: f64 = 0.05;

/// Trims a plant to its longest run of frames in which the point moves slowly enough to be held.
///
/// Returns `None` if that run is shorter than [`MIN_PLANT_SECONDS`]. Only frames in `changed` are
/// tested, since the other frames are as captured. Holding a point that is already in swing would
/// pull the foot back, release it and jerk the knee.
pub(crate) fn trim_to_rest(
    motion: &Motion,
    legs: &[Leg],
    plant: Plant,
    changed: &FrameRange,
) -> Option<Plant> {
    let point = plant.foot_point(legs)?;
    let last = motion.frames().checked_sub(1)?;
    let position = |frame: usize| motion.poses[frame].world(&motion.skeleton).point(&point);
    let rests = |frame: usize| {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
        let far = position(before).distance(position(after));
        !changed.contains(&frame) || far * motion.fps <= MAX_PLANTED_SPEED * (after - before) as f64
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
    (is_whole || best.len() as f64 >= MIN_PLANT_SECONDS * motion.fps)
        .then_some(Plant { frames: best, ..plant })
}
