//! The velocity of the ground under the feet at each frame.
//!
//! In a good capture the ground stands still. On a treadmill it moves back at the belt's speed, and
//! where a root path was stretched or the body drifts, all planted feet slide alike. So the ground's
//! velocity is the median velocity of the low foot points within about a second, provided that most
//! of them agree; feet that move with the ground are planted.
//!
//! `ground_velocity` decides afterwards, from the plants, whether a whole clip is on a treadmill.

use crate::signal::{select_rank, sliding_max};
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::{FrameRange, Vec3};

/// Half-width of the window of the median, in seconds. Long enough for a stance of each foot of a
/// slow walker; with a longer window, ground under an accelerating runner moves at the final speed.
const HALF_WINDOW: f64 = 0.6;
/// Height above its lowest position in the window up to which a point is low, in leg lengths:
/// 2.5 cm in an adult. Higher includes swings; lower drops stance frames with jitter.
const LOW_HEIGHT: f64 = 0.03;
/// Vertical speed below which a low point counts, in leg lengths per second.
const LEVEL_SPEED: f64 = 0.3;
/// Time between two estimates, in seconds; the frames between are interpolated.
const ESTIMATE_INTERVAL: f64 = 0.1;
/// Frames per second used at most. Velocities are averaged over as long, so more frames add cost
/// and no information.
const MAX_SAMPLE_RATE: f64 = 60.0;
/// Points agree with the median if they differ by less than this, in leg lengths per second …
const AGREEMENT_SPEED: f64 = 0.35;
/// … or by less than this fraction of the median speed.
const AGREEMENT_FRACTION: f64 = 0.25;
/// Fraction of the low points that must agree. With fewer, the feet move independently and the
/// ground is assumed to be at rest.
const MIN_AGREEING: f64 = 0.5;

/// Estimates the ground's velocity at each frame, along the floor, in leg lengths per second.
pub(crate) fn estimate(tracks: &PointTracks) -> Vec<Vec3> {
    let stride = ((tracks.fps / MAX_SAMPLE_RATE) as usize).max(1);
    // From here on, indices count samples: every `stride`-th frame.
    let interval = (tracks.frames_in(ESTIMATE_INTERVAL) / stride).max(1);
    let half = tracks.frames_in(HALF_WINDOW) / stride;
    let samples = tracks.frames.div_ceil(stride);
    let points: Vec<SampledPoint> =
        tracks.tracks.iter().map(|track| SampledPoint::new(track, tracks.up, stride, half)).collect();
    let mut low = LowVelocities::default();
    let estimate_at = |centre: usize| {
        let window = centre.saturating_sub(half)..(centre + half + 1).min(samples);
        low.axes.iter_mut().for_each(Vec::clear);
        points.iter().for_each(|point| point.add_low_velocities(centre, window.clone(), &mut low));
        low.consensus()
    };
    let estimates: Vec<Vec3> = (0..samples).step_by(interval).map(estimate_at).collect();
    interpolated(&estimates, interval * stride, tracks.frames)
}

/// Interpolates estimates that are `step` frames apart.
fn interpolated(estimates: &[Vec3], step: usize, frames: usize) -> Vec<Vec3> {
    let mut flow = Vec::with_capacity(frames);
    for (index, &from) in estimates.iter().enumerate() {
        let to = estimates[(index + 1).min(estimates.len() - 1)];
        let count = step.min(frames - index * step);
        flow.extend((0..count).map(|frame| from.lerp(to, frame as f64 / step as f64)));
    }
    flow
}

/// A point's samples, prepared once because each is read by a dozen windows.
struct SampledPoint {
    /// Height above the floor; infinite while the point rises or falls.
    level_heights: Vec<f64>,
    /// Height up to which the point is low, by the centre of the window.
    low_limits: Vec<f64>,
    /// Velocity along the floor, axis by axis.
    velocities: [Vec<f64>; 3],
}

impl SampledPoint {
    fn new(track: &PointTrack, up: Vec3, stride: usize, half: usize) -> Self {
        let heights = track.heights.iter().step_by(stride);
        let point_velocities = track.velocities.iter().step_by(stride);
        // The minimum is the negated maximum of the negated heights.
        let depths: Vec<f64> = heights.clone().map(|height| -height).collect();
        let mut low_limits = sliding_max(&depths, half);
        low_limits.iter_mut().for_each(|limit| *limit = LOW_HEIGHT - *limit);
        let mut level_heights = depths;
        let mut velocities = [(); 3].map(|()| Vec::with_capacity(level_heights.len()));
        for ((level, velocity), height) in level_heights.iter_mut().zip(point_velocities).zip(heights) {
            let vertical = velocity.dot(up);
            *level = if vertical.abs() < LEVEL_SPEED { *height } else { f64::INFINITY };
            let horizontal = *velocity - up * vertical;
            velocities.iter_mut().zip(horizontal.to_array()).for_each(|(list, value)| list.push(value));
        }
        Self { level_heights, low_limits, velocities }
    }

    /// Appends the velocities of the samples of a window in which the point is low and level.
    fn add_low_velocities(&self, centre: usize, window: FrameRange, low: &mut LowVelocities) {
        let limit = self.low_limits[centre];
        let mut first = window.start;
        for run in self.level_heights[window].chunk_by(|a, b| (*a < limit) == (*b < limit)) {
            let samples = first..first + run.len();
            first = samples.end;
            if run[0] < limit {
                for (list, own) in low.axes.iter_mut().zip(&self.velocities) {
                    list.extend_from_slice(&own[samples.clone()]);
                }
            }
        }
    }
}

/// The velocities of the low points in one window, with buffers that are reused for the next.
#[derive(Default)]
struct LowVelocities {
    /// Axis by axis.
    axes: [Vec<f64>; 3],
    /// The median of the previous window: the first guess for this one.
    previous: Vec3,
    scratch: Vec<f64>,
}

impl LowVelocities {
    /// Returns the median velocity if most points agree with it, else zero.
    fn consensus(&mut self) -> Vec3 {
        self.previous = Vec3::new(self.median(0), self.median(1), self.median(2));
        let flow = self.previous;
        let tolerance = AGREEMENT_SPEED.max(AGREEMENT_FRACTION * flow.length());
        let [x, y, z] = &self.axes;
        let squared_distances = x.iter().zip(y).zip(z).map(|((x, y), z)| {
            let off = [x - flow.x, y - flow.y, z - flow.z];
            off[0] * off[0] + off[1] * off[1] + off[2] * off[2]
        });
        let agreeing = squared_distances.filter(|square| *square < tolerance * tolerance).count();
        if agreeing as f64 > MIN_AGREEING * x.len() as f64 { flow } else { Vec3::ZERO }
    }

    /// Returns the median along an axis; 0 where no point is low.
    fn median(&mut self, axis: usize) -> f64 {
        self.scratch.clone_from(&self.axes[axis]);
        let rank = self.scratch.len() / 2;
        if self.scratch.is_empty() { 0.0 } else { select_rank(&mut self.scratch, rank, self.previous[axis]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn consensus(velocities: &[Vec3]) -> Vec3 {
        let axes = [0, 1, 2].map(|axis| velocities.iter().map(|velocity| velocity[axis]).collect());
        LowVelocities { axes, ..LowVelocities::default() }.consensus()
    }

    #[test]
    fn the_ground_moves_with_the_majority_of_low_points() {
        let belt = Vec3::new(0.0, 0.0, -3.0);
        let swing = Vec3::new(0.0, 0.0, 4.0);
        assert_eq!(consensus(&[belt, swing, belt, belt, swing]), belt);
    }

    #[test]
    fn the_ground_stands_still_where_points_disagree() {
        let all: Vec<Vec3> = (0..9).map(|k| Vec3::new(f64::from(k), 0.0, 1.0)).collect();
        assert_eq!(consensus(&all), Vec3::ZERO);
        assert_eq!(consensus(&[]), Vec3::ZERO);
    }
}
