//! Which joints may turn for a goal, and about which axes?
//!
//! All on the way from the chain's first joint to the goal's point, and to the joint that it is
//! relative to. The root stays unless it is named as the first: turning it would clip the feet of
//! a standing body along.
//!
//! What a capture never does is left alone where it can be: joints that never turn are braces of
//! the skeleton, and joints that turn about one axis are elbows and knees.

use super::goals::{Goal, ReachError};
use super::limits::Room;
use super::settings::{Freedom, Settings};
use super::turns::{angles_of, log, mean_of};
use std::collections::BTreeMap;
use surefoot_core::{JointId, Motion, Quat, Skeleton, Vec3};

/// A joint that turns off its axis by no more than this in the whole capture is a hinge; one that
/// turns by no more in all is a brace. In radians: the tenth part of a degree is not seen.
const UNSEEN: f64 = 2e-3;

/// So many frames are looked at to find out how a joint turns.
const LOOKED_AT: usize = 1000;

/// All that is known before any keyframe is solved.
pub(super) struct Scene<'a> {
    pub motion: &'a Motion,
    pub goals: &'a [Goal],
    pub settings: &'a Settings,
    /// The first frame that may change.
    pub first_frame: usize,
    /// The frames that have goals, and which.
    pub frames: BTreeMap<usize, Vec<usize>>,
    /// For each goal, the joints that may turn for it, parents first.
    pub chains: Vec<Vec<JointId>>,
    /// For each joint, how it turns in the capture; `None` for joints of no chain.
    known: Vec<Option<Known>>,
}

/// How a joint turns in the capture, and how far it may.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    axes: Axes,
    pub room: Option<Room>,
}

/// About which axes a joint turns.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Axes {
    None,
    One(Vec3),
    All,
}

impl<'a> Scene<'a> {
    pub fn new(motion: &'a Motion, goals: &'a [Goal], settings: &'a Settings) -> Result<Self, ReachError> {
        let skeleton = &motion.skeleton;
        let first_goal = goals.iter().map(|goal| goal.frame).min().unwrap_or(usize::MAX);
        let first_frame = settings.first_frame.min(first_goal).min(motion.frames());
        let chains: Vec<Vec<JointId>> = (goals.iter().enumerate())
            .map(|(n, goal)| chain(skeleton, n, goal, settings))
            .collect::<Result<_, _>>()?;
        let mut known = vec![None; skeleton.len()];
        for &joint in chains.iter().flatten() {
            let room = || Room::of(motion, joint, &settings.limits, first_frame);
            known[joint.index()]
                .get_or_insert_with(|| Known { axes: axes(motion, joint, first_frame), room: room() });
        }
        let mut frames: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (n, goal) in goals.iter().enumerate() {
            frames.entry(goal.frame).or_default().push(n);
        }
        Ok(Self { motion, goals, settings, first_frame, frames, chains, known })
    }

    /// The joints that some goal may turn, parents first.
    pub fn turning(&self) -> impl Iterator<Item = (JointId, &Known)> {
        let ids = self.motion.skeleton.ids();
        ids.filter_map(|joint| Some((joint, self.known[joint.index()].as_ref()?)))
    }

    /// Whether a joint carries the point of some goal at this frame, or what that is relative to.
    pub fn carries(&self, joint: JointId, goals: &[usize]) -> bool {
        let skeleton = &self.motion.skeleton;
        goals.iter().any(|&n| {
            let ends = [Some(self.goals[n].point.joint), self.goals[n].relative_to()];
            ends.into_iter().flatten().any(|end| is_below(skeleton, end, joint))
        })
    }

    /// The numbers that may change at one frame for these goals.
    pub fn variables(&self, frame: usize, goals: &[usize], freedom: Freedom) -> Variables {
        let mut joints: Vec<JointId> = goals.iter().flat_map(|&n| self.chains[n].iter().copied()).collect();
        joints.sort_unstable();
        joints.dedup();
        let axes = |joint: JointId| self.known[joint.index()].map_or(Axes::All, |known| known.axes);
        // Where nothing ever turns, nothing is learnt from that.
        let all = freedom == Freedom::All || joints.iter().all(|&joint| axes(joint) == Axes::None);
        let mut variables = Variables::default();
        if self.settings.moves_root {
            let mut roots: Vec<JointId> =
                goals.iter().map(|&n| root(&self.motion.skeleton, self.goals[n].point.joint)).collect();
            roots.sort_unstable();
            roots.dedup();
            roots.into_iter().for_each(|root| variables.push(root, Kind::Move, &[0.0; 3], None));
        }
        for joint in joints {
            let axes = if all { Axes::All } else { axes(joint) };
            let room = self.known[joint.index()].and_then(|known| known.room);
            let captured = self.motion.poses[frame].rotations[joint.index()];
            variables.push_joint(joint, axes, room, captured);
        }
        variables
    }
}

/// The numbers that may change at one keyframe: from one to three for each joint.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    pub blocks: Vec<Block>,
    /// What each is in the capture.
    pub captured: Vec<f64>,
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
}

/// The numbers of one joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub joint: JointId,
    pub kind: Kind,
    /// The place of its first number.
    pub at: usize,
}

/// What numbers do to a joint.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Three: a rotation vector from this turn.
    Turn(Quat),
    /// One: an angle about this axis, after the captured turn.
    Hinge(Quat, Vec3),
    /// Three: a way from the captured place.
    Move,
}

impl Variables {
    pub fn len(&self) -> usize {
        self.captured.len()
    }

    fn push_joint(&mut self, joint: JointId, axes: Axes, room: Option<Room>, captured: Quat) {
        match (axes, room) {
            (Axes::None, _) => {}
            (Axes::One(axis), None) => self.push(joint, Kind::Hinge(captured, axis), &[0.0], None),
            (_, None) => self.push(joint, Kind::Turn(captured), &[0.0; 3], None),
            (_, Some(room)) => {
                let start = log(room.from.conjugate() * captured).to_array();
                let bounds = Some((room.lower.to_array(), room.upper.to_array()));
                self.push(joint, Kind::Turn(room.from), &start, bounds);
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
    let may_turn = |joint: JointId| match from {
        Some(from) => is_below(skeleton, joint, from),
        None => skeleton.parent(joint).is_some(),
    };
    let mut chain: Vec<JointId> = Vec::new();
    for end in ends {
        chain.extend(up(skeleton, end).filter(|&joint| may_turn(joint)));
    }
    chain.sort_unstable();
    chain.dedup();
    Ok(chain)
}

/// A joint, the one it hangs from, and so on up to its root.
pub(super) fn up(skeleton: &Skeleton, joint: JointId) -> impl Iterator<Item = JointId> {
    core::iter::successors(Some(joint), |&joint| skeleton.parent(joint))
}

fn root(skeleton: &Skeleton, joint: JointId) -> JointId {
    up(skeleton, joint).last().unwrap_or(joint)
}

/// Whether `joint` is `other` or hangs from it.
pub fn is_below(skeleton: &Skeleton, joint: JointId, other: JointId) -> bool {
    up(skeleton, joint).any(|joint| joint == other)
}

/// About which axes a joint turns in a capture, as far as a thousand frames tell.
fn axes(motion: &Motion, joint: JointId, first_frame: usize) -> Axes {
    let step = (motion.frames() / LOOKED_AT).max(1);
    let poses = motion.poses.iter().skip(first_frame).step_by(step);
    let turns = poses.map(|pose| pose.rotations[joint.index()]);
    let angles = angles_of(turns.clone(), mean_of(turns));
    let farthest = angles.iter().copied().reduce(|a, b| if b.length() > a.length() { b } else { a });
    let farthest = farthest.unwrap_or_default();
    if farthest.length() < UNSEEN {
        return Axes::None;
    }
    let axis = farthest.normalize();
    let off = |angle: &Vec3| (*angle - axis * axis.dot(*angle)).length();
    if angles.iter().all(|angle| off(angle) < UNSEEN) { Axes::One(axis) } else { Axes::All }
}
