//! Measures bones and finds pairs of similar chains, which may be legs or arms.
//!
//! Only lengths are used, so the rest pose of the file does not matter. From every joint a *main
//! path* leads down to the farthest end below it: through knee and foot to the toes, past twist
//! bones and heels. Two children of one joint with main paths of similar length are a pair.

use crate::pose_samples::PoseSamples;
use surefoot_core::math::Quat;
use surefoot_core::{JointId, Skeleton};

/// Largest ratio of the lengths of a pair's main paths.
///
/// Marker errors make the legs of a body differ by 5 %; a heel or toe joint on one side only adds
/// another 15 %.
const LARGEST_RATIO: f64 = 1.3;

/// Largest change of a bone's length over the motion, as a fraction.
///
/// Stretchy rigs reach 10 %. A joint that travels in its parent (`Hips` below `Reference`) changes
/// by much more and counts as detached.
const STRETCH: f64 = 0.25;

/// Change of length that is always accepted, as a fraction of a long bone of the body. Short bones
/// of soft captures change by a third of their own length.
const SMALL_CHANGE: f64 = 0.3;

/// Most joints of a main path; no leg has more.
const LONGEST_PATH: usize = 24;

/// Siblings that each branch is compared with, the nearest in length. Bounds the time for a star of
/// ten thousand joints, which has fifty million pairs.
const COMPARED: usize = 6;

/// Bones shorter than this fraction of their chain are ignored: their joints coincide.
const COINCIDENT: f64 = 0.012;

/// Lengths and main paths of a skeleton, each list with one entry per joint.
pub(crate) struct Bones {
    pub children: Vec<Vec<JointId>>,
    /// Median distance from the parent, in units of the file.
    pub length: Vec<f64>,
    /// Length of the end site, 0 where the file has none.
    pub end: Vec<f64>,
    /// Whether the joint travels in its parent instead of being held by a bone.
    pub is_detached: Vec<bool>,
    /// Distance along the bones to the farthest end below.
    pub reach: Vec<f64>,
    /// The next joint of the main path; `None` at its end.
    pub main_child: Vec<Option<JointId>>,
    /// Number of ends below.
    pub ends: Vec<usize>,
    /// How much the joint rotates in the motion, from 0 to 1.
    pub activity: Vec<f64>,
}

impl Bones {
    /// Measures every bone.
    pub(crate) fn new(samples: &PoseSamples) -> Self {
        let skeleton = samples.skeleton;
        let mut children = vec![Vec::new(); skeleton.len()];
        for id in skeleton.ids() {
            if let Some(parent) = skeleton.parent(id) {
                children[parent.index()].push(id);
            }
        }
        let (length, is_detached) = lengths(samples);
        let end = skeleton
            .joints()
            .iter()
            .map(|joint| joint.end.map_or(0.0, |end| end.length()))
            .map(|length| if length.is_finite() { length } else { 0.0 })
            .collect();
        let mut bones = Self {
            reach: vec![0.0; skeleton.len()],
            main_child: vec![None; skeleton.len()],
            ends: vec![0; skeleton.len()],
            activity: activity(samples),
            children,
            length,
            end,
            is_detached,
        };
        bones.find_main_paths(skeleton);
        bones
    }

    /// Finds the main paths, from the ends upward.
    fn find_main_paths(&mut self, skeleton: &Skeleton) {
        for id in skeleton.ids().rev() {
            let at = id.index();
            self.ends[at] = self.ends[at].max(1);
            if self.end[at] > self.reach[at] {
                self.reach[at] = self.end[at];
                self.main_child[at] = None;
            }
            let Some(parent) = skeleton.parent(id).map(JointId::index) else {
                continue;
            };
            self.ends[parent] += self.ends[at];
            let through = self.length[at] + self.reach[at];
            // `>=`: of children that reach equally far, the first in the file wins.
            if !self.is_detached[at] && through >= self.reach[parent] {
                self.reach[parent] = through;
                self.main_child[parent] = Some(id);
            }
        }
    }

    /// The root of the body that a joint belongs to: its topmost ancestor up to a detached joint.
    pub(crate) fn body_root(&self, joint: JointId, skeleton: &Skeleton) -> JointId {
        let above = |&joint: &JointId| {
            let held = !self.is_detached[joint.index()];
            skeleton.parent(joint).filter(|_| held)
        };
        core::iter::successors(Some(joint), above).last().unwrap_or(joint)
    }

    /// The main path that starts with `first`.
    pub(crate) fn path(&self, first: JointId) -> Vec<JointId> {
        core::iter::successors(Some(first), |joint| self.main_child[joint.index()])
            .take(LONGEST_PATH)
            .collect()
    }
}

/// The median length of each bone, and whether its joint is detached.
fn lengths(samples: &PoseSamples) -> (Vec<f64>, Vec<bool>) {
    let poses: Vec<_> = (samples.spread(LENGTH_POSES).into_iter()).map(|at| samples.pose(at)).collect();
    let mut found = Vec::with_capacity(poses.len());
    let measure = |id: JointId| {
        if samples.skeleton.parent(id).is_none() {
            return (0.0, [0.0; 2]);
        }
        found.clear();
        found.extend(poses.iter().map(|pose| pose.offsets[id.index()].length()));
        found.sort_by(f64::total_cmp);
        match (found.first(), found.last()) {
            (Some(&least), Some(&most)) => (found[found.len() / 2], [least, most]),
            _ => (rest_length(samples, id), [0.0; 2]),
        }
    };
    let (lengths, ranges): (Vec<f64>, Vec<[f64; 2]>) = samples.skeleton.ids().map(measure).unzip();
    let mut sorted = lengths.clone();
    sorted.sort_by(f64::total_cmp);
    let long = sorted.get(sorted.len() * 4 / 5).copied().unwrap_or(0.0);
    let is_detached = |[least, most]: [f64; 2]| most - least > (STRETCH * most).max(SMALL_CHANGE * long);
    (lengths, ranges.into_iter().map(is_detached).collect())
}

/// Poses in which each bone is measured: a median needs no more.
const LENGTH_POSES: usize = 15;

fn rest_length(samples: &PoseSamples, id: JointId) -> f64 {
    let parent = samples.skeleton.parent(id).unwrap_or(id);
    samples.rest.joint(id).distance(samples.rest.joint(parent))
}

/// How much each joint rotates about its mean rotation: the mean sine of half the angle.
fn activity(samples: &PoseSamples) -> Vec<f64> {
    let poses: Vec<_> = (samples.spread(ACTIVITY_POSES).into_iter()).map(|at| samples.pose(at)).collect();
    let activity = |id: JointId| {
        let rotations = || poses.iter().map(|pose| pose.rotations[id.index()]);
        let Some(first) = rotations().next() else {
            return 0.0;
        };
        let sum = rotations().fold(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, rotation| {
            sum + if rotation.dot(first) < 0.0 { -rotation } else { rotation }
        });
        let mean = if sum.length_squared() > 1e-12 { sum.normalize() } else { first };
        let half_sine = |rotation: Quat| (1.0 - rotation.dot(mean) * rotation.dot(mean)).max(0.0).sqrt();
        rotations().map(half_sine).sum::<f64>() / poses.len() as f64
    };
    samples.skeleton.ids().map(activity).collect()
}

/// Poses in which the rotation of each joint is measured.
const ACTIVITY_POSES: usize = 40;

/// One position along a chain, with all joints that coincide there.
pub(crate) struct Node {
    pub joints: Vec<JointId>,
    /// Distance along the chain from the branch joint.
    pub along: f64,
}

/// A main path below a branch joint, with coinciding joints merged.
pub(crate) struct Chain {
    /// The branch joint, which is not part of the chain.
    pub from: JointId,
    pub nodes: Vec<Node>,
    /// Length of the whole path with its end site.
    pub total: f64,
}

impl Chain {
    /// The chain that starts with `first`, a child of `from`.
    pub(crate) fn new(bones: &Bones, from: JointId, first: JointId) -> Self {
        let total = bones.length[first.index()] + bones.reach[first.index()];
        let mut chain = Self { from, nodes: Vec::new(), total };
        let mut along = 0.0;
        for joint in bones.path(first) {
            let length = bones.length[joint.index()];
            along += length;
            match chain.nodes.last_mut() {
                Some(node) if length <= COINCIDENT * total => node.joints.push(joint),
                _ => chain.nodes.push(Node { joints: vec![joint], along }),
            }
        }
        chain
    }

    /// The first joint.
    pub(crate) fn first(&self) -> JointId {
        self.nodes[0].joints[0]
    }
}

/// Two chains of similar length below the same branch joint.
pub(crate) struct Pair {
    pub chains: [Chain; 2],
}

/// All pairs of chains, longest first: those with at least three nodes, which may be legs, and the
/// shorter ones, which appear only in messages.
pub(crate) fn pairs(bones: &Bones, skeleton: &Skeleton) -> (Vec<Pair>, Vec<Pair>) {
    let mut pairs = Vec::new();
    for from in skeleton.ids() {
        let mut branches: Vec<JointId> = (bones.children[from.index()].iter().copied())
            .filter(|child| bones.reach[child.index()] > 0.0 && !bones.is_detached[child.index()])
            .collect();
        if branches.len() < 2 {
            continue;
        }
        let total = |child: &JointId| bones.length[child.index()] + bones.reach[child.index()];
        branches.sort_by(|a, b| total(b).total_cmp(&total(a)).then(a.cmp(b)));
        for (at, &one) in branches.iter().enumerate() {
            for &other in branches[at + 1..].iter().take(COMPARED) {
                if total(&one) <= LARGEST_RATIO * total(&other) {
                    pairs.push((total(&one), from, one.min(other), one.max(other)));
                }
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2, a.3).cmp(&(b.1, b.2, b.3))));
    let (mut long, mut short) = (Vec::new(), Vec::new());
    for (_, from, one, other) in pairs {
        let pair = Pair { chains: [one, other].map(|first| Chain::new(bones, from, first)) };
        let is_long = pair.chains.iter().all(|chain| chain.nodes.len() >= 3);
        let kept = if is_long { &mut long } else { &mut short };
        if kept.len() < MOST_PAIRS {
            kept.push(pair);
        }
    }
    (long, short)
}

/// Most pairs of each kind; a body has a dozen, most of them fingers.
const MOST_PAIRS: usize = 40;
