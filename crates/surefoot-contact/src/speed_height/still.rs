//! When does a point stand still on the ground?
//!
//! It comes to stand below one speed and goes on standing below a higher one. Both grow with the
//! speed of the steps. The speed is the one over the ground (see `flow`), so that feet that skate
//! together stand as well.

use super::ranks::least;
use super::track::{Track, Tracks};
use crate::settings::Settings;
use std::collections::VecDeque;
use surefoot_core::{FrameRange, Vec3};

/// Seconds to each side in which the fastest of a swing is looked for. Every frame of a walk has
/// a swing within this.
const SWING: f64 = 0.5;
/// A standing point stays within this of its lowest place, in legs: 4 cm in an adult. A foot that
/// is lifted leaves it, however slowly; a heel that rolls off does later, and `edges` sees to it.
const RISES: f64 = 0.045;

/// Seconds for which a point that was lifted slowly must stay up to stand there. A heel that rolls
/// off is slow for less.
const HIGHER: f64 = 0.3;

/// How fast a point moves over the ground, at each frame, in legs per second.
pub(crate) fn speeds(track: &Track, flow: &[Vec3]) -> Vec<f64> {
    track.velocities.iter().zip(flow).map(|(velocity, flow)| velocity.distance(*flow)).collect()
}

/// The runs of frames in which a point is slow.
pub(crate) fn runs(speeds: &[f64], tracks: &Tracks, settings: &Settings) -> Vec<FrameRange> {
    let fastest = fastest_around(speeds, tracks.frames_in(SWING));
    let allowed = |frame: usize, below: f64| below.max(settings.share_of_swing * fastest[frame]);
    let goes_on = |frame: usize| speeds[frame] < allowed(frame, settings.goes_on_below);
    let starts = |frame: usize| speeds[frame] < allowed(frame, settings.starts_below);
    let mut runs = runs_where(goes_on, 0..speeds.len());
    runs.retain(|run| run.clone().any(starts));
    runs
}

/// The parts of a run in which the point stays level.
pub(crate) fn level(run: FrameRange, track: &Track, tracks: &Tracks) -> Vec<FrameRange> {
    let high = least(&track.heights[run.clone()]) + RISES;
    let is_low = |frame: usize| track.heights[frame] < high;
    let mut parts = runs_where(is_low, run.clone());
    let lifted = runs_where(|frame| !is_low(frame), run);
    // What was lifted may stand higher up: on a step, for all that is known here.
    let stands = |part: &FrameRange| part.len() >= tracks.frames_in(HIGHER).max(1);
    parts.extend(lifted.into_iter().filter(stands).flat_map(|part| level(part, track, tracks)));
    parts.sort_by_key(|part| part.start);
    parts
}

/// Every unbroken run of frames for which something holds.
pub(crate) fn runs_where(holds: impl Fn(usize) -> bool, frames: FrameRange) -> Vec<FrameRange> {
    let mut runs: Vec<FrameRange> = Vec::new();
    for frame in frames.filter(|&frame| holds(frame)) {
        match runs.last_mut() {
            Some(run) if run.end == frame => run.end += 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs
}

/// The largest speed within `half` frames of each frame.
pub(crate) fn fastest_around(speeds: &[f64], half: usize) -> Vec<f64> {
    // Frames that no later one within sight outruns, falling: the first is the fastest.
    let mut falling: VecDeque<usize> = VecDeque::new();
    let mut seen = 0;
    let mut fastest = Vec::with_capacity(speeds.len());
    for frame in 0..speeds.len() {
        while seen < speeds.len().min(frame + half + 1) {
            while falling.back().is_some_and(|&last| speeds[last] <= speeds[seen]) {
                falling.pop_back();
            }
            falling.push_back(seen);
            seen += 1;
        }
        while falling.front().is_some_and(|&first| first + half < frame) {
            falling.pop_front();
        }
        fastest.push(falling.front().map_or(0.0, |&first| speeds[first]));
    }
    fastest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_around_is_the_fastest_within_sight() {
        let speeds = [1.0, 5.0, 2.0, 0.0, 3.0, 3.0, 1.0];
        assert_eq!(fastest_around(&speeds, 1), [5.0, 5.0, 5.0, 3.0, 3.0, 3.0, 3.0]);
        assert_eq!(fastest_around(&speeds, 9), [5.0; 7]);
        assert_eq!(fastest_around(&speeds, 0), speeds);
    }

    #[test]
    fn runs_are_unbroken() {
        let frames = [true, true, false, true, false, false, true];
        assert_eq!(runs_where(|frame| frames[frame], 0..7), [0..2, 3..4, 6..7]);
        assert_eq!(runs_where(|frame| frames[frame], 1..4), [1..2, 3..4]);
    }
}
