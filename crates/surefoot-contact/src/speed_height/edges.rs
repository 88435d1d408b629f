//! At which frame does a point come to stand, and at which does it leave?
//!
//! Speed is a blurred witness: it is taken over several frames. The place is a sharp one. A plant
//! begins and ends where its point is at the height at which it rests, and where, along the
//! floor, the frames next to it say it should be: a point that skates ends its plant elsewhere
//! than it began it. What counts as near is measured by the plant itself: a point that rests to
//! the micrometre leaves as soon as it moves, one that wobbles may wobble.
//!
//! A frame too many here costs the cleanup most: it must hold a point that is already leaving.

use super::ranks::at_share;
use super::track::{Track, Tracks};
use crate::settings::Settings;
use surefoot_core::{FootPoint, FrameRange, Vec3};

/// Seconds by which a plant may be longer, at each end, than the run of slow frames it was found
/// in. Speeds are blurred by as much.
const BLUR: f64 = 0.04;
/// Seconds next to an edge in which a plant shows at what height it rests. Longer, and a body that
/// sinks into its stand has no one height; shorter, and a heel that rolls off has none.
const SHOWS_REST: f64 = 0.8;
/// Seconds next to an edge that say where along the floor the point should be.
const SHOWS_WAY: f64 = 0.2;

/// The edges of the plant that a run of slow frames is part of.
pub(super) fn settle(
    run: &FrameRange,
    speeds: &[f64],
    track: &Track,
    tracks: &Tracks,
    settings: &Settings,
) -> FrameRange {
    let blur = tracks.frames_in(BLUR);
    let shows = tracks.frames_in(SHOWS_REST).max(1);
    let middle = (run.start + run.end) / 2;
    let first = Rest::of(run.start..run.end.min(run.start + shows), speeds, track, settings);
    let last = Rest::of(run.start.max(run.end.saturating_sub(shows))..run.end, speeds, track, settings);
    let mut before = run.start.saturating_sub(blur)..middle;
    let mut after = middle..(run.end + blur).min(tracks.frames);
    let start = before.find(|&frame| first.holds(track.heights[frame], speeds[frame])).unwrap_or(middle);
    let end = after.rfind(|&frame| last.holds(track.heights[frame], speeds[frame])).unwrap_or(middle);
    along_the_floor(start..end + 1, middle, track, tracks, settings)
}

/// The same without the frames at either end in which the point is off its way along the floor.
fn along_the_floor(
    mut plant: FrameRange,
    middle: usize,
    track: &Track,
    tracks: &Tracks,
    settings: &Settings,
) -> FrameRange {
    let shows = tracks.frames_in(SHOWS_WAY).max(2);
    let strays = |frame: usize, beside: FrameRange| {
        let off = track.places[frame] - expected(frame, beside, track);
        (off - tracks.up * off.dot(tracks.up)).length() > settings.strays
    };
    while plant.start < middle {
        let next = plant.start + 1;
        if !strays(plant.start, next..plant.end.min(next + shows)) {
            break;
        }
        plant.start = next;
    }
    while plant.end > middle + 1 {
        let last = plant.end - 1;
        if !strays(last, plant.start.max(last.saturating_sub(shows))..last) {
            break;
        }
        plant.end = last;
    }
    plant
}

/// How a point rests: at what height, within what, and how fast it is when it does.
struct Rest {
    height: f64,
    near: f64,
    speed: f64,
}

/// The share of frames that are taken to be at rest, lowest first. A heel rolls for up to half of
/// its slow frames.
const AT_REST: f64 = 0.25;
/// The share of frames that are lower than a point at rest: dips and jitter.
const DIPS: f64 = 0.1;
/// How many times the depth of its dips a heel may rise and still rest. It carries nothing once it
/// has begun to roll, so this is what jitter needs and no more.
const HEEL_WOBBLES: f64 = 3.0;
/// The same for the ball. It rolls over the toes while it carries the body, by a centimetre or two.
const BALL_WOBBLES: f64 = 40.0;
/// What is at rest to this is at rest, in legs: 10 µm, as files are rounded.
const ROUNDED: f64 = 1e-5;
/// The share of its frames in which a standing point is slower than one that leaves.
const SLOWER: f64 = 0.35;

impl Rest {
    fn of(frames: FrameRange, speeds: &[f64], track: &Track, settings: &Settings) -> Self {
        let heights = &track.heights[frames.clone()];
        let height = at_share(heights, AT_REST);
        let wobbles = match track.point {
            FootPoint::Heel => HEEL_WOBBLES,
            FootPoint::Ball => BALL_WOBBLES,
        };
        let near = wobbles * (height - at_share(heights, DIPS));
        Self {
            height,
            near: near.clamp(ROUNDED, settings.strays.max(ROUNDED)),
            speed: at_share(&speeds[frames], SLOWER),
        }
    }

    /// Whether a point of this height and speed rests: it is near, or does not move.
    fn holds(&self, height: f64, speed: f64) -> bool {
        (height - self.height).abs() <= self.near || speed <= self.speed
    }
}

/// Where a point would be at a frame if it went on as in these frames, along a straight line.
fn expected(frame: usize, frames: FrameRange, track: &Track) -> Vec3 {
    let middle = (frames.start + frames.end - 1) as f64 / 2.0;
    let count = frames.len() as f64;
    let (mut place, mut moved, mut time) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for at in frames {
        let away = at as f64 - middle;
        place += track.places[at];
        moved += track.places[at] * away;
        time += away * away;
    }
    // A single frame has no direction.
    let velocity = if time > 0.0 { moved / time } else { Vec3::ZERO };
    place / count + velocity * (frame as f64 - middle)
}
