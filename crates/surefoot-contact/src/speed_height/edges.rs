//! At which frame does a point come to stand, and at which does it leave?
//!
//! Speed is a blurred witness: it is taken over several frames. The place is a sharp one. A plant
//! begins and ends where its point is at the height at which it rests, and near its spot on the
//! ground (which goes by where feet skate). What is still the height of rest is measured by the
//! plant itself: a point that rests to the micrometre leaves as soon as it moves, one that wobbles
//! may wobble.
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
/// Seconds at an edge in which a point arrives or leaves, and seconds beyond them that show where
/// along the floor it stands. A body sways, so the far end of a long plant is not asked.
const ARRIVES: f64 = 0.08;
const SHOWS_SPOT: f64 = 0.2;
/// Slower than this a point does not arrive or leave, it wobbles, in legs per second: 25 cm/s in an
/// adult. Lower trims more of what shakes; higher leaves the end of the swing in.
const CREEPS: f64 = 0.3;

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
    let first = Rest::of(run.start..run.end.min(run.start + shows), speeds, track, settings);
    let last = Rest::of(run.start.max(run.end.saturating_sub(shows))..run.end, speeds, track, settings);
    let mut before = run.start.saturating_sub(blur)..run.end;
    let start = before.find(|&frame| first.holds(track.heights[frame], speeds[frame])).unwrap_or(run.start);
    let mut after = start..(run.end + blur).min(tracks.frames);
    let last = after.rfind(|&frame| last.holds(track.heights[frame], speeds[frame])).unwrap_or(start);
    along_the_floor(start..last + 1, speeds, track, tracks, settings)
}

/// The same without the frames at either end in which the point is elsewhere along the floor, and
/// moving.
fn along_the_floor(
    mut plant: FrameRange,
    speeds: &[f64],
    track: &Track,
    tracks: &Tracks,
    settings: &Settings,
) -> FrameRange {
    let middle = (plant.start + plant.end - 1) / 2;
    let (arrives, shows) = (tracks.frames_in(ARRIVES), tracks.frames_in(SHOWS_SPOT).max(2));
    let strays = |frame: usize, beside: FrameRange| {
        let off = track.over_ground[frame] - mean(beside, track);
        let along = off - tracks.up * off.dot(tracks.up);
        along.length() > settings.strays && speeds[frame] > CREEPS
    };
    while plant.start < middle {
        // A plant too short to leave its arrival out leaves out a third.
        let inside = plant.start + 1 + arrives.min(plant.len() / 3);
        if !strays(plant.start, inside..plant.end.min(inside + shows)) {
            break;
        }
        plant.start += 1;
    }
    while plant.end > middle + 1 {
        let inside = plant.end - 1 - arrives.min(plant.len() / 3);
        if !strays(plant.end - 1, plant.start.max(inside.saturating_sub(shows))..inside) {
            break;
        }
        plant.end -= 1;
    }
    plant
}

/// How a point rests: at what height, within what, how fast it is when it does, and within what that counts.
struct Rest {
    height: f64,
    near: f64,
    speed: f64,
    near_if_slow: f64,
}

/// The share of frames that are taken to be at rest, lowest first. A heel rolls for up to half of
/// its slow frames.
const AT_REST: f64 = 0.25;
/// The share of frames that are lower than a point at rest: dips and jitter.
const DIPS: f64 = 0.1;
/// How many times the depth of its dips a heel may rise and still rest. It carries nothing once it
/// has begun to roll, so this is what jitter needs and no more.
const HEEL_WOBBLES: f64 = 3.0;
/// The same for the ball. It rolls over the toes while it carries the body, by a centimetre or two,
/// so in captures this is so much that `strays` alone bounds it; made motions rest exactly, and
/// there it is next to nothing.
const BALL_WOBBLES: f64 = 40.0;
/// The same for either while it is as slow as it stands. Without such a bound a heel that leaves gently is held
/// until it is faster than the foot that skates; with it one that rests exactly leaves when it rises.
const SLOW_WOBBLES: f64 = 40.0;
/// What files round away differs from frame to frame, and the dips of a short plant may happen to show little of it: so many
/// times them more, and up to 10 µm, in legs.
const ROUNDED_WOBBLES: f64 = 20.0;
const ROUNDED: f64 = 1e-5;
/// What is left of sums of angles in memory, in legs.
const IN_MEMORY: f64 = 1e-10;
/// The share of its frames in which a standing point is slower than one that leaves.
const SLOWER: f64 = 0.35;

impl Rest {
    fn of(frames: FrameRange, speeds: &[f64], track: &Track, settings: &Settings) -> Self {
        let heights = &track.heights[frames.clone()];
        let height = at_share(heights, AT_REST);
        let dips = height - at_share(heights, DIPS);
        let wobbles = match track.point {
            FootPoint::Heel => HEEL_WOBBLES,
            FootPoint::Ball => BALL_WOBBLES,
        };
        let near = wobbles * dips + (ROUNDED_WOBBLES * dips).min(ROUNDED);
        Self {
            height,
            near: near.clamp(IN_MEMORY, settings.strays.max(IN_MEMORY)),
            speed: at_share(&speeds[frames], SLOWER),
            near_if_slow: SLOW_WOBBLES * dips,
        }
    }

    /// Whether a point of this height and speed rests: it is near, or does not move and is not far.
    fn holds(&self, height: f64, speed: f64) -> bool {
        let off = (height - self.height).abs();
        off <= self.near || speed <= self.speed && off <= self.near_if_slow
    }
}

/// Where a point is over the ground in these frames, on the mean.
fn mean(frames: FrameRange, track: &Track) -> Vec3 {
    let count = frames.len() as f64;
    track.over_ground[frames].iter().copied().sum::<Vec3>() / count
}
