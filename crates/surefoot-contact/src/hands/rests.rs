//! The runs of frames in which a palm is at rest.
//!
//! A run begins as the frames in which the palm is slow. Its edges are then found from the position: a palm at rest stays
//! on the line that its last positions inside the run lie on, as far as the noise of the capture lets it. A line and not
//! a point, because a skating hand moves evenly.

use super::palm_track::{HALF_WINDOW, PalmTrack};
use crate::settings::Settings;
use crate::signal::{min_run, quantile, runs_where, sliding_max, work};
use surefoot_core::FrameRange;
use surefoot_core::math::Vec3;

/// Share of [`Settings::enter_speed`] and [`Settings::exit_speed`], which are for feet, below which a palm comes to rest and
/// stays at rest, unless it is at the height of the floor: 0.14 and 0.28 m/s in an adult. Hands move more slowly than feet.
const PALM_SPEED: f64 = 0.4;

/// The palm also counts as slow below this fraction of its fastest speed within [`SWING`]: the palm of a tumbler swings
/// at 6 m/s.
const SWING_SPEED_FRACTION: f64 = 0.05;

/// Like [`SWING_SPEED_FRACTION`], for a palm at the height of the floor, which is seldom there without touching it. The
/// planted hand of a captured tumbler skates at 0.5 m/s between swings at 3.4.
const FLOOR_SPEED_FRACTION: f64 = 0.15;

/// Time within which that fastest speed is looked for, in seconds.
const SWING: f64 = 0.5;

/// Speed up to which a frame belongs to the core of its run, as a multiple of the speed that this share of the run does not
/// exceed; and a speed that always does, in leg lengths per second: 1 cm/s in an adult.
const CORE_SPEED: f64 = 1.3;
const CORE_SHARE: f64 = 0.7;
const LEAST_SPEED: f64 = 0.01;

/// Distance of the palm from its mean position beyond which the ends of a rest are trimmed, in leg lengths: 2 cm in an
/// adult; and the speed of a palm that is not trimmed, in leg lengths per second: a drifting body takes its hands along.
const MOST_EDGE_DRIFT: f64 = 0.025;
const EDGE_SPEED: f64 = 0.2;

/// Duration of the line that continues a rest beyond its edge, in seconds.
const LINE: f64 = 0.1;

/// Distance from the line that is always allowed, in leg lengths: 0.02 mm in an adult.
const LEAST_TOLERANCE: f64 = 0.00002;

/// Distance from the line that is allowed, as a multiple of the noise of the palm at rest. Smaller values shorten rests in
/// noisy captures, larger ones extend them into the flight.
const NOISE_TOLERANCE: f64 = 3.0;

/// Gap between two rests that is closed, in seconds, if the palm is not further away than [`SAME_SPOT`] after it.
const GAP: f64 = 0.12;
const SAME_SPOT: f64 = 0.02;

/// The rests of a palm, in order of time.
pub(super) fn find(track: &PalmTrack, settings: &Settings) -> Vec<FrameRange> {
    let frames = track.palms.len();
    let fastest = sliding_max(&track.speeds, min_run(SWING, track.fps));
    let is_below = |speed: f64, frame: usize| {
        let limit = match track.is_low(frame) {
            true => speed.max(FLOOR_SPEED_FRACTION * fastest[frame]),
            false => (PALM_SPEED * speed).max(SWING_SPEED_FRACTION * fastest[frame]),
        };
        track.speeds[frame] < limit
    };
    let mut slow = runs_where(|frame| is_below(settings.exit_speed, frame), 0..frames);
    slow.retain(|run| run.clone().any(|frame| is_below(settings.enter_speed, frame)));
    let slow = closed(slow, track);
    let half = min_run(HALF_WINDOW, track.fps);
    let mut rests: Vec<FrameRange> = Vec::new();
    for run in slow.into_iter().filter(|run| run.len() > 2 * half + 1) {
        let rest = with_edges(track, &run, half);
        // Edges of neighbouring runs may meet.
        let start = rests.last().map_or(rest.start, |last| rest.start.max(last.end));
        if start < rest.end {
            rests.push(start..rest.end);
        }
    }
    rests
}

/// Runs with short gaps closed.
fn closed(runs: Vec<FrameRange>, track: &PalmTrack) -> Vec<FrameRange> {
    let gap = min_run(GAP, track.fps);
    let mut closed: Vec<FrameRange> = Vec::new();
    for run in runs {
        match closed.last_mut() {
            Some(last)
                if run.start - last.end <= gap
                    && track.palms[last.end - 1].distance(track.palms[run.start]) < SAME_SPOT =>
            {
                last.end = run.end;
            }
            _ => closed.push(run),
        }
    }
    closed
}

/// A run with its edges moved to where the palm leaves its line.
fn with_edges(track: &PalmTrack, run: &FrameRange, half: usize) -> FrameRange {
    let inner = core_of(track, run);
    let line = min_run(LINE, track.fps).min(inner.len()).max(2);
    let tolerance = LEAST_TOLERANCE + NOISE_TOLERANCE * noise(&track.palms[inner.clone()], half);
    work::count(run.len());
    let last = track.palms.len() - 1;
    let end = edge(
        tolerance,
        line,
        last - (inner.end - 1),
        |back| track.palms[inner.end - 1 - back],
        |ahead| track.palms[inner.end - 1 + ahead],
    );
    let start = edge(
        tolerance,
        line,
        inner.start,
        |back| track.palms[inner.start + back],
        |ahead| track.palms[inner.start - ahead],
    );
    trimmed(track, &(inner.start - start..inner.end + end))
}

/// A rest without the frames at its ends in which the palm is far from its mean position and moves on: it rolls off, or
/// still arrives. Holding it there would pull the arm.
fn trimmed(track: &PalmTrack, rest: &FrameRange) -> FrameRange {
    let mean = track.palms[rest.clone()].iter().copied().sum::<Vec3>() / rest.len() as f64;
    let stays = |frame: &usize| {
        track.palms[*frame].distance(mean) <= MOST_EDGE_DRIFT || track.speeds[*frame] <= EDGE_SPEED
    };
    let first = rest.clone().find(stays).unwrap_or(rest.start);
    let last = rest.clone().rev().find(stays).unwrap_or(rest.end - 1);
    first..last + 1
}

/// The frames of a run from the first to the last in which the palm is hardly faster than in the run as a whole. The palm
/// is still arriving before them, and leaving after them.
fn core_of(track: &PalmTrack, run: &FrameRange) -> FrameRange {
    let speeds = &track.speeds[run.clone()];
    let limit = CORE_SPEED * quantile(speeds, CORE_SHARE) + LEAST_SPEED;
    let first = speeds.iter().position(|speed| *speed <= limit).unwrap_or(0);
    let last = speeds.iter().rposition(|speed| *speed <= limit).unwrap_or(speeds.len() - 1);
    run.start + first..run.start + last + 1
}

/// The number of frames beyond an edge in which the palm stays on its line: `inside` gives the positions inside the run,
/// counted from its edge, and `outside` those beyond it.
fn edge(
    tolerance: f64,
    line: usize,
    available: usize,
    inside: impl Fn(usize) -> Vec3,
    outside: impl Fn(usize) -> Vec3,
) -> usize {
    let (mut mean, mut moment, mut spread) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    let middle = (line - 1) as f64 / 2.0;
    for back in 0..line {
        mean += inside(back) / line as f64;
        moment += inside(back) * (middle - back as f64);
        spread += (middle - back as f64) * (middle - back as f64);
    }
    let slope = moment / spread;
    let on_line = |ahead: usize| mean + slope * (middle + ahead as f64);
    (1..=available).take_while(|&ahead| outside(ahead).distance(on_line(ahead)) <= tolerance).count()
}

/// The noise of positions: the root mean square of their distance from the middle between their neighbours.
fn noise(positions: &[Vec3], half: usize) -> f64 {
    let squares = positions.windows(2 * half + 1);
    let count = squares.len().max(1) as f64;
    let square = |window: &[Vec3]| (window[half] - 0.5 * (window[0] + window[2 * half])).length_squared();
    (squares.map(square).sum::<f64>() / count).sqrt()
}
