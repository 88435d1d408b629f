//! How far are the points from their goals, and how do the angles move them?
//!
//! A joint at p that turns about the axis u moves a point e by u × (e − p). The columns are that,
//! with u the axes about which the joint's numbers turn it where it is now; nothing is differenced.

use super::chain::{Kind, Scene, Variables, is_below, up};
use super::turns::{exp, log, own_rate, world_rate_of_log};
use surefoot_core::math::Mat3;
use surefoot_core::{JointId, Placed, Pose, Quat, Vec3};

/// Metres that a radian of a wrong turn counts as: about the length of a hand.
const LEVER: f64 = 0.2;

/// One frame, its goals, and the numbers that may change.
pub(super) struct Keyframe<'a> {
    scene: &'a Scene<'a>,
    goals: &'a [usize],
    pub variables: Variables,
    captured: &'a Pose,
    /// The joints that must be placed, parents first.
    needed: Vec<JointId>,
    /// For each goal and block, whether the block moves the goal's point, and its frame.
    moves: Vec<(bool, bool)>,
    /// For each joint, its block, else the number of blocks.
    pose: Pose,
    pub placed: Placed,
    rows: usize,
}

impl<'a> Keyframe<'a> {
    pub fn new(scene: &'a Scene<'a>, frame: usize, goals: &'a [usize], variables: Variables) -> Self {
        let skeleton = &scene.motion.skeleton;
        let ends = |n: usize| {
            let goal = &scene.goals[n];
            [Some(goal.point.joint), goal.relative_to()].into_iter().flatten()
        };
        let mut needed: Vec<JointId> =
            goals.iter().flat_map(|&n| ends(n)).flat_map(|end| up(skeleton, end)).collect();
        needed.sort_unstable();
        needed.dedup();
        let mut moves = Vec::new();
        for goal in goals.iter().map(|&n| &scene.goals[n]) {
            for block in &variables.blocks {
                let below = |end: JointId| is_below(skeleton, end, block.joint);
                moves.push((below(goal.point.joint), goal.relative_to().is_some_and(below)));
            }
        }
        let rows = |goal: &super::Goal| 3 * (usize::from(goal.place.is_some()) + usize::from(goal.turn.is_some()));
        let rows = goals.iter().map(|&n| rows(&scene.goals[n])).sum();
        let captured = &scene.motion.poses[frame];
        let placed = captured.placed(skeleton);
        Self { scene, goals, variables, captured, needed, moves, pose: captured.clone(), placed, rows }
    }

    /// How many numbers tell how far the goals are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Turns and moves the joints as these numbers say.
    pub fn place(&mut self, x: &[f64]) {
        for block in &self.variables.blocks {
            let (n, at) = (block.joint.index(), block.at);
            match block.kind {
                Kind::Turn(from) => self.pose.rotations[n] = from * exp(three(x, at)),
                Kind::Hinge(from, axis) => self.pose.rotations[n] = from * exp(axis * x[at]),
                Kind::Move => self.pose.offsets[n] = self.captured.offsets[n] + three(x, at),
            }
        }
        for joint in &self.needed {
            let n = joint.index();
            let (offset, rotation) = (self.pose.offsets[n], self.pose.rotations[n]);
            let (position, rotation) = match self.scene.motion.skeleton.parent(*joint) {
                None => (offset, rotation),
                Some(parent) => {
                    let turn = self.placed.rotations[parent.index()];
                    (self.placed.joint(parent) + turn * offset, turn * rotation)
                }
            };
            self.placed.positions[n] = position;
            self.placed.rotations[n] = rotation;
        }
    }

    /// From the goals to where the points are, in metres; of the pose last placed.
    pub fn residual(&self, r: &mut [f64]) {
        let mut row = 0;
        for goal in self.goals.iter().map(|&n| &self.scene.goals[n]) {
            let (place, turn) = goal.wanted(&self.placed);
            if let Some(place) = place {
                put(r, row, self.placed.point(&goal.point) - place);
                row += 3;
            }
            if let Some(turn) = turn {
                put(r, row, log(self.turn_of(goal.point.joint) * turn.conjugate()) * LEVER);
                row += 3;
            }
        }
    }

    fn turn_of(&self, joint: JointId) -> Quat {
        self.placed.rotations[joint.index()]
    }

    /// How each number moves the residual: a row for each part of that, a column for each number.
    pub fn jacobian(&self, x: &[f64], jacobian: &mut [f64]) {
        let columns = self.variables.len();
        jacobian.fill(0.0);
        for (b, block) in self.variables.blocks.iter().enumerate() {
            let turn = self.turn_of(block.joint);
            // The world's axes about which each number turns the joint.
            let axes = match block.kind {
                Kind::Turn(_) => Mat3::from_quat(turn) * own_rate(three(x, block.at)),
                Kind::Hinge(_, axis) => Mat3::from_cols(turn * axis, Vec3::ZERO, Vec3::ZERO),
                Kind::Move => Mat3::IDENTITY,
            };
            let count = if matches!(block.kind, Kind::Hinge(..)) { 1 } else { 3 };
            let mut row = 0;
            for (g, goal) in self.goals.iter().map(|&n| &self.scene.goals[n]).enumerate() {
                let (moves_point, moves_goal) = self.moves[g * self.variables.blocks.len() + b];
                let (place, wanted) = goal.wanted(&self.placed);
                let pivot = self.placed.joint(block.joint);
                for (rows, of_turn) in [(place.is_some(), false), (wanted.is_some(), true)] {
                    if !rows {
                        continue;
                    }
                    for axis in 0..count {
                        let u = axes.col(axis);
                        let of = |at: Vec3| match block.kind {
                            Kind::Move => u,
                            _ => u.cross(at - pivot),
                        };
                        let column = match (of_turn, block.kind) {
                            (true, Kind::Move) => Vec3::ZERO,
                            (true, _) => self.turn_column(goal, wanted, u, (moves_point, moves_goal)),
                            (false, _) => {
                                let point = if moves_point { of(self.placed.point(&goal.point)) } else { Vec3::ZERO };
                                let goal = if moves_goal { of(place.unwrap_or_default()) } else { Vec3::ZERO };
                                point - goal
                            }
                        };
                        for part in 0..3 {
                            jacobian[(row + part) * columns + block.at + axis] = column[part];
                        }
                    }
                    row += 3;
                }
            }
        }
    }

    /// How a turn about `u` of the point's joint, of the goal's frame or of both changes what is
    /// missing of the wanted turn.
    fn turn_column(&self, goal: &super::Goal, wanted: Option<Quat>, u: Vec3, moves: (bool, bool)) -> Vec3 {
        let wanted = wanted.unwrap_or(Quat::IDENTITY);
        let v = log(self.turn_of(goal.point.joint) * wanted.conjugate());
        let mut column = Vec3::ZERO;
        if moves.0 {
            column += world_rate_of_log(v) * u;
        }
        if moves.1 {
            // Turning the goal is turning the point back, seen from the other side.
            column -= world_rate_of_log(-v) * u;
        }
        column * LEVER
    }

    /// How far each block turns or moves its joint from the captured pose.
    pub fn changes(&self) -> Vec<(JointId, Change)> {
        let change = |block: &super::chain::Block| {
            let n = block.joint.index();
            let change = match block.kind {
                Kind::Move => Change::Move(self.pose.offsets[n] - self.captured.offsets[n]),
                _ => Change::Turn(log(self.captured.rotations[n].conjugate() * self.pose.rotations[n])),
            };
            (block.joint, change)
        };
        self.variables.blocks.iter().map(change).collect()
    }
}

/// What becomes of a joint at a keyframe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    /// A rotation vector after the captured turn, in the joint's own axes.
    Turn(Vec3),
    /// A way from the captured place.
    Move(Vec3),
}

fn three(x: &[f64], at: usize) -> Vec3 {
    Vec3::new(x[at], x[at + 1], x[at + 2])
}

fn put(r: &mut [f64], row: usize, v: Vec3) {
    r[row..row + 3].copy_from_slice(&v.to_array());
}
