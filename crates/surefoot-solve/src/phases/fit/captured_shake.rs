//! How much root, pelvis and knees shake in the capture, around each frame of a window.
//!
//! The least squares counts accelerations relative to those of the capture: a viewer notices a jolt in a calm motion, not
//! in a landing. It charges a correction that cancels captured jitter less than one that adds to it.

use core::ops::{Mul, Range, Sub};

use surefoot_core::{Vec3, math};

use super::pelvis::captured_tilt_difference;
use crate::setup::Setup;
use crate::stream::frame_windows::FrameWindow;
use crate::stream::window::Window;

/// Least accelerations that count as those of the capture: below these no viewer notices a jolt. Of root and hips in
/// metres per second squared, of a knee in radians per second squared.
const LEAST_BODY_SHAKE: f64 = 1.0;
const LEAST_KNEE_SHAKE: f64 = 20.0;

/// Time after which an acceleration of the capture counts e times less, in seconds. With a shorter time every jolt of the
/// capture lets the body follow it; with a much longer one, a jolt changes the solution of a whole window as it enters it.
const SHAKE_TIME: f64 = 0.3;

/// Half the time over which the mean of an acceleration is motion, and the remainder jitter, in seconds. A longer time
/// would count the steps of a run as jitter.
const JITTER_TIME: f64 = 1.0 / 30.0;

/// The accelerations of the capture around a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shake<T> {
    /// The acceleration that counts as captured, in metres or radians per second squared.
    pub size: f64,
    /// The second difference minus its mean over the frames around, in metres or radians.
    pub jitter: T,
}

impl<T: Default> Default for Shake<T> {
    /// The shake of something that does not move. The size is a divisor, so it is not 0.
    fn default() -> Self {
        Self { size: 1.0, jitter: T::default() }
    }
}

/// Root, pelvis and knees of the capture at the frames of a window.
#[derive(Clone, Debug, Default)]
pub(crate) struct CapturedShake {
    pub root: Vec<Shake<Vec3>>,
    /// The shake of the tilt of the pelvis.
    pub tilt: Vec<Shake<f64>>,
    /// The shake of the knees: for each leg, all frames one after the other.
    knees: Vec<Shake<f64>>,
    frames: usize,
    /// Second differences of the current signal, by frame.
    vectors: Vec<Vec3>,
    numbers: Vec<f64>,
}

impl CapturedShake {
    /// Room for windows of up to `frames` frames.
    pub fn new(frames: usize, legs: usize) -> Self {
        Self {
            root: vec![Shake::default(); frames],
            tilt: vec![Shake::default(); frames],
            knees: vec![Shake::default(); frames * legs],
            frames,
            vectors: vec![Vec3::ZERO; frames],
            numbers: vec![0.0; frames],
        }
    }

    /// The shake of a knee at the n-th frame of the window.
    pub fn knee(&self, n: usize, leg: usize) -> &Shake<f64> {
        &self.knees[leg * self.frames + n]
    }

    /// Computes all shakes for the frames of a range; the first and the last frame have no second difference.
    pub fn update(&mut self, window: &Window, setup: &Setup, range: Range<usize>, legs: usize) {
        let Some(inner) = range.len().checked_sub(1).map(|last| 1..last.max(1)) else { return };
        let at = |n: usize| range.start + n;
        for n in inner.clone() {
            self.vectors[n] = second_difference(|n| window.captured_root(at(n)), n);
        }
        let differences = &self.vectors[inner.clone()];
        Shake::set(&mut self.root[inner.clone()], differences, Vec3::length, LEAST_BODY_SHAKE, setup);
        if setup.pelvis.is_some() {
            for n in inner.clone() {
                self.numbers[n] = captured_tilt_difference(window, at(n));
            }
            let differences = &self.numbers[inner.clone()];
            Shake::set(&mut self.tilt[inner.clone()], differences, f64::abs, LEAST_BODY_SHAKE, setup);
        }
        for leg in 0..legs {
            let geometry = window.leg_geometry(leg, range.clone());
            for n in inner.clone() {
                self.numbers[n] = second_difference(|n| geometry[n].bones.bend.abs(), n);
            }
            let differences = &self.numbers[inner.clone()];
            let knees = &mut self.knees[leg * self.frames..][inner.clone()];
            Shake::set(knees, differences, f64::abs, LEAST_KNEE_SHAKE, setup);
        }
    }
}

fn second_difference<T: Sub<Output = T>>(value: impl Fn(usize) -> T, n: usize) -> T {
    (value(n + 1) - value(n)) - (value(n) - value(n - 1))
}

impl<T> Shake<T>
where
    T: Copy + Default + Sub<Output = T> + Mul<f64, Output = T> + core::iter::Sum,
{
    /// Sets the shakes of consecutive frames from their second differences, whose lengths `length` gives.
    fn set(shakes: &mut [Self], differences: &[T], length: fn(T) -> f64, least: f64, setup: &Setup) {
        Self::set_sizes(shakes, differences, length, least, setup);
        let weights = jitter_weights(setup);
        for (n, shake) in shakes.iter_mut().enumerate() {
            shake.jitter = match around(differences, n, weights.len()) {
                Some(around) => {
                    let mean: T = around.iter().zip(weights).map(|(value, weight)| *value * *weight).sum();
                    differences[n] - mean
                }
                None => T::default(),
            };
        }
    }

    /// The size is the fourth root of the mean fourth power of the accelerations, weighted by their distance in time:
    /// between their mean and the largest, so that a filtered capture counts as calmer than a noisy one with the same
    /// mean.
    fn set_sizes(shakes: &mut [Self], differences: &[T], length: fn(T) -> f64, least: f64, setup: &Setup) {
        let keep = math::exp(-1.0 / (SHAKE_TIME * setup.fps));
        let fourth_power = |value: T| {
            let square = length(value) * length(value);
            square * square
        };
        // Sums over the frames before and after, each with its weights.
        let (mut before, mut weight_before) = (0.0, 0.0);
        for (shake, difference) in shakes.iter_mut().zip(differences) {
            before = keep * before + fourth_power(*difference);
            weight_before = keep * weight_before + 1.0;
            shake.size = before;
        }
        let (mut after, mut weight_after) = (0.0, 0.0);
        for (shake, difference) in shakes.iter_mut().zip(differences).rev() {
            let mean = (shake.size + after) / (weight_before + weight_after);
            shake.size = (mean.sqrt().sqrt() * setup.fps * setup.fps).max(least);
            after = keep * (after + fourth_power(*difference));
            weight_after = keep * (weight_after + 1.0);
            weight_before = (weight_before - 1.0) / keep;
        }
    }
}

/// The values around the n-th; `None` where they are too few, at the ends of a window or at a low frame rate.
fn around<T>(values: &[T], n: usize, count: usize) -> Option<&[T]> {
    let first = n.checked_sub(count / 2)?;
    values.get(first..first + count)
}

/// Weights of the mean that separates jitter from motion; they sum to 1.
fn jitter_weights(setup: &Setup) -> &[f64] {
    let half = FrameWindow::new(JITTER_TIME * setup.fps).frames;
    &setup.ankle_weights[half.min(setup.ankle_weights.len() - 1)]
}
