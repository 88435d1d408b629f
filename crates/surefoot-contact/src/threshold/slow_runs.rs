//! Runs of frames in which a point is slow.
//!
//! The speed threshold has hysteresis: a run needs one frame below the enter speed and continues
//! while the speed is below the higher exit speed. Both grow with the speed of the swings. Speeds are
//! relative to the ground (see `ground_flow`), so feet that skate together are slow as well.

use crate::settings::Settings;
use crate::signal::{runs_where, sliding_max};
use crate::tracks::PointTracks;
use surefoot_core::FrameRange;

/// Half-width of the window in which the fastest speed of a swing is found, in seconds. Every frame
/// of a walk has a swing this near.
const SWING_HALF_WINDOW: f64 = 0.5;
/// Height above its lowest position up to which a slow point rests, in leg lengths: 4 cm in an
/// adult. A slowly lifted foot exceeds it; a heel that rolls off is trimmed earlier, by `edges`.
pub(super) const MAX_RISE: f64 = 0.045;
/// Time for which a slowly lifted point must stay up to count as resting there, in seconds. A heel
/// that rolls off is slow for less.
pub(super) const MIN_RAISED_TIME: f64 = 0.3;

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
