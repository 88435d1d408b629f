//! The result of an edit: a motion and its plants, not yet cleaned.

use surefoot_core::{Footplants, FrameRange, JointPoint, Leg, Motion, Plant, Vec3};

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

/// Largest height of a planted point above the floor in an edited motion before cleaning, in metres.
///
/// Between a stance and a swing the blended foot is in the air; held there, it would stand on nothing.
const MAX_PLANTED_HEIGHT: f64 = 0.04;

/// Largest spread of the heights of plants on a level floor, in metres. On stairs the height says nothing.
const MAX_LEVEL_SPREAD: f64 = 0.06;

/// The height along `up` at which the feet of these motions are planted; `None` if the floor is not level.
pub(crate) fn floor_level(
    motions: [(&Motion, &Footplants); 2],
    legs: &[Leg],
    up: Vec3,
) -> Option<(Vec3, f64)> {
    let heights = motions.iter().flat_map(|(motion, plants)| {
        plants.plants.iter().filter_map(|plant| Some(plant.mean_position(motion, legs)?.dot(up)))
    });
    let mut heights: Vec<f64> = heights.collect();
    heights.sort_by(f64::total_cmp);
    let at = |share: f64| heights.get((share * heights.len() as f64) as usize).copied();
    (at(0.9)? - at(0.1)? < MAX_LEVEL_SPREAD).then_some((up, at(0.5)?))
}

/// Whether a plant of an edited motion can be held: its point is slow and on the floor.
pub(crate) struct RestTest<'a> {
    pub motion: &'a Motion,
    pub legs: &'a [Leg],
    /// The frames that the edit changed. All other frames are as captured and are not tested.
    pub changed: &'a FrameRange,
    /// Up and the height of a level floor along it.
    pub level: Option<(Vec3, f64)>,
}

impl RestTest<'_> {
    /// Trims a plant to its longest run of frames in which the point can be held.
    ///
    /// Returns `None` if that run is shorter than [`MIN_PLANT_SECONDS`]. Holding a point that is already in swing would
    /// pull the foot back, release it and jerk the knee.
    pub fn trim(&self, plant: Plant) -> Option<Plant> {
        let point = plant.foot_point(self.legs)?;
        let last = self.motion.frames().checked_sub(1)?;
        let (mut best, mut run) = (0..0, plant.frames.start..plant.frames.start);
        for frame in plant.frames.start..plant.frames.end.min(last + 1) {
            if self.rests(&point, frame, last) {
                run.end = frame + 1;
            } else {
                run = frame + 1..frame + 1;
            }
            if run.len() > best.len() {
                best = run.clone();
            }
        }
        let is_whole = best == plant.frames;
        (is_whole || best.len() as f64 >= MIN_PLANT_SECONDS * self.motion.fps)
            .then_some(Plant { frames: best, ..plant })
    }

    fn rests(&self, point: &JointPoint, frame: usize, last: usize) -> bool {
        if !self.changed.contains(&frame) {
            return true;
        }
        let position = |frame: usize| self.motion.poses[frame].world(&self.motion.skeleton).point(point);
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
        let speed = position(before).distance(position(after)) * self.motion.fps;
        let is_low =
            self.level.is_none_or(|(up, level)| position(frame).dot(up) - level <= MAX_PLANTED_HEIGHT);
        speed <= MAX_PLANTED_SPEED * (after - before) as f64 && is_low
    }
}
