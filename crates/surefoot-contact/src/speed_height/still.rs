//! When does a point stand still on the ground?
//!
//! It comes to stand below one speed and goes on standing below a higher one. Both grow with the
//! speed of the steps. The speed is the one over the ground (see `flow`), so that feet that skate
//! together stand as well.

use super::ranks::{at_share, least};
use super::track::{Track, Tracks};
use crate::settings::Settings;
use surefoot_core::{FootPoint, FrameRange, Vec3};

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

/// The parts of a run in which the point stays level; `other` is the other point of its foot.
pub(crate) fn level(run: FrameRange, track: &Track, other: &Track, tracks: &Tracks) -> Vec<FrameRange> {
    let high = least(&track.heights[run.clone()]) + RISES;
    let others_high = least(&other.heights[run.clone()]) + RISES;
    let is_low = |frame: usize| track.heights[frame] < high;
    let mut parts = runs_where(is_low, run.clone());
    let lifted = runs_where(|frame| !is_low(frame), run);
    // A heel that is up while its ball is not stands on nothing, as that of one who rises from a chair.
    let hangs = |part: &FrameRange| {
        track.point == FootPoint::Heel && at_share(&other.heights[part.clone()], 0.5) < others_high
    };
    // What else was lifted may stand higher up: on a step, for all that is known here.
    let stands = |part: &FrameRange| part.len() >= tracks.frames_in(HIGHER).max(1) && !hangs(part);
    parts.extend(lifted.into_iter().filter(stands).flat_map(|part| level(part, track, other, tracks)));
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

/// From step to step a point at rest moves by no more than this, in legs: 10 µm, as files are rounded. By how much
/// less depends on the file: so many times what the stillest frames of the point itself show, and at the
/// least what is left of sums of angles in memory.
const ROUNDED: f64 = 1e-5;
const SHOWN: f64 = 8.0;
const IN_MEMORY: f64 = 1e-10;
/// The share of steps that are stiller than a point that rests: no foot is down for less of a motion.
const STILLEST: f64 = 0.1;

/// The runs of frames in which a point rests in the room to the last digit. Only those of made and of cleaned
/// motions do; there this is a sharper witness than any speed.
pub(crate) fn exact_rests(track: &Track, tracks: &Tracks, settings: &Settings) -> Vec<FrameRange> {
    let steps: Vec<f64> = track.places.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
    let still = (SHOWN * at_share(&steps, STILLEST)).clamp(IN_MEMORY, ROUNDED);
    let mut rests = runs_where(|step| steps[step] < still, 0..steps.len());
    // A frame more than there are steps between them.
    rests.iter_mut().for_each(|rest| rest.end += 1);
    let least = tracks.frames_in(settings.shortest_plant).max(1);
    // What the ends of the motion cut off may be short.
    rests.retain(|rest| rest.len() >= least || rest.start == 0 || rest.end == tracks.frames);
    rests
}

/// The largest speed within `half` frames of each frame.
///
/// Frames are cut into blocks as long as what is looked at. So that reaches into two blocks at most: the end of
/// one and the start of the next, and the largest of those are found in one pass each.
pub(crate) fn fastest_around(speeds: &[f64], half: usize) -> Vec<f64> {
    let block = 2 * half + 1;
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    // The largest from the start of its block to each frame, and from each frame to the end of its block.
    let mut so_far = speeds.to_vec();
    let mut to_come = speeds.to_vec();
    for block in so_far.chunks_mut(block) {
        (1..block.len()).for_each(|at| block[at] = larger(block[at - 1], block[at]));
    }
    for block in to_come.chunks_mut(block) {
        (1..block.len()).rev().for_each(|at| block[at - 1] = larger(block[at - 1], block[at]));
    }
    let mut fastest = Vec::with_capacity(speeds.len());
    for frame in 0..speeds.len() {
        let last = frame + half;
        fastest.push(if frame <= half {
            // From the first frame on: all of it is in the first block.
            so_far[last.min(speeds.len() - 1)]
        } else if last < speeds.len() {
            larger(to_come[frame - half], so_far[last])
        } else {
            // Up to the last frame, which ends its block.
            let first = frame - half;
            let is_whole = first / block == (speeds.len() - 1) / block;
            if is_whole { to_come[first] } else { larger(to_come[first], so_far[speeds.len() - 1]) }
        });
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
        assert_eq!(fastest_around(&[], 3), []);
    }

    #[test]
    fn the_fastest_around_is_found_however_many_frames_there_are() {
        let all: Vec<f64> = (0..40).map(|k| f64::from(k * k * 7 % 31)).collect();
        for count in 1..40 {
            for half in 0..25 {
                let speeds = &all[..count];
                let around = |at: usize| &speeds[at.saturating_sub(half)..(at + half + 1).min(count)];
                let most = |at: usize| around(at).iter().copied().fold(0.0, f64::max);
                assert_eq!(fastest_around(speeds, half), (0..count).map(most).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn runs_are_unbroken() {
        let frames = [true, true, false, true, false, false, true];
        assert_eq!(runs_where(|frame| frames[frame], 0..7), [0..2, 3..4, 6..7]);
        assert_eq!(runs_where(|frame| frames[frame], 1..4), [1..2, 3..4]);
    }
}
