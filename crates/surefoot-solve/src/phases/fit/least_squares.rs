//! How much of a correction root, pelvis, feet and knees each take: a least squares over a window of frames.
//!
//! ```text
//! Σ (Δ² knee / knee shake)² + (ROOT_SHAKE · Δ² root / root shake)² + (TILT_SHAKE · Δ² tilt / tilt shake)²
//!   + (FOOT_SHAKE · Δ² foot)² + (ROOT_MOVE · root)² + (TILT_MOVE · tilt)² + (FOOT_MOVE · foot)²
//!   + (OUT_OF_REACH · excess reach)²
//! ```
//!
//! `knee` is the change of each knee's angle from the captured one, and Δ² the second difference, an acceleration, so
//! that a slow correction costs the knee nothing. Accelerations of root, pelvis and knees count relative to those of the
//! capture, and part of the captured jitter is added to them; see [`captured_shake`](super::captured_shake). The ends of
//! the window are tapered.
//!
//! The knee angle is not linear in root and foot, so the system is linearised again about each solution. A foot that
//! would enter the floor stays at the floor in the next iteration, and a leg that would be too straight is shortened.

use core::ops::Range;

use surefoot_core::Vec3;

use super::captured_shake::CapturedShake;
use super::knee_model::KneeModel;
use crate::kinematics::banded::{BandedSystem, Coefficient};
use crate::setup::Setup;
use crate::stream::window::Window;

/// Most legs that are fitted; bodies with more are rare.
pub(crate) const MOST_LEGS: usize = 8;

/// Unknowns of the root: its displacement along the three axes.
const ROOT_UNKNOWNS: usize = 3;

/// Unknowns of the body: those of the root and the tilt of the pelvis. One for each leg follows.
const BODY_UNKNOWNS: usize = ROOT_UNKNOWNS + 1;

/// The unknown of the tilt, after those of the root.
const TILT: usize = ROOT_UNKNOWNS;

/// Cost of an acceleration of the root relative to that of a knee. Larger values leave more of the jitter to the knees,
/// smaller ones shake the body: at 1.2 the body of one capture in ten shakes up to 1.22 times as much as captured, at 1.6
/// up to 1.10 times; at 2.6 knees pop in three of a hundred captures.
const ROOT_SHAKE: f64 = 1.6;

/// Cost of an acceleration of a hip by the tilt of the pelvis, relative to that of a knee.
const TILT_SHAKE: f64 = 1.0;

/// Share of the captured jitter that counts with the acceleration of a correction. A correction that cancels jitter of the
/// capture thus costs less than one that adds to it. Without this share, bodies and knees shake about as much as
/// captured; larger values smooth the captured motion.
const CAPTURED_SHARE: f64 = 0.4;

/// Cost of an acceleration of a foot, per metre per second squared. Smaller values let feet tremble, larger ones leave
/// more to root and knee.
const FOOT_SHAKE: f64 = 0.02;

/// Cost of moving the root, per metre. With 50 the body crouches by centimetres where that calms the knees.
const ROOT_MOVE: f64 = 150.0;

/// Cost of moving a hip by the tilt of the pelvis, per metre. With 100 the pelvis of one capture in ten tilts by 4°, with
/// this value by 1.4°.
const TILT_MOVE: f64 = 500.0;

/// Cost of moving a foot, per metre. Smaller values let feet roll visibly further than captured.
const FOOT_MOVE: f64 = 100.0;

/// Cost of a leg that is too long, per metre.
const OUT_OF_REACH: f64 = 500.0;

/// Weight of the equation that keeps a foot where it is; beyond all others.
const PINNED: f64 = 1e9;

/// Most iterations. Most windows need two or three; where a foot that leaves the floor is held, four.
const ITERATIONS: usize = 4;

/// Most that root and feet move, in metres: more is not a matter of millimetres, and a knee is not linear that far.
const MOST_MOVE: f64 = 0.1;

/// Most that a hip moves by the tilt of the pelvis, in metres: about 6°.
const MOST_TILT: f64 = 0.01;

/// Change of the solution from which on it is final, in metres.
const SETTLED: f64 = 1e-9;

/// Change of the last solution from which on it is discarded, in metres: the knees are too far from linear, as where legs
/// jump from frame to frame, and any solution would be arbitrary.
const UNSETTLED: f64 = 0.03;

/// The second difference.
const DIFFERENCE: [f64; 3] = [1.0, -2.0, 1.0];

/// Corrections of root, pelvis and feet of one frame, in metres.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Solution {
    pub root: Vec3,
    /// Of the pelvis: how far a hip moves.
    pub tilt: f64,
    /// Of each leg: how far its foot moves; see [`super::foot_move::FootMove`].
    pub feet: [f64; MOST_LEGS],
}

impl Solution {
    pub fn add_scaled(&mut self, other: &Self, weight: f64) {
        self.root += other.root * weight;
        self.tilt += other.tilt * weight;
        for (foot, other) in self.feet.iter_mut().zip(other.feet) {
            *foot += other * weight;
        }
    }

    pub fn is_zero(&self) -> bool {
        self.root == Vec3::ZERO && self.tilt == 0.0 && self.feet.iter().all(|foot| *foot == 0.0)
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
}

/// The buffers of the least squares.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeastSquares {
    system: BandedSystem,
    /// The legs of every frame, one after the other.
    knees: Vec<KneeModel>,
    solutions: Vec<Solution>,
    tapers: Vec<f64>,
    shake: CapturedShake,
    legs: usize,
}

impl LeastSquares {
    /// Room for windows of up to `frames` frames.
    pub fn new(frames: usize, legs: usize) -> Self {
        let legs = legs.min(MOST_LEGS);
        let unknowns = BODY_UNKNOWNS + legs;
        Self {
            // A second difference couples three frames.
            system: BandedSystem::new(frames * unknowns, 3 * unknowns),
            knees: vec![KneeModel::default(); frames * legs],
            solutions: vec![Solution::default(); frames],
            tapers: vec![0.0; frames],
            shake: CapturedShake::new(frames, legs),
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
        };
        self.shake.update(window, setup, frames.range.clone(), self.legs);
        self.solutions[..frames.range.len()].fill(Solution::default());
        let mut change = 0.0;
        for iteration in 0..ITERATIONS {
            self.linearise(&frames, iteration);
            self.assemble(&frames);
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
                    _ => KneeModel::about(geometry, solution.root, solution.tilt, solution.feet[leg], knee),
                };
            }
        }
    }

    /// Solves the system and stores the solution. Returns its largest change, in metres.
    fn update(&mut self) -> f64 {
        let unknowns = BODY_UNKNOWNS + self.legs;
        let values = self.system.solve().chunks_exact(unknowns);
        let mut change = 0.0f64;
        for (solution, values) in self.solutions.iter_mut().zip(values) {
            let (root, feet) = values.split_at(BODY_UNKNOWNS);
            let root = Vec3::new(root[0], root[1], root[2]).clamp_length_max(MOST_MOVE);
            change = change.max((root - solution.root).length());
            let tilt = values[TILT].clamp(-MOST_TILT, MOST_TILT);
            change = change.max((tilt - solution.tilt).abs());
            solution.root = root;
            solution.tilt = tilt;
            for (foot, value) in solution.feet.iter_mut().zip(feet) {
                let value = value.clamp(-MOST_MOVE, MOST_MOVE);
                change = change.max((value - *foot).abs());
                *foot = value;
            }
        }
        change
    }

    /// Writes the normal equations.
    fn assemble(&mut self, frames: &Frames) {
        let count = frames.range.len();
        self.system.clear(count * (BODY_UNKNOWNS + self.legs));
        for n in 0..count {
            self.add_positions(n);
        }
        for n in 1..count.saturating_sub(1) {
            self.add_root_acceleration(frames, n);
            self.add_tilt_acceleration(frames, n);
            for leg in 0..self.legs {
                self.add_leg_acceleration(frames, n, leg);
            }
        }
    }

    /// The unknown of a leg at the n-th frame; that of the root comes first.
    fn foot_unknown(&self, n: usize, leg: usize) -> usize {
        n * (BODY_UNKNOWNS + self.legs) + BODY_UNKNOWNS + leg
    }

    /// Keeps root and feet of the n-th frame near their positions, and legs within reach.
    fn add_positions(&mut self, n: usize) {
        let root = n * (BODY_UNKNOWNS + self.legs);
        for axis in 0..ROOT_UNKNOWNS {
            self.system.add_diagonal(root + axis, ROOT_MOVE * ROOT_MOVE);
        }
        self.system.add_diagonal(root + TILT, TILT_MOVE * TILT_MOVE);
        for leg in 0..self.legs {
            let unknown = self.foot_unknown(n, leg);
            let knee = &self.knees[n * self.legs + leg];
            if let Some(excess) = knee.excess_reach {
                let [x, y, z] = (-knee.along).to_array();
                let factors = [
                    (root, x),
                    (root + 1, y),
                    (root + 2, z),
                    (root + TILT, knee.along_tilt),
                    (unknown, knee.along_foot),
                ];
                let coefficients = factors.map(|(unknown, factor)| Coefficient { unknown, factor });
                self.system.add(&coefficients, -excess, OUT_OF_REACH * OUT_OF_REACH);
            }
            match knee.pinned {
                Some(at) => self.system.add(&[Coefficient { unknown, factor: 1.0 }], at, PINNED),
                None => {
                    self.system.add_diagonal(unknown, FOOT_MOVE * FOOT_MOVE * knee.foot_cost * knee.foot_cost)
                }
            }
        }
    }

    /// The second difference of an unknown about the n-th frame; `first` is that of the frame before.
    fn difference(&self, first: usize) -> [Coefficient; 3] {
        let unknowns = BODY_UNKNOWNS + self.legs;
        core::array::from_fn(|at| Coefficient { unknown: first + at * unknowns, factor: DIFFERENCE[at] })
    }

    fn add_root_acceleration(&mut self, frames: &Frames, n: usize) {
        let before = n - 1;
        let shake = &self.shake.root[n];
        let roots = frames.window.smoothed_roots(frames.range.start + before..frames.range.start + n + 2);
        let smoothed = roots[0] - 2.0 * roots[1] + roots[2];
        let value = smoothed + shake.jitter * CAPTURED_SHARE;
        let factor = ROOT_SHAKE * frames.root_weight * frames.fps_squared / shake.size;
        let weight = frames.tapers[n] * factor * factor;
        for axis in 0..ROOT_UNKNOWNS {
            let difference = self.difference(before * (BODY_UNKNOWNS + self.legs) + axis);
            self.system.add(&difference, -value[axis], weight);
        }
    }

    fn add_tilt_acceleration(&mut self, frames: &Frames, n: usize) {
        let shake = self.shake.tilt[n];
        let factor = TILT_SHAKE * frames.root_weight * frames.fps_squared / shake.size;
        let difference = self.difference((n - 1) * (BODY_UNKNOWNS + self.legs) + TILT);
        self.system.add(&difference, -shake.jitter * CAPTURED_SHARE, frames.tapers[n] * factor * factor);
    }

    fn add_leg_acceleration(&mut self, frames: &Frames, n: usize, leg: usize) {
        let unknowns = BODY_UNKNOWNS + self.legs;
        let mut factors = [0.0; 3 * (BODY_UNKNOWNS + MOST_LEGS)];
        let mut value = 0.0;
        for (at, factor) in DIFFERENCE.into_iter().enumerate() {
            let knee = &self.knees[(n - 1 + at) * self.legs + leg];
            let frame = &mut factors[at * unknowns..][..unknowns];
            value += factor * knee.bend;
            frame[..ROOT_UNKNOWNS].copy_from_slice(&(knee.per_root * factor).to_array());
            frame[TILT] = factor * knee.per_tilt;
            frame[BODY_UNKNOWNS + leg] = factor * knee.per_foot;
        }
        let shake = self.shake.knee(n, leg);
        value += CAPTURED_SHARE * shake.jitter;
        let factor = frames.fps_squared / shake.size;
        let weight = frames.tapers[n] * factor * factor;
        self.system.add_dense((n - 1) * unknowns, &factors[..3 * unknowns], -value, weight);
        let factor = FOOT_SHAKE * frames.fps_squared * self.knees[n * self.legs + leg].foot_cost;
        let difference = self.difference(self.foot_unknown(n - 1, leg));
        self.system.add(&difference, 0.0, frames.tapers[n] * factor * factor);
    }
}
