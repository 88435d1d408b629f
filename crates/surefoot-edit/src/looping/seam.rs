//! Measures the discontinuity at the seam of a loop.

use surefoot_core::math::sqrt;
use surefoot_core::{Motion, Vec3};

use crate::distance::{cloud_of, weights_by_bone};
use surefoot_core::Loop;

/// Motion of the joints at the seam compared with that inside the loop, in metres per frame (root
/// mean square over the joints).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seam {
    /// Step from the last pose to the first pose of the next period.
    pub step_m: f64,
    /// Median step between neighbouring poses of the loop.
    pub median_step_m: f64,
    /// Larger difference of the seam step from the step before and the step after.
    pub step_change_m: f64,
    /// Median difference of neighbouring steps of the loop.
    pub median_step_change_m: f64,
}

impl Seam {
    /// Whether speed and acceleration at the seam are at most the medians of the loop.
    pub fn is_smooth(&self) -> bool {
        self.step_m <= self.median_step_m + 1e-6 && self.step_change_m <= self.median_step_change_m + 1e-6
    }
}

/// Measures the seam of a loop.
pub fn seam(motion: &Motion, looping: &Loop) -> Seam {
    let weights = weights_by_bone(&motion.skeleton);
    let (steps, changes) = steps_and_changes(motion, looping, &weights);
    let median = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    };
    let last = steps.len().saturating_sub(1);
    let at = |values: &[f64], n: usize| values.get(n).copied().unwrap_or(0.0);
    Seam {
        step_m: at(&steps, last),
        median_step_m: median(&steps),
        step_change_m: at(&changes, last).max(at(&changes, 0)),
        median_step_change_m: median(&changes),
    }
}

/// For every frame of a loop, the step of the joints to the next frame, and its difference from the
/// step before.
pub(super) fn steps_and_changes(motion: &Motion, looping: &Loop, weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let period = looping.period.min(motion.frames());
    let cloud = |frame: isize| -> Vec<Vec3> {
        let in_period = frame.rem_euclid(period as isize) as usize;
        let travel = looping.travel.repeated(frame.div_euclid(period as isize));
        cloud_of(motion, in_period..in_period + 1).into_iter().map(|point| travel.point(point)).collect()
    };
    let (mut steps, mut changes) = (Vec::new(), Vec::new());
    if period == 0 {
        return (steps, changes);
    }
    let (mut previous, mut current) = (cloud(-1), cloud(0));
    for frame in 0..period as isize {
        let next = cloud(frame + 1);
        steps.push(root_mean_square(weights, |n| next[n] - current[n], current.len()));
        changes.push(root_mean_square(weights, |n| next[n] - current[n] * 2.0 + previous[n], current.len()));
        previous = core::mem::replace(&mut current, next);
    }
    (steps, changes)
}

/// The step of the joints from each frame to the next, in metres.
pub(super) fn steps(motion: &Motion, weights: &[f64]) -> Vec<f64> {
    let mut current = cloud_of(motion, 0..1);
    (1..motion.frames())
        .map(|frame| {
            let next = cloud_of(motion, frame..frame + 1);
            let step = root_mean_square(weights, |n| next[n] - current[n], current.len());
            current = next;
            step
        })
        .collect()
}

fn root_mean_square(weights: &[f64], of: impl Fn(usize) -> Vec3, count: usize) -> f64 {
    sqrt((0..count).map(|n| weights[n] * of(n).length_squared()).sum())
}
