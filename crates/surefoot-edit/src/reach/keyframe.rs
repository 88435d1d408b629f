//! Which angles are the best trade of nearness and likeness?
//!
//! Least `w·|e − goal|² + (1 − w)·Σ(θ − θ₀)²` by BFGS: a quasi-Newton walk that learns the
//! curvature as it goes. It begins with the curvature that the Jacobian implies, so a captured
//! pose a few centimetres off takes a handful of steps.

use super::dense::{add_times, dot, factor, times};
use super::jacobian::Keyframe;

/// The least that a change of the angles weighs, so that there is one best among all that reach.
const LEAST: f64 = 1e-9;

/// Steps after which a walk is given up; a captured pose takes about ten.
const STEPS: usize = 200;

/// A gradient as flat as this is the bottom, in square metres a radian: the angles are then
/// right to some 1e-9 radians.
const FLAT: f64 = 1e-11;

/// Walks `x` to the best trade. The number of steps it took.
pub(super) fn minimise(keyframe: &mut Keyframe, w: f64, x: &mut [f64]) -> usize {
    let mut walk = Walk::new(keyframe, w, x);
    for step in 0..STEPS {
        if walk.is_flat() || !walk.step() {
            return step;
        }
    }
    STEPS
}

/// A step that promises to lower the value by less than this share of it is not taken: it would
/// turn no joint by a hundred-thousandth of a radian.
const ENOUGH: f64 = 1e-10;

struct Walk<'a, 'k> {
    keyframe: &'a mut Keyframe<'k>,
    /// What nearness and likeness weigh.
    w: f64,
    v: f64,
    x: &'a mut [f64],
    value: f64,
    gradient: Vec<f64>,
    /// What is known of the inverse curvature, row by row.
    inverse: Vec<f64>,
    r: Vec<f64>,
    jacobian: Vec<f64>,
}

impl<'a, 'k> Walk<'a, 'k> {
    fn new(keyframe: &'a mut Keyframe<'k>, w: f64, x: &'a mut [f64]) -> Self {
        let (rows, n) = (keyframe.rows(), x.len());
        for (k, x) in x.iter_mut().enumerate() {
            *x = x.clamp(keyframe.variables.lower[k], keyframe.variables.upper[k]);
        }
        let mut walk = Self {
            keyframe,
            w,
            v: (1.0 - w).max(LEAST),
            x,
            value: 0.0,
            gradient: vec![0.0; n],
            inverse: vec![0.0; n * n],
            r: vec![0.0; rows],
            jacobian: vec![0.0; rows * n],
        };
        let x = walk.x.to_vec();
        walk.value = walk.value_at(&x);
        walk.gradient = walk.gradient_at(&x);
        walk.begin();
        walk
    }

    fn value_at(&mut self, x: &[f64]) -> f64 {
        self.keyframe.place(x);
        self.keyframe.residual(&mut self.r);
        let captured = &self.keyframe.variables.captured;
        let change: f64 = x.iter().zip(captured).map(|(x, captured)| (x - captured) * (x - captured)).sum();
        self.w * dot(&self.r, &self.r) + self.v * change
    }

    /// The gradient where the value was last taken.
    fn gradient_at(&mut self, x: &[f64]) -> Vec<f64> {
        let n = x.len();
        self.keyframe.jacobian(x, &mut self.jacobian);
        let captured = &self.keyframe.variables.captured;
        let mut gradient: Vec<f64> =
            x.iter().zip(captured).map(|(x, captured)| 2.0 * self.v * (x - captured)).collect();
        for (row, r) in self.jacobian.chunks_exact(n.max(1)).zip(&self.r) {
            gradient.iter_mut().zip(row).for_each(|(gradient, j)| *gradient += 2.0 * self.w * j * r);
        }
        gradient
    }

    /// The inverse of `2w·JᵀJ + 2v`, by way of the few rows of J.
    fn begin(&mut self) {
        let (rows, n) = (self.r.len(), self.x.len());
        let mut small = vec![0.0; rows * rows];
        for i in 0..rows {
            for k in 0..rows {
                small[i * rows + k] = dot(self.row(i), self.row(k));
            }
            // With w = 0 nothing pulls, and J has no say.
            small[i * rows + i] += self.v / self.w.max(1e-12);
        }
        factor(&mut small, rows);
        let through = self.solved_rows(&small);
        let (inverse, jacobian, share) = (&mut self.inverse, &self.jacobian, 1.0 / (2.0 * self.v));
        for (i, to) in inverse.chunks_exact_mut(n.max(1)).enumerate() {
            to.fill(0.0);
            to[i] = share;
            for row in 0..rows {
                add_times(to, -share * jacobian[row * n + i], &through[row * n..(row + 1) * n]);
            }
        }
    }

    /// The rows of J, solved with the factor of a small matrix.
    fn solved_rows(&self, factor: &[f64]) -> Vec<f64> {
        let (rows, n) = (self.r.len(), self.x.len());
        let mut solved = self.jacobian.clone();
        let mut less = |row: usize, times: f64, other: usize| {
            let from = solved[other * n..(other + 1) * n].to_vec();
            add_times(&mut solved[row * n..(row + 1) * n], times, &from);
        };
        for i in 0..rows {
            (0..i).for_each(|k| less(i, -factor[i * rows + k], k));
            less(i, 1.0 / factor[i * rows + i] - 1.0, i);
        }
        for i in (0..rows).rev() {
            (i + 1..rows).for_each(|k| less(i, -factor[k * rows + i], k));
            less(i, 1.0 / factor[i * rows + i] - 1.0, i);
        }
        solved
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.jacobian[row * self.x.len()..(row + 1) * self.x.len()]
    }

    /// Whether a number is at its limit and would go on.
    fn is_stopped(&self, k: usize) -> bool {
        let (lower, upper) = (self.keyframe.variables.lower[k], self.keyframe.variables.upper[k]);
        (self.x[k] <= lower && self.gradient[k] > 0.0) || (self.x[k] >= upper && self.gradient[k] < 0.0)
    }

    fn is_flat(&self) -> bool {
        (0..self.x.len()).all(|k| self.gradient[k].abs() < FLAT || self.is_stopped(k))
    }

    /// One step downhill; false where there is none.
    fn step(&mut self) -> bool {
        let n = self.x.len();
        let free: Vec<bool> = (0..n).map(|k| !self.is_stopped(k)).collect();
        let pull: Vec<f64> = (0..n).map(|k| if free[k] { self.gradient[k] } else { 0.0 }).collect();
        let mut way = times(&self.inverse, &pull);
        way.iter_mut().zip(&free).for_each(|(way, &free)| *way = if free { -*way } else { 0.0 });
        // Limits that come and go can spoil what was learnt: downhill is always right.
        if dot(&way, &pull) >= 0.0 {
            self.begin();
            way = pull.iter().map(|pull| -pull).collect();
        }
        if -dot(&way, &pull) < ENOUGH * self.value {
            return false;
        }
        // Half a radian at once is a long way for a joint, and the curvature is another there.
        let longest = way.iter().fold(0.0_f64, |longest, way| longest.max(way.abs()));
        let mut share = if longest > 0.5 { 0.5 / longest } else { 1.0 };
        for _ in 0..40 {
            let next = self.moved(&way, share);
            let value = self.value_at(&next);
            let promised: f64 = (0..n).map(|k| pull[k] * (next[k] - self.x[k])).sum();
            if value <= self.value + 1e-4 * promised && promised < 0.0 {
                self.learn(next, value);
                return true;
            }
            share *= 0.5;
        }
        let x = self.x.to_vec();
        self.value_at(&x);
        false
    }

    fn moved(&self, way: &[f64], share: f64) -> Vec<f64> {
        let variables = &self.keyframe.variables;
        let moved = |k: usize| (self.x[k] + share * way[k]).clamp(variables.lower[k], variables.upper[k]);
        (0..way.len()).map(moved).collect()
    }

    /// Goes there, and learns from how the gradient changed.
    fn learn(&mut self, next: Vec<f64>, value: f64) {
        let n = next.len();
        let gradient = self.gradient_at(&next);
        let s: Vec<f64> = (0..n).map(|k| next[k] - self.x[k]).collect();
        let y: Vec<f64> = (0..n).map(|k| gradient[k] - self.gradient[k]).collect();
        let bend = dot(&s, &y);
        // A way along which the valley bends down teaches nothing that an inverse could hold.
        if bend > 1e-12 * dot(&s, &s).max(f64::MIN_POSITIVE) {
            let hy = times(&self.inverse, &y);
            let both = (1.0 + dot(&y, &hy) / bend) / bend;
            for (i, row) in self.inverse.chunks_exact_mut(n).enumerate() {
                add_times(row, both * s[i] - hy[i] / bend, &s);
                add_times(row, -s[i] / bend, &hy);
            }
        }
        self.x.copy_from_slice(&next);
        self.value = value;
        self.gradient = gradient;
    }
}
