//! Shares a correction among root, pelvis, feet and knees by least squares over a window of frames.
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
use crate::kinematics::block_system::{self, BlockRow, add_products, set_products};
use crate::setup::Setup;
use crate::stream::window::Window;

/// Most legs that are fitted; bodies with more are rare.
pub(crate) const MOST_LEGS: usize = 8;

/// Unknowns of the root: its displacement along the three axes.
const ROOT_UNKNOWNS: usize = 3;

/// Unknowns of the body: those of the root and the tilt of the pelvis. One for each leg follows.
const BODY_UNKNOWNS: usize = ROOT_UNKNOWNS + 1;

/// The unknown of the tilt, after those of the root.
pub(super) const TILT: usize = ROOT_UNKNOWNS;

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

/// Cost of moving a foot that cannot move; larger than all others.
const PINNED: f64 = 1e12;

/// Most iterations. Most windows need one or two; where plants are out of reach of the legs, all of them are used.
const ITERATIONS: usize = 8;

/// Largest movement of root and feet, in metres. The fit is meant for millimetres; over larger distances the knee is
/// far from linear.
const MOST_MOVE: f64 = 0.1;

/// Largest movement of a hip by the tilt of the pelvis, in metres: about 6°.
const MOST_TILT: f64 = 0.01;

/// Change of the solution from which on it is final, in metres. The next iteration would change it by a tenth of that,
/// which is neither visible nor matters to the knees.
const SETTLED: f64 = 1e-3;

/// Change of the last solution from which on it is discarded, in metres: the knees are too far from linear, as where legs
/// jump from frame to frame, and any solution would be arbitrary.
const UNSETTLED: f64 = 0.03;

/// Corrections of root, pelvis and feet of one frame, in metres.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Solution {
    pub root: Vec3,
    /// The tilt of the pelvis: how far a hip moves.
    pub tilt: f64,
    /// For each leg, how far its foot moves; see [`super::foot_move::FootMove`].
    pub feet: [f64; MOST_LEGS],
}

impl Solution {
    fn of<const UNKNOWNS: usize>(values: &[f64; UNKNOWNS]) -> Self {
        let mut feet = [0.0; MOST_LEGS];
        for (foot, value) in feet.iter_mut().zip(&values[BODY_UNKNOWNS..]) {
            *foot = *value;
        }
        Self { root: root_of(values), tilt: values[TILT], feet }
    }

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

/// The least squares for up to two or eight legs. A WebAssembly module has the larger one alone, to be small; the results
/// are the same.
#[derive(Clone, Debug)]
pub(crate) enum LeastSquares {
    #[cfg(not(target_arch = "wasm32"))]
    Two(SizedLeastSquares<{ BODY_UNKNOWNS + 2 }>),
    Eight(SizedLeastSquares<{ BODY_UNKNOWNS + MOST_LEGS }>),
}

impl Default for LeastSquares {
    fn default() -> Self {
        Self::new(0, 0)
    }
}

impl LeastSquares {
    /// Room for windows of up to `frames` frames.
    pub fn new(frames: usize, legs: usize) -> Self {
        match legs {
            #[cfg(not(target_arch = "wasm32"))]
            0..=2 => Self::Two(SizedLeastSquares::new(frames, legs)),
            _ => Self::Eight(SizedLeastSquares::new(frames, legs.min(MOST_LEGS))),
        }
    }

    /// Solves the frames of a range, tapered around `middle`.
    pub fn solve(&mut self, window: &Window, setup: &Setup, range: Range<usize>, middle: usize) {
        match self {
            #[cfg(not(target_arch = "wasm32"))]
            Self::Two(sized) => sized.solve(window, setup, range, middle),
            Self::Eight(sized) => sized.solve(window, setup, range, middle),
        }
    }

    /// The solution of the n-th frame of the window.
    pub fn solution(&self, n: usize) -> Solution {
        match self {
            #[cfg(not(target_arch = "wasm32"))]
            Self::Two(sized) => Solution::of(&sized.solutions[n]),
            Self::Eight(sized) => Solution::of(&sized.solutions[n]),
        }
    }
}

/// The least squares of bodies with up to `UNKNOWNS - BODY_UNKNOWNS` legs: its buffers.
#[derive(Clone, Debug)]
pub(crate) struct SizedLeastSquares<const UNKNOWNS: usize> {
    legs: usize,
    shake: CapturedShake,
    /// Costs of the unknowns of each frame, with a frame of no cost at either end.
    costs: Vec<Costs<UNKNOWNS>>,
    /// Costs of the knees, like those of the unknowns; the legs of a frame one after the other.
    knee_costs: Vec<KneeCost>,
    /// The knees of every frame, one after the other.
    knees: Vec<KneeModel<UNKNOWNS>>,
    solutions: Vec<[f64; UNKNOWNS]>,
    rows: Vec<BlockRow<UNKNOWNS>>,
    right_side: Vec<[f64; UNKNOWNS]>,
}

/// Costs of the unknowns of a frame.
#[derive(Clone, Copy, Debug)]
struct Costs<const UNKNOWNS: usize> {
    /// Cost of a value.
    moving: [f64; UNKNOWNS],
    /// Cost of an acceleration.
    shaking: [f64; UNKNOWNS],
    /// The second difference that a correction of 0 is charged for: a share of the captured jitter.
    difference: [f64; UNKNOWNS],
    /// Half the derivative of the cost of an acceleration with respect to the second difference, at the solution.
    pull: [f64; UNKNOWNS],
}

impl<const UNKNOWNS: usize> Costs<UNKNOWNS> {
    /// The costs of a frame that may move freely.
    const NONE: Self = {
        let zero = [0.0; UNKNOWNS];
        Self { moving: zero, shaking: zero, difference: zero, pull: zero }
    };
}

/// Cost of the acceleration of a knee; see [`Costs`].
#[derive(Clone, Copy, Debug, Default)]
struct KneeCost {
    shaking: f64,
    difference: f64,
    pull: f64,
}

/// The frames of a least squares.
struct Frames<'a> {
    window: &'a Window,
    setup: &'a Setup,
    range: Range<usize>,
    middle: usize,
}

impl Frames<'_> {
    /// Weight of the equations around the n-th frame.
    fn taper(&self, n: usize) -> f64 {
        self.setup.knee_weights[self.range.start + n + self.setup.windows.knee.frames - self.middle]
    }
}

impl<const UNKNOWNS: usize> SizedLeastSquares<UNKNOWNS> {
    fn new(frames: usize, legs: usize) -> Self {
        // Nothing is allocated for no frames.
        let padded = if frames == 0 { 0 } else { frames + 2 };
        Self {
            legs,
            shake: CapturedShake::new(frames, legs),
            costs: vec![Costs::NONE; padded],
            knee_costs: vec![KneeCost::default(); padded * legs],
            knees: vec![KneeModel::ZERO; frames * legs],
            solutions: vec![[0.0; UNKNOWNS]; frames],
            rows: vec![BlockRow::ZERO; frames],
            right_side: vec![[0.0; UNKNOWNS]; frames],
        }
    }

    fn solve(&mut self, window: &Window, setup: &Setup, range: Range<usize>, middle: usize) {
        if self.legs == 0 {
            return;
        }
        let count = range.len();
        let frames = Frames { window, setup, range, middle };
        self.shake.update(window, setup, frames.range.clone(), self.legs);
        self.set_costs(&frames);
        self.solutions[..count].fill([0.0; UNKNOWNS]);
        let mut change = 0.0;
        for iteration in 0..ITERATIONS {
            self.linearise(&frames, iteration == 0);
            self.set_pulls(count);
            for n in 0..count {
                self.set_row(n);
                self.set_right_side(n);
            }
            block_system::solve(&mut self.rows[..count], &mut self.right_side[..count]);
            change = self.update(&frames);
            if change < SETTLED {
                break;
            }
        }
        if change > UNSETTLED {
            self.solutions[..count].fill([0.0; UNKNOWNS]);
        }
    }

    /// Sets the costs of all frames. The first and the last frame have no acceleration.
    fn set_costs(&mut self, frames: &Frames) {
        let count = frames.range.len();
        let fps_squared = frames.setup.fps * frames.setup.fps;
        let roots = frames.window.smoothed_roots(frames.range.clone());
        let squared = |factor: f64| factor * factor;
        for n in 0..count {
            let is_inner = 0 < n && n + 1 < count;
            let taper = if is_inner { frames.taper(n) } else { 0.0 };
            let costs = &mut self.costs[n + 1];
            // The unknowns of legs that the body does not have stay 0.
            *costs = Costs { moving: [PINNED; UNKNOWNS], ..Costs::NONE };
            let body_factor = frames.setup.rules.root_weight * fps_squared;
            costs.moving[..ROOT_UNKNOWNS].fill(squared(ROOT_MOVE));
            costs.moving[TILT] = squared(TILT_MOVE);
            if is_inner {
                let shake = &self.shake.root[n];
                let smoothed = roots[n - 1] - 2.0 * roots[n] + roots[n + 1];
                let difference = smoothed + shake.jitter * CAPTURED_SHARE;
                costs.shaking[..ROOT_UNKNOWNS].fill(taper * squared(ROOT_SHAKE * body_factor / shake.size));
                costs.difference[..ROOT_UNKNOWNS].copy_from_slice(&difference.to_array());
                let shake = &self.shake.tilt[n];
                costs.shaking[TILT] = taper * squared(TILT_SHAKE * body_factor / shake.size);
                costs.difference[TILT] = shake.jitter * CAPTURED_SHARE;
            }
        }
        self.costs[count + 1] = Costs::NONE;
        for leg in 0..self.legs {
            let (legs, foot) = (self.legs, BODY_UNKNOWNS + leg);
            let geometry = frames.window.leg_geometry(leg, frames.range.clone());
            for (n, geometry) in geometry.iter().enumerate() {
                let is_inner = 0 < n && n + 1 < count;
                let taper = if is_inner { frames.taper(n) } else { 0.0 };
                let costs = &mut self.costs[n + 1];
                if geometry.foot_direction != Vec3::ZERO {
                    costs.moving[foot] = squared(FOOT_MOVE * geometry.foot_cost);
                }
                costs.shaking[foot] = taper * squared(FOOT_SHAKE * fps_squared * geometry.foot_cost);
                let shake = self.shake.knee(n, leg);
                self.knee_costs[(n + 1) * legs + leg] = KneeCost {
                    shaking: taper * squared(fps_squared / shake.size),
                    difference: CAPTURED_SHARE * shake.jitter,
                    pull: 0.0,
                };
            }
            self.knee_costs[(count + 1) * legs + leg] = KneeCost::default();
        }
    }

    /// Linearises every knee about the last solution.
    fn linearise(&mut self, frames: &Frames, is_first: bool) {
        for leg in 0..self.legs {
            let geometry = frames.window.leg_geometry(leg, frames.range.clone());
            let foot = BODY_UNKNOWNS + leg;
            for ((n, geometry), solution) in geometry.iter().enumerate().zip(&self.solutions) {
                self.knees[n * self.legs + leg] = match is_first {
                    true => KneeModel::first(geometry, foot),
                    false => KneeModel::about(geometry, foot, solution),
                };
            }
        }
    }

    /// Computes the derivatives of the costs of accelerating.
    fn set_pulls(&mut self, count: usize) {
        let legs = self.legs;
        for (n, [before, at, after]) in (1..).zip(self.solutions[..count].array_windows()) {
            let costs = &mut self.costs[n + 1];
            for k in 0..UNKNOWNS {
                let difference = before[k] - 2.0 * at[k] + after[k] + costs.difference[k];
                costs.pull[k] = costs.shaking[k] * difference;
            }
            for leg in 0..legs {
                let bend = |n: usize| self.knees[n * legs + leg].bend;
                let cost = &mut self.knee_costs[(n + 1) * legs + leg];
                let difference = bend(n - 1) - 2.0 * bend(n) + bend(n + 1) + cost.difference;
                cost.pull = cost.shaking * difference;
            }
        }
    }

    /// Writes the coefficients of the n-th frame.
    fn set_row(&mut self, n: usize) {
        let row = &mut self.rows[n];
        for leg in 0..self.legs {
            // Costs have a frame more at the start.
            let shaking = |n: usize| self.knee_costs[n * self.legs + leg].shaking;
            let [own, next, second] = coupling([shaking(n), shaking(n + 1), shaking(n + 2)]);
            let knee =
                |ahead: usize| self.knees.get((n + ahead) * self.legs + leg).unwrap_or(&KneeModel::ZERO);
            let [knee, at_next, at_second] = [knee(0), knee(1), knee(2)];
            let out_of_reach = if knee.excess_reach.is_some() { OUT_OF_REACH * OUT_OF_REACH } else { 0.0 };
            let put_products = if leg == 0 { set_products } else { add_products };
            put_products(
                &mut row.own,
                &knee.reach,
                &knee.reach,
                own * knee.slope * knee.slope + out_of_reach,
            );
            put_products(&mut row.next, &knee.reach, &at_next.reach, next * knee.slope * at_next.slope);
            put_products(
                &mut row.second,
                &knee.reach,
                &at_second.reach,
                second * knee.slope * at_second.slope,
            );
        }
        let [before, at, after] = [&self.costs[n], &self.costs[n + 1], &self.costs[n + 2]];
        for k in 0..UNKNOWNS {
            let [own, next, second] = coupling([before.shaking[k], at.shaking[k], after.shaking[k]]);
            row.own[k][k] += at.moving[k] + own;
            row.next[k][k] += next;
            row.second[k][k] += second;
        }
    }

    /// Writes the right side of the n-th frame: the negated derivatives of all costs.
    fn set_right_side(&mut self, n: usize) {
        let right = &mut self.right_side[n];
        let [before, at, after] = [&self.costs[n], &self.costs[n + 1], &self.costs[n + 2]];
        *right = core::array::from_fn(|k| {
            let pull = before.pull[k] - 2.0 * at.pull[k] + after.pull[k];
            -pull - at.moving[k] * self.solutions[n][k]
        });
        for leg in 0..self.legs {
            let knee = &self.knees[n * self.legs + leg];
            let pull = |n: usize| self.knee_costs[n * self.legs + leg].pull;
            let pull = pull(n) - 2.0 * pull(n + 1) + pull(n + 2);
            let excess = knee.excess_reach.unwrap_or(0.0);
            let per_reach = pull * knee.slope + OUT_OF_REACH * OUT_OF_REACH * excess;
            for (right, reach) in right.iter_mut().zip(knee.reach) {
                *right -= per_reach * reach;
            }
        }
        for (right, moving) in right.iter_mut().zip(at.moving) {
            if moving == PINNED {
                *right = 0.0;
            }
        }
    }

    /// Adds the solution of the system to that of the frames. Returns the largest change, in metres; those at the ends of
    /// the window count less. A foot that would leave its range stays at its end.
    fn update(&mut self, frames: &Frames) -> f64 {
        let mut change = 0.0f64;
        let steps = &self.right_side[..frames.range.len()];
        for (n, (solution, step)) in self.solutions.iter_mut().zip(steps).enumerate() {
            let last = root_of(solution);
            let root = (last + root_of(step)).clamp_length_max(MOST_MOVE);
            solution[..ROOT_UNKNOWNS].copy_from_slice(&root.to_array());
            let tilt = (solution[TILT] + step[TILT]).clamp(-MOST_TILT, MOST_TILT);
            let most = (root - last).length().max((tilt - solution[TILT]).abs());
            change = change.max(most * frames.taper(n));
            solution[TILT] = tilt;
        }
        for leg in 0..self.legs {
            let foot = BODY_UNKNOWNS + leg;
            let geometry = frames.window.leg_geometry(leg, frames.range.clone());
            for (n, geometry) in geometry.iter().enumerate() {
                let costs = &mut self.costs[n + 1];
                if costs.moving[foot] == PINNED {
                    continue;
                }
                let range = &geometry.foot_range;
                let last = self.solutions[n][foot];
                let moved = last + self.right_side[n][foot];
                if moved < range.least || moved > range.most {
                    costs.moving[foot] = PINNED;
                }
                let moved = moved.clamp(range.least.max(-MOST_MOVE), range.most.min(MOST_MOVE));
                change = change.max((moved - last).abs() * frames.taper(n));
                self.solutions[n][foot] = moved;
            }
        }
        change
    }
}

fn root_of<const UNKNOWNS: usize>(values: &[f64; UNKNOWNS]) -> Vec3 {
    Vec3::new(values[0], values[1], values[2])
}

/// Half the second derivatives of `Σ cost · (second difference)²` by the value at a frame, and once by the values at the
/// next two frames. `costs` are those of the frame before, at and after it.
fn coupling([before, at, after]: [f64; 3]) -> [f64; 3] {
    [before + 4.0 * at + after, -2.0 * (at + after), after]
}
