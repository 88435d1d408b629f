//! Which angles meet the goals exactly; or, where none do, how near can they come?
//!
//! The trade of `keyframe.rs` stops a little short of the goals. From there the least change that
//! closes the residue is taken, again and again (Levenberg and Marquardt): two or three times make
//! a nanometre. What does not close is tried with more freedom, then from other poses, and at last
//! come as near to as can be.

use super::chain::Scene;
use super::dense::{dot, factor, solve as solve_small};
use super::jacobian::{Change, Keyframe};
use super::keyframe::minimise;
use super::settings::{Freedom, Residue};
use surefoot_core::JointId;
use surefoot_core::math::{floor, sqrt};

/// A goal is met when it is missed by no more than this, in metres. Far below what a file can hold.
const MET: f64 = 1e-9;

/// By so much a pose must be nearer to be worth turning joints in ways they never turn, in metres.
const WORTH_IT: f64 = 1e-6;

/// Nearness is all that counts: what a change weighs then is a billionth.
const NEAREST: f64 = 1.0 - 1e-9;

/// Other poses to begin from, where the captured one leads nowhere: a straight arm cannot be
/// shortened along itself, since no small turn does it.
const OTHER_STARTS: usize = 6;

/// How one keyframe was solved.
#[derive(Clone, Debug, Default)]
pub(super) struct Solved {
    pub changes: Vec<(JointId, Change)>,
    /// For each of its goals, how far its point is from its place, in metres, and its joint from
    /// its turn, in radians: before and after.
    pub missed: Vec<Missed>,
    /// Steps of BFGS.
    pub steps: usize,
    /// Whether joints turn as they do not in the capture.
    pub is_freed: bool,
    /// Whether nothing may turn at all.
    pub is_empty: bool,
}

/// How far one goal is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Missed {
    pub before: super::report::GoalMeasure,
    pub after: super::report::GoalMeasure,
}

/// A pose that was tried.
struct Tried<'a> {
    keyframe: Keyframe<'a>,
    x: Vec<f64>,
    missed: f64,
    steps: usize,
}

/// Solves the goals of one frame together.
pub(super) fn solve(scene: &Scene, frame: usize, goals: &[usize]) -> Solved {
    let freedom = scene.settings.freedom;
    let mut best = tried(scene, frame, goals, freedom);
    let mut is_freed = false;
    if scene.settings.residue == Residue::Closed && best.missed > MET {
        best = best.tried_elsewhere();
        if freedom == Freedom::AsCaptured && best.missed > MET {
            let freer = tried(scene, frame, goals, Freedom::All);
            let freer = if freer.missed > MET { freer.tried_elsewhere() } else { freer };
            if freer.missed < best.missed - WORTH_IT {
                (best, is_freed) = (freer, true);
            }
        }
    }
    let placed = scene.motion.poses[frame].world(&scene.motion.skeleton);
    let measure = |&n: &usize| Missed {
        before: super::report::measure_placed(&scene.goals[n], &placed),
        after: super::report::measure_placed(&scene.goals[n], &best.keyframe.placed),
    };
    Solved {
        missed: goals.iter().map(measure).collect(),
        changes: best.keyframe.changes(),
        steps: best.steps,
        is_freed,
        is_empty: best.x.is_empty(),
    }
}

/// The pose from the captured one on.
fn tried<'a>(scene: &'a Scene<'a>, frame: usize, goals: &'a [usize], freedom: Freedom) -> Tried<'a> {
    let variables = scene.variables(frame, goals, freedom);
    let x = variables.captured.clone();
    let mut keyframe = Keyframe::new(scene, frame, goals, variables);
    let mut tried = {
        keyframe.place(&x);
        Tried { keyframe, x, missed: f64::INFINITY, steps: 0 }
    };
    tried.steps = minimise(&mut tried.keyframe, scene.settings.w, &mut tried.x);
    tried.finish(scene.settings.residue);
    tried
}

impl Tried<'_> {
    fn finish(&mut self, residue: Residue) {
        if residue == Residue::Closed {
            close(&mut self.keyframe, &mut self.x);
        }
        self.missed = self.measured();
    }

    /// How much the goals are missed by in all.
    fn measured(&mut self) -> f64 {
        let mut r = vec![0.0; self.keyframe.rows()];
        self.keyframe.place(&self.x);
        self.keyframe.residual(&mut r);
        sqrt(dot(&r, &r))
    }

    /// The nearest that can be had, from here and from other poses.
    fn tried_elsewhere(mut self) -> Self {
        let here = self.x.clone();
        let mut best = (self.missed, here.clone());
        for start in 0..=OTHER_STARTS {
            self.x = here.iter().enumerate().map(|(k, x)| x + 0.6 * off(start, k)).collect();
            minimise(&mut self.keyframe, NEAREST, &mut self.x);
            self.finish(Residue::Closed);
            if self.missed <= MET {
                // It can be met: then by the best trade from here on.
                let reached = self.x.clone();
                let w = 0.999;
                minimise(&mut self.keyframe, w, &mut self.x);
                self.finish(Residue::Closed);
                if self.missed > MET {
                    self.x = reached;
                    self.missed = self.measured();
                }
                return self;
            }
            // Two poses to begin from that end equally far: farther on there is nothing to find.
            let is_found_again = start > 1 && (self.missed - best.0).abs() < WORTH_IT;
            if self.missed < best.0 - WORTH_IT * 1e-3 {
                best = (self.missed, self.x.clone());
            }
            if is_found_again {
                break;
            }
        }
        (self.missed, self.x) = best;
        self.measured();
        self
    }
}

/// Numbers from −½ to ½ that are spread evenly, the same every time; none for the first start.
fn off(start: usize, k: usize) -> f64 {
    if start == 0 {
        return 0.0;
    }
    let spread = start as f64 * 0.754_877_666 + k as f64 * 0.569_840_291;
    spread - floor(spread) - 0.5
}

/// Takes the least change that closes the residue, until it is closed or none helps.
fn close(keyframe: &mut Keyframe, x: &mut Vec<f64>) {
    let (rows, n) = (keyframe.rows(), x.len());
    let (mut r, mut jacobian) = (vec![0.0; rows], vec![0.0; rows * n]);
    let mut damping = 1e-6;
    keyframe.place(x);
    keyframe.residual(&mut r);
    let mut missed = dot(&r, &r);
    for _ in 0..100 {
        // A tenth of what is called met, so that a sum of many still is.
        if missed <= MET * MET * 0.01 || damping > 1e6 {
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

/// `x − Jᵀ(JJᵀ + damping)⁻¹ r` within the limits; a number that is stopped there takes no part.
fn stepped(keyframe: &Keyframe, x: &[f64], r: &[f64], jacobian: &[f64], damping: f64) -> Vec<f64> {
    let (rows, n) = (r.len(), x.len());
    let variables = &keyframe.variables;
    let mut free = vec![true; n];
    // Each round may stop some; more rounds than numbers are never needed.
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
