//! Solves a keyframe exactly, or finds the nearest pose if its goals are out of reach.
//!
//! The minimum of `keyframe.rs` stops a little short of the goals. Damped least-squares steps
//! (Levenberg–Marquardt) remove the remaining distance; two or three reach a nanometre. If that
//! fails, the solver restarts from other poses, then with more freedom, and finally keeps the
//! nearest pose.

use super::chain::Problem;
use super::dense::{dot, factor, solve as solve_small};
use super::jacobian::{Change, Keyframe};
use super::keyframe::minimise;
use super::settings::{Freedom, Residue};
use surefoot_core::JointId;
use surefoot_core::math::{floor, sqrt};

/// Largest distance of a goal that is reached, in metres: far below the precision of a file.
const TOLERANCE: f64 = 1e-9;

/// Improvement that justifies rotations which do not occur in the capture, in metres.
const MIN_IMPROVEMENT: f64 = 1e-6;

/// Weight `w` that minimises the distance only; the change of the pose keeps a weight of 1e-9.
const DISTANCE_ONLY: f64 = 1.0 - 1e-9;

/// Number of restarts from other poses. A straight arm, for example, cannot be shortened by small
/// rotations, so the captured pose is a stationary point.
const RESTARTS: usize = 6;

/// The solution of one keyframe.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyframeSolution {
    pub changes: Vec<(JointId, Change)>,
    /// For each goal its error before and after.
    pub missed: Vec<GoalErrors>,
    /// Number of BFGS steps.
    pub steps: usize,
    /// Whether joints rotate about axes that do not occur in the capture.
    pub is_freed: bool,
    /// Whether the chain has no free joint.
    pub is_empty: bool,
}

/// The error of one goal before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct GoalErrors {
    pub before: super::report::GoalMeasure,
    pub after: super::report::GoalMeasure,
}

/// A candidate solution.
struct Attempt<'a> {
    keyframe: Keyframe<'a>,
    x: Vec<f64>,
    missed: f64,
    steps: usize,
}

/// Solves the goals of one frame together.
pub(super) fn solve(problem: &Problem, frame: usize, goals: &[usize]) -> KeyframeSolution {
    let freedom = problem.settings.freedom;
    let mut best = attempt(problem, frame, goals, freedom);
    let mut is_freed = false;
    if problem.settings.residue == Residue::Closed && best.missed > TOLERANCE {
        best = best.with_restarts();
        if freedom == Freedom::AsCaptured && best.missed > TOLERANCE {
            let freer = attempt(problem, frame, goals, Freedom::All);
            let freer = if freer.missed > TOLERANCE { freer.with_restarts() } else { freer };
            if freer.missed < best.missed - MIN_IMPROVEMENT {
                (best, is_freed) = (freer, true);
            }
        }
    }
    let placed = problem.motion.poses[frame].world(&problem.motion.skeleton);
    let measure = |&n: &usize| GoalErrors {
        before: super::report::measure_placed(&problem.goals[n], &placed),
        after: super::report::measure_placed(&problem.goals[n], &best.keyframe.placed),
    };
    KeyframeSolution {
        missed: goals.iter().map(measure).collect(),
        changes: best.keyframe.changes(),
        steps: best.steps,
        is_freed,
        is_empty: best.x.is_empty(),
    }
}

/// Solves from the captured pose.
fn attempt<'a>(problem: &'a Problem<'a>, frame: usize, goals: &'a [usize], freedom: Freedom) -> Attempt<'a> {
    let variables = problem.variables(frame, goals, freedom);
    let x = variables.captured.clone();
    let mut keyframe = Keyframe::new(problem, frame, goals, variables);
    let mut tried = {
        keyframe.place(&x);
        Attempt { keyframe, x, missed: f64::INFINITY, steps: 0 }
    };
    tried.steps = minimise(&mut tried.keyframe, problem.settings.w, &mut tried.x);
    tried.finish(problem.settings.residue);
    tried
}

impl Attempt<'_> {
    fn finish(&mut self, residue: Residue) {
        if residue == Residue::Closed {
            close(&mut self.keyframe, &mut self.x);
        }
        self.missed = self.total_error();
    }

    /// The norm of all residuals, in metres.
    fn total_error(&mut self) -> f64 {
        let mut r = vec![0.0; self.keyframe.rows()];
        self.keyframe.place(&self.x);
        self.keyframe.residual(&mut r);
        sqrt(dot(&r, &r))
    }

    /// The best solution from this pose and from the restarts.
    fn with_restarts(mut self) -> Self {
        let here = self.x.clone();
        let mut best = (self.missed, here.clone());
        for start in 0..=RESTARTS {
            self.x = here.iter().enumerate().map(|(k, x)| x + 0.6 * off(start, k)).collect();
            minimise(&mut self.keyframe, DISTANCE_ONLY, &mut self.x);
            self.finish(Residue::Closed);
            if self.missed <= TOLERANCE {
                // Reachable: minimise the change of the pose from here.
                let reached = self.x.clone();
                let w = 0.999;
                minimise(&mut self.keyframe, w, &mut self.x);
                self.finish(Residue::Closed);
                if self.missed > TOLERANCE {
                    self.x = reached;
                    self.missed = self.total_error();
                }
                return self;
            }
            // Two restarts with the same distance: more restarts will not improve it.
            let is_found_again = start > 1 && (self.missed - best.0).abs() < MIN_IMPROVEMENT;
            if self.missed < best.0 - MIN_IMPROVEMENT * 1e-3 {
                best = (self.missed, self.x.clone());
            }
            if is_found_again {
                break;
            }
        }
        (self.missed, self.x) = best;
        self.total_error();
        self
    }
}

/// A deterministic low-discrepancy sequence from −½ to ½; zero for the first start.
fn off(start: usize, k: usize) -> f64 {
    if start == 0 {
        return 0.0;
    }
    let spread = start as f64 * 0.754_877_666 + k as f64 * 0.569_840_291;
    spread - floor(spread) - 0.5
}

/// Takes damped least-squares steps until the goals are reached or no step improves them.
fn close(keyframe: &mut Keyframe, x: &mut Vec<f64>) {
    let (rows, n) = (keyframe.rows(), x.len());
    let (mut r, mut jacobian) = (vec![0.0; rows], vec![0.0; rows * n]);
    let mut damping = 1e-6;
    keyframe.place(x);
    keyframe.residual(&mut r);
    let mut missed = dot(&r, &r);
    for _ in 0..100 {
        // A tenth of the tolerance, so that the sum over several goals is still within it.
        if missed <= TOLERANCE * TOLERANCE * 0.01 || damping > 1e6 {
            break;
        }
        keyframe.place(x);
        keyframe.residual(&mut r);
        keyframe.jacobian(x, &mut jacobian);
        let next = stepped(keyframe, x, &r, &jacobian, damping);
        keyframe.place(&next);
        keyframe.residual(&mut r);
        let then = dot(&r, &r);
        if then < missed {
            *x = next;
            missed = then;
            damping = (damping * 0.1).max(1e-15);
        } else {
            damping *= 8.0;
        }
    }
    keyframe.place(x);
}

/// `x − Jᵀ(JJᵀ + damping)⁻¹ r` within the limits; variables at a limit are left out.
fn stepped(keyframe: &Keyframe, x: &[f64], r: &[f64], jacobian: &[f64], damping: f64) -> Vec<f64> {
    let (rows, n) = (r.len(), x.len());
    let variables = &keyframe.variables;
    let mut free = vec![true; n];
    // Each iteration fixes at least one variable, so `n` iterations suffice.
    for _ in 0..=n {
        let mut small = vec![0.0; rows * rows];
        for i in 0..rows {
            for k in 0..=i {
                let entry: f64 =
                    (0..n).filter(|&c| free[c]).map(|c| jacobian[i * n + c] * jacobian[k * n + c]).sum();
                small[i * rows + k] = entry;
            }
            small[i * rows + i] += damping;
        }
        factor(&mut small, rows);
        let mut weights = r.to_vec();
        solve_small(&small, rows, &mut weights);
        let way = |c: usize| -(0..rows).map(|i| jacobian[i * n + c] * weights[i]).sum::<f64>();
        let mut next = x.to_vec();
        let mut any_stopped = false;
        for c in (0..n).filter(|&c| free[c]) {
            let to = x[c] + way(c);
            next[c] = to.clamp(variables.lower[c], variables.upper[c]);
        }
        for c in 0..n {
            let at_limit = (x[c] <= variables.lower[c] && next[c] <= x[c])
                || (x[c] >= variables.upper[c] && next[c] >= x[c]);
            if free[c] && at_limit && way(c) != 0.0 {
                free[c] = false;
                any_stopped = true;
            }
        }
        if !any_stopped {
            return next;
        }
    }
    x.to_vec()
}
