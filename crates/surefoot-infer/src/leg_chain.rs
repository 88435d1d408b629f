//! Finds hip, knee and ankle among the joints of a chain; or shoulder, elbow and wrist.
//!
//! Every three nodes of the chain are scored. A high score has a thigh and a shin of similar length
//! that make up most of the chain and stay straight in the motion, little before the hip and a
//! short foot after the ankle, joints that rotate, and fitting names.

use crate::bones::{Bones, Chain};
use crate::joint_names::{ArmPart, NameHints, Part};
use crate::pose_samples::PoseSamples;
use surefoot_core::JointId;
use surefoot_core::math::{Vec3, acos, ln};
use surefoot_core::{Limb, WorldPose};

/// A chain split into thigh, shin and foot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LegChain {
    pub hip: JointId,
    pub knee: JointId,
    pub ankle: JointId,
    /// Length of the thigh along the bones, in units of the file.
    pub thigh: f64,
    /// Length of the shin along the bones, in units of the file.
    pub shin: f64,
    /// Score of the split, higher is better; about 2 for a clear leg without names.
    pub fit: f64,
    /// Mean angle between shin and foot in radians, 0 for a foot that continues the shin; `None`
    /// without a foot.
    pub foot_angle: Option<f64>,
}

impl LegChain {
    /// Length from hip to ankle along the bones, in units of the file.
    pub(crate) fn leg_length(&self) -> f64 {
        self.thigh + self.shin
    }
}

/// Sampled poses in which straightness is measured. More take longer and change no result.
const STRAIGHTNESS_POSES: usize = 24;

/// Standard deviation of ln(thigh ÷ shin). People are within 0.15, captures with misplaced knees
/// (CMU subject 12) at 0.3, animals at 0.5.
const RATIO_DEVIATION: f64 = 0.35;

/// Penalty for a bone that bends: score per fraction by which the line between its ends is shorter
/// than its length. A thigh bent by 25° in the middle is 2.4 % shorter and loses 1.1, more than a
/// name is worth; a whole animal leg taken for a thigh loses more than all names together.
const BEND_PENALTY: f64 = 45.0;

/// Largest bend penalty, so that it does not hide all other evidence.
const MOST_BEND_PENALTY: f64 = 6.0;

/// Distance of the hip from the branch joint without a penalty, in thigh lengths.
const FREE_HIP_DISTANCE: f64 = 0.35;

/// Largest penalty for the distance of a chain's first joint. The legs of a crab start far from the
/// middle of its shell, which must not cost more than a thigh that bends.
const MOST_DISTANCE_PENALTY: f64 = 4.0;

/// Largest penalty for the distance of a shoulder from the joint where the arms branch off: clavicles may be longer than
/// upper arms.
const MOST_CLAVICLE_PENALTY: f64 = 1.0;

/// Score of a fitting joint name. Two of them outweigh most differences of shape.
const NAME_SCORE: f64 = 0.8;

/// Splits both chains of a pair at the same nodes, or each on its own if their numbers of nodes
/// differ.
pub(crate) fn split_pair(
    pair: &[Chain; 2],
    bones: &Bones,
    samples: &PoseSamples,
    hints: &[NameHints],
    limb: Limb,
) -> Option<[LegChain; 2]> {
    let [one, other] =
        [0, 1].map(|side| Splitter { limb, ..Splitter::new(&pair[side], bones, samples, hints) });
    if pair[0].nodes.len() == pair[1].nodes.len() {
        let both = |at: [usize; 3]| Some((one.fit(at)? + other.fit(at)?, at));
        let best = best(triples(pair[0].nodes.len()).filter_map(both))?;
        return Some([one.leg_chain(best, &other)?, other.leg_chain(best, &one)?]);
    }
    let alone = |splitter: &Splitter| {
        let fits = triples(splitter.chain.nodes.len()).filter_map(|at| Some((splitter.fit(at)?, at)));
        splitter.leg_chain(best(fits)?, splitter)
    };
    Some([alone(&one)?, alone(&other)?])
}

/// The three nodes with the highest score; the first of equals.
fn best(fits: impl Iterator<Item = (f64, [usize; 3])>) -> Option<[usize; 3]> {
    let better = |a: (f64, [usize; 3]), b: (f64, [usize; 3])| if b.0 > a.0 { b } else { a };
    fits.reduce(better).map(|(_, at)| at)
}

/// All increasing triples of node indices below `count`.
fn triples(count: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..count).flat_map(move |hip| {
        (hip + 1..count).flat_map(move |knee| (knee + 1..count).map(move |ankle| [hip, knee, ankle]))
    })
}

/// Scores the ways of splitting one chain.
struct Splitter<'a> {
    chain: &'a Chain,
    bones: &'a Bones,
    hints: &'a [NameHints],
    /// Whose names the joints are compared with.
    limb: Limb,
    /// For each sampled pose the positions of the nodes, followed by the end of the chain.
    positions: Vec<Vec<Vec3>>,
}

impl<'a> Splitter<'a> {
    fn new(chain: &'a Chain, bones: &'a Bones, samples: &PoseSamples, hints: &'a [NameHints]) -> Self {
        let step = samples.poses.len().div_ceil(STRAIGHTNESS_POSES).max(1);
        let sampled = samples.poses.iter().step_by(step);
        let mut positions: Vec<Vec<Vec3>> =
            sampled.map(|sample| node_positions(chain, samples, &sample.now)).collect();
        if positions.is_empty() {
            positions.push(node_positions(chain, samples, &samples.rest));
        }
        Self { chain, bones, hints, limb: Limb::Leg, positions }
    }

    fn along(&self, at: usize) -> f64 {
        self.chain.nodes[at].along
    }

    /// The score of three nodes as hip, knee and ankle; `None` if a bone has no length.
    fn fit(&self, at: [usize; 3]) -> Option<f64> {
        let [hip, knee, ankle] = at;
        let thigh = self.along(knee) - self.along(hip);
        let shin = self.along(ankle) - self.along(knee);
        if thigh <= 0.0 || shin <= 0.0 {
            return None;
        }
        let ratio = ln(thigh / shin) / RATIO_DEVIATION;
        let share = (thigh + shin) / self.chain.total;
        let fit = share
            - 0.5 * ratio * ratio
            - self.distance_penalty(hip, thigh)
            - self.bend_penalty(hip, knee)
            - self.bend_penalty(knee, ankle)
            - foot_penalty((self.chain.total - self.along(ankle)) / (thigh + shin))
            + self.rotation_share(at)
            + self.foot_angle_score(at)
            + self.name_score(at);
        fit.is_finite().then_some(fit)
    }

    /// The penalty for a hip that is far from the branch joint. A shoulder is at the end of the clavicle, which may begin
    /// anywhere in the chest.
    fn distance_penalty(&self, hip: usize, thigh: f64) -> f64 {
        let distance = (self.along(hip) / thigh - FREE_HIP_DISTANCE).max(0.0) / 0.25;
        let most = match self.limb {
            Limb::Arm => MOST_CLAVICLE_PENALTY,
            Limb::Leg if hip == 0 => MOST_DISTANCE_PENALTY,
            Limb::Leg => f64::INFINITY,
        };
        (0.5 * distance * distance).min(most)
    }

    /// The penalty for taking the chain between two nodes for one bone although it bends.
    fn bend_penalty(&self, from: usize, to: usize) -> f64 {
        if to == from + 1 {
            return 0.0;
        }
        let distance = |positions: &Vec<Vec3>| positions[from].distance(positions[to]);
        let mean = self.positions.iter().map(distance).sum::<f64>() / self.positions.len() as f64;
        let straightness = mean / (self.along(to) - self.along(from));
        (BEND_PENALTY * (1.0 - straightness)).clamp(0.0, MOST_BEND_PENALTY)
    }

    /// The share of the chain's rotation, down to the ankle, that happens at the three nodes.
    fn rotation_share(&self, at: [usize; 3]) -> f64 {
        let rotation = |node: usize| {
            let joints = self.chain.nodes[node].joints.iter();
            joints.map(|joint| self.bones.activity[joint.index()]).fold(0.0, f64::max)
        };
        let all: f64 = (0..=at[2]).map(rotation).sum();
        // Below 0.01, one degree at one joint, the motion is a still pose; then an average share.
        if all < 0.01 { 0.6 } else { at.into_iter().map(rotation).sum::<f64>() / all }
    }

    /// The score of a foot at an angle of 43° to 138° to its shin.
    fn foot_angle_score(&self, [_, knee, ankle]: [usize; 3]) -> f64 {
        match self.foot_angle(knee, ankle) {
            Some(angle) if (0.75..2.4).contains(&angle) => 0.4,
            _ => 0.0,
        }
    }

    /// Mean angle between shin and foot in radians; `None` without a foot.
    fn foot_angle(&self, knee: usize, ankle: usize) -> Option<f64> {
        let angle = |positions: &Vec<Vec3>| {
            let shin = positions[ankle] - positions[knee];
            let foot = *positions.last()? - positions[ankle];
            let cos = shin.try_normalize()?.dot(foot.try_normalize()?);
            (foot.length() > 0.04 * shin.length()).then(|| acos(cos.clamp(-1.0, 1.0)))
        };
        let angles: Vec<f64> = self.positions.iter().filter_map(angle).collect();
        (!angles.is_empty()).then(|| angles.iter().sum::<f64>() / angles.len() as f64)
    }

    /// The score of the names at the three nodes.
    fn name_score(&self, at: [usize; 3]) -> f64 {
        let kinds = [LegJoint::Hip, LegJoint::Knee, LegJoint::Ankle];
        let best_at = |(node, joint_kind): (usize, LegJoint)| {
            let joints = self.chain.nodes[node].joints.iter();
            joints.map(|&joint| self.name_fit(joint, joint_kind)).fold(-1.0, f64::max)
        };
        at.into_iter().zip(kinds).map(best_at).sum::<f64>() * NAME_SCORE
    }

    /// From 1 for a name that fits the joint to −1 for the name of another body part.
    fn name_fit(&self, joint: JointId, joint_kind: LegJoint) -> f64 {
        let hints = self.hints[joint.index()];
        let fit: f64 = match (hints.part, joint_kind) {
            _ if self.limb == Limb::Arm => arm_name_fit(hints.arm, joint_kind),
            (None, _) => 0.0,
            (Some(Part::Thigh), LegJoint::Hip) | (Some(Part::Shin), LegJoint::Knee) => 1.0,
            (Some(Part::Ankle), LegJoint::Ankle) => 1.0,
            (Some(Part::Foot), LegJoint::Ankle) => 0.8,
            (Some(Part::Hip), LegJoint::Hip) => 0.7,
            (Some(Part::Leg), LegJoint::Hip | LegJoint::Knee) => 0.5,
            // Neutral: it may be an arm, or the front leg of an animal.
            (Some(Part::Arm), _) => 0.0,
            (Some(_), _) => -1.0,
        };
        if hints.is_helper { fit.min(0.0) - 0.3 } else { fit }
    }

    /// The joint of a node that is the hip, knee or ankle: by name, else the one that rotates most,
    /// else the last. Both legs of a pair count, so that they agree.
    fn joint_at(&self, node: usize, joint_kind: LegJoint, other: &Self) -> JointId {
        let joints = &self.chain.nodes[node].joints;
        let others = other.chain.nodes.get(node).map(|node| &node.joints);
        let others = others.filter(|others| others.len() == joints.len());
        let rank = |at: usize| {
            let both = [Some(joints[at]), others.map(|others| others[at])].into_iter().flatten();
            both.fold((0.0, 0.0), |(name, turn), joint| {
                (name + self.name_fit(joint, joint_kind), turn + self.bones.activity[joint.index()])
            })
        };
        let better = |a: usize, b: usize| {
            let (name, turn) = (rank(a).0.total_cmp(&rank(b).0), rank(a).1.total_cmp(&rank(b).1));
            if name.then(turn).is_gt() { a } else { b }
        };
        (0..joints.len()).reduce(better).map_or(self.chain.from, |at| joints[at])
    }

    fn leg_chain(&self, at: [usize; 3], other: &Self) -> Option<LegChain> {
        let [hip, knee, ankle] = at;
        Some(LegChain {
            hip: self.joint_at(hip, LegJoint::Hip, other),
            knee: self.joint_at(knee, LegJoint::Knee, other),
            ankle: self.joint_at(ankle, LegJoint::Ankle, other),
            thigh: self.along(knee) - self.along(hip),
            shin: self.along(ankle) - self.along(knee),
            fit: self.fit(at)?,
            foot_angle: self.foot_angle(knee, ankle),
        })
    }
}

/// The joint that a name is compared with.
#[derive(Clone, Copy)]
enum LegJoint {
    Hip,
    Knee,
    Ankle,
}

/// From 1 for a name that fits a joint of an arm to −1 for the name of another part of it.
fn arm_name_fit(part: Option<ArmPart>, joint_kind: LegJoint) -> f64 {
    match (part, joint_kind) {
        (None, _) => 0.0,
        (Some(ArmPart::Upper), LegJoint::Hip) | (Some(ArmPart::Fore), LegJoint::Knee) => 1.0,
        (Some(ArmPart::Hand), LegJoint::Ankle) => 1.0,
        (Some(ArmPart::Shoulder), LegJoint::Hip) => 0.4,
        (Some(_), _) => -1.0,
    }
}

/// The penalty for a foot of this length, in leg lengths: 0.4 for no foot, none up to half a leg (a
/// paw with its metatarsus), and growing beyond.
fn foot_penalty(foot: f64) -> f64 {
    if foot < 0.05 {
        return 0.4;
    }
    let long = (foot - 0.5).max(0.0) / 0.2;
    0.5 * long * long
}

/// The positions of the nodes of a chain, followed by its end.
fn node_positions(chain: &Chain, samples: &PoseSamples, world: &WorldPose) -> Vec<Vec3> {
    let last = |joints: &Vec<JointId>| joints[joints.len() - 1];
    let mut positions: Vec<Vec3> = (chain.nodes.iter()).map(|node| world.joint(last(&node.joints))).collect();
    let tip = last(&chain.nodes[chain.nodes.len() - 1].joints);
    let end = samples.skeleton.joint(tip).end.unwrap_or(Vec3::ZERO);
    positions.push(world.joint(tip) + world.rotations[tip.index()] * end);
    positions
}
