//! Runs of frames in which a point is slow and stays at one height.
//!
//! The speed threshold has hysteresis: a run needs one frame below the enter speed and continues
//! while the speed is below the higher exit speed. Both grow with the speed of the swings. Speeds are
//! relative to the ground (see `ground_flow`), so feet that skate together are slow as well.

use crate::settings::Settings;
use crate::signal::{min, quantile, runs_where, sliding_max};
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::{FootPoint, FrameRange};

/// Half-width of the window in which the fastest speed of a swing is found, in seconds. Every frame
/// of a walk has a swing this near.
const SWING_HALF_WINDOW: f64 = 0.5;
/// Height above its lowest position up to which a slow point rests, in leg lengths: 4 cm in an
/// adult. A slowly lifted foot exceeds it; a heel that rolls off is trimmed earlier, by `edges`.
const MAX_RISE: f64 = 0.045;
/// Time for which a slowly lifted point must stay up to count as resting there, in seconds. A heel
/// that rolls off is slow for less.
const MIN_RAISED_TIME: f64 = 0.3;

/// Returns the runs of frames in which a point is slow.
pub(super) fn slow_runs(speeds: &[f64], tracks: &PointTracks, settings: &Settings) -> Vec<FrameRange> {
    let fastest = sliding_max(speeds, tracks.frames_in(SWING_HALF_WINDOW));
    let threshold = |frame: usize, speed: f64| speed.max(settings.swing_speed_fraction * fastest[frame]);
    let continues = |frame: usize| speeds[frame] < threshold(frame, settings.exit_speed);
    let starts = |frame: usize| speeds[frame] < threshold(frame, settings.enter_speed);
    let mut runs = runs_where(continues, 0..speeds.len());
    runs.retain(|run| run.clone().any(starts));
    runs
}

/// Splits a slow run into parts in which the point stays at one height. `other` is the other point
/// of the same foot.
///
/// A part that was lifted may rest higher up, for example on a step, unless it is a heel whose ball
/// is still down: that foot stands on its ball, as when rising from a chair.
pub(super) fn split_by_height(
    run: FrameRange,
    track: &PointTrack,
    other: &PointTrack,
    tracks: &PointTracks,
) -> Vec<FrameRange> {
    let limit = min(&track.heights[run.clone()]) + MAX_RISE;
    let other_limit = min(&other.heights[run.clone()]) + MAX_RISE;
    let is_low = |frame: usize| track.heights[frame] < limit;
    let mut parts = runs_where(is_low, run.clone());
    let raised = runs_where(|frame| !is_low(frame), run);
    let stands_on_ball = |part: &FrameRange| {
        track.point == FootPoint::Heel && quantile(&other.heights[part.clone()], 0.5) < other_limit
    };
    let min_frames = tracks.min_run(MIN_RAISED_TIME);
    let rests = |part: &FrameRange| part.len() >= min_frames && !stands_on_ball(part);
    parts.extend(
        raised.into_iter().filter(rests).flat_map(|part| split_by_height(part, track, other, tracks)),
    );
    parts.sort_by_key(|part| part.start);
    parts
}
