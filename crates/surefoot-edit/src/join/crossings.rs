//! Where are two motions most alike, and where must the second be put?

use super::Settings;
use crate::distance::{Crossing, Map, apart, cloud_of, distance_at, fit, map, minima, refine};
use crate::pair::{self, PairError};
use surefoot_core::RigidTransform;
use surefoot_core::{Motion, Vec3};

/// A second motion is left where it is if that costs no more than this share of the distance, and
/// this many metres: then a capture cut in two is itself again.
const LEFT_SHARE: f64 = 1.05;
const LEFT: f64 = 5e-4;

/// A second motion follows on the first's end if it is cut off by no more than this, in metres.
const FOLLOWS: f64 = 0.01;

/// The best places to cross from one motion into another, the best first, as many as asked for.
///
/// One of them may be the end of the first and the start of the second, where the second follows on
/// it as if both were one capture.
pub fn crossings(
    first: &Motion,
    second: &Motion,
    settings: &Settings,
    most: usize,
) -> Result<Vec<Crossing>, PairError> {
    Ok(crossings_of(first, second, &map(first, second, &settings.map)?, settings, most))
}

/// The same for a map that is there already.
pub fn crossings_of(
    first: &Motion,
    second: &Motion,
    map: &Map,
    settings: &Settings,
    most: usize,
) -> Vec<Crossing> {
    let half = settings.map.half(first.fps).div_ceil(map.stride);
    // At the ends little is compared and there is no time to fade: only where there is nothing else.
    let is_whole = |at: usize, count: usize| at >= half && at + half < count;
    let apart = (half / 2).max(1);
    let inside = |row: usize, column: usize| is_whole(row, map.rows) && is_whole(column, map.columns);
    let mut cells = minima(map, apart, most, inside);
    if cells.is_empty() {
        cells = minima(map, apart, most, |_, _| true);
    }
    let mut found: Vec<Crossing> = cells
        .into_iter()
        .map(|cell| left(first, second, refine(first, second, map, cell, &settings.map), settings))
        .collect();
    // Two poses are easily more alike than what is around them: only what looks like one capture.
    let follows = |crossing: &Crossing| found.is_empty() || crossing.distance < FOLLOWS;
    found.extend(end_to_start(first, second, settings).filter(follows));
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    found.truncate(most);
    found
}

/// The crossing at two frames of one's own choice; `from` may be one past the last.
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
            placed: RigidTransform::IDENTITY,
        }));
    }
    let from = from.min(first.frames() - 1);
    let (distance, placed) = distance_at(first, second, (from, to), &settings.map);
    Ok(left(first, second, Crossing { from, to, distance, placed }, settings))
}

/// The second motion left where it is, if it is as good as there.
fn left(first: &Motion, second: &Motion, crossing: Crossing, settings: &Settings) -> Crossing {
    let half = settings.map.half(first.fps);
    let Crossing { from, to, .. } = crossing;
    let back = half.min(from).min(to);
    let on = half.min(first.frames() - 1 - from).min(second.frames() - 1 - to);
    let own = cloud_of(first, from - back..from + on + 1);
    let other = cloud_of(second, to - back..to + on + 1);
    stay(crossing, &own, &other, &settings.map.weights(first))
}

fn stay(crossing: Crossing, own: &[Vec3], other: &[Vec3], weights: &[f64]) -> Crossing {
    let distance = apart(own, other, weights, &RigidTransform::IDENTITY);
    if distance <= LEFT_SHARE * crossing.distance + LEFT {
        return Crossing { distance, placed: RigidTransform::IDENTITY, ..crossing };
    }
    crossing
}

/// The second motion follows on the first's end. How far its first pose is from where the first motion
/// goes in a frame's time, and the first's last from where the second came from; less by as much as
/// the motions' own frames there are: what is left is what being cut there adds.
fn end_to_start(first: &Motion, second: &Motion, settings: &Settings) -> Option<Crossing> {
    let frames = first.frames();
    if frames < 2 || second.frames() < 2 {
        return None;
    }
    let weights = settings.map.weights(first);
    let own = [ahead(first, frames - 1, frames - 2), cloud_of(first, frames - 1..frames)].concat();
    let other = [cloud_of(second, 0..1), ahead(second, 0, 1)].concat();
    let (distance, placed) = fit(&own, &other, &weights, settings.map.up);
    let expected = f64::max(
        surprise(first, frames.saturating_sub(SURPRISES)..frames, &weights),
        surprise(second, 0..SURPRISES.min(second.frames()), &weights),
    );
    let found = stay(Crossing { from: frames, to: 0, distance, placed }, &own, &other, &weights);
    let left = apart(&own, &other, &weights, &RigidTransform::IDENTITY);
    let found = if left <= expected { Crossing { placed: RigidTransform::IDENTITY, ..found } } else { found };
    let distance = apart(&own, &other, &weights, &found.placed);
    Some(Crossing { distance: (distance - expected).max(0.0), ..found })
}

/// How many frames next to the cut say how even a motion is there.
const SURPRISES: usize = 6;

/// Where all joints are a frame's time after `near`, going on as they came from `far`.
fn ahead(motion: &Motion, near: usize, far: usize) -> Vec<Vec3> {
    let [near, far] = [near, far].map(|frame| cloud_of(motion, frame..frame + 1));
    near.iter().zip(&far).map(|(&near, &far)| near * 2.0 - far).collect()
}

/// The farthest that a frame is from where the two before it lead.
fn surprise(motion: &Motion, frames: core::ops::Range<usize>, weights: &[f64]) -> f64 {
    frames
        .skip(2)
        .map(|frame| {
            let led = ahead(motion, frame - 1, frame - 2);
            apart(&cloud_of(motion, frame..frame + 1), &led, weights, &RigidTransform::IDENTITY)
        })
        .fold(0.0, f64::max)
}
