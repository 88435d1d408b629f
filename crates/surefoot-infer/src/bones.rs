//! How long is every bone, where does each chain of bones lead, and which ones come in pairs?
//!
//! Works on lengths alone, so it does not matter how the file draws its rest pose. From every
//! joint a *main path* leads down to the farthest end below it: through knee and foot to the toes,
//! past twist bones and heels. Two children of one joint whose main paths are alike are a pair.

use crate::sight::Sight;
use surefoot_core::math::Quat;
use surefoot_core::{JointId, Skeleton};

/// How unlike the lengths of the two main paths of a pair may be, as a ratio.
///
/// Marker errors make legs of one body differ by 5 %; a heel or toe joint on one side only by
/// another 15 %.
const ALIKE: f64 = 1.3;

/// How much a bone may change its length in the motion, as a fraction, and still be one.
///
/// Stretchy rigs reach 10 %. A joint that travels (`Hips` below `Reference`) changes by much more.
const STRETCH: f64 = 0.25;

/// How much it may change at least, in long bones of the body. Short bones of soft captures change
/// by a third of their length and are still bones.
const TRAVEL: f64 = 0.3;

/// Joints of a main path that are looked at; no leg has more.
const LONGEST_PATH: usize = 24;

/// Children of one joint that are compared with each of their likes.
///
/// A star of ten thousand joints has fifty million pairs; each is compared with the few nearest
/// in length.
const COMPARED: usize = 6;

/// Bones shorter than this fraction of their chain join two names for one joint.
const NO_LENGTH: f64 = 0.012;

/// Lengths and paths of a skeleton.
pub(crate) struct Bones {
    pub children: Vec<Vec<JointId>>,
    /// From the parent to each joint, in the file's unit, as it mostly is in the motion.
    pub length: Vec<f64>,
    /// From each joint to the end of its own bone, 0 where the file gives none.
    pub end: Vec<f64>,
    /// Whether the joint travels in its parent instead of being held by a bone.
    pub is_loose: Vec<bool>,
    /// From each joint to the farthest end below it.
    pub reach: Vec<f64>,
    /// The child on the way to that end; `None` where the bone itself ends there.
    pub main: Vec<Option<JointId>>,
    /// Ends below each joint.
    pub ends: Vec<usize>,
    /// How much each joint turns in the motion, from 0 to 1.
    pub activity: Vec<f64>,
}

impl Bones {
    /// Measures every bone.
    pub(crate) fn new(sight: &Sight) -> Self {
        let skeleton = sight.skeleton;
        let mut children = vec![Vec::new(); skeleton.len()];
        for id in skeleton.ids() {
            if let Some(parent) = skeleton.parent(id) {
                children[parent.index()].push(id);
            }
        }
        let (length, is_loose) = lengths(sight);
        let end = skeleton
            .joints()
            .iter()
            .map(|joint| joint.end.map_or(0.0, |end| end.length()))
            .map(|length| if length.is_finite() { length } else { 0.0 })
            .collect();
        let mut bones = Self {
            reach: vec![0.0; skeleton.len()],
            main: vec![None; skeleton.len()],
            ends: vec![0; skeleton.len()],
            activity: activity(sight),
            children,
            length,
            end,
            is_loose,
        };
        bones.follow(skeleton);
        bones
    }

    /// Finds each joint's main path, from the ends upward.
    fn follow(&mut self, skeleton: &Skeleton) {
        for id in skeleton.ids().rev() {
            let at = id.index();
            self.ends[at] = self.ends[at].max(1);
            if self.end[at] > self.reach[at] {
                self.reach[at] = self.end[at];
                self.main[at] = None;
            }
            let Some(parent) = skeleton.parent(id).map(JointId::index) else {
                continue;
            };
            self.ends[parent] += self.ends[at];
            let through = self.length[at] + self.reach[at];
            // `>=`: of children that reach equally far, the first in the file.
            if !self.is_loose[at] && through >= self.reach[parent] {
                self.reach[parent] = through;
                self.main[parent] = Some(id);
            }
        }
    }

    /// The root of the body that a joint belongs to: the joint above it that hangs from nothing, or
    /// that travels by itself.
    pub(crate) fn body_of(&self, joint: JointId, skeleton: &Skeleton) -> JointId {
        let above = |&joint: &JointId| {
            let held = !self.is_loose[joint.index()];
            skeleton.parent(joint).filter(|_| held)
        };
        core::iter::successors(Some(joint), above).last().unwrap_or(joint)
    }

    /// The main path that starts with `first`.
    pub(crate) fn path(&self, first: JointId) -> Vec<JointId> {
        core::iter::successors(Some(first), |joint| self.main[joint.index()]).take(LONGEST_PATH).collect()
    }
}

/// Each bone's length as it mostly is in the motion, and whether its joint is loose.
fn lengths(sight: &Sight) -> (Vec<f64>, Vec<bool>) {
    let poses: Vec<_> = (sight.spread(LENGTH_LOOKS).into_iter()).map(|at| sight.pose(at)).collect();
    let mut found = Vec::with_capacity(poses.len());
    let measure = |id: JointId| {
        if sight.skeleton.parent(id).is_none() {
            return (0.0, [0.0; 2]);
        }
        found.clear();
        found.extend(poses.iter().map(|pose| pose.offsets[id.index()].length()));
        found.sort_by(f64::total_cmp);
        match (found.first(), found.last()) {
            (Some(&least), Some(&most)) => (found[found.len() / 2], [least, most]),
            _ => (rest_length(sight, id), [0.0; 2]),
        }
    };
    let (lengths, ranges): (Vec<f64>, Vec<[f64; 2]>) = sight.skeleton.ids().map(measure).unzip();
    let mut sorted = lengths.clone();
    sorted.sort_by(f64::total_cmp);
    let long = sorted.get(sorted.len() * 4 / 5).copied().unwrap_or(0.0);
    let is_loose = |[least, most]: [f64; 2]| most - least > (STRETCH * most).max(TRAVEL * long);
    (lengths, ranges.into_iter().map(is_loose).collect())
}

/// Poses in which each bone is measured.
const LENGTH_LOOKS: usize = 15;

fn rest_length(sight: &Sight, id: JointId) -> f64 {
    let parent = sight.skeleton.parent(id).unwrap_or(id);
    sight.rest.joint(id).distance(sight.rest.joint(parent))
}

/// How much each joint turns about its mean, from 0 to 1: the mean of the half angle's sine.
fn activity(sight: &Sight) -> Vec<f64> {
    let poses: Vec<_> = (sight.spread(ACTIVITY_LOOKS).into_iter()).map(|at| sight.pose(at)).collect();
    let of = |id: JointId| {
        let turns = || poses.iter().map(|pose| pose.rotations[id.index()]);
        let Some(first) = turns().next() else {
            return 0.0;
        };
        let sum = turns().fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, turn| {
            sum + if turn.dot(first) < 0.0 { -turn } else { turn }
        });
        let mean = if sum.length_squared() > 1e-12 { sum.normalize() } else { first };
        let away = |turn: Quat| (1.0 - turn.dot(mean) * turn.dot(mean)).max(0.0).sqrt();
        turns().map(away).sum::<f64>() / poses.len() as f64
    };
    sight.skeleton.ids().map(of).collect()
}

/// Poses in which each joint's turning is measured.
const ACTIVITY_LOOKS: usize = 40;

/// One place along a path: joints that coincide.
pub(crate) struct Knot {
    pub joints: Vec<JointId>,
    /// How far along the path from where it branches off.
    pub along: f64,
}

/// A main path from where it branches off, with coinciding joints taken together.
pub(crate) struct Chain {
    /// The joint it branches off from.
    pub from: JointId,
    pub knots: Vec<Knot>,
    /// The length of the whole path, end site included.
    pub total: f64,
}

impl Chain {
    /// The chain that starts with `first`, a child of `from`.
    pub(crate) fn new(bones: &Bones, from: JointId, first: JointId) -> Self {
        let total = bones.length[first.index()] + bones.reach[first.index()];
        let mut chain = Self { from, knots: Vec::new(), total };
        let mut along = 0.0;
        for joint in bones.path(first) {
            let length = bones.length[joint.index()];
            along += length;
            match chain.knots.last_mut() {
                Some(knot) if length <= NO_LENGTH * total => knot.joints.push(joint),
                _ => chain.knots.push(Knot { joints: vec![joint], along }),
            }
        }
        chain
    }

    /// Its first joint.
    pub(crate) fn first(&self) -> JointId {
        self.knots[0].joints[0]
    }
}

/// Two chains that branch off from one joint and are alike in length.
pub(crate) struct Pair {
    pub chains: [Chain; 2],
}

/// Every pair of chains, longest first: those with at least three places for hip, knee and ankle,
/// and those with fewer, which cannot be legs and are only told of.
pub(crate) fn pairs(bones: &Bones, skeleton: &Skeleton) -> (Vec<Pair>, Vec<Pair>) {
    let mut pairs = Vec::new();
    for from in skeleton.ids() {
        let mut branches: Vec<JointId> = (bones.children[from.index()].iter().copied())
            .filter(|child| bones.reach[child.index()] > 0.0 && !bones.is_loose[child.index()])
            .collect();
        if branches.len() < 2 {
            continue;
        }
        let total = |child: &JointId| bones.length[child.index()] + bones.reach[child.index()];
        branches.sort_by(|a, b| total(b).total_cmp(&total(a)).then(a.cmp(b)));
        for (at, &one) in branches.iter().enumerate() {
            for &other in branches[at + 1..].iter().take(COMPARED) {
                if total(&one) <= ALIKE * total(&other) {
                    pairs.push((total(&one), from, one.min(other), one.max(other)));
                }
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2, a.3).cmp(&(b.1, b.2, b.3))));
    let (mut long, mut short) = (Vec::new(), Vec::new());
    for (_, from, one, other) in pairs {
        let pair = Pair { chains: [one, other].map(|first| Chain::new(bones, from, first)) };
        let is_long = pair.chains.iter().all(|chain| chain.knots.len() >= 3);
        let kept = if is_long { &mut long } else { &mut short };
        if kept.len() < MOST_PAIRS {
            kept.push(pair);
        }
    }
    (long, short)
}

/// Pairs that are weighed, at most; a body has a dozen, most of them fingers.
const MOST_PAIRS: usize = 40;
