//! Residuals of the goals at a keyframe and their Jacobian.
//!
//! A joint at p that rotates about the axis u moves a point e by u × (e − p). These are the columns
//! of the Jacobian, with u the current axes of the variables of the joint; no finite differences are
//! used.

use super::chain::{Kind, Problem, Variables, ancestors, is_below};
use super::rotation_vector::{exp, inverse_left_jacobian, log, right_jacobian};
use surefoot_core::math::Mat3;
use surefoot_core::{JointId, Pose, Quat, Vec3, WorldPose};

/// Weight of a rotation error, in metres per radian: about the length of a hand. A larger value
/// prefers the goal rotation over the goal position.
const LEVER: f64 = 0.2;

/// One keyframe with its goals, variables and current pose.
pub(super) struct Keyframe<'a> {
    problem: &'a Problem<'a>,
    goals: &'a [usize],
    pub variables: Variables,
    captured: &'a Pose,
    /// The joints whose world transforms are needed, parents first.
    needed: Vec<JointId>,
    /// For each goal and block, whether the block moves the goal's point, and the goal's space.
    moves: Vec<(bool, bool)>,
    pose: Pose,
    pub world: WorldPose,
    rows: usize,
}

impl<'a> Keyframe<'a> {
    pub fn new(problem: &'a Problem<'a>, frame: usize, goals: &'a [usize], variables: Variables) -> Self {
        let skeleton = &problem.motion.skeleton;
        let ends = |n: usize| {
            let goal = &problem.goals[n];
            [Some(goal.point.joint), goal.relative_to()].into_iter().flatten()
        };
        let mut needed: Vec<JointId> =
            goals.iter().flat_map(|&n| ends(n)).flat_map(|end| ancestors(skeleton, end)).collect();
        needed.sort_unstable();
        needed.dedup();
        let mut moves = Vec::new();
        for goal in goals.iter().map(|&n| &problem.goals[n]) {
            for block in &variables.blocks {
                let below = |end: JointId| is_below(skeleton, end, block.joint);
                moves.push((below(goal.point.joint), goal.relative_to().is_some_and(below)));
            }
        }
        let rows = |goal: &super::Goal| {
            3 * (usize::from(goal.position.is_some()) + usize::from(goal.rotation.is_some()))
        };
        let rows = goals.iter().map(|&n| rows(&problem.goals[n])).sum();
        let captured = &problem.motion.poses[frame];
        let world = captured.world(skeleton);
        Self { problem, goals, variables, captured, needed, moves, pose: captured.clone(), world, rows }
    }

    /// Number of residuals.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Applies the variables and updates the world transforms.
    pub fn apply(&mut self, x: &[f64]) {
        for block in &self.variables.blocks {
            let (n, at) = (block.joint.index(), block.at);
            match block.kind {
                Kind::Rotation(from) => self.pose.rotations[n] = from * exp(three(x, at)),
                Kind::Hinge(from, axis) => self.pose.rotations[n] = from * exp(axis * x[at]),
                Kind::Translation => self.pose.offsets[n] = self.captured.offsets[n] + three(x, at),
            }
        }
        for joint in &self.needed {
            let n = joint.index();
            let (offset, rotation) = (self.pose.offsets[n], self.pose.rotations[n]);
            let (position, rotation) = match self.problem.motion.skeleton.parent(*joint) {
                None => (offset, rotation),
                Some(parent) => {
                    let parent_rotation = self.world.rotations[parent.index()];
                    (self.world.joint(parent) + parent_rotation * offset, parent_rotation * rotation)
                }
            };
            self.world.positions[n] = position;
            self.world.rotations[n] = rotation;
        }
    }

    /// The residuals of the current pose times the weights of their goals, in metres.
    pub fn residual(&self, r: &mut [f64]) {
        let mut row = 0;
        for goal in self.goals.iter().map(|&n| &self.problem.goals[n]) {
            let (position, rotation) = goal.in_world(&self.world);
            if let Some(position) = position {
                write_vector(r, row, (self.world.point(&goal.point) - position) * goal.weight);
                row += 3;
            }
            if let Some(rotation) = rotation {
                let error = log(self.rotation_of(goal.point.joint) * rotation.conjugate());
                write_vector(r, row, error * (LEVER * goal.weight));
                row += 3;
            }
        }
    }

    fn rotation_of(&self, joint: JointId) -> Quat {
        self.world.rotations[joint.index()]
    }

    /// The derivatives of the residuals by the variables: a row for each residual, a column for each variable.
    pub fn jacobian(&self, x: &[f64], jacobian: &mut [f64]) {
        let columns = self.variables.len();
        jacobian.fill(0.0);
        for (b, block) in self.variables.blocks.iter().enumerate() {
            let rotation = self.rotation_of(block.joint);
            // The world axes of the variables of the joint.
            let axes = match block.kind {
                Kind::Rotation(_) => Mat3::from_quat(rotation) * right_jacobian(three(x, block.at)),
                Kind::Hinge(_, axis) => Mat3::from_cols(rotation * axis, Vec3::ZERO, Vec3::ZERO),
                Kind::Translation => Mat3::IDENTITY,
            };
            let count = if matches!(block.kind, Kind::Hinge(..)) { 1 } else { 3 };
            let mut row = 0;
            for (g, goal) in self.goals.iter().map(|&n| &self.problem.goals[n]).enumerate() {
                let (moves_point, moves_goal) = self.moves[g * self.variables.blocks.len() + b];
                let (goal_position, goal_rotation) = goal.in_world(&self.world);
                let pivot = self.world.joint(block.joint);
                for (has_rows, is_rotation) in
                    [(goal_position.is_some(), false), (goal_rotation.is_some(), true)]
                {
                    if !has_rows {
                        continue;
                    }
                    for axis in 0..count {
                        let u = axes.col(axis);
                        let velocity = |at: Vec3| match block.kind {
                            Kind::Translation => u,
                            _ => u.cross(at - pivot),
                        };
                        let column = match (is_rotation, block.kind) {
                            (true, Kind::Translation) => Vec3::ZERO,
                            (true, _) => {
                                self.rotation_column(goal, goal_rotation, u, (moves_point, moves_goal))
                            }
                            (false, _) => {
                                let point = if moves_point {
                                    velocity(self.world.point(&goal.point))
                                } else {
                                    Vec3::ZERO
                                };
                                let goal = if moves_goal {
                                    velocity(goal_position.unwrap_or_default())
                                } else {
                                    Vec3::ZERO
                                };
                                point - goal
                            }
                        };
                        for part in 0..3 {
                            jacobian[(row + part) * columns + block.at + axis] = column[part] * goal.weight;
                        }
                    }
                    row += 3;
                }
            }
        }
    }

    /// Derivative of the rotation residual for a rotation about `u` of the point's joint, of the goal's
    /// space, or of both.
    fn rotation_column(
        &self,
        goal: &super::Goal,
        goal_rotation: Option<Quat>,
        u: Vec3,
        moves: (bool, bool),
    ) -> Vec3 {
        let goal_rotation = goal_rotation.unwrap_or(Quat::IDENTITY);
        let v = log(self.rotation_of(goal.point.joint) * goal_rotation.conjugate());
        let mut column = Vec3::ZERO;
        if moves.0 {
            column += inverse_left_jacobian(v) * u;
        }
        if moves.1 {
            // Rotating the goal is the inverse rotation of the point.
            column -= inverse_left_jacobian(-v) * u;
        }
        column * LEVER
    }

    /// The change of each joint from the captured pose.
    pub fn changes(&self) -> Vec<(JointId, Change)> {
        let change = |block: &super::chain::Block| {
            let n = block.joint.index();
            let change = match block.kind {
                Kind::Translation => Change::Translation(self.pose.offsets[n] - self.captured.offsets[n]),
                _ => Change::Rotation(log(self.captured.rotations[n].conjugate() * self.pose.rotations[n])),
            };
            (block.joint, change)
        };
        self.variables.blocks.iter().map(change).collect()
    }
}

/// The change of a joint at a keyframe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    /// A rotation vector applied after the captured rotation, in local axes.
    Rotation(Vec3),
    /// A displacement from the captured position, in metres.
    Translation(Vec3),
}

fn three(x: &[f64], at: usize) -> Vec3 {
    Vec3::new(x[at], x[at + 1], x[at + 2])
}

fn write_vector(r: &mut [f64], row: usize, v: Vec3) {
    r[row..row + 3].copy_from_slice(&v.to_array());
}

#[cfg(test)]
mod tests {
    use super::super::goals::{Goal, GoalSpace};
    use super::super::settings::{Freedom, Settings};
    use super::super::{dense::dot, keyframe::minimise};
    use super::*;
    use surefoot_core::{Joint, JointPoint, Motion, Skeleton};

    /// Two arms on a spine, rotating over four frames.
    fn body() -> Motion {
        let joint = |parent: Option<u32>, offset| Joint {
            name: String::new(),
            parent: parent.map(JointId),
            offset,
            end: None,
        };
        let joints = vec![
            joint(None, Vec3::Y),
            joint(Some(0), Vec3::Y * 0.4),
            joint(Some(1), Vec3::X * 0.2),
            joint(Some(2), Vec3::X * 0.3),
            joint(Some(3), Vec3::X * 0.25),
            joint(Some(1), Vec3::X * -0.2),
            joint(Some(5), Vec3::X * -0.3),
            joint(Some(6), Vec3::X * -0.25),
        ];
        let skeleton = Skeleton::new(joints).unwrap();
        let mut poses = vec![Pose::rest(&skeleton); 4];
        for (frame, pose) in poses.iter_mut().enumerate() {
            for (n, rotation) in pose.rotations.iter_mut().enumerate() {
                let (f, n) = (frame as f64, n as f64);
                *rotation = exp(Vec3::new(0.1 * n, 0.3 - 0.1 * f, 0.05 * n * f));
            }
        }
        Motion { skeleton, fps: 30.0, poses }
    }

    fn goals() -> Vec<Goal> {
        let hand = JointPoint { joint: JointId(4), offset: Vec3::new(0.1, 0.02, 0.0) };
        let other = JointPoint { joint: JointId(7), offset: Vec3::new(-0.1, 0.02, 0.01) };
        vec![
            Goal {
                rotation: Some(exp(Vec3::new(0.5, 0.2, 0.1))),
                ..Goal::at_position(2, hand, Vec3::new(0.4, 1.5, 0.3))
            },
            Goal {
                space: GoalSpace::Joint(JointId(3)),
                rotation: Some(exp(Vec3::new(-0.5, 1.2, 0.1))),
                ..Goal::at_position(2, other, Vec3::new(0.05, 0.1, 0.0))
            },
        ]
    }

    #[test]
    fn the_jacobian_equals_central_differences() {
        let (motion, mut goals) = (body(), goals());
        goals[1].weight = 3.0;
        for moves_root in [true, false] {
            let settings = Settings { chain_from: Some(JointId(0)), moves_root, ..Settings::default() };
            let problem = Problem::new(&motion, &goals, &settings).unwrap();
            let variables = problem.variables(2, &[0, 1], Freedom::All);
            let mut keyframe = Keyframe::new(&problem, 2, &[0, 1], variables);
            let (rows, n) = (keyframe.rows(), keyframe.variables.len());
            assert_eq!((rows, n), (12, if moves_root { 27 } else { 24 }));
            let x: Vec<f64> = (0..n).map(|k| 0.1 * ((k * 7 % 11) as f64 - 5.0)).collect();
            let (mut jacobian, mut up, mut down) = (vec![0.0; rows * n], vec![0.0; rows], vec![0.0; rows]);
            keyframe.apply(&x);
            keyframe.jacobian(&x, &mut jacobian);
            for k in 0..n {
                let shifted = |by: f64| {
                    let mut x = x.clone();
                    x[k] += by;
                    x
                };
                keyframe.apply(&shifted(1e-6));
                keyframe.residual(&mut up);
                keyframe.apply(&shifted(-1e-6));
                keyframe.residual(&mut down);
                for row in 0..rows {
                    let expected = (up[row] - down[row]) / 2e-6;
                    let found = jacobian[row * n + k];
                    assert!((found - expected).abs() < 1e-7, "row {row} column {k}: {found} {expected}");
                }
            }
        }
    }

    #[test]
    fn the_minimum_is_lower_than_its_neighbours() {
        let (motion, goals) = (body(), goals());
        let settings = Settings::default();
        let problem = Problem::new(&motion, &goals, &settings).unwrap();
        let variables = problem.variables(2, &[0, 1], Freedom::All);
        let captured = variables.captured.clone();
        let mut keyframe = Keyframe::new(&problem, 2, &[0, 1], variables);
        let mut x = captured.clone();
        let steps = minimise(&mut keyframe, 0.99, &mut x);
        assert!(steps > 3 && steps < 150, "{steps}");
        let mut r = vec![0.0; keyframe.rows()];
        let mut value = |x: &[f64]| {
            keyframe.apply(x);
            keyframe.residual(&mut r);
            let change: f64 =
                x.iter().zip(&captured).map(|(x, captured)| (x - captured) * (x - captured)).sum();
            0.99 * dot(&r, &r) + 0.01 * change
        };
        let least = value(&x);
        assert!(least < value(&captured));
        for k in 0..x.len() {
            for by in [1e-4, -1e-4, 1e-2, -1e-2] {
                let mut other = x.clone();
                other[k] += by;
                assert!(value(&other) > least, "{k} {by}");
            }
        }
    }
}
