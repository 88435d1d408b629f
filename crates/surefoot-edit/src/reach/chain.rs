//! Chooses the joints that may rotate for a goal, and their axes.
//!
//! These are all joints from the first joint of the chain to the goal's point, and to the joint to
//! which the goal is relative. The pelvis and the joints above it are excluded unless one of them is
//! named as the first joint, because rotating them would move the feet of a standing body.
//!
//! Rotations that never occur in the capture are avoided where possible: a joint that never rotates
//! is treated as rigid, a joint that rotates about one axis as a hinge, such as an elbow or a knee.

use super::goals::{Goal, ReachError};
use super::jacobian::Change;
use super::knots::{fade_frames, stride};
use super::limits::RotationBounds;
use super::rotation_vector::{exp, log, log_near, mean_rotation_of, rotation_vectors_of};
use super::settings::{Freedom, Settings};
use std::collections::BTreeMap;
use surefoot_core::{JointId, Motion, Pose, Quat, Skeleton, Vec3};

/// Smallest rotation that counts, in radians (0.1°, which is not visible).
///
/// A joint that never rotates by more is rigid; one that never leaves its axis by more is a hinge.
/// Capture noise makes larger thresholds wrong for joints that hardly move.
const MIN_ROTATION: f64 = 2e-3;

/// Number of frames sampled to classify a joint. It bounds the time for long captures.
const MAX_SAMPLES: usize = 1000;

/// The reach problem: motion, goals and settings, with the chains and freedoms derived from them.
pub(super) struct Problem<'a> {
    pub motion: &'a Motion,
    pub goals: &'a [Goal],
    pub settings: &'a Settings,
    /// The first frame that may change.
    pub first_frame: usize,
    /// Keyframes and the indices of their goals.
    pub frames: BTreeMap<usize, Vec<usize>>,
    /// For each goal the joints of its chain, parents first.
    pub chains: Vec<Vec<JointId>>,
    /// The frames over which a change fades; `None` if it extends to both ends.
    pub fade: Option<usize>,
    /// The freedom of each joint; `None` for joints outside all chains.
    freedoms: Vec<Option<JointFreedom>>,
}

/// The axes about which a joint rotates in the capture, and its limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointFreedom {
    axes: Axes,
    pub bounds: Option<RotationBounds>,
}

/// Rotation axes of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Axes {
    None,
    One(Vec3),
    All,
}

impl<'a> Problem<'a> {
    pub fn new(motion: &'a Motion, goals: &'a [Goal], settings: &'a Settings) -> Result<Self, ReachError> {
        let skeleton = &motion.skeleton;
        let first_goal = goals.iter().map(|goal| goal.frame).min().unwrap_or(usize::MAX);
        let first_frame = settings.first_frame.min(first_goal).min(motion.frames());
        let chains: Vec<Vec<JointId>> = (goals.iter().enumerate())
            .map(|(n, goal)| chain(skeleton, n, goal, settings))
            .collect::<Result<_, _>>()?;
        let carries_body = |&joint: &JointId| settings.carries_body(skeleton, joint);
        let moves_body = settings.moves_root || chains.iter().flatten().any(carries_body);
        let fade = settings.fade_seconds(moves_body).map(|seconds| fade_frames(seconds, motion.fps));
        let mut freedoms = vec![None; skeleton.len()];
        for &joint in chains.iter().flatten() {
            let bounds = || RotationBounds::of(motion, joint, &settings.limits, first_frame);
            freedoms[joint.index()].get_or_insert_with(|| JointFreedom {
                axes: axes(motion, joint, first_frame),
                bounds: bounds(),
            });
        }
        let mut frames: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (n, goal) in goals.iter().enumerate() {
            frames.entry(goal.frame).or_default().push(n);
        }
        Ok(Self { motion, goals, settings, first_frame, frames, chains, fade, freedoms })
    }

    /// The keyframes with their goals, in runs of which each keyframe is at most one knot spacing after the one before
    /// and has as many goals.
    pub fn runs(&self) -> Vec<Vec<(usize, &[usize])>> {
        let most = stride(self.settings, self.motion.fps);
        let mut runs: Vec<Vec<(usize, &[usize])>> = Vec::new();
        for (&frame, goals) in &self.frames {
            let continues = |&(last, others): &(usize, &[usize])| {
                frame - last <= most
                    && others.len() == goals.len()
                    && others.iter().zip(goals).all(|(&a, &b)| self.goals[a].point == self.goals[b].point)
            };
            match runs.last_mut().filter(|run| run.last().is_some_and(continues)) {
                Some(run) => run.push((frame, goals)),
                None => runs.push(vec![(frame, goals)]),
            }
        }
        runs
    }

    /// The joints of all chains and their freedoms, parents first.
    pub fn chain_joints(&self) -> impl Iterator<Item = (JointId, &JointFreedom)> {
        let ids = self.motion.skeleton.ids();
        ids.filter_map(|joint| Some((joint, self.freedoms[joint.index()].as_ref()?)))
    }

    /// Whether a joint is an ancestor of the point of one of these goals, or of the joint to which it
    /// is relative.
    pub fn is_ancestor_of_goal(&self, joint: JointId, goals: &[usize]) -> bool {
        let skeleton = &self.motion.skeleton;
        goals.iter().any(|&n| {
            let ends = [Some(self.goals[n].point.joint), self.goals[n].relative_to()];
            ends.into_iter().flatten().any(|end| is_below(skeleton, end, joint))
        })
    }

    /// Whether a joint keeps its captured rotation at a frame.
    fn is_held(&self, joint: JointId, frame: usize) -> bool {
        self.settings.held.iter().any(|held| held.joint == joint && held.frames.contains(&frame))
    }

    /// The frames in which a joint keeps its captured rotation.
    pub fn held_frames(&self, joint: JointId) -> impl Iterator<Item = usize> {
        let frames = self.motion.frames();
        let of_joint = self.settings.held.iter().filter(move |held| held.joint == joint);
        of_joint.flat_map(move |held| held.frames.start..held.frames.end.min(frames))
    }

    /// The variables of one keyframe with these goals.
    pub fn variables(&self, frame: usize, goals: &[usize], freedom: Freedom) -> Variables {
        let mut joints: Vec<JointId> = goals.iter().flat_map(|&n| self.chains[n].iter().copied()).collect();
        joints.sort_unstable();
        joints.dedup();
        joints.retain(|&joint| !self.is_held(joint, frame));
        let axes = |joint: JointId| self.freedoms[joint.index()].map_or(Axes::All, |freedom| freedom.axes);
        // In a capture where no joint of the chain rotates, all of them are free.
        let all = freedom == Freedom::All || joints.iter().all(|&joint| axes(joint) == Axes::None);
        let mut variables = Variables::default();
        if self.settings.moves_root {
            let mut roots: Vec<JointId> =
                goals.iter().map(|&n| root(&self.motion.skeleton, self.goals[n].point.joint)).collect();
            roots.sort_unstable();
            roots.dedup();
            roots.into_iter().for_each(|root| variables.push(root, Kind::Translation, &[0.0; 3], None));
        }
        for joint in joints {
            let axes = if all { Axes::All } else { axes(joint) };
            let bounds = self.freedoms[joint.index()].and_then(|freedom| freedom.bounds);
            let captured = self.motion.poses[frame].rotations[joint.index()];
            variables.push_joint(joint, axes, bounds, captured);
        }
        variables
    }
}

/// The variables of one keyframe: one to three per joint.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    pub blocks: Vec<Block>,
    /// Captured values.
    pub captured: Vec<f64>,
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
}

/// The variables of one joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub joint: JointId,
    pub kind: Kind,
    /// Index of the first variable.
    pub at: usize,
}

/// The effect of the variables of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Three variables: a rotation vector relative to this rotation.
    Rotation(Quat),
    /// One variable: an angle about this axis, relative to this rotation.
    Hinge(Quat, Vec3),
    /// Three variables: a displacement from the captured position.
    Translation,
}

impl Variables {
    pub fn len(&self) -> usize {
        self.captured.len()
    }

    /// The variables of a captured pose with changes, such as those of the previous keyframe.
    pub fn with_changes(&self, changes: &[(JointId, Change)], captured: &Pose) -> Vec<f64> {
        let mut x = self.captured.clone();
        for block in &self.blocks {
            let of_joint = changes.iter().filter(|change| change.0 == block.joint).map(|change| change.1);
            for change in of_joint {
                match (block.kind, change) {
                    (Kind::Rotation(from), Change::Rotation(v)) => {
                        let rotation = captured.rotations[block.joint.index()] * exp(v);
                        let near = Vec3::from_slice(&self.captured[block.at..block.at + 3]);
                        let v = log_near(from.conjugate() * rotation, near);
                        x[block.at..block.at + 3].copy_from_slice(&v.to_array());
                    }
                    (Kind::Hinge(_, axis), Change::Rotation(v)) => x[block.at] = axis.dot(v),
                    (Kind::Translation, Change::Translation(v)) => {
                        x[block.at..block.at + 3].copy_from_slice(&v.to_array());
                    }
                    _ => {}
                }
            }
        }
        x
    }

    fn push_joint(&mut self, joint: JointId, axes: Axes, bounds: Option<RotationBounds>, captured: Quat) {
        match (axes, bounds) {
            (Axes::None, _) => {}
            (Axes::One(axis), None) => self.push(joint, Kind::Hinge(captured, axis), &[0.0], None),
            (_, None) => self.push(joint, Kind::Rotation(captured), &[0.0; 3], None),
            (_, Some(RotationBounds { from, lower, upper })) => {
                let start = log(from.conjugate() * captured).to_array();
                let bounds = Some((lower.to_array(), upper.to_array()));
                self.push(joint, Kind::Rotation(from), &start, bounds);
            }
        }
    }

    fn push(&mut self, joint: JointId, kind: Kind, captured: &[f64], bounds: Option<([f64; 3], [f64; 3])>) {
        self.blocks.push(Block { joint, kind, at: self.captured.len() });
        self.captured.extend(captured);
        let (lower, upper) = bounds.unwrap_or(([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]));
        self.lower.extend(&lower[..captured.len()]);
        self.upper.extend(&upper[..captured.len()]);
    }
}

fn chain(
    skeleton: &Skeleton,
    n: usize,
    goal: &Goal,
    settings: &Settings,
) -> Result<Vec<JointId>, ReachError> {
    let from = goal.chain_from.or(settings.chain_from);
    let ends: Vec<JointId> = [Some(goal.point.joint), goal.relative_to()].into_iter().flatten().collect();
    if let Some(from) = from
        && !ends.iter().any(|&end| is_below(skeleton, end, from))
    {
        return Err(ReachError::NotBelow {
            goal: n,
            joint: skeleton.joint(goal.point.joint).name.clone(),
            chain_from: skeleton.joint(from).name.clone(),
        });
    }
    let may_rotate = |joint: JointId| match from {
        Some(from) => is_below(skeleton, joint, from),
        None => !settings.carries_body(skeleton, joint),
    };
    let mut chain: Vec<JointId> = Vec::new();
    for end in ends {
        chain.extend(ancestors(skeleton, end).filter(|&joint| may_rotate(joint)));
    }
    chain.sort_unstable();
    chain.dedup();
    Ok(chain)
}

/// A joint and its ancestors up to the root.
pub(super) fn ancestors(skeleton: &Skeleton, joint: JointId) -> impl Iterator<Item = JointId> {
    core::iter::successors(Some(joint), |&joint| skeleton.parent(joint))
}

fn root(skeleton: &Skeleton, joint: JointId) -> JointId {
    ancestors(skeleton, joint).last().unwrap_or(joint)
}

/// Whether `joint` is `other` or one of its descendants.
pub fn is_below(skeleton: &Skeleton, joint: JointId, other: JointId) -> bool {
    ancestors(skeleton, joint).any(|joint| joint == other)
}

/// Classifies the rotation axes of a joint from at most [`MAX_SAMPLES`] frames.
fn axes(motion: &Motion, joint: JointId, first_frame: usize) -> Axes {
    let step = (motion.frames() / MAX_SAMPLES).max(1);
    let poses = motion.poses.iter().skip(first_frame).step_by(step);
    let rotations = poses.map(|pose| pose.rotations[joint.index()]);
    let angles = rotation_vectors_of(rotations.clone(), mean_rotation_of(rotations));
    let farthest = angles.iter().copied().reduce(|a, b| if b.length() > a.length() { b } else { a });
    let farthest = farthest.unwrap_or_default();
    if farthest.length() < MIN_ROTATION {
        return Axes::None;
    }
    let axis = farthest.normalize();
    let off = |angle: &Vec3| (*angle - axis * axis.dot(*angle)).length();
    if angles.iter().all(|angle| off(angle) < MIN_ROTATION) { Axes::One(axis) } else { Axes::All }
}
