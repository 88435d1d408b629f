//! The result of an edit: a motion and its plants, not yet cleaned.

use surefoot_core::{Footplants, FrameRange, JointPoint, Leg, Motion, Plant, Vec3};

use crate::landings::MIN_SWING_SECONDS;

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

/// Height of a planted point above the lowest one of its plant from which it may not move up or down, in metres, and the
/// vertical speed above which it does, in metres per second.
///
/// Where one motion still stands and the other lifts its foot already, the blended foot rises slowly. Held until the end
/// of the plant, it would have to catch up at once. A stance that sinks by a few centimetres per second is still held.
const RISE: (f64, f64) = (0.02, 0.1);

/// Speed above which a point at the edge of its plant arrives or leaves, in metres per second, and as a multiple of its
/// median speed during the plant.
///
/// A blended stance slides evenly, and is held. A foot that speeds up at the end is leaving: held until it is fast, it has
/// to catch up, and drags its toes.
const EDGE_SPEED: (f64, f64) = (0.4, 2.0);

/// Largest misfit of the plants of heel and ball of one foot that follow each other without a break, in metres. What is
/// more shows as a jump.
const MAX_MISFIT: f64 = 0.01;

/// Largest spread of the heights of plants on a level floor, in metres. On stairs the height says nothing.
const MAX_LEVEL_SPREAD: f64 = 0.06;

/// The up direction, and the height along it at which feet are planted; `None` if the floor is not level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloorLevel {
    up: Vec3,
    height: Option<f64>,
}

/// The height at which the feet of these motions are planted.
pub(crate) fn floor_level(motions: [(&Motion, &Footplants); 2], legs: &[Leg], up: Vec3) -> FloorLevel {
    let heights = motions.iter().flat_map(|(motion, plants)| {
        plants.plants.iter().filter_map(|plant| Some(plant.mean_position(motion, legs)?.dot(up)))
    });
    let mut heights: Vec<f64> = heights.collect();
    heights.sort_by(f64::total_cmp);
    let at = |share: f64| heights.get((share * heights.len() as f64) as usize).copied();
    let spread = at(0.9).zip(at(0.1)).map(|(high, low)| high - low);
    FloorLevel { up, height: at(0.5).filter(|_| spread.is_some_and(|spread| spread < MAX_LEVEL_SPREAD)) }
}

/// Whether a plant of an edited motion can be held: its point is slow and on the floor.
pub(crate) struct RestTest<'a> {
    pub motion: &'a Motion,
    pub legs: &'a [Leg],
    /// The frames that the edit changed. All other frames are as captured and are not tested.
    pub changed: &'a FrameRange,
    pub floor: FloorLevel,
}

impl RestTest<'_> {
    /// Trims a plant to its longest run of frames in which the point can be held.
    ///
    /// Returns `None` if that run is shorter than [`MIN_PLANT_SECONDS`]. Holding a point that is already in swing would
    /// pull the foot back, release it and jerk the knee.
    fn trim(&self, plant: Plant) -> Option<Plant> {
        let point = plant.foot_point(self.legs)?;
        let last = self.motion.frames().checked_sub(1)?;
        let low = self.low(&point, plant.frames.start..plant.frames.end.min(last + 1));
        let (mut best, mut run) = (0..0, plant.frames.start..plant.frames.start);
        for frame in plant.frames.start..plant.frames.end.min(last + 1) {
            if self.rests(&point, frame, last, low) {
                run.end = frame + 1;
            } else {
                run = frame + 1..frame + 1;
            }
            if run.len() > best.len() {
                best = run.clone();
            }
        }
        let best = self.without_moving_edges(&point, best, last);
        let is_whole = best == plant.frames;
        (is_whole || best.len() as f64 >= MIN_PLANT_SECONDS * self.motion.fps)
            .then_some(Plant { frames: best, ..plant })
    }

    /// The plants that can be held, trimmed to the frames in which they can, and with time for a foot to move from one to
    /// the next.
    pub fn held(&self, plants: Footplants) -> Footplants {
        let mut held: Vec<Plant> = plants.plants.into_iter().filter_map(|plant| self.trim(plant)).collect();
        self.separate_hand_overs(&mut held);
        held.retain(|plant| plant.frames.start < plant.frames.end && !self.is_remnant(plant));
        Footplants { plants: held }
    }

    /// Whether a detected plant in changed frames is too short to be seen as a stance. One that was set by hand is kept.
    fn is_remnant(&self, plant: &Plant) -> bool {
        let is_short = (plant.frames.len() as f64) < MIN_PLANT_SECONDS * self.motion.fps;
        let is_changed = self.changed.contains(&plant.frames.start) && plant.frames.end <= self.changed.end;
        is_short && is_changed && plant.confidence.is_some()
    }

    /// Shortens the plants of heel and ball of one foot where one ends just before the other begins at a place that does
    /// not fit it: held without a break, the foot would jump from one to the other.
    fn separate_hand_overs(&self, plants: &mut [Plant]) {
        let swing = (MIN_SWING_SECONDS * self.motion.fps).round() as usize;
        let hands_over = |one: &Plant, next: &Plant| {
            let (end, start) = (one.frames.end, next.frames.start);
            one.leg == next.leg
                && one.point != next.point
                && end <= start
                && start < end + swing
                && [end, start].iter().all(|frame| self.changed.contains(frame))
                && self.misfit(one, next).is_some_and(|misfit| misfit > MAX_MISFIT)
        };
        for n in 0..plants.len() {
            for other in 0..plants.len() {
                if hands_over(&plants[n], &plants[other]) {
                    let middle = (plants[n].frames.end + plants[other].frames.start) / 2;
                    let end = &mut plants[n].frames.end;
                    *end = (*end).min(middle.saturating_sub(swing / 2));
                    let start = &mut plants[other].frames.start;
                    *start = (*start).max(middle + swing.div_ceil(2));
                }
            }
        }
    }

    /// How far apart two points of a foot are planted, compared with the foot where one plant ends and the other begins,
    /// in metres.
    fn misfit(&self, one: &Plant, next: &Plant) -> Option<f64> {
        let held = next.mean_position(self.motion, self.legs)? - one.mean_position(self.motion, self.legs)?;
        let points = (one.foot_point(self.legs)?, next.foot_point(self.legs)?);
        let frame = next.frames.start.min(self.motion.frames().checked_sub(1)?);
        let foot = self.position(&points.1, frame) - self.position(&points.0, frame);
        Some((held - foot).length())
    }

    /// The frames of a plant without those at its edges in which the point arrives or leaves.
    fn without_moving_edges(&self, point: &JointPoint, frames: FrameRange, last: usize) -> FrameRange {
        let speeds: Vec<f64> =
            frames.clone().map(|frame| self.velocity(point, frame, last).length()).collect();
        let mut sorted = speeds.clone();
        sorted.sort_by(f64::total_cmp);
        let Some(median) = sorted.get(sorted.len() / 2) else { return frames };
        let limit = EDGE_SPEED.0.max(EDGE_SPEED.1 * median);
        let rests = |at: &usize| !self.changed.contains(&(frames.start + at)) || speeds[*at] <= limit;
        let (first, end) = ((0..speeds.len()).find(rests), (0..speeds.len()).rev().find(rests));
        match first.zip(end) {
            Some((first, end)) => frames.start + first..frames.start + end + 1,
            // The median is not above the limit, so some frame rests.
            None => frames,
        }
    }

    /// The velocity of a point from its two neighbours, in metres per second.
    fn velocity(&self, point: &JointPoint, frame: usize, last: usize) -> Vec3 {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
        let step = self.position(point, after) - self.position(point, before);
        // A motion of one frame has no speed.
        step * (self.motion.fps / (after - before).max(1) as f64)
    }

    fn position(&self, point: &JointPoint, frame: usize) -> Vec3 {
        self.motion.poses[frame].world(&self.motion.skeleton).point(point)
    }

    /// The height of a point while it is lowest: the 10th percentile, since single frames of captures are noisy.
    fn low(&self, point: &JointPoint, frames: FrameRange) -> f64 {
        let mut heights: Vec<f64> =
            frames.map(|frame| self.position(point, frame).dot(self.floor.up)).collect();
        heights.sort_by(f64::total_cmp);
        heights.get(heights.len() / 10).copied().unwrap_or(0.0)
    }

    fn rests(&self, point: &JointPoint, frame: usize, last: usize, low: f64) -> bool {
        if !self.changed.contains(&frame) {
            return true;
        }
        let velocity = self.velocity(point, frame, last);
        let height = self.position(point, frame).dot(self.floor.up);
        let is_low = self.floor.height.is_none_or(|level| height - level <= MAX_PLANTED_HEIGHT);
        let rises = height - low > RISE.0 && velocity.dot(self.floor.up).abs() > RISE.1;
        velocity.length() <= MAX_PLANTED_SPEED && is_low && !rises
    }
}
