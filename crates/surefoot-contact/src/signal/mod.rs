//! Operations on signals sampled once a frame, shared by all detection methods.

mod quantile;
mod runs;
mod sliding_max;
mod sliding_min;
pub(crate) mod work;

pub(crate) use quantile::{quantile, select_rank};
pub(crate) use runs::{min_run, overlap, overlapping, runs_where, shifted};
pub(crate) use sliding_max::sliding_max;
pub(crate) use sliding_min::SlidingMin;

use surefoot_core::math::floor;

/// Converts seconds to the nearest number of frames.
pub(crate) fn frames_in(seconds: f64, fps: f64) -> usize {
    /// Longer than any motion, and far from overflow when a frame number is added.
    const MOST: usize = 1 << 30;
    (floor(seconds * fps + 0.5) as usize).min(MOST)
}

/// Returns the smallest value; infinity for an empty slice.
pub(crate) fn min(values: &[f64]) -> f64 {
    work::count(values.len());
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Confidences are written to files with two decimals.
const CONFIDENCE_STEPS: f64 = 100.0;

/// Rounds a confidence to the two decimals that files keep.
pub(crate) fn rounded_confidence(confidence: f64) -> f64 {
    (confidence * CONFIDENCE_STEPS).round() / CONFIDENCE_STEPS
}
