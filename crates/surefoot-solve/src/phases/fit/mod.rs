//! Phase 6: moves root and feet by the last millimetres, so that the knees stay as smooth as captured.
//!
//! With bones of fixed length the knee angle follows from the positions of hip and ankle. A captured hip and foot both
//! jitter, so that a foot held exactly still passes the jitter on to the knee, where near full extension a millimetre
//! is several degrees. The root, a foot that rolls about its single planted point, and a free foot can absorb the jitter
//! unseen, and so can a slight tilt of the pelvis. [`least_squares`] decides how much each of them takes.
//!
//! The motion is cut into cells of about half a window. Each cell has a least squares of its own, over a window around its
//! middle, and the solutions of neighbouring cells are cross-faded. So a frame depends on its window only.
//!
//! Two steps: [`prepare`] for each frame by itself, [`fit`] over the window. Reads the targets (phases 2 to 4) and the
//! root (phase 5); writes root, targets and bends.

pub(crate) mod captured_shake;
pub(crate) mod foot_move;
pub(crate) mod knee_model;
pub(crate) mod least_squares;
pub(crate) mod pelvis;
mod swivel;

use surefoot_core::{Vec3, math};

use crate::kinematics::reach_spheres::nearest_in_reach;
use crate::phases::Phase;
use crate::setup::Setup;
use crate::stream::slots::{LegGeometry, LegSlot, Stance};
use crate::stream::window::Window;
use foot_move::FootMove;
use knee_model::Bend;
use least_squares::{MOST_LEGS, Solution};
use pelvis::{Tilt, TiltedPelvis};

/// The solutions of two neighbouring cells, by the parity of their number.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellSolutions {
    /// Number of the cell solved last plus 1; 0 while there is none.
    solved: usize,
    /// The solutions of the frames around the middle of each cell.
    frames: [Vec<Solution>; 2],
}

impl CellSolutions {
    /// Room for cells of `cell` frames.
    pub fn new(cell: usize) -> Self {
        Self { solved: 0, frames: [vec![Solution::default(); 2 * cell], vec![Solution::default(); 2 * cell]] }
    }

    /// Forgets all solutions.
    pub fn clear(&mut self) {
        self.solved = 0;
    }
}

/// Stores what the least squares needs of one frame.
pub(crate) fn prepare(window: &mut Window, setup: &Setup, frame: usize) {
    let root = window.root_correction(frame).unwrap_or(Vec3::ZERO);
    window.set_smoothed_root(frame, root);
    let mut is_moved = root != Vec3::ZERO;
    let tilt = Tilt::at(window, setup, frame);
    window.set_tilt(frame, tilt);
    for leg in 0..setup.legs.len() {
        let mut geometry = leg_geometry(window, setup, frame, leg, root);
        let hip = window.leg(frame, leg).captured.hip;
        geometry.tilt_direction = tilt.map_or(Vec3::ZERO, |tilt| tilt.direction(hip));
        is_moved |= geometry.is_moved;
        window.set_leg_geometry(frame, leg, geometry);
    }
    if is_moved {
        window.last_moved = frame + 1;
    }
}

fn leg_geometry(window: &Window, setup: &Setup, frame: usize, leg: usize, root: Vec3) -> LegGeometry {
    let (slot, is_planted) = (window.leg(frame, leg), window.is_planted(frame, leg));
    let root = root * slot.root_share;
    let hip_to_ankle = slot.stance.hip_to_target - root;
    let foot = FootMove::new(slot, is_planted, hip_to_ankle.normalize_or_zero());
    let captured_reach = slot.stance.captured_reach_squared.sqrt();
    LegGeometry {
        hip_to_ankle,
        tilt_direction: Vec3::ZERO,
        foot_cost: foot_cost(window, setup, frame, leg),
        foot_direction: foot.as_ref().map_or(Vec3::ZERO, |foot| foot.direction),
        foot_arm: foot.as_ref().map_or(Vec3::ZERO, |foot| foot.arm(slot)),
        foot_range: foot.map_or_else(Default::default, |foot| foot.range(slot, setup)),
        bones: slot.stance.bones,
        swivel: swivel::swivel_of(slot.rotation_correction, hip_to_ankle),
        captured_bend: Bend::at(&slot.stance.bones, captured_reach),
        captured_reach,
        longest: longest_reach(&slot.stance, setup) - reach_margin(slot, hip_to_ankle),
        root_share: slot.root_share,
        is_moved: is_planted || slot.is_displaced || root != Vec3::ZERO,
    }
}

/// How much more a resting foot costs to move than one in motion. Larger values leave more to root and knees; with 1, feet
/// at rest tremble and roll visibly.
const RESTING_COST: f64 = 3.0;

/// Speed from which on a foot is in motion, in metres per second.
const MOVING_SPEED: f64 = 0.3;

/// Time before and after a frame over which the speed of a foot is measured, in seconds: the jitter of a capture is not
/// motion.
const SPEED_TIME: f64 = 1.0 / 40.0;

/// Factor on the costs of moving the foot: larger the calmer the captured foot.
fn foot_cost(window: &Window, setup: &Setup, frame: usize, leg: usize) -> f64 {
    let half = (SPEED_TIME * setup.fps).round().max(1.0) as usize;
    let first = frame.saturating_sub(half).max(window.earliest());
    let last = (frame + half).min(window.pushed - 1);
    if first == last {
        return RESTING_COST;
    }
    let (from, to) = (&window.leg(first, leg).captured, &window.leg(last, leg).captured);
    let distance = (to.heel - from.heel).length().max((to.ball - from.ball).length());
    let speed = distance * setup.fps / (last - first) as f64;
    1.0 + (RESTING_COST - 1.0) * math::fade((speed / MOVING_SPEED).min(1.0))
}

/// Fits root, pelvis and feet of one frame.
pub(crate) fn fit(window: &mut Window, setup: &Setup, frame: usize) {
    let smoothed = window.smoothed_root(frame);
    let solution = solution_at(window, setup, frame);
    let amount = solution.as_ref().map_or(0.0, |solution| solution.tilt);
    let tilted = window.tilt(frame).and_then(|tilt| tilt.by(amount));
    window.set_tilted_pelvis(frame, tilted);
    let mut root = smoothed;
    if solution.is_some() || window.root_correction(frame).is_some() {
        let solution = solution.unwrap_or_default();
        for leg in 0..setup.legs.len().min(MOST_LEGS) {
            move_foot(window, setup, frame, leg, smoothed, solution.feet[leg]);
        }
        // The tilt moves the hips.
        shift_hips(window, frame, tilted.as_ref(), 1.0);
        root =
            nearest_in_reach(smoothed + solution.root, window.stances(frame), setup.rules.root_reach_limit);
        shift_hips(window, frame, tilted.as_ref(), -1.0);
        window.set_root_correction(frame, Some(root));
    }
    for leg in 0..setup.legs.len() {
        window.leg_mut(frame, leg).half_swivel = swivel::smooth(window, setup, frame, leg);
        let shift = tilted.map_or(Vec3::ZERO, |tilted| tilted.shift(window.leg(frame, leg).captured.hip));
        bend_leg(window, setup, frame, leg, root + shift);
    }
}

/// Moves the targets of all legs by `factor` times the opposite of what the tilted pelvis moves their hips.
fn shift_hips(window: &mut Window, frame: usize, tilted: Option<&TiltedPelvis>, factor: f64) {
    let Some(tilted) = tilted else { return };
    for slot in window.legs_mut(frame) {
        slot.stance.hip_to_target -= tilted.shift(slot.captured.hip) * factor;
    }
}

/// The solution of one frame: those of the two nearest cells, cross-faded. `None` where both are 0.
fn solution_at(window: &mut Window, setup: &Setup, frame: usize) -> Option<Solution> {
    let cell = setup.fit_cell;
    // The middle of cell n is at frame n · cell, so that every frame lies between two middles.
    let (before, within) = (frame / cell, frame % cell);
    let weight = math::fade(within as f64 / cell as f64);
    let mut sum = Solution::default();
    let mut is_solved = false;
    for (number, weight) in [(before, weight), (before + 1, 1.0 - weight)] {
        if weight > 0.0 {
            solve_cell(window, setup, number);
            let solution = window.solutions.frames[number % 2][frame + cell - number * cell];
            sum.add_scaled(&solution, weight);
            is_solved = true;
        }
    }
    (is_solved && !sum.is_zero()).then_some(sum)
}

/// Solves a cell, unless it is solved already.
fn solve_cell(window: &mut Window, setup: &Setup, number: usize) {
    if window.solutions.solved > number {
        return;
    }
    let cell = setup.fit_cell;
    let middle = number * cell;
    let half = setup.windows.knee.frames;
    let range = middle.saturating_sub(half)..(middle + half + 1).min(window.available(Phase::Fit));
    let mut solutions = core::mem::take(&mut window.solutions);
    let frames = &mut solutions.frames[number % 2];
    frames.fill(Solution::default());
    // Where nothing is moved within the window, the solution is 0. A single frame has no acceleration.
    if half > 0 && window.last_moved > range.start {
        let mut fit = core::mem::take(&mut window.least_squares);
        fit.solve(window, setup, range.clone(), middle);
        for (n, solution) in frames.iter_mut().enumerate() {
            // The middle may be beyond the last frame.
            let frame = (middle + n).checked_sub(cell).filter(|frame| range.contains(frame));
            *solution = frame.map_or_else(Solution::default, |frame| fit.solution(frame - range.start));
        }
        window.least_squares = fit;
    }
    solutions.solved = number + 1;
    window.solutions = solutions;
}

fn move_foot(window: &mut Window, setup: &Setup, frame: usize, leg: usize, root: Vec3, distance: f64) {
    if distance == 0.0 {
        return;
    }
    let is_planted = window.is_planted(frame, leg);
    let slot = window.leg_mut(frame, leg);
    let root = root * slot.root_share;
    let along = (slot.stance.hip_to_target - root).normalize_or_zero();
    if let Some(foot) = FootMove::new(slot, is_planted, along) {
        foot.apply(slot, setup, is_planted, distance);
    }
}

/// The longest reach that a leg may have, in metres: nearly straight, or as captured.
fn longest_reach(stance: &Stance, setup: &Setup) -> f64 {
    let longest = stance.bones.longest() * setup.rules.root_reach_limit;
    longest.max(stance.captured_reach_squared.sqrt())
}

/// By how much the fit keeps a leg short of its longest reach, in metres: a straighter knee bends by several degrees per
/// millimetre. A larger margin makes the body crouch.
const REACH_MARGIN: f64 = 0.006;

/// The margin of a leg that may become as straight as phase 5 lets it, in metres: negative, as that phase leaves legs
/// exactly at their longest reach, where rounding would decide which of them are too long.
const NO_MARGIN: f64 = -0.001;

/// Displacement of the foot relative to the hip from which on the margin is complete, in metres. A leg that is hardly moved
/// may stay as straight as it was captured.
const FULL_MARGIN: f64 = 0.002;

fn reach_margin(slot: &LegSlot, hip_to_ankle: Vec3) -> f64 {
    // A knee captured backwards would flip to the front if it had to bend further.
    if slot.stance.bones.is_backwards() {
        return NO_MARGIN;
    }
    let moved = (hip_to_ankle - (slot.captured.ankle - slot.captured.hip)).length();
    REACH_MARGIN * (moved / FULL_MARGIN).min(1.0)
}

/// Computes the bend of a leg for its target; `root` is how far its hip is moved. A free foot out of reach is brought
/// as near as the leg allows.
fn bend_leg(window: &mut Window, setup: &Setup, frame: usize, leg: usize, root: Vec3) {
    let is_planted = window.is_planted(frame, leg);
    let root = root * window.leg(frame, leg).root_share;
    let stance = window.stance_mut(frame, leg);
    let vector = stance.hip_to_target - root;
    let mut reach = vector.length();
    if !is_planted {
        let longest = longest_reach(stance, setup);
        if reach > longest {
            stance.hip_to_target = root + vector * (longest / reach);
            reach = longest;
        }
    }
    stance.bend_correction = stance.bones.bend_like_captured(reach) - stance.bones.bend;
}
