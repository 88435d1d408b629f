//! A foot point before and after, with its speeds and its height above the ground under it.

use super::EventPoint;
use super::sliding_window::{frames_in, sliding_min};
use crate::paths::LegPath;
use surefoot_core::Vec3;

/// The time to either side within which the lowest captured height is the ground, in seconds.
///
/// Longer than a swing of a walk takes from its middle to the next contact, so that the window always holds a
/// contact; with a longer one, stairs would have the height of a lower step.
const GROUND_WINDOW: f64 = 0.5;

/// The paths of one foot point, with heights above the ground under the captured point.
pub(crate) struct GroundedPoint<'a> {
    pub point: EventPoint,
    /// The normal of the floor.
    pub up: Vec3,
    pub before: &'a [Vec3],
    pub after: &'a [Vec3],
    /// Height along the normal of the floor, in metres.
    pub height_before: Vec<f64>,
    pub height_after: Vec<f64>,
    /// Height of the ground at each frame.
    pub ground: Vec<f64>,
}

impl<'a> GroundedPoint<'a> {
    pub fn new(point: EventPoint, before: &'a LegPath, after: &'a LegPath, up: Vec3, fps: f64) -> Self {
        let (before, after) = (point.path(before), point.path(after));
        let heights = |path: &[Vec3]| path.iter().map(|at| up.dot(*at)).collect::<Vec<f64>>();
        let height_before = heights(before);
        let ground = sliding_min(&height_before, frames_in(GROUND_WINDOW, fps));
        Self { point, up, before, after, height_after: heights(after), height_before, ground }
    }

    /// The length of a displacement along the floor, in metres.
    pub fn along_floor(&self, displacement: Vec3) -> f64 {
        displacement.reject_from_normalized(self.up).length()
    }

    /// Height above the ground in the capture, in metres.
    pub fn clearance_before(&self, frame: usize) -> f64 {
        self.height_before[frame] - self.ground[frame]
    }

    /// Height above the captured ground in the motion after, in metres.
    pub fn clearance_after(&self, frame: usize) -> f64 {
        self.height_after[frame] - self.ground[frame]
    }
}

/// The speed of a point at each frame from its two neighbours, in metres per second; at the ends from one.
pub(crate) fn speeds(path: &[Vec3], fps: f64) -> Vec<f64> {
    let speed = |frame: usize| {
        let (from, to) = (frame.saturating_sub(1), (frame + 1).min(path.len() - 1));
        // A path of one frame has no speed.
        path[from].distance(path[to]) * fps / (to - from).max(1) as f64
    };
    (0..path.len()).map(speed).collect()
}

/// The speed of a point from each frame to the next, in metres per second: a jump within one frame is not halved.
pub(crate) fn step_speeds(path: &[Vec3], fps: f64) -> Vec<f64> {
    path.windows(2).map(|step| step[0].distance(step[1]) * fps).collect()
}
