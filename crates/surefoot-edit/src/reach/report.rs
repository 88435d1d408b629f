//! The report: errors of the goals, changes of the joints and of their velocities.
//!
//! All figures are measured from two motions, so they can be taken from the written file.

use super::curves;
use super::goals::Goal;
use super::rotation_vector::{angle_between, angles, mean_rotation};
use super::settings::Settings;
use super::solve::KeyframeSolution;
use surefoot_core::math::sqrt;
use surefoot_core::{JointId, Motion, Vec3, WorldPose};

/// Largest error of a goal that is reached, in metres or radians: below the precision of a file.
const TOLERANCE: f64 = 1e-6;

/// The error of a goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GoalMeasure {
    /// Distance of the point from its goal, in metres; 0 without a goal position.
    pub distance: f64,
    /// Angle between the joint's rotation and the goal, in radians; 0 without a goal rotation.
    pub angle: f64,
}

/// The result for one goal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GoalReport {
    /// Index of the goal, from 0.
    pub goal: usize,
    /// Error in the capture.
    pub before: GoalMeasure,
    /// Error of the solved keyframe.
    pub after: GoalMeasure,
    /// Number of BFGS steps of the keyframe.
    pub steps: usize,
}

impl GoalReport {
    /// Whether the goal is reached to 1e-6 m and radians.
    pub fn is_met(&self) -> bool {
        self.after.distance <= TOLERANCE && self.after.angle <= TOLERANCE
    }
}

/// A note for the user.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// No pose of the chain reaches the goal; the result is the nearest pose.
    OutOfReach {
        /// Index of the goal, from 0.
        goal: usize,
        /// Remaining error.
        error: GoalMeasure,
    },
    /// The chain of the goal has no free joint.
    NoFreeJoint {
        /// Index of the goal, from 0.
        goal: usize,
    },
    /// Joints had to rotate about axes about which they do not rotate in the capture.
    BeyondCapturedRotation {
        /// The keyframe; the first one of a run of keyframes that follow each other closely.
        frame: usize,
    },
    /// A joint exceeds its limit between keyframes.
    BeyondLimit {
        /// The joint.
        joint: JointId,
        /// The excess, in radians.
        by: f64,
    },
}

/// The result of [`reach`](super::reach()).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Every goal, in the order given.
    pub goals: Vec<GoalReport>,
    /// The joints that were changed, parents first.
    pub changed_joints: Vec<JointId>,
    /// The largest difference between the slopes on both sides of a knot, in radians per second. The
    /// curves are smooth, so this is only rounding.
    pub slope_step: f64,
    /// Notes for the user.
    pub notes: Vec<Note>,
}

impl Report {
    pub(super) fn add_keyframe(&mut self, goals: &[Goal], at_frame: &[usize], solution: &KeyframeSolution) {
        for (&goal, errors) in at_frame.iter().zip(&solution.errors) {
            let report =
                GoalReport { goal, before: errors.before, after: errors.after, steps: solution.steps };
            self.goals.push(report);
            if !report.is_met() {
                let out_of_reach = Note::OutOfReach { goal, error: errors.after };
                self.notes.push(if solution.is_empty { Note::NoFreeJoint { goal } } else { out_of_reach });
            }
        }
        if solution.uses_other_axes {
            self.notes.push(Note::BeyondCapturedRotation { frame: goals[at_frame[0]].frame });
        }
    }
}

/// Measures the error of each goal in a motion, such as one read back from a file.
///
/// A goal at a frame outside the motion has an infinite error.
pub fn measure(motion: &Motion, goals: &[Goal]) -> Vec<GoalMeasure> {
    let infinite = GoalMeasure { distance: f64::INFINITY, angle: f64::INFINITY };
    let error = |goal: &Goal| match motion.poses.get(goal.frame) {
        Some(pose) => goal_error(goal, &pose.world(&motion.skeleton)),
        None => infinite,
    };
    goals.iter().map(error).collect()
}

/// The error of a goal in a pose.
pub(super) fn goal_error(goal: &Goal, world: &WorldPose) -> GoalMeasure {
    let (position, rotation) = goal.in_world(world);
    let joint = goal.point.joint;
    GoalMeasure {
        distance: position.map_or(0.0, |position| (world.point(&goal.point) - position).length()),
        angle: rotation.map_or(0.0, |rotation| angle_between(rotation, world.rotations[joint.index()])),
    }
}

/// The change of one joint, in radians and seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointChange {
    /// The joint.
    pub joint: JointId,
    /// Largest rotation from the captured pose.
    pub angle_max: f64,
    /// Change of the angular velocity, root mean square over frames and axes.
    pub velocity_rms: f64,
    /// The part of that change above a moving average over two knot spacings.
    pub ripple_rms: f64,
    /// Largest change of the added velocity between neighbouring frames.
    pub added_step_max: f64,
    /// Largest change of the captured velocity between neighbouring frames.
    pub captured_step_max: f64,
}

/// The velocity of a curve at each frame, per second, by central differences.
pub fn velocities(values: &[Vec3], fps: f64) -> Vec<Vec3> {
    curves::velocities(values).into_iter().map(|velocity| velocity * fps).collect()
}

/// The changes of these joints between two motions of equal length.
pub fn changes(before: &Motion, after: &Motion, joints: &[JointId], settings: &Settings) -> Vec<JointChange> {
    let first = settings.first_frame.min(before.frames());
    let reach = ((settings.spacing * before.fps) as usize).max(1);
    joints.iter().map(|&joint| change(before, after, joint, first, reach)).collect()
}

fn change(before: &Motion, after: &Motion, joint: JointId, first: usize, reach: usize) -> JointChange {
    let center = mean_rotation(before, joint);
    let curve = |motion| angles(motion, joint, center).split_off(first);
    let velocity = |motion| velocities(&curve(motion), before.fps);
    let (captured, edited) = (velocity(before), velocity(after));
    let added: Vec<Vec3> =
        edited.iter().zip(&captured).map(|(edited, captured)| *edited - *captured).collect();
    let average = moving_average(&added, reach);
    let ripple: Vec<Vec3> = added.iter().zip(&average).map(|(added, average)| *added - *average).collect();
    let n = joint.index();
    let poses = before.poses.iter().zip(&after.poses).skip(first);
    JointChange {
        joint,
        angle_max: poses.map(|(a, b)| angle_between(a.rotations[n], b.rotations[n])).fold(0.0, f64::max),
        velocity_rms: rms(&added),
        ripple_rms: rms(&ripple),
        added_step_max: largest_step(&added),
        captured_step_max: largest_step(&captured),
    }
}

/// Moving average over `reach` frames on each side; fewer at the ends.
fn moving_average(values: &[Vec3], reach: usize) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO];
    for value in values {
        sums.push(sums[sums.len() - 1] + *value);
    }
    let mean = |n: usize| {
        let (from, to) = (n.saturating_sub(reach), (n + reach + 1).min(values.len()));
        (sums[to] - sums[from]) / (to - from) as f64
    };
    (0..values.len()).map(mean).collect()
}

fn rms(values: &[Vec3]) -> f64 {
    let sum: f64 = values.iter().map(|value| value.length_squared()).sum();
    sqrt(sum / (3 * values.len()).max(1) as f64)
}

fn largest_step(values: &[Vec3]) -> f64 {
    values.windows(2).map(|pair| (pair[1] - pair[0]).length()).fold(0.0, f64::max)
}
