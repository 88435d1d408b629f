//! Decides which rests of a palm are plants.

use super::palm_track::{FLOOR_HEIGHT, HALF_WINDOW, PalmTrack};
use crate::signal::{min, min_run, rounded_confidence};
use surefoot_core::FrameRange;
use surefoot_core::math::Vec3;

/// Shortest rest on the floor, in seconds. The hand of a tumbler is down for 0.3 s and at rest for a third of it.
const SHORTEST_ON_FLOOR: f64 = 0.08;

/// Shortest rest on something else, in seconds.
const SHORTEST_ELSEWHERE: f64 = 0.25;

/// Least movement of the shoulder past the palm during a rest that is not on the floor, in leg lengths: 5 cm in an
/// adult. A standing body sways by 2 cm.
const SHOULDER_MOVEMENT: f64 = 0.06;

/// Most that the palm may deviate from an even movement during such a rest, as a fraction of the movement of its shoulder.
/// A whole body that drifts takes its hands along evenly.
const PALM_MOVEMENT: f64 = 0.45;

/// Most that the hand may turn during such a rest, as a fraction of the angle by which a straight arm would turn. The hand
/// of a walking body is at rest in the room for a moment, and turns with the arm.
const TURN_SHARE: f64 = 0.35;

/// Length of an arm, in leg lengths.
const ARM: f64 = 0.65;

/// The confidence that a rest is a plant, from 0 to 1; `None` if the hand does not rest on anything.
///
/// It grows with the length of the rest and with how clear the evidence is. It is not calibrated: there are no labelled
/// captures of hands.
pub(super) fn confidence(track: &PalmTrack, frames: &FrameRange) -> Option<f64> {
    let on_floor = on_floor(track, frames);
    let elsewhere = elsewhere(track, frames);
    let clarity = match (on_floor, elsewhere) {
        (None, None) => return None,
        (one, other) => one.unwrap_or(0.0).max(other.unwrap_or(0.0)),
    };
    Some(rounded_confidence(clarity.clamp(0.0, 0.99)))
}

/// How clear it is that a palm rests on the floor, from 0.5 to 1.
fn on_floor(track: &PalmTrack, frames: &FrameRange) -> Option<f64> {
    let heights = track.heights.get(frames.clone())?;
    let height = heights.iter().sum::<f64>() / heights.len() as f64;
    let is_long = frames.len() >= min_run(SHORTEST_ON_FLOOR, track.fps);
    let is_low = height < FLOOR_HEIGHT && min(heights) > -FLOOR_HEIGHT;
    (is_long && is_low).then(|| 1.0 - 0.5 * (height / FLOOR_HEIGHT).clamp(0.0, 1.0))
}

/// How clear it is that a palm rests on something above the floor, from 0.5 to 1.
fn elsewhere(track: &PalmTrack, frames: &FrameRange) -> Option<f64> {
    let seconds = frames.len() as f64 / track.fps;
    let palms = &track.palms[frames.clone()];
    let from_palm: Vec<Vec3> =
        track.shoulders[frames.clone()].iter().zip(palms).map(|(a, b)| *a - *b).collect();
    let half = min_run(HALF_WINDOW, track.fps);
    let shoulder = extent(&smoothed(&from_palm, half));
    let palm = extent(&without_trend(&smoothed(palms, half)));
    let is_plant = seconds >= SHORTEST_ELSEWHERE
        && shoulder >= SHOULDER_MOVEMENT
        && palm <= PALM_MOVEMENT * shoulder
        && turned(track, frames) <= TURN_SHARE * shoulder / ARM;
    is_plant.then(|| 0.5 + 0.25 * (shoulder / SHOULDER_MOVEMENT - 1.0).min(1.0) + 0.25 * seconds.min(1.0))
}

/// The mean of the positions up to `half` frames away.
fn smoothed(positions: &[Vec3], half: usize) -> Vec<Vec3> {
    let mean = |frame: usize| {
        let around = &positions[frame.saturating_sub(half)..(frame + half + 1).min(positions.len())];
        around.iter().copied().sum::<Vec3>() / around.len() as f64
    };
    (0..positions.len()).map(mean).collect()
}

/// Positions less the even movement that fits them best.
fn without_trend(positions: &[Vec3]) -> Vec<Vec3> {
    let middle = (positions.len() as f64 - 1.0) / 2.0;
    let time = |frame: usize| frame as f64 - middle;
    let numbered = || positions.iter().enumerate();
    let moment: Vec3 = numbered().map(|(frame, position)| *position * time(frame)).sum();
    let spread: f64 = numbered().map(|(frame, _)| time(frame) * time(frame)).sum();
    let slope = if spread > 0.0 { moment / spread } else { Vec3::ZERO };
    numbered().map(|(frame, position)| *position - slope * time(frame)).collect()
}

/// Length of the diagonal of the box around some positions.
fn extent(positions: &[Vec3]) -> f64 {
    let low = positions.iter().copied().reduce(Vec3::min).unwrap_or_default();
    let high = positions.iter().copied().reduce(Vec3::max).unwrap_or_default();
    (high - low).length()
}

/// The largest angle between the hand's rotation in the middle of a rest and any other, in radians.
fn turned(track: &PalmTrack, frames: &FrameRange) -> f64 {
    let middle = track.hands[frames.start + frames.len() / 2];
    track.hands[frames.clone()].iter().map(|hand| hand.angle_between(middle)).fold(0.0, f64::max)
}
