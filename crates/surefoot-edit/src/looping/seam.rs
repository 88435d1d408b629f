//! Measures the discontinuity at the seam of a loop.

use surefoot_core::math::sqrt;
use surefoot_core::{JointId, Leg, Motion, Vec3};

use crate::distance::{cloud_of, weights_of_body};
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
    /// The roughest joint at the seam.
    pub roughest: Option<RoughestJoint>,
}

/// The joint whose step at the seam is largest, compared with its own steps in the loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoughestJoint {
    /// The joint.
    pub joint: JointId,
    /// Its step or change of step at the seam, divided by the 95th percentile of the loop: above 1 the seam is rougher
    /// than the motion.
    pub ratio: f64,
}

/// Steps of a joint below this length count as this long, in metres: a joint at rest has no percentile.
const MIN_STEP: f64 = 0.0005;

impl Seam {
    /// Whether speed and acceleration at the seam are at most the medians of the loop.
    pub fn is_smooth(&self) -> bool {
        self.step_m <= self.median_step_m + 1e-6 && self.step_change_m <= self.median_step_change_m + 1e-6
    }
}

/// Measures the seam of a loop.
pub fn seam(motion: &Motion, legs: &[Leg], looping: &Loop) -> Seam {
    let weights = weights_of_body(&motion.skeleton, legs);
    let (steps, changes) = steps_and_changes(motion, looping, &weights);
    let last = steps.len().saturating_sub(1);
    let at = |values: &[f64], n: usize| values.get(n).copied().unwrap_or(0.0);
    Seam {
        step_m: at(&steps, last),
        median_step_m: percentile(&steps, 0.5),
        step_change_m: at(&changes, last).max(at(&changes, 0)),
        median_step_change_m: percentile(&changes, 0.5),
        roughest: roughest(motion, looping, &weights),
    }
}

/// The value below which a share of the values lies; 0 without values.
fn percentile(values: &[f64], share: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let at = (share * values.len() as f64) as usize;
    values.get(at.min(values.len().saturating_sub(1))).copied().unwrap_or(0.0)
}

/// The joint with the largest step, or change of step, at the seam, compared with its 95th percentile.
fn roughest(motion: &Motion, looping: &Loop, weights: &[f64]) -> Option<RoughestJoint> {
    let joints = JointRatios::new(motion, looping, weights);
    let ratio = |&joint: &JointId| RoughestJoint { joint, ratio: joints.at(joint, 0) };
    let all = motion.skeleton.ids().filter(|joint| weights[joint.index()] > 0.0);
    let all: Vec<JointId> = all.collect();
    all.iter().map(ratio).max_by(|a, b| a.ratio.total_cmp(&b.ratio))
}

/// The steps of every joint of a loop and their changes, each divided by its 95th percentile.
pub(super) struct JointRatios {
    steps: Vec<Vec<f64>>,
    changes: Vec<Vec<f64>>,
}

impl JointRatios {
    pub fn new(motion: &Motion, looping: &Loop, weights: &[f64]) -> Self {
        let (mut steps, mut changes) = (vec![Vec::new(); weights.len()], vec![Vec::new(); weights.len()]);
        for_each_frame(motion, looping, |[previous, current, next]| {
            for n in (0..weights.len()).filter(|&n| weights[n] > 0.0) {
                steps[n].push((next[n] - current[n]).length());
                changes[n].push((next[n] - current[n] * 2.0 + previous[n]).length());
            }
        });
        for values in steps.iter_mut().chain(&mut changes) {
            let usual = percentile(values, 0.95).max(MIN_STEP);
            values.iter_mut().for_each(|value| *value /= usual);
        }
        Self { steps, changes }
    }

    /// The largest ratio of a joint for a seam before `frame`.
    pub fn at(&self, joint: JointId, frame: usize) -> f64 {
        let (steps, changes) = (&self.steps[joint.index()], &self.changes[joint.index()]);
        let before = (frame + steps.len()).checked_sub(1).map_or(0, |at| at % steps.len().max(1));
        let value = |values: &[f64], at: usize| values.get(at).copied().unwrap_or(0.0);
        value(steps, before).max(value(changes, before)).max(value(changes, frame))
    }

    /// The largest ratio of all joints for a seam before `frame`.
    pub fn largest(&self, frame: usize) -> f64 {
        (0..self.steps.len()).map(|n| self.at(JointId(n as u32), frame)).fold(0.0, f64::max)
    }
}

/// For every frame of a loop, the step of the joints to the next frame, and its difference from the
/// step before.
pub(super) fn steps_and_changes(motion: &Motion, looping: &Loop, weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let (mut steps, mut changes) = (Vec::new(), Vec::new());
    for_each_frame(motion, looping, |[previous, current, next]| {
        steps.push(root_mean_square(weights, |n| next[n] - current[n], current.len()));
        changes.push(root_mean_square(weights, |n| next[n] - current[n] * 2.0 + previous[n], current.len()));
    });
    (steps, changes)
}

/// Calls a function with the joint positions before, at and after every frame of a loop.
fn for_each_frame(motion: &Motion, looping: &Loop, mut call: impl FnMut([&[Vec3]; 3])) {
    let period = looping.period.min(motion.frames());
    if period == 0 {
        return;
    }
    let cloud = |frame: isize| -> Vec<Vec3> {
        let in_period = frame.rem_euclid(period as isize) as usize;
        let travel = looping.travel.repeated(frame.div_euclid(period as isize));
        cloud_of(motion, in_period..in_period + 1).into_iter().map(|point| travel.point(point)).collect()
    };
    let (mut previous, mut current) = (cloud(-1), cloud(0));
    for frame in 0..period as isize {
        let next = cloud(frame + 1);
        call([&previous, &current, &next]);
        previous = core::mem::replace(&mut current, next);
    }
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
