//! How much does a planted point slide?

use crate::context::Context;
use crate::paths::{Paths, speeds};
use crate::rank::{largest, mean, share_above};
use surefoot_core::Vec3;

/// Speed above which a planted frame counts as skating, in metres a second.
///
/// INTERFACE's number, under a millimetre a frame at 120 fps. Lower, and the jitter of a capture
/// counts as skate; higher, and slow drifts that anyone sees do not.
const SKATES_FROM: f64 = 0.1;

/// How far the point gets from where its plant began: max over t of |p(t) − p(first)|, in metres.
///
/// `path` is the point's path while planted. None without a frame; 0 for a single one.
pub(crate) fn drift(path: &[Vec3]) -> Option<f64> {
    largest(distances(path))
}

/// How far the point is from where its plant began, at each frame of the plant, in metres.
fn distances(path: &[Vec3]) -> impl Iterator<Item = f64> + '_ {
    path.iter().map(|point| point.distance(path[0]))
}

/// The point's mean speed while planted: mean over t of |p(t) − p(t−1)|·fps, in metres a second.
///
/// None below two frames.
pub(crate) fn slide(path: &[Vec3], fps: f64) -> Option<f64> {
    mean(speeds(path, fps))
}

/// The largest of all plants' [`drift`]s, in metres.
pub(crate) fn drift_max(paths: &Paths, context: &Context) -> Option<f64> {
    largest(held(paths, context).filter_map(drift))
}

/// The mean over all planted frames of how far the point is from where its plant began, in metres.
///
/// The first frame of each plant counts, with 0.
pub(crate) fn drift_mean(paths: &Paths, context: &Context) -> Option<f64> {
    mean(held(paths, context).flat_map(distances))
}

/// The mean speed of planted points, each planted frame counted once, in metres a second.
pub(crate) fn slide_mean(paths: &Paths, context: &Context) -> Option<f64> {
    mean(held_speeds(paths, context))
}

/// The share of planted frames in which the point is faster than 0.1 m/s, from 0 to 1.
///
/// A frame's speed is that from the frame before, so the first frame of a plant has none.
pub(crate) fn skate_ratio(paths: &Paths, context: &Context) -> Option<f64> {
    share_above(held_speeds(paths, context), SKATES_FROM)
}

fn held<'a>(paths: &'a Paths, context: &'a Context) -> impl Iterator<Item = &'a [Vec3]> {
    context.plants.plants.iter().map(|plant| paths.held(plant, context))
}

fn held_speeds<'a>(paths: &'a Paths, context: &'a Context) -> impl Iterator<Item = f64> {
    held(paths, context).flat_map(|path| speeds(path, paths.fps))
}
