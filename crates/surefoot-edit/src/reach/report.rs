//! What was met, what was turned, what became of the velocities?
//!
//! All of it can be measured of any two motions, so of a file as it was read again.

use super::close::Solved;
use super::curves;
use super::goals::Goal;
use super::settings::Settings;
use super::turns::{angles, apart, mean_turn};
use surefoot_core::math::sqrt;
use surefoot_core::{JointId, Motion, Vec3, WorldPose};

/// A goal is met when its place is missed by no more than this, in metres, or its turn, in radians.
const MET: f64 = 1e-6;

/// How far a goal is from being met.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GoalMeasure {
    /// From the point to its place, in metres; 0 where no place is asked for.
    pub distance: f64,
    /// From the joint's turn to the one asked for, in radians; 0 where none is.
    pub turn: f64,
}

/// How a goal was met.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GoalReport {
    /// Which goal, from 0.
    pub goal: usize,
    /// How far it was in the capture.
    pub before: GoalMeasure,
    /// How far it is at its keyframe as solved.
    pub after: GoalMeasure,
    /// How many steps its keyframe took.
    pub steps: usize,
}

impl GoalReport {
    /// Whether it is met, to 1e-6 m and radians.
    pub fn is_met(&self) -> bool {
        self.after.distance <= MET && self.after.turn <= MET
    }
}

/// Something a person should know.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// A goal that no pose of its chain meets; this is the nearest.
    OutOfReach {
        /// Which goal, from 0.
        goal: usize,
        /// How far it stays.
        missed: GoalMeasure,
    },
    /// A goal whose chain holds no joint that may turn.
    NothingTurns {
        /// Which goal, from 0.
        goal: usize,
    },
    /// Joints had to turn as they do not in the capture.
    Freed {
        /// At this frame.
        frame: usize,
    },
    /// A joint that passes its limit between keyframes.
    BeyondLimit {
        /// The joint.
        joint: JointId,
        /// By this much, in radians.
        by: f64,
    },
}

/// What meeting the goals took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Every goal, in the order given.
    pub goals: Vec<GoalReport>,
    /// The joints that were turned, parents first.
    pub turned: Vec<JointId>,
    /// The largest difference of slopes to the left and to the right of any knot of any curve, in
    /// radians a second: nothing but rounding.
    pub slope_step: f64,
    /// What a person should know.
    pub notes: Vec<Note>,
}

impl Report {
    pub(super) fn take(&mut self, goals: &[Goal], at_frame: &[usize], solved: &Solved) {
        for (&goal, missed) in at_frame.iter().zip(&solved.missed) {
            let report = GoalReport { goal, before: missed.before, after: missed.after, steps: solved.steps };
            self.goals.push(report);
            if !report.is_met() {
                let out = Note::OutOfReach { goal, missed: missed.after };
                self.notes.push(if solved.is_empty { Note::NothingTurns { goal } } else { out });
            }
        }
        if solved.is_freed {
            self.notes.push(Note::Freed { frame: goals[at_frame[0]].frame });
        }
    }
}

/// How far each goal is from being met in a motion, such as one that was read again.
///
/// A goal at a frame that the motion has not is not measured: infinitely far.
pub fn measure(motion: &Motion, goals: &[Goal]) -> Vec<GoalMeasure> {
    let far = GoalMeasure { distance: f64::INFINITY, turn: f64::INFINITY };
    let of = |goal: &Goal| match motion.poses.get(goal.frame) {
        Some(pose) => measure_placed(goal, &pose.world(&motion.skeleton)),
        None => far,
    };
    goals.iter().map(of).collect()
}

pub(super) fn measure_placed(goal: &Goal, placed: &WorldPose) -> GoalMeasure {
    let (place, turn) = goal.wanted(placed);
    let joint = goal.point.joint;
    GoalMeasure {
        distance: place.map_or(0.0, |place| (placed.point(&goal.point) - place).length()),
        turn: turn.map_or(0.0, |turn| apart(turn, placed.rotations[joint.index()])),
    }
}

/// What became of a joint: radians and seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointChange {
    /// The joint.
    pub joint: JointId,
    /// The most that it is turned from the captured pose.
    pub turned_max: f64,
    /// The change of its angular velocity, root mean square over frames and axes.
    pub velocity_rms: f64,
    /// The part of that change that comes and goes within two knots' spacing.
    pub ripple_rms: f64,
    /// The largest change of the added velocity from one frame to the next.
    pub added_step_max: f64,
    /// The largest change of the captured velocity from one frame to the next.
    pub captured_step_max: f64,
}

/// The velocity of a curve at each frame, a second: half the way from the frame before to the one
/// after.
pub fn velocities(values: &[Vec3], fps: f64) -> Vec<Vec3> {
    curves::velocities(values).into_iter().map(|velocity| velocity * fps).collect()
}

/// What became of these joints from one motion to another of the same frames.
pub fn changes(before: &Motion, after: &Motion, joints: &[JointId], settings: &Settings) -> Vec<JointChange> {
    let first = settings.first_frame.min(before.frames());
    let reach = ((settings.spacing * before.fps) as usize).max(1);
    joints.iter().map(|&joint| change(before, after, joint, first, reach)).collect()
}

fn change(before: &Motion, after: &Motion, joint: JointId, first: usize, reach: usize) -> JointChange {
    let midst = mean_turn(before, joint);
    let curve = |motion| angles(motion, joint, midst).split_off(first);
    let velocity = |motion| velocities(&curve(motion), before.fps);
    let (captured, made) = (velocity(before), velocity(after));
    let added: Vec<Vec3> = made.iter().zip(&captured).map(|(made, captured)| *made - *captured).collect();
    let slow = mean_around(&added, reach);
    let ripple: Vec<Vec3> = added.iter().zip(&slow).map(|(added, slow)| *added - *slow).collect();
    let n = joint.index();
    let turned = before.poses.iter().zip(&after.poses).skip(first);
    JointChange {
        joint,
        turned_max: turned.map(|(a, b)| apart(a.rotations[n], b.rotations[n])).fold(0.0, f64::max),
        velocity_rms: rms(&added),
        ripple_rms: rms(&ripple),
        added_step_max: largest_step(&added),
        captured_step_max: largest_step(&captured),
    }
}

/// The mean over so many frames before and after each; fewer at the ends.
fn mean_around(values: &[Vec3], reach: usize) -> Vec<Vec3> {
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
