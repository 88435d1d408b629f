//! Drift, slide and skate of planted points.

use crate::context::Context;
use crate::paths::{Paths, speeds};
use crate::promise::{deviations, is_held_along_ground};
use crate::statistics::{largest, mean, share_above};
use surefoot_core::{Plant, Vec3};

/// Speed above which a planted frame counts as skating, in metres per second.
///
/// It is 0.8 mm per frame at 120 fps. With a lower value capture noise counts as skate; with a higher
/// value slow, visible drift does not.
const SKATE_SPEED: f64 = 0.1;

/// The drift of a plant: max over t of |p(t) − spot|, in metres. `None` without frames.
///
/// The spot is the given one, so that a point that stands still elsewhere is not held. Without a given spot it is the
/// first position of the point, and the drift over a single frame is 0. For a plant that does not hold its point fully,
/// only deviations in what it holds count ([`deviations`]).
pub(crate) fn drift(
    paths: &Paths,
    captured: Option<&Paths>,
    plant: &Plant,
    context: &Context,
) -> Option<f64> {
    largest(deviations(paths, captured, plant, context))
}

/// The given spot of a plant, or else the first position of its point. `None` without both.
pub(crate) fn plant_spot(plant: &Plant, path: &[Vec3]) -> Option<Vec3> {
    plant.spot.or(path.first().copied())
}

/// The point's mean speed while planted: mean over t of |p(t) − p(t−1)|·fps, in metres per second.
///
/// `None` for fewer than two frames.
pub(crate) fn slide(path: &[Vec3], fps: f64) -> Option<f64> {
    mean(speeds(path, fps))
}

/// The largest [`drift`] of all plants, in metres.
pub(crate) fn drift_max(paths: &Paths, captured: Option<&Paths>, context: &Context) -> Option<f64> {
    largest(context.plants.plants.iter().filter_map(|plant| drift(paths, captured, plant, context)))
}

/// The mean distance from the spot over all planted frames, in metres.
///
/// The first frame of each plant counts: with 0 if no spot is given.
pub(crate) fn drift_mean(paths: &Paths, captured: Option<&Paths>, context: &Context) -> Option<f64> {
    mean(context.plants.plants.iter().flat_map(|plant| deviations(paths, captured, plant, context)))
}

/// The mean speed of planted points, each planted frame counted once, in metres per second. Plants that let their point
/// move along the ground are left out.
pub(crate) fn slide_mean(paths: &Paths, context: &Context) -> Option<f64> {
    mean(planted_speeds(paths, context))
}

/// The share of planted frames in which the point is faster than 0.1 m/s, from 0 to 1.
///
/// Speed is measured from the previous frame, so the first frame of a plant has none.
pub(crate) fn skate_ratio(paths: &Paths, context: &Context) -> Option<f64> {
    share_above(planted_speeds(paths, context), SKATE_SPEED)
}

fn planted_positions<'a>(paths: &'a Paths, context: &'a Context) -> impl Iterator<Item = &'a [Vec3]> {
    let held = context.plants.plants.iter().filter(|plant| is_held_along_ground(plant, context));
    held.map(|plant| paths.planted_positions(plant, context))
}

fn planted_speeds<'a>(paths: &'a Paths, context: &'a Context) -> impl Iterator<Item = f64> {
    planted_positions(paths, context).flat_map(|path| speeds(path, paths.fps))
}
