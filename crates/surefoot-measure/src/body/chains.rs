//! Which joints are the trunk and which are arms, from the lengths of the bones alone.
//!
//! Names differ between programs and languages, and a rest pose can be anything. But a body is symmetric: two chains
//! of equal length from the same joint are arms, and the longest chain that has no partner is the spine with the head.

use surefoot_core::{JointId, JointPoint, Leg, Skeleton, Vec3};

/// Shortest arm, as a fraction of the length of a leg. Fingers, eyes and breasts are shorter.
const SHORTEST_ARM: f64 = 0.4;
/// Largest difference of two arms, as a fraction of their length. Captured skeletons are not quite symmetric.
const UNEQUAL: f64 = 0.15;
/// Shortest chain that is drawn besides trunk and arms, as a fraction of the length of a leg: tails and wings.
const SHORTEST_EXTRA: f64 = 0.4;

/// The chains of a body above its legs. Each lists points from the trunk outwards.
pub(super) struct Chains {
    /// From the pelvis to the end of the head.
    pub trunk: Vec<JointPoint>,
    /// The index in `trunk` of the joint from which the arms start; the end of the trunk without arms.
    pub chest: usize,
    /// From the chest to the ends of the arms.
    pub arms: Vec<Vec<JointPoint>>,
    /// Other long chains, as tails.
    pub extra: Vec<Vec<JointPoint>>,
}

struct Tree<'a> {
    skeleton: &'a Skeleton,
    /// The children of each joint that are not part of a leg.
    children: Vec<Vec<JointId>>,
    /// The length of the longest chain from the parent of each joint through the joint, in metres.
    reach: Vec<f64>,
}

/// Finds the chains of a body. `leg_length` is in metres.
pub(super) fn chains(skeleton: &Skeleton, legs: &[Leg], pelvis: JointId, leg_length: f64) -> Chains {
    let tree = Tree::new(skeleton, legs);
    let mut found = Chains { trunk: vec![on_joint(pelvis)], chest: 0, arms: Vec::new(), extra: Vec::new() };
    let (mut joint, mut came_from) = tree.trunk_start(pelvis, SHORTEST_ARM * leg_length);
    loop {
        let mut children = tree.children[joint.index()].clone();
        let pelvis_side = came_from.take();
        children.retain(|&child| Some(child) != pelvis_side);
        let arms = tree.pair(&children, SHORTEST_ARM * leg_length);
        if found.arms.is_empty() && !arms.is_empty() {
            found.chest = found.trunk.len() - 1;
            found.arms = arms.iter().map(|&arm| tree.longest_chain(joint, arm)).collect();
        }
        let mut rest: Vec<JointId> = children.iter().copied().filter(|child| !arms.contains(child)).collect();
        rest.sort_by(|a, b| tree.reach[b.index()].total_cmp(&tree.reach[a.index()]));
        let Some((&next, others)) = rest.split_first() else { break };
        let is_long = |child: &&JointId| tree.reach[child.index()] > SHORTEST_EXTRA * leg_length;
        found.extra.extend(others.iter().filter(is_long).map(|&child| tree.longest_chain(joint, child)));
        found.trunk.push(on_joint(next));
        joint = next;
    }
    found.trunk.extend(tree.end(joint));
    if found.arms.is_empty() {
        found.chest = found.trunk.len() - 1;
    }
    found
}

impl<'a> Tree<'a> {
    fn new(skeleton: &'a Skeleton, legs: &[Leg]) -> Self {
        let mut children = vec![Vec::new(); skeleton.len()];
        let mut reach = vec![0.0_f64; skeleton.len()];
        // Children come after their parents, so that each reach is complete when its parent uses it.
        for joint in skeleton.ids().rev() {
            let here = skeleton.joint(joint);
            let end = here.end.map_or(0.0, |end| end.length());
            reach[joint.index()] = reach[joint.index()].max(end) + here.offset.length();
            let Some(parent) = here.parent.filter(|_| legs.iter().all(|leg| leg.hip != joint)) else {
                continue;
            };
            children[parent.index()].push(joint);
            reach[parent.index()] = reach[parent.index()].max(reach[joint.index()]);
        }
        Self { skeleton, children, reach }
    }

    /// The joint from which the trunk starts, and the child of that joint which leads to the pelvis.
    ///
    /// In some skeletons legs and trunk start from different children of one joint.
    fn trunk_start(&self, pelvis: JointId, shortest: f64) -> (JointId, Option<JointId>) {
        let (mut joint, mut came_from) = (pelvis, None);
        loop {
            let others = self.children[joint.index()].iter().filter(|&&child| Some(child) != came_from);
            if others.map(|child| self.reach[child.index()]).any(|reach| reach > shortest) {
                return (joint, came_from);
            }
            match self.skeleton.parent(joint) {
                Some(parent) => (joint, came_from) = (parent, Some(joint)),
                None => return (pelvis, None),
            }
        }
    }

    /// The two longest children, if they are as long as an arm and nearly equal.
    fn pair(&self, children: &[JointId], shortest: f64) -> Vec<JointId> {
        let mut sorted = children.to_vec();
        sorted.sort_by(|a, b| self.reach[b.index()].total_cmp(&self.reach[a.index()]));
        let pairs = sorted.windows(2).map(|pair| [pair[0], pair[1]]);
        let is_pair = |[a, b]: &[JointId; 2]| {
            let (longer, shorter) = (self.reach[a.index()], self.reach[b.index()]);
            shorter > shortest && longer - shorter < UNEQUAL * longer
        };
        pairs.into_iter().find(is_pair).map_or_else(Vec::new, |pair| pair.to_vec())
    }

    /// The points of the longest chain from a joint through one of its children.
    fn longest_chain(&self, from: JointId, child: JointId) -> Vec<JointPoint> {
        let longest = |joint: &JointId| {
            let children = self.children[joint.index()].iter().copied();
            children.max_by(|a, b| self.reach[a.index()].total_cmp(&self.reach[b.index()]))
        };
        let joints: Vec<JointId> = core::iter::successors(Some(child), longest).collect();
        let end = joints.last().and_then(|&last| self.end(last));
        core::iter::once(from).chain(joints).map(on_joint).chain(end).collect()
    }

    /// The end of the bone of a joint without children.
    fn end(&self, joint: JointId) -> Option<JointPoint> {
        let offset = self.skeleton.joint(joint).end.filter(|end| *end != Vec3::ZERO)?;
        Some(JointPoint { joint, offset })
    }
}

fn on_joint(joint: JointId) -> JointPoint {
    JointPoint { joint, offset: Vec3::ZERO }
}
