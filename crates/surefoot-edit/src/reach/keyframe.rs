//! Minimises the weighted sum of goal distance and change of the pose at a keyframe.
//!
//! The objective `w·|e − goal|² + (1 − w)·Σ(θ − θ₀)²` is minimised by BFGS, a quasi-Newton method.
//! The initial inverse Hessian comes from the Jacobian (Gauss–Newton), so a goal a few centimetres
//! away takes a handful of steps.

use super::dense::{add_times, dot, factor, times};
use super::jacobian::Keyframe;

/// Smallest weight of the change, so that the minimum is unique among all poses that reach the goal.
const MIN_CHANGE_WEIGHT: f64 = 1e-9;

/// Largest number of BFGS steps; a captured pose takes about ten.
const MAX_STEPS: usize = 200;

/// Gradient below which the minimum is reached, in square metres per radian. Angles are then exact
/// to about 1e-9 radians.
const GRADIENT_TOLERANCE: f64 = 1e-11;

/// Minimises over `x`, in place. Returns the number of steps.
pub(super) fn minimise(keyframe: &mut Keyframe, w: f64, x: &mut [f64]) -> usize {
    let mut minimiser = Bfgs::new(keyframe, w, x);
    for step in 0..MAX_STEPS {
        if minimiser.is_flat() || !minimiser.step() {
            return step;
        }
    }
    MAX_STEPS
}

/// Smallest predicted decrease of a step, relative to the value. Smaller steps would rotate no joint
/// by more than 1e-5 radians.
const MIN_RELATIVE_DECREASE: f64 = 1e-10;

struct Bfgs<'a, 'k> {
    keyframe: &'a mut Keyframe<'k>,
    /// Weight of the goal distance.
    w: f64,
    /// Weight of the change of the pose.
    v: f64,
    x: &'a mut [f64],
    value: f64,
    gradient: Vec<f64>,
    /// Approximation of the inverse Hessian, row by row.
    inverse: Vec<f64>,
    r: Vec<f64>,
    jacobian: Vec<f64>,
}

impl<'a, 'k> Bfgs<'a, 'k> {
    fn new(keyframe: &'a mut Keyframe<'k>, w: f64, x: &'a mut [f64]) -> Self {
        let (rows, n) = (keyframe.rows(), x.len());
        for (k, x) in x.iter_mut().enumerate() {
            *x = x.clamp(keyframe.variables.lower[k], keyframe.variables.upper[k]);
        }
        let mut minimiser = Self {
            keyframe,
            w,
            v: (1.0 - w).max(MIN_CHANGE_WEIGHT),
            x,
            value: 0.0,
            gradient: vec![0.0; n],
            inverse: vec![0.0; n * n],
            r: vec![0.0; rows],
            jacobian: vec![0.0; rows * n],
        };
        let x = minimiser.x.to_vec();
        minimiser.value = minimiser.value_at(&x);
        minimiser.gradient = minimiser.gradient_at(&x);
        minimiser.reset_hessian();
        minimiser
    }

    fn value_at(&mut self, x: &[f64]) -> f64 {
        self.keyframe.apply(x);
        self.keyframe.residual(&mut self.r);
        let captured = &self.keyframe.variables.captured;
        let change: f64 = x.iter().zip(captured).map(|(x, captured)| (x - captured) * (x - captured)).sum();
        self.w * dot(&self.r, &self.r) + self.v * change
    }

    /// The gradient at `x`, for which `value_at` was called last.
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

    /// Sets the inverse Hessian to that of `2w·JᵀJ + 2v`, by the Woodbury identity.
    fn reset_hessian(&mut self) {
        let (rows, n) = (self.r.len(), self.x.len());
        let mut small = vec![0.0; rows * rows];
        for i in 0..rows {
            for k in 0..rows {
                small[i * rows + k] = dot(self.row(i), self.row(k));
            }
            // For w = 0 the goals have no weight; the clamp avoids a division by zero.
            small[i * rows + i] += self.v / self.w.max(1e-12);
        }
        factor(&mut small, rows);
        let solved = self.solve_rows(&small);
        let (inverse, jacobian, share) = (&mut self.inverse, &self.jacobian, 1.0 / (2.0 * self.v));
        for (i, to) in inverse.chunks_exact_mut(n.max(1)).enumerate() {
            to.fill(0.0);
            to[i] = share;
            for row in 0..rows {
                add_times(to, -share * jacobian[row * n + i], &solved[row * n..(row + 1) * n]);
            }
        }
    }

    /// The rows of J multiplied by the inverse of the factored matrix.
    fn solve_rows(&self, factor: &[f64]) -> Vec<f64> {
        let (rows, n) = (self.r.len(), self.x.len());
        let mut solved = self.jacobian.clone();
        let mut add_row = |row: usize, times: f64, other: usize| {
            let from = solved[other * n..(other + 1) * n].to_vec();
            add_times(&mut solved[row * n..(row + 1) * n], times, &from);
        };
        for i in 0..rows {
            (0..i).for_each(|k| add_row(i, -factor[i * rows + k], k));
            add_row(i, 1.0 / factor[i * rows + i] - 1.0, i);
        }
        for i in (0..rows).rev() {
            (i + 1..rows).for_each(|k| add_row(i, -factor[k * rows + i], k));
            add_row(i, 1.0 / factor[i * rows + i] - 1.0, i);
        }
        solved
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.jacobian[row * self.x.len()..(row + 1) * self.x.len()]
    }

    /// Whether a variable is at its limit and the gradient points beyond it.
    fn is_at_limit(&self, k: usize) -> bool {
        let (lower, upper) = (self.keyframe.variables.lower[k], self.keyframe.variables.upper[k]);
        (self.x[k] <= lower && self.gradient[k] > 0.0) || (self.x[k] >= upper && self.gradient[k] < 0.0)
    }

    fn is_flat(&self) -> bool {
        (0..self.x.len()).all(|k| self.gradient[k].abs() < GRADIENT_TOLERANCE || self.is_at_limit(k))
    }

    /// One descent step with backtracking; false if none was found.
    fn step(&mut self) -> bool {
        let n = self.x.len();
        let free: Vec<bool> = (0..n).map(|k| !self.is_at_limit(k)).collect();
        let free_gradient: Vec<f64> = (0..n).map(|k| if free[k] { self.gradient[k] } else { 0.0 }).collect();
        let mut direction = times(&self.inverse, &free_gradient);
        direction.iter_mut().zip(&free).for_each(|(part, &free)| *part = if free { -*part } else { 0.0 });
        // Active limits can make the direction an ascent: fall back to steepest descent.
        if dot(&direction, &free_gradient) >= 0.0 {
            self.reset_hessian();
            direction = free_gradient.iter().map(|free_gradient| -free_gradient).collect();
        }
        if -dot(&direction, &free_gradient) < MIN_RELATIVE_DECREASE * self.value {
            return false;
        }
        // Steps of more than half a radian leave the range of the quadratic model.
        let longest = direction.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
        let mut share = if longest > 0.5 { 0.5 / longest } else { 1.0 };
        for _ in 0..40 {
            let next = self.point_along(&direction, share);
            let value = self.value_at(&next);
            let predicted: f64 = (0..n).map(|k| free_gradient[k] * (next[k] - self.x[k])).sum();
            if value <= self.value + 1e-4 * predicted && predicted < 0.0 {
                self.accept(next, value);
                return true;
            }
            share *= 0.5;
        }
        let x = self.x.to_vec();
        self.value_at(&x);
        false
    }

    fn point_along(&self, direction: &[f64], share: f64) -> Vec<f64> {
        let variables = &self.keyframe.variables;
        let value =
            |k: usize| (self.x[k] + share * direction[k]).clamp(variables.lower[k], variables.upper[k]);
        (0..direction.len()).map(value).collect()
    }

    /// Moves to `next` and updates the inverse Hessian from the change of the gradient.
    fn accept(&mut self, next: Vec<f64>, value: f64) {
        let n = next.len();
        let gradient = self.gradient_at(&next);
        let s: Vec<f64> = (0..n).map(|k| next[k] - self.x[k]).collect();
        let y: Vec<f64> = (0..n).map(|k| gradient[k] - self.gradient[k]).collect();
        let curvature = dot(&s, &y);
        // Skip the update where the curvature is not positive, to keep the matrix definite.
        if curvature > 1e-12 * dot(&s, &s).max(f64::MIN_POSITIVE) {
            let hy = times(&self.inverse, &y);
            let scale = (1.0 + dot(&y, &hy) / curvature) / curvature;
            for (i, row) in self.inverse.chunks_exact_mut(n).enumerate() {
                add_times(row, scale * s[i] - hy[i] / curvature, &s);
                add_times(row, -s[i] / curvature, &hy);
            }
        }
        self.x.copy_from_slice(&next);
        self.value = value;
        self.gradient = gradient;
    }
}
