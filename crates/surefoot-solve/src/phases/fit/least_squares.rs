//! How much of a correction root, feet and knees each take: a least squares over a window of frames.
//!
//! ```text
//! Σ (Δ² knee / knee shake)² + (ROOT_SHAKE · Δ² (root + CAPTURED_SHARE · captured jitter) / root shake)²
//!   + (FOOT_SHAKE · Δ² foot)² + (ROOT_MOVE · root)²
//!   + (FOOT_MOVE · foot)² + (OUT_OF_REACH · excess reach)²
//! ```
//!
//! `knee` is the change of each knee's angle from the captured one, and Δ² the second difference, an acceleration, so
//! that a slow correction costs the knee nothing. Accelerations of root and knees count relative to those of the capture
//! within the window: a viewer notices a jolt in a calm motion, not in a landing. The ends of the window are tapered.
//!
//! The knee angle is not linear in root and foot, so the system is linearised again about each solution. A foot that
//! would enter the floor stays at the floor in the next iteration, and a leg that would be too straight is shortened.

use core::ops::Range;

use surefoot_core::Vec3;

use super::knee_model::KneeModel;
use crate::kinematics::banded::{BandedSystem, Coefficient};
use crate::setup::Setup;
use crate::stream::frame_windows::FrameWindow;
use crate::stream::window::Window;

/// Most legs that are fitted; bodies with more are rare.
pub(crate) const MOST_LEGS: usize = 8;

/// Unknowns of the root: its displacement along the three axes. One for each leg follows.
const ROOT_UNKNOWNS: usize = 3;

/// Cost of an acceleration of the root relative to that of a knee. Larger values leave more of the jitter to the knees,
/// smaller ones shake the body: at 1 the body of one capture in ten shakes 1.4 times as much as captured, at 2 its knees
/// 1.3 times.
const ROOT_SHAKE: f64 = 1.5;

/// Share of the jitter of the captured root that counts with the acceleration of its correction. A correction that cancels the
/// jitter of the capture thus costs less than one that adds to it: without this share the bodies of the captures shake
/// 1.02 times as much as captured at the median, with it 0.88 times. Larger values smooth the captured path.
const CAPTURED_SHARE: f64 = 0.3;

/// Least accelerations that count as those of the capture: below these no viewer notices a jolt. Of the root in metres
/// per second squared, of a knee in radians per second squared.
const LEAST_ROOT_SHAKE: f64 = 1.0;
const LEAST_KNEE_SHAKE: f64 = 20.0;

/// Cost of an acceleration of a foot, per metre per second squared. Smaller values let feet tremble, larger ones leave
/// more to root and knee.
const FOOT_SHAKE: f64 = 0.02;

/// Cost of moving the root, per metre. Smaller values let the body sway away from the captured path.
const ROOT_MOVE: f64 = 50.0;

/// Cost of moving a foot, per metre. Smaller values let feet roll visibly further than captured.
const FOOT_MOVE: f64 = 100.0;

/// Cost of a leg that is too long, per metre.
const OUT_OF_REACH: f64 = 500.0;

/// Weight of the equation that keeps a foot where it is; beyond all others.
const PINNED: f64 = 1e9;

/// Most iterations. Where knees are nearly straight the first two solutions still change by millimetres; later ones
/// seldom change at all.
const ITERATIONS: usize = 3;

/// Most that root and feet move, in metres: more is not a matter of millimetres, and a knee is not linear that far.
const MOST_MOVE: f64 = 0.1;

/// Change of the solution from which on it is final, in metres.
const SETTLED: f64 = 1e-9;

/// Change of the last solution from which on it is discarded, in metres: the knees are too far from linear, as where legs
/// jump from frame to frame, and any solution would be arbitrary.
const UNSETTLED: f64 = 0.03;

/// The second difference.
const DIFFERENCE: [f64; 3] = [1.0, -2.0, 1.0];

/// Root and foot corrections of one frame, in metres.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Solution {
    pub root: Vec3,
    /// Of each leg: how far its foot moves; see [`super::foot_move::FootMove`].
    pub feet: [f64; MOST_LEGS],
}

impl Solution {
    pub fn add_scaled(&mut self, other: &Self, weight: f64) {
        self.root += other.root * weight;
        for (foot, other) in self.feet.iter_mut().zip(other.feet) {
            *foot += other * weight;
        }
    }

    pub fn is_zero(&self) -> bool {
        self.root == Vec3::ZERO && self.feet.iter().all(|foot| *foot == 0.0)
    }
}

/// The frames of a least squares.
struct Frames<'a> {
    window: &'a Window,
    range: Range<usize>,
    /// Weight of the equations around each frame.
    tapers: &'a [f64],
    /// Weight of the root's acceleration.
    root_weight: f64,
    fps_squared: f64,
    /// Weights of the mean that separates the jitter of the root from its motion; they sum to 1.
    jitter_weights: &'a [f64],
}

impl Frames<'_> {
    /// The second difference of the captured root about the n-th frame, in metres.
    fn captured_root_difference(&self, n: usize) -> Vec3 {
        let at = |n: usize| self.window.captured_root(self.range.start + n);
        at(n - 1) - 2.0 * at(n) + at(n + 1)
    }

    /// The second difference of the captured root about the n-th frame less its mean over the frames around, in metres.
    fn captured_root_jitter(&self, n: usize) -> Vec3 {
        let half = (self.jitter_weights.len() / 2).min(n - 1).min(self.range.len() - 2 - n);
        // The frames around are too few: at the ends of the window, or at a low frame rate.
        if 2 * half + 1 < self.jitter_weights.len() {
            return Vec3::ZERO;
        }
        let around = self.jitter_weights.iter().enumerate();
        let mean: Vec3 =
            around.map(|(at, weight)| self.captured_root_difference(n + at - half) * *weight).sum();
        self.captured_root_difference(n) - mean
    }
}

/// The buffers of the least squares.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeastSquares {
    system: BandedSystem,
    /// The legs of every frame, one after the other.
    knees: Vec<KneeModel>,
    solutions: Vec<Solution>,
    tapers: Vec<f64>,
    legs: usize,
}

impl LeastSquares {
    /// Room for windows of up to `frames` frames.
    pub fn new(frames: usize, legs: usize) -> Self {
        let legs = legs.min(MOST_LEGS);
        let unknowns = ROOT_UNKNOWNS + legs;
        Self {
            // A second difference couples three frames.
            system: BandedSystem::new(frames * unknowns, 3 * unknowns),
            knees: vec![KneeModel::default(); frames * legs],
            solutions: vec![Solution::default(); frames],
            tapers: vec![0.0; frames],
            legs,
        }
    }

    /// The solution of the n-th frame of the window.
    pub fn solution(&self, n: usize) -> Solution {
        self.solutions[n]
    }

    /// Solves the frames of a range, tapered around `middle`.
    pub fn solve(&mut self, window: &Window, setup: &Setup, range: Range<usize>, middle: usize) {
        let mut tapers = core::mem::take(&mut self.tapers);
        for (frame, taper) in range.clone().zip(&mut tapers) {
            let distance = (frame as f64 - middle as f64) / setup.windows.knee.length;
            *taper = (1.0 - distance * distance) * (1.0 - distance * distance);
        }
        let tapers_in_range = &tapers[..range.len()];
        let frames = Frames {
            window,
            range,
            tapers: tapers_in_range,
            root_weight: setup.rules.root_weight,
            fps_squared: setup.fps * setup.fps,
            jitter_weights: jitter_weights(setup),
        };
        let shake = Shake::of_capture(&frames, self.legs);
        self.solutions[..frames.range.len()].fill(Solution::default());
        let mut change = 0.0;
        for iteration in 0..ITERATIONS {
            self.linearise(&frames, iteration);
            self.assemble(&frames, &shake);
            change = self.update();
            if change < SETTLED {
                break;
            }
        }
        if change > UNSETTLED {
            self.solutions[..frames.range.len()].fill(Solution::default());
        }
        self.tapers = tapers;
    }

    /// Linearises every knee about the last solution.
    fn linearise(&mut self, frames: &Frames, iteration: usize) {
        for leg in 0..self.legs {
            let geometry = frames.window.leg_geometry(leg, frames.range.clone());
            for ((n, geometry), solution) in geometry.iter().enumerate().zip(&self.solutions) {
                let knee = &mut self.knees[n * self.legs + leg];
                *knee = match iteration {
                    0 => KneeModel::first(geometry),
                    _ => KneeModel::about(geometry, solution.root, solution.feet[leg], knee),
                };
            }
        }
    }

    /// Solves the system and stores the solution. Returns its largest change, in metres.
    fn update(&mut self) -> f64 {
        let unknowns = ROOT_UNKNOWNS + self.legs;
        let values = self.system.solve().chunks_exact(unknowns);
        let mut change = 0.0f64;
        for (solution, values) in self.solutions.iter_mut().zip(values) {
            let (root, feet) = values.split_at(ROOT_UNKNOWNS);
            let root = Vec3::new(root[0], root[1], root[2]).clamp_length_max(MOST_MOVE);
            change = change.max((root - solution.root).length());
            solution.root = root;
            for (foot, value) in solution.feet.iter_mut().zip(feet) {
                let value = value.clamp(-MOST_MOVE, MOST_MOVE);
                change = change.max((value - *foot).abs());
                *foot = value;
            }
        }
        change
    }

    /// Writes the normal equations.
    fn assemble(&mut self, frames: &Frames, shake: &Shake) {
        let count = frames.range.len();
        self.system.clear(count * (ROOT_UNKNOWNS + self.legs));
        for n in 0..count {
            self.add_positions(n);
        }
        for n in 1..count.saturating_sub(1) {
            self.add_root_acceleration(frames, n, shake.root / frames.root_weight);
            for leg in 0..self.legs {
                self.add_leg_acceleration(frames, n, leg, shake.knees[leg]);
            }
        }
    }

    /// The unknown of a leg at the n-th frame; that of the root comes first.
    fn foot_unknown(&self, n: usize, leg: usize) -> usize {
        n * (ROOT_UNKNOWNS + self.legs) + ROOT_UNKNOWNS + leg
    }

    /// Keeps root and feet of the n-th frame near their positions, and legs within reach.
    fn add_positions(&mut self, n: usize) {
        let root = n * (ROOT_UNKNOWNS + self.legs);
        for axis in 0..ROOT_UNKNOWNS {
            self.system.add_diagonal(root + axis, ROOT_MOVE * ROOT_MOVE);
        }
        for leg in 0..self.legs {
            let unknown = self.foot_unknown(n, leg);
            let knee = &self.knees[n * self.legs + leg];
            if let Some(excess) = knee.excess_reach {
                let [x, y, z] = (-knee.along).to_array();
                let factors = [(root, x), (root + 1, y), (root + 2, z), (unknown, knee.along_foot)];
                let coefficients = factors.map(|(unknown, factor)| Coefficient { unknown, factor });
                self.system.add(&coefficients, -excess, OUT_OF_REACH * OUT_OF_REACH);
            }
            match knee.pinned {
                Some(at) => self.system.add(&[Coefficient { unknown, factor: 1.0 }], at, PINNED),
                None => self.system.add_diagonal(unknown, FOOT_MOVE * FOOT_MOVE),
            }
        }
    }

    /// The second difference of an unknown about the n-th frame; `first` is that of the frame before.
    fn difference(&self, first: usize) -> [Coefficient; 3] {
        let unknowns = ROOT_UNKNOWNS + self.legs;
        core::array::from_fn(|at| Coefficient { unknown: first + at * unknowns, factor: DIFFERENCE[at] })
    }

    fn add_root_acceleration(&mut self, frames: &Frames, n: usize, shake: f64) {
        let before = n - 1;
        let roots = frames.window.smoothed_roots(frames.range.start + before..frames.range.start + n + 2);
        let smoothed = roots[0] - 2.0 * roots[1] + roots[2];
        let value = smoothed + frames.captured_root_jitter(n) * CAPTURED_SHARE;
        let factor = ROOT_SHAKE * frames.fps_squared / shake;
        let weight = frames.tapers[n] * factor * factor;
        for axis in 0..ROOT_UNKNOWNS {
            let difference = self.difference(before * (ROOT_UNKNOWNS + self.legs) + axis);
            self.system.add(&difference, -value[axis], weight);
        }
    }

    fn add_leg_acceleration(&mut self, frames: &Frames, n: usize, leg: usize, shake: f64) {
        let unknowns = ROOT_UNKNOWNS + self.legs;
        let mut factors = [0.0; 3 * (ROOT_UNKNOWNS + MOST_LEGS)];
        let mut value = 0.0;
        for (at, factor) in DIFFERENCE.into_iter().enumerate() {
            let knee = &self.knees[(n - 1 + at) * self.legs + leg];
            let frame = &mut factors[at * unknowns..][..unknowns];
            value += factor * knee.bend;
            frame[..ROOT_UNKNOWNS].copy_from_slice(&(knee.per_root * factor).to_array());
            frame[ROOT_UNKNOWNS + leg] = factor * knee.per_foot;
        }
        let factor = frames.fps_squared / shake;
        let weight = frames.tapers[n] * factor * factor;
        self.system.add_dense((n - 1) * unknowns, &factors[..3 * unknowns], -value, weight);
        let factor = FOOT_SHAKE * frames.fps_squared;
        let difference = self.difference(self.foot_unknown(n - 1, leg));
        self.system.add(&difference, 0.0, frames.tapers[n] * factor * factor);
    }
}

/// Half the time over which a root that changes its acceleration shakes, in seconds. A longer time would count the steps of
/// a run as jitter.
const JITTER_TIME: f64 = 1.0 / 30.0;

fn jitter_weights(setup: &Setup) -> &[f64] {
    let half = FrameWindow::new(JITTER_TIME * setup.fps).frames;
    &setup.ankle_weights[half.min(setup.ankle_weights.len() - 1)]
}

/// Accelerations of the capture: of the root in metres per second squared, of the knees in radians per second squared.
struct Shake {
    root: f64,
    knees: [f64; MOST_LEGS],
}

impl Shake {
    /// The fourth root of the mean fourth power over the window: between the mean and the largest, so that a filtered
    /// capture counts as calmer than a noisy one with the same mean.
    fn of_capture(frames: &Frames, legs: usize) -> Self {
        let (mut total, mut root, mut knees) = (0.0, 0.0, [0.0; MOST_LEGS]);
        let fourth_power = |value: f64| value * value * value * value;
        for n in 1..frames.range.len().saturating_sub(1) {
            let (frame, taper) = (frames.range.start + n, frames.tapers[n]);
            total += taper;
            root += taper * fourth_power(frames.captured_root_difference(n).length());
            for (leg, sum) in knees[..legs].iter_mut().enumerate() {
                let geometry = frames.window.leg_geometry(leg, frame - 1..frame + 2);
                let bend = |at: usize| geometry[at].bones.bend.abs();
                *sum += taper * fourth_power(bend(0) - 2.0 * bend(1) + bend(2));
            }
        }
        // A window of fewer than three frames has no acceleration.
        let mean = |sum: f64| (sum / total.max(1e-9)).sqrt().sqrt() * frames.fps_squared;
        Self {
            root: mean(root).max(LEAST_ROOT_SHAKE),
            knees: knees.map(|sum| mean(sum).max(LEAST_KNEE_SHAKE)),
        }
    }
}
