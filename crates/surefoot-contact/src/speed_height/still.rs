//! When does a point stand still on the ground?
//!
//! It comes to stand below one speed and goes on standing below a higher one. Both grow with the
//! speed of the steps. The speed is the one over the ground: see `flow`.

use super::track::{Track, Tracks};
use crate::settings::Settings;
use surefoot_core::{FrameRange, Vec3};

/// Seconds to each side in which the fastest of a swing is looked for. A whole stance of a walk
/// has a swing within this.
const SWING: f64 = 0.5;
/// A standing point is within this of its lowest place while it stands, in legs: 4 cm in an adult.
/// A foot that is lifted slowly leaves it, however slow.
const RISES: f64 = 0.045;

/// How fast a point moves over the ground, at each frame.
pub(super) fn speeds(track: &Track, flow: &[Vec3], _tracks: &Tracks) -> Vec<f64> {
    track.velocities.iter().zip(flow).map(|(velocity, flow)| (*velocity - *flow).length()).collect()
}

/// The runs of frames in which a point stands.
pub(super) fn runs(speeds: &[f64], track: &Track, tracks: &Tracks, settings: &Settings) -> Vec<FrameRange> {
    let fastest = fastest_around(speeds, tracks.frames_in(SWING));
    let allowed = |frame: usize, below: f64| below.max(settings.share_of_swing * fastest[frame]);
    let goes_on = |frame: usize| speeds[frame] < allowed(frame, settings.goes_on_below);
    let starts = |frame: usize| speeds[frame] < allowed(frame, settings.starts_below);
    let mut runs = runs_where(goes_on, speeds.len());
    runs.retain(|run| run.clone().any(starts));
    runs.into_iter().flat_map(|run| level(run, track)).collect()
}

/// Every unbroken run of frames for which something holds.
pub(super) fn runs_where(holds: impl Fn(usize) -> bool, frames: usize) -> Vec<FrameRange> {
    let mut runs: Vec<FrameRange> = Vec::new();
    for frame in (0..frames).filter(|&frame| holds(frame)) {
        match runs.last_mut() {
            Some(run) if run.end == frame => run.end += 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs
}

/// The parts of a run in which the point stays level: a foot that is slowly lifted stands no more.
fn level(run: FrameRange, track: &Track) -> Vec<FrameRange> {
    let lowest = track.heights[run.clone()].iter().copied().fold(f64::INFINITY, f64::min);
    let is_low = |at: usize| track.heights[run.start + at] < lowest + RISES;
    let parts = runs_where(is_low, run.len());
    parts.into_iter().map(|part| part.start + run.start..part.end + run.start).collect()
}

/// The largest value within `half` frames of each frame.
fn fastest_around(speeds: &[f64], half: usize) -> Vec<f64> {
    // Frames whose speed is the largest from them on: the first one is the answer.
    let mut ahead: std::collections::VecDeque<usize> = Default::default();
    let mut next = 0;
    (0..speeds.len())
        .map(|frame| {
            while next < speeds.len() && next <= frame + half {
                while ahead.back().is_some_and(|&last| speeds[last] <= speeds[next]) {
                    ahead.pop_back();
                }
                ahead.push_back(next);
                next += 1;
            }
            while ahead.front().is_some_and(|&first| first + half < frame) {
                ahead.pop_front();
            }
            ahead.front().map_or(0.0, |&first| speeds[first])
        })
        .collect()
}
