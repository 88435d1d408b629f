//! Finds pairs of frames at which two motions are alike, and the transform that aligns them.

use super::Settings;
use crate::distance::{Crossing, Map, cloud_distance, cloud_of, distance_at, fit, map, minima, refine};
use crate::pair::{self, PairError};
use surefoot_core::RigidTransform;
use surefoot_core::{Motion, Vec3};

/// The second motion keeps its position if that raises the distance to at most this many times the
/// best one, plus [`KEEP_MARGIN`]. The two halves of a cut capture then join to the original.
const KEEP_RATIO: f64 = 1.05;

/// Additional distance allowed for keeping the position of the second motion, in metres: capture
/// noise.
const KEEP_MARGIN: f64 = 5e-4;

/// Largest distance at which the start of the second motion counts as a continuation of the end of
/// the first, in metres. A larger value would append motions with a visible jump.
const MAX_CONTINUATION_GAP: f64 = 0.01;

/// The best crossings from one motion to another, at most `most`, best first.
///
/// If the second motion continues the first as if both were one capture, one of the crossings goes
/// from the end of the first to the start of the second.
pub fn crossings(
    first: &Motion,
    second: &Motion,
    settings: &Settings,
    most: usize,
) -> Result<Vec<Crossing>, PairError> {
    Ok(crossings_of(first, second, &map(first, second, &settings.map)?, settings, most))
}

/// Like [`crossings`], for a distance map that was computed before.
pub fn crossings_of(
    first: &Motion,
    second: &Motion,
    map: &Map,
    settings: &Settings,
    most: usize,
) -> Vec<Crossing> {
    let half = settings.map.half(first.fps).div_ceil(map.stride);
    // Near the ends the window and the crossfade are cut off: use these cells only as a fallback.
    let is_whole = |at: usize, count: usize| at >= half && at + half < count;
    let spacing = (half / 2).max(1);
    let inside = |row: usize, column: usize| is_whole(row, map.rows) && is_whole(column, map.columns);
    let mut cells = minima(map, spacing, most, inside);
    if cells.is_empty() {
        cells = minima(map, spacing, most, |_, _| true);
    }
    let mut crossings: Vec<Crossing> = cells
        .into_iter()
        .map(|cell| keep_position(first, second, refine(first, second, map, cell, &settings.map), settings))
        .collect();
    // Single poses are more often alike than windows, so this crossing has to look like one capture.
    let follows = |crossing: &Crossing| crossings.is_empty() || crossing.distance < MAX_CONTINUATION_GAP;
    crossings.extend(end_to_start(first, second, settings).filter(follows));
    crossings.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    crossings.truncate(most);
    crossings
}

/// The crossing at two given frames; `from` may be one past the last frame.
pub fn crossing_at(
    first: &Motion,
    second: &Motion,
    (from, to): (usize, usize),
    settings: &Settings,
) -> Result<Crossing, PairError> {
    pair::check(first, second)?;
    let to = to.min(second.frames() - 1);
    if from >= first.frames() && to == 0 {
        return Ok(end_to_start(first, second, settings).unwrap_or(Crossing {
            from: first.frames(),
            to: 0,
            distance: 0.0,
            transform: RigidTransform::IDENTITY,
        }));
    }
    let from = from.min(first.frames() - 1);
    let (distance, transform) = distance_at(first, second, (from, to), &settings.map);
    Ok(keep_position(first, second, Crossing { from, to, distance, transform }, settings))
}

/// Keeps the position of the second motion if it is about as good as the best alignment.
fn keep_position(first: &Motion, second: &Motion, crossing: Crossing, settings: &Settings) -> Crossing {
    let half = settings.map.half(first.fps);
    let Crossing { from, to, .. } = crossing;
    let back = half.min(from).min(to);
    let on = half.min(first.frames() - 1 - from).min(second.frames() - 1 - to);
    let own = cloud_of(first, from - back..from + on + 1);
    let other = cloud_of(second, to - back..to + on + 1);
    keep_if_near(crossing, &own, &other, &settings.map.weights(first))
}

fn keep_if_near(crossing: Crossing, own: &[Vec3], other: &[Vec3], weights: &[f64]) -> Crossing {
    let distance = cloud_distance(own, other, weights, &RigidTransform::IDENTITY);
    if distance <= KEEP_RATIO * crossing.distance + KEEP_MARGIN {
        return Crossing { distance, transform: RigidTransform::IDENTITY, ..crossing };
    }
    crossing
}

/// The crossing from the end of the first motion to the start of the second.
///
/// Its distance compares the first pose of the second motion with the linear extrapolation of the
/// first motion, and the other way round. The prediction error that both motions have near the cut
/// anyway is subtracted.
fn end_to_start(first: &Motion, second: &Motion, settings: &Settings) -> Option<Crossing> {
    let frames = first.frames();
    if frames < 2 || second.frames() < 2 {
        return None;
    }
    let weights = settings.map.weights(first);
    let own = [extrapolate(first, frames - 1, frames - 2), cloud_of(first, frames - 1..frames)].concat();
    let other = [cloud_of(second, 0..1), extrapolate(second, 0, 1)].concat();
    let (distance, transform) = fit(&own, &other, &weights, settings.map.up);
    let expected = f64::max(
        prediction_error(first, frames.saturating_sub(PREDICTION_FRAMES)..frames, &weights),
        prediction_error(second, 0..PREDICTION_FRAMES.min(second.frames()), &weights),
    );
    let crossing =
        keep_if_near(Crossing { from: frames, to: 0, distance, transform }, &own, &other, &weights);
    let unaligned = cloud_distance(&own, &other, &weights, &RigidTransform::IDENTITY);
    let crossing = if unaligned <= expected {
        Crossing { transform: RigidTransform::IDENTITY, ..crossing }
    } else {
        crossing
    };
    let distance = cloud_distance(&own, &other, &weights, &crossing.transform);
    Some(Crossing { distance: (distance - expected).max(0.0), ..crossing })
}

/// Number of frames next to the cut that give the usual prediction error. More would average over
/// other parts of the motion.
const PREDICTION_FRAMES: usize = 6;

/// Joint positions one frame beyond `near`, linearly extrapolated from `far` and `near`.
fn extrapolate(motion: &Motion, near: usize, far: usize) -> Vec<Vec3> {
    let [near, far] = [near, far].map(|frame| cloud_of(motion, frame..frame + 1));
    near.iter().zip(&far).map(|(&near, &far)| near * 2.0 - far).collect()
}

/// The largest distance of a frame from the linear extrapolation of the two frames before it.
fn prediction_error(motion: &Motion, frames: core::ops::Range<usize>, weights: &[f64]) -> f64 {
    frames
        .skip(2)
        .map(|frame| {
            let predicted = extrapolate(motion, frame - 1, frame - 2);
            cloud_distance(
                &cloud_of(motion, frame..frame + 1),
                &predicted,
                weights,
                &RigidTransform::IDENTITY,
            )
        })
        .fold(0.0, f64::max)
}
