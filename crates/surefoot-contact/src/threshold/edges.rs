//! The first and the last frame of each plant.
//!
//! Speeds are averaged over several frames, so the edges of a slow run are blurred; positions are
//! not. A plant starts and ends where its point is at its resting height and near its spot relative
//! to the ground. The tolerance is measured from the plant itself: a point that rests to the
//! micrometre leaves as soon as it moves, a point that wobbles has a larger tolerance.
//!
//! A frame too many costs the cleanup more than a frame too few, because it has to hold a point that
//! is already leaving.

use crate::exact_rest::{FILE_ROUNDING, MEMORY_ROUNDING};
use crate::settings::Settings;
use crate::signal::quantile;
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::{FootPoint, FrameRange};

/// Time by which a plant may extend beyond its slow run at either end, in seconds: the blur of the speeds.
const SPEED_BLUR: f64 = 0.04;
/// Time next to an edge over which the resting height is measured, in seconds. Over a longer time a
/// body that sinks into its stance has no single height; over a shorter one a rolling heel has none.
const HEIGHT_WINDOW: f64 = 0.8;
/// Time at an edge in which a point arrives or leaves, in seconds, left out of the mean position.
const ARRIVAL_TIME: f64 = 0.08;
/// Time beyond the arrival over which the mean position is taken, in seconds. Short, because a
/// standing body sways and the far end of a long plant is elsewhere.
const POSITION_WINDOW: f64 = 0.2;
/// Speed below which a point wobbles rather than arrives or leaves, in leg lengths per second:
/// 25 cm/s in an adult. Lower trims more of a shaky plant; higher keeps the end of the swing.
const MAX_WOBBLE_SPEED: f64 = 0.3;

/// Returns the plant around a slow run: extended and trimmed by height, then trimmed by position.
pub(super) fn refine_edges(
    run: &FrameRange,
    speeds: &[f64],
    track: &PointTrack,
    tracks: &PointTracks,
    settings: &Settings,
) -> FrameRange {
    let blur = tracks.frames_in(SPEED_BLUR);
    let window = tracks.min_run(HEIGHT_WINDOW);
    let at_start =
        RestingHeight::measure(run.start..run.end.min(run.start + window), speeds, track, settings);
    let at_end = RestingHeight::measure(
        run.start.max(run.end.saturating_sub(window))..run.end,
        speeds,
        track,
        settings,
    );
    let rests = |rest: &RestingHeight, frame: usize| rest.accepts(track.heights[frame], speeds[frame]);
    let mut candidates = run.start.saturating_sub(blur)..run.end;
    let start = candidates.find(|&frame| rests(&at_start, frame)).unwrap_or(run.start);
    let mut candidates = start..(run.end + blur).min(tracks.frames);
    let last = candidates.rfind(|&frame| rests(&at_end, frame)).unwrap_or(start);
    trim_drift(start..last + 1, speeds, track, tracks, settings)
}

/// Removes the frames at either end in which the point moves and is away from its mean position further inside.
fn trim_drift(
    mut plant: FrameRange,
    speeds: &[f64],
    track: &PointTrack,
    tracks: &PointTracks,
    settings: &Settings,
) -> FrameRange {
    let middle = (plant.start + plant.end - 1) / 2;
    let (arrival, window) = (tracks.frames_in(ARRIVAL_TIME), tracks.frames_in(POSITION_WINDOW).max(2));
    let drifts = |frame: usize, reference: FrameRange| {
        let offset = track.ground_positions[frame] - track.mean_ground_position(reference);
        let drift = offset - tracks.up * offset.dot(tracks.up);
        drift.length() > settings.max_edge_drift && speeds[frame] > MAX_WOBBLE_SPEED
    };
    while plant.start < middle {
        // In a short plant the arrival is at most a third of it.
        let inside = plant.start + 1 + arrival.min(plant.len() / 3);
        if !drifts(plant.start, inside..plant.end.min(inside + window)) {
            break;
        }
        plant.start += 1;
    }
    while plant.end > middle + 1 {
        let inside = plant.end - 1 - arrival.min(plant.len() / 3);
        if !drifts(plant.end - 1, plant.start.max(inside.saturating_sub(window))..inside) {
            break;
        }
        plant.end -= 1;
    }
    plant
}

/// The height at which a point rests, with tolerances. Heights in leg lengths, speed in leg lengths per second.
struct RestingHeight {
    height: f64,
    /// Distance from `height` within which the point rests.
    tolerance: f64,
    /// Speed up to which `slow_tolerance` applies.
    slow_speed: f64,
    /// Distance from `height` within which a slow point rests.
    slow_tolerance: f64,
}

/// The quantile of the heights that is the resting height. A heel rolls for up to half of its slow
/// frames, so the median would be too high.
pub(crate) const REST_QUANTILE: f64 = 0.25;
/// The quantile of the heights that measures dips below the resting height: jitter.
pub(crate) const DIP_QUANTILE: f64 = 0.1;
/// How far a point may rise and still rest, in multiples of the depth of its dips: heel, ball.
///
/// A heel carries nothing once it rolls, so its factor covers jitter and no more. A ball rolls over
/// the toes by one or two centimetres while it carries the body: in captures its factor is so large
/// that `max_edge_drift` is the limit, and in generated motions, which have no dips, it allows nothing.
pub(crate) const RISE_FACTORS: [f64; 2] = [3.0, 40.0];
/// Factor like [`RISE_FACTORS`] for a point as slow as in its slowest frames. Without a limit a heel that leaves
/// gently would be held until it is faster than a skating foot; with one, an exactly resting heel
/// leaves when it rises.
const SLOW_RISE_FACTOR: f64 = 40.0;
/// Additional tolerance for the rounding of files, in multiples of the depth of the dips and up to
/// [`FILE_ROUNDING`]: a short plant may happen to have few rounding errors among its dips.
const ROUNDING_FACTOR: f64 = 20.0;
/// The quantile of the speeds that separates a resting from a leaving point.
const SLOW_QUANTILE: f64 = 0.35;

impl RestingHeight {
    fn measure(frames: FrameRange, speeds: &[f64], track: &PointTrack, settings: &Settings) -> Self {
        let heights = &track.heights[frames.clone()];
        let height = quantile(heights, REST_QUANTILE);
        let dips = height - quantile(heights, DIP_QUANTILE);
        let factor = match track.point {
            FootPoint::Heel => RISE_FACTORS[0],
            FootPoint::Ball | FootPoint::Toe => RISE_FACTORS[1],
        };
        let tolerance = factor * dips + (ROUNDING_FACTOR * dips).min(FILE_ROUNDING);
        Self {
            height,
            tolerance: tolerance.clamp(MEMORY_ROUNDING, settings.max_edge_drift.max(MEMORY_ROUNDING)),
            slow_speed: quantile(&speeds[frames], SLOW_QUANTILE),
            slow_tolerance: SLOW_RISE_FACTOR * dips,
        }
    }

    /// Returns whether a point of this height and speed is at rest.
    fn accepts(&self, height: f64, speed: f64) -> bool {
        let off = (height - self.height).abs();
        off <= self.tolerance || speed <= self.slow_speed && off <= self.slow_tolerance
    }
}
