//! Skate figures from published papers, for comparison with their results.
//!
//! None of them uses plants: each decides by height when a foot is down. Windows that the papers give
//! in frames are in seconds here, so the figures are theirs at their frame rate and have the same
//! meaning at others. "Horizontal" in the papers is "along the floor" here.

use crate::context::Context;
use crate::paths::Paths;
use crate::statistics::{largest, mean};
use surefoot_core::math::pow;
use surefoot_core::{Floor, Vec3};

/// Height H of Zhang et al. from which a foot has no weight, in metres.
const MANN_HEIGHT: f64 = 0.025;

/// Foot skating of Zhang, Starke, Komura, Saito 2018 (Mode-Adaptive Neural Networks), in m/s.
///
/// Mean over feet and frames of `s = v·(2 − 2^(h/H))`, H = 2.5 cm, the exponent kept within 0
/// and 1: v is the ball's speed along the floor from the frame before, h its height above it.
/// A foot on the floor has weight 1, one at H or higher weight 0.
pub(crate) fn mann(paths: &Paths, context: &Context) -> Option<f64> {
    let weigh = |pair: &[Vec3]| {
        let height = (context.floor.above(pair[1]) / MANN_HEIGHT).clamp(0.0, 1.0);
        along(&context.floor, pair[0], pair[1]).length() * paths.fps * (2.0 - pow(2.0, height))
    };
    mean(paths.legs[..context.feet()].iter().flat_map(|leg| leg.ball.windows(2)).map(weigh))
}

/// Height below which a foot is down in Karunratanakul et al., in metres.
const GMD_HEIGHT: f64 = 0.05;
/// Speed above which it skates, in metres per second: their 2.5 cm per frame at 20 fps.
const GMD_SPEED: f64 = 0.5;
/// Window of the mean speed, in seconds: their 5 frames at 20 fps.
const GMD_WINDOW: f64 = 0.25;

/// Foot skating ratio of Karunratanakul et al. 2023 (Guided Motion Diffusion, also OmniControl).
///
/// The share of frames in which some foot skates, from 0 to 1: its ball is below 5 cm in this
/// frame and the one before, moves along the floor faster than 0.5 m/s, and does so also in the
/// mean over 0.25 s around (speeds beyond the ends count as 0, as in their code, `metrics.py`).
/// Their foot joint is a few centimetres above the sole, our ball point on it, so frames of
/// a low swing that the original code leaves out are included.
pub(crate) fn gmd(paths: &Paths, context: &Context) -> Option<f64> {
    let feet: Vec<Vec<bool>> =
        paths.legs[..context.feet()].iter().map(|leg| gmd_skates(&leg.ball, paths.fps, context)).collect();
    let steps = feet.first()?.len();
    mean((0..steps).map(|step| if feet.iter().any(|foot| foot[step]) { 1.0 } else { 0.0 }))
}

/// Whether a foot skates from each frame to the next.
fn gmd_skates(ball: &[Vec3], fps: f64, context: &Context) -> Vec<bool> {
    let speeds: Vec<f64> =
        ball.windows(2).map(|pair| along(&context.floor, pair[0], pair[1]).length() * fps).collect();
    // 5 frames, the middle one and 2 to each side, at 20 fps.
    let side = ((GMD_WINDOW * fps - 1.0) / 2.0).round().max(0.0) as usize;
    let means = moving_mean(&speeds, side);
    let down = |point: Vec3| context.floor.above(point) < GMD_HEIGHT;
    let skates = |step: usize| {
        down(ball[step]) && down(ball[step + 1]) && speeds[step] > GMD_SPEED && means[step] > GMD_SPEED
    };
    (0..speeds.len()).map(skates).collect()
}

/// The mean of each value with `side` values on either side; values beyond the ends are 0.
fn moving_mean(values: &[f64], side: usize) -> Vec<f64> {
    let mut sums = vec![0.0; values.len() + 1];
    for (index, value) in values.iter().enumerate() {
        sums[index + 1] = sums[index] + value;
    }
    let mean = |index: usize| {
        let (from, to) = (index.saturating_sub(side), (index + side + 1).min(values.len()));
        (sums[to] - sums[from]) / (2 * side + 1) as f64
    };
    (0..values.len()).map(mean).collect()
}

/// Frame time of Tseng et al., in seconds: the time over which foot displacement is measured.
const EDGE_FRAME: f64 = 1.0 / 30.0;
/// Scale factor of Tseng et al.
const EDGE_FACTOR: f64 = 1e4;

/// Physical foot contact score (PFC) of Tseng, Castellon, Liu 2023 (EDGE): lower is better.
///
/// `10⁴ · mean over t of l(t)·r(t)·a(t) / max a`. a is the root's acceleration without its
/// downward part, |a∥ + max(a⊥, 0)|; l and r are how far the left and the right foot go along
/// the floor in 1/30 s, each the lesser of its ankle and ball. A body that speeds up needs a
/// foot that stands. As in their code, `eval_pfc.py`; for two legs only. A root that never
/// speeds up scores 0.
pub(crate) fn edge(paths: &Paths, context: &Context) -> Option<f64> {
    let [left, right] = &paths.legs[..context.feet()] else {
        return None;
    };
    let displacement = |path: &[Vec3], frame: usize| {
        along(&context.floor, path[frame - 1], path[frame]).length() * paths.fps * EDGE_FRAME
    };
    let pushes: Vec<f64> = paths.root.windows(3).map(|root| push(&context.floor, root)).collect();
    let most = largest(pushes.iter().copied())?;
    // A root without acceleration scores 0.
    let scale = if most > 0.0 { EDGE_FACTOR / most } else { 0.0 };
    let score = |(index, push): (usize, &f64)| {
        let frame = index + 2;
        let foot = |leg: &crate::paths::LegPath| {
            f64::min(displacement(&leg.ankle, frame), displacement(&leg.ball, frame))
        };
        foot(left) * foot(right) * push * scale
    };
    mean(pushes.iter().enumerate().map(score))
}

/// The magnitude of the second difference of three positions, without its part towards the floor.
fn push(floor: &Floor, places: &[Vec3]) -> f64 {
    let bend = places[2] - 2.0 * places[1] + places[0];
    let normal = floor.up();
    (bend - normal * normal.dot(bend).min(0.0)).length()
}

/// The part of a displacement along the floor below its end.
fn along(floor: &Floor, from: Vec3, to: Vec3) -> Vec3 {
    let (step, normal) = (to - from, floor.plane_under(to).normal);
    step - normal * normal.dot(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moving_mean_pads_with_zeros() {
        assert_eq!(moving_mean(&[3.0, 3.0, 3.0, 3.0], 1), [2.0, 3.0, 3.0, 2.0]);
        assert_eq!(moving_mean(&[5.0], 0), [5.0]);
    }

    #[test]
    fn only_downward_acceleration_is_removed() {
        let floor = Floor::level(0.0);
        let places = |end: Vec3| [Vec3::ZERO, Vec3::ZERO, end];
        assert_eq!(push(&floor, &places(Vec3::new(3.0, 4.0, 0.0))), 5.0);
        assert_eq!(push(&floor, &places(Vec3::new(3.0, -4.0, 0.0))), 3.0);
    }
}
