//! The weights of the filters, computed once when a cleaner is set up.

use surefoot_core::math;
use wide::f64x2;

use crate::stream::frame_windows::FrameWindow;

fn biweight(distance: f64) -> f64 {
    (1.0 - distance * distance) * (1.0 - distance * distance)
}

/// Weights that steady the ankle, for every half width from 0 to `most` frames; each row sums to 1.
pub(crate) fn ankle_weights(most: usize) -> Vec<Vec<f64>> {
    let row = |half: usize| {
        let distance = |n: usize| (n as f64 - half as f64) / (half + 1) as f64;
        let weights = (0..=2 * half).map(|n| biweight(distance(n)));
        let total: f64 = weights.clone().sum();
        weights.map(|weight| weight / total).collect()
    };
    (0..=most).map(row).collect()
}

/// Weights of the frames of a window around its middle, which has weight 1.
pub(crate) fn window_weights(window: FrameWindow) -> Vec<f64> {
    let distance = |n: usize| (n as f64 - window.frames as f64) / window.length.max(1.0);
    (0..window.width()).map(|n| biweight(distance(n))).collect()
}

/// Weights of the root filter for frame `at` of a cell of `cell` frames: one for each cell, as many before
/// its own as after; the same in both lanes.
///
/// A cell is weighted by its middle, and not at all once any of it is outside the window.
pub(crate) fn root_cell_weights(window: FrameWindow, cell: usize, at: usize) -> Vec<f64x2> {
    let half = (cell as f64 - 1.0) / 2.0;
    let length = window.length - half;
    let cells = (window.length / cell as f64).ceil() as isize;
    let distance = |n: isize| (n as f64 * cell as f64 + half - at as f64).abs();
    (-cells..=cells).map(|n| f64x2::splat(math::fade(distance(n) / length))).collect()
}
