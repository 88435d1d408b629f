//! Drift, slide and skate of planted points.

use crate::context::Context;
use crate::paths::{Paths, speeds};
use crate::statistics::{largest, mean, share_above};
use surefoot_core::Vec3;

/// Speed above which a planted frame counts as skating, in metres per second.
///
/// It is 0.8 mm per frame at 120 fps. With a lower value capture noise counts as skate; with a higher
/// value slow, visible drift does not.
const SKATE_SPEED: f64 = 0.1;

/// The drift of a plant: max over t of |p(t) − p(first)|, in metres.
///
/// `path` is the path of the point while planted. `None` without frames; 0 for a single frame.
pub(crate) fn drift(path: &[Vec3]) -> Option<f64> {
    largest(distances(path))
}

/// The distance of the point from its first position at each frame of the plant, in metres.
fn distances(path: &[Vec3]) -> impl Iterator<Item = f64> + '_ {
    path.iter().map(|point| point.distance(path[0]))
}

/// The point's mean speed while planted: mean over t of |p(t) − p(t−1)|·fps, in metres per second.
///
/// `None` for fewer than two frames.
pub(crate) fn slide(path: &[Vec3], fps: f64) -> Option<f64> {
    mean(speeds(path, fps))
}

/// The largest [`drift`] of all plants, in metres.
pub(crate) fn drift_max(paths: &Paths, context: &Context) -> Option<f64> {
    largest(held(paths, context).filter_map(drift))
}

/// The mean distance from the first position over all planted frames, in metres.
///
/// The first frame of each plant counts, with 0.
pub(crate) fn drift_mean(paths: &Paths, context: &Context) -> Option<f64> {
    mean(held(paths, context).flat_map(distances))
}

/// The mean speed of planted points, each planted frame counted once, in metres per second.
pub(crate) fn slide_mean(paths: &Paths, context: &Context) -> Option<f64> {
    mean(held_speeds(paths, context))
}

/// The share of planted frames in which the point is faster than 0.1 m/s, from 0 to 1.
///
/// Speed is measured from the previous frame, so the first frame of a plant has none.
pub(crate) fn skate_ratio(paths: &Paths, context: &Context) -> Option<f64> {
    share_above(held_speeds(paths, context), SKATE_SPEED)
}

fn held<'a>(paths: &'a Paths, context: &'a Context) -> impl Iterator<Item = &'a [Vec3]> {
    context.plants.plants.iter().map(|plant| paths.held(plant, context))
}

fn held_speeds<'a>(paths: &'a Paths, context: &'a Context) -> impl Iterator<Item = f64> {
    held(paths, context).flat_map(|path| speeds(path, paths.fps))
}
