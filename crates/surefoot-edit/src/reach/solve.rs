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
    pub errors: Vec<GoalErrors>,
    /// Number of BFGS steps.
    pub steps: usize,
    /// Whether joints rotate about axes that do not occur in the capture, from this keyframe of a run on.
    pub uses_other_axes: bool,
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
    error: f64,
    steps: usize,
}

/// Solves a run of keyframes, each of which is close to the one before in time.
///
/// Each solution starts at the one before, so that a point that follows a curve does not jump from one pose to another
/// that reaches the same goal. The objective still compares with the captured pose, so errors do not add up. If a goal of
/// the run needs rotations that do not occur in the capture, all its keyframes may use them.
pub(super) fn solve_run(problem: &Problem, run: &[(usize, &[usize])]) -> Vec<KeyframeSolution> {
    let freedom = problem.settings.freedom;
    let (mut solutions, error) = solve_with(problem, run, freedom);
    let may_be_freed = freedom == Freedom::AsCaptured && problem.settings.residue == Residue::Closed;
    if may_be_freed && error > TOLERANCE {
        let (freer, freer_error) = solve_with(problem, run, Freedom::All);
        if freer_error < error - MIN_IMPROVEMENT {
            solutions = freer;
            solutions.iter_mut().take(1).for_each(|first| first.uses_other_axes = true);
        }
    }
    solutions
}

/// Solves a run with these rotations. Returns the solutions and the sum of their errors.
fn solve_with(
    problem: &Problem,
    run: &[(usize, &[usize])],
    freedom: Freedom,
) -> (Vec<KeyframeSolution>, f64) {
    let mut solutions: Vec<KeyframeSolution> = Vec::with_capacity(run.len());
    let (mut sum, mut previous_error) = (0.0, 0.0);
    for &(frame, goals) in run {
        let previous = solutions.last().map(|solution| solution.changes.as_slice());
        let mut best = attempt(problem, frame, goals, freedom, previous);
        // The nearest pose of a goal out of reach continues: other starting poses would make it jump.
        let continues = previous.is_some() && previous_error > TOLERANCE;
        if problem.settings.residue == Residue::Closed && best.error > TOLERANCE && !continues {
            best = best.with_restarts();
        }
        previous_error = best.error;
        // Rounding of keyframes that are reached must not add up to an error of the run.
        sum += if best.error > TOLERANCE { best.error } else { 0.0 };
        solutions.push(best.solution(problem, frame, goals));
    }
    (solutions, sum)
}

/// Solves from the captured pose, or from the captured pose with the changes of the previous keyframe.
fn attempt<'a>(
    problem: &'a Problem<'a>,
    frame: usize,
    goals: &'a [usize],
    freedom: Freedom,
    previous: Option<&[(JointId, Change)]>,
) -> Attempt<'a> {
    let variables = problem.variables(frame, goals, freedom);
    let x = match previous {
        Some(changes) => variables.with_changes(changes, &problem.motion.poses[frame]),
        None => variables.captured.clone(),
    };
    let mut keyframe = Keyframe::new(problem, frame, goals, variables);
    let mut attempt = {
        keyframe.apply(&x);
        Attempt { keyframe, x, error: f64::INFINITY, steps: 0 }
    };
    attempt.steps = minimise(&mut attempt.keyframe, problem.settings.w, &mut attempt.x);
    attempt.finish(problem.settings.residue);
    attempt
}

impl Attempt<'_> {
    fn finish(&mut self, residue: Residue) {
        if residue == Residue::Closed {
            close(&mut self.keyframe, &mut self.x);
        }
        self.error = self.total_error();
    }

    /// The changes of the pose and the errors of its goals.
    fn solution(&self, problem: &Problem, frame: usize, goals: &[usize]) -> KeyframeSolution {
        let captured = problem.motion.poses[frame].world(&problem.motion.skeleton);
        let errors = |&n: &usize| GoalErrors {
            before: super::report::goal_error(&problem.goals[n], &captured),
            after: super::report::goal_error(&problem.goals[n], &self.keyframe.world),
        };
        KeyframeSolution {
            errors: goals.iter().map(errors).collect(),
            changes: self.keyframe.changes(),
            steps: self.steps,
            uses_other_axes: false,
            is_empty: self.x.is_empty(),
        }
    }

    /// The norm of all residuals, in metres.
    fn total_error(&mut self) -> f64 {
        let mut r = vec![0.0; self.keyframe.rows()];
        self.keyframe.apply(&self.x);
        self.keyframe.residual(&mut r);
        sqrt(dot(&r, &r))
    }

    /// The best solution from this pose and from the restarts.
    fn with_restarts(mut self) -> Self {
        let start_x = self.x.clone();
        let mut best = (self.error, start_x.clone());
        for restart in 0..=RESTARTS {
            self.x = start_x.iter().enumerate().map(|(k, x)| x + 0.6 * restart_offset(restart, k)).collect();
            minimise(&mut self.keyframe, DISTANCE_ONLY, &mut self.x);
            self.finish(Residue::Closed);
            if self.error <= TOLERANCE {
                // The goals are reachable: minimise the change of the pose.
                let solution = self.x.clone();
                let w = 0.999;
                minimise(&mut self.keyframe, w, &mut self.x);
                self.finish(Residue::Closed);
                if self.error > TOLERANCE {
                    self.x = solution;
                    self.error = self.total_error();
                }
                return self;
            }
            // Two restarts with the same distance: more restarts will not improve it.
            let is_found_again = restart > 1 && (self.error - best.0).abs() < MIN_IMPROVEMENT;
            if self.error < best.0 - MIN_IMPROVEMENT * 1e-3 {
                best = (self.error, self.x.clone());
            }
            if is_found_again {
                break;
            }
        }
        (self.error, self.x) = best;
        self.total_error();
        self
    }
}

/// A deterministic low-discrepancy sequence from −½ to ½; zero for the first one.
fn restart_offset(restart: usize, k: usize) -> f64 {
    if restart == 0 {
        return 0.0;
    }
    let spread = restart as f64 * 0.754_877_666 + k as f64 * 0.569_840_291;
    spread - floor(spread) - 0.5
}

/// Takes damped least-squares steps until the goals are reached or no step improves them.
fn close(keyframe: &mut Keyframe, x: &mut Vec<f64>) {
    let (rows, n) = (keyframe.rows(), x.len());
    let (mut r, mut jacobian) = (vec![0.0; rows], vec![0.0; rows * n]);
    let mut damping = 1e-6;
    keyframe.apply(x);
    keyframe.residual(&mut r);
    let mut squared_error = dot(&r, &r);
    for _ in 0..100 {
        // A tenth of the tolerance, so that the sum over several goals is still within it.
        if squared_error <= TOLERANCE * TOLERANCE * 0.01 || damping > 1e6 {
            break;
        }
        keyframe.apply(x);
        keyframe.residual(&mut r);
        keyframe.jacobian(x, &mut jacobian);
        let next = damped_step(keyframe, x, &r, &jacobian, damping);
        keyframe.apply(&next);
        keyframe.residual(&mut r);
        let next_error = dot(&r, &r);
        if next_error < squared_error {
            *x = next;
            squared_error = next_error;
            damping = (damping * 0.1).max(1e-15);
        } else {
            damping *= 8.0;
        }
    }
    keyframe.apply(x);
}

/// `x − Jᵀ(JJᵀ + damping)⁻¹ r` within the limits; variables at a limit are left out.
fn damped_step(keyframe: &Keyframe, x: &[f64], r: &[f64], jacobian: &[f64], damping: f64) -> Vec<f64> {
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
        let step = |c: usize| -(0..rows).map(|i| jacobian[i * n + c] * weights[i]).sum::<f64>();
        let mut next = x.to_vec();
        let mut any_limit_reached = false;
        for c in (0..n).filter(|&c| free[c]) {
            let to = x[c] + step(c);
            next[c] = to.clamp(variables.lower[c], variables.upper[c]);
        }
        for c in 0..n {
            let at_limit = (x[c] <= variables.lower[c] && next[c] <= x[c])
                || (x[c] >= variables.upper[c] && next[c] >= x[c]);
            if free[c] && at_limit && step(c) != 0.0 {
                free[c] = false;
                any_limit_reached = true;
            }
        }
        if !any_limit_reached {
            return next;
        }
    }
    x.to_vec()
}
