//! Finds the pair of chains that are the legs.
//!
//! Every pair of similar chains is scored by its shape, where it branches off, where the rest of
//! the body is, how its ends move, and the names of its joints. The pair with the highest score is
//! the legs if the score is high enough. `more_legs.rs` finds further legs of animals, for which
//! the up axis must be known.

use crate::NoLegs;
use crate::bones::{Bones, Chain, Pair};
use crate::evidence::{self, Body, Evidence};
use crate::joint_names::{NameHints, Part, Side};
use crate::leg_chain::{LegChain, split_pair};
use crate::pose_samples::PoseSamples;
use surefoot_core::math::exp;
use surefoot_core::{JointId, Limb};

/// A pair of chains that may be legs, with the evidence.
pub(crate) struct Candidate {
    /// The joint that both chains branch off from.
    pub from: JointId,
    /// The first joint of each chain.
    pub first_joints: [JointId; 2],
    pub legs: [LegChain; 2],
    evidence: Vec<Evidence>,
}

impl Candidate {
    /// The sum of all evidence, in log odds; above [`LEG_SCORE`] for legs.
    fn score(&self) -> f64 {
        self.evidence.iter().map(|evidence| evidence.weight).sum()
    }

    /// Mean length from hip to ankle, in units of the file.
    pub(crate) fn leg_length(&self) -> f64 {
        0.5 * (self.legs[0].leg_length() + self.legs[1].leg_length())
    }

    /// The strongest reasons for (`sign` 1) or against (`sign` −1) the pair being legs.
    fn reasons(&self, sign: f64, most: usize) -> String {
        let mut reasons: Vec<&Evidence> =
            (self.evidence.iter()).filter(|evidence| evidence.weight * sign > 0.25).collect();
        reasons.sort_by(|a, b| (b.weight * sign).total_cmp(&(a.weight * sign)));
        let texts: Vec<&str> = (reasons.iter().take(most)).map(|one| one.text.as_str()).collect();
        texts.join(", ")
    }

    /// The hips, knees and ankles.
    fn joints(&self) -> impl Iterator<Item = JointId> + '_ {
        self.legs.iter().flat_map(|leg| [leg.hip, leg.knee, leg.ankle])
    }

    /// Whether two pairs have a joint or chain in common: a leg belongs to one pair.
    fn shares_joints_with(&self, other: &Self) -> bool {
        other.joints().any(|joint| self.joints().any(|own| own == joint))
            || other.first_joints.iter().any(|first| self.first_joints.contains(first))
    }
}

/// Lowest score of legs, in log odds. Chains with a foot at the lower end of a body have 3, the
/// arms of a bust −2.
const LEG_SCORE: f64 = 0.5;

/// Finds the legs. The error describes the candidates.
pub(crate) fn find(
    (pairs, short): (&[Pair], &[Pair]),
    bones: &Bones,
    samples: &PoseSamples,
    hints: &[NameHints],
) -> Result<FoundLegs, NoLegs> {
    let mut candidates = candidates(pairs, bones, samples, hints);
    let is_legs = |candidate: &&Candidate| candidate.score() > LEG_SCORE;
    if candidates.iter().find(is_legs).is_none() {
        return Err(NoLegs { candidates: describe(&candidates, short, samples, hints) });
    }
    let pair = candidates.remove(0);
    let body = bones.body_root(pair.from, samples.skeleton);
    let is_same_body = |other: &&Candidate| bones.body_root(other.from, samples.skeleton) == body;
    let (same_body, other_bodies): (Vec<_>, Vec<_>) = candidates.iter().partition(is_same_body);
    let second = same_body.iter().map(|other| other.score()).fold(LEG_SCORE, f64::max);
    let other_body = other_bodies.into_iter().find(is_legs).map(|legs| legs.from);
    let confidence = 1.0 / (1.0 + exp(second - pair.score()));
    let reason = pair.reasons(1.0, 4);
    Ok(FoundLegs { pair, confidence, reason, others: candidates, other_body })
}

/// The result of the search.
pub(crate) struct FoundLegs {
    /// The legs, or the hind legs of an animal.
    pub pair: Candidate,
    pub confidence: f64,
    pub reason: String,
    /// All other candidates, which may be further legs.
    pub others: Vec<Candidate>,
    /// The branch joint of the legs of a second body, if there is one.
    pub other_body: Option<JointId>,
}

/// Every pair that can be split into hip, knee and ankle, highest score first.
fn candidates(pairs: &[Pair], bones: &Bones, samples: &PoseSamples, hints: &[NameHints]) -> Vec<Candidate> {
    let split = |pair: &Pair| {
        Some(Candidate {
            from: pair.chains[0].from,
            first_joints: [0, 1].map(|side| pair.chains[side].first()),
            legs: split_pair(&pair.chains, bones, samples, hints, Limb::Leg)?,
            evidence: Vec::new(),
        })
    };
    let mut candidates: Vec<Candidate> = pairs.iter().filter_map(split).collect();
    let body = Body::new(bones, samples);
    for at in 0..candidates.len() {
        let rivals = candidates.iter().filter(|other| !other.shares_joints_with(&candidates[at]));
        let longest_rival = rivals.map(Candidate::leg_length).fold(0.0, f64::max);
        candidates[at].evidence =
            evidence::collect(&candidates[at], longest_rival, &body, bones, samples, hints);
    }
    candidates.sort_by(|a, b| b.score().total_cmp(&a.score()));
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        if !kept.iter().any(|one| one.shares_joints_with(&candidate)) {
            kept.push(candidate);
        }
    }
    kept
}

/// Describes each candidate and the reasons against it, for people.
fn describe(
    candidates: &[Candidate],
    short: &[Pair],
    samples: &PoseSamples,
    hints: &[NameHints],
) -> Vec<String> {
    let name = |joint: JointId| samples.skeleton.joint(joint).name.as_str();
    let chain = |leg: &LegChain| format!("{}–{}–{}", name(leg.hip), name(leg.knee), name(leg.ankle));
    let sentence = |candidate: &Candidate| {
        let against = candidate.reasons(-1.0, 4);
        let against = if against.is_empty() { "too little evidence".into() } else { against };
        format!("{} and {}: {against}", chain(&candidate.legs[0]), chain(&candidate.legs[1]))
    };
    // Rigs whose feet are children of the root have short chains with names of legs.
    let is_named_leg = |pair: &&Pair| {
        let joints = pair.chains[0].nodes.iter().flat_map(|node| &node.joints);
        joints.into_iter().any(|joint| hints[joint.index()].part.is_some_and(Part::is_leg))
    };
    let too_short = |pair: &Pair| {
        let path = |chain: &Chain| {
            let joints = chain.nodes.iter().flat_map(|node| &node.joints);
            joints.map(|&joint| name(joint)).collect::<Vec<_>>().join("–")
        };
        let [one, other] = &pair.chains;
        format!("{} and {}: fewer than three joints, expected hip, knee and ankle", path(one), path(other))
    };
    let mut texts: Vec<String> = short.iter().filter(is_named_leg).take(3).map(too_short).collect();
    texts.extend(candidates.iter().take(6).map(sentence));
    if texts.is_empty() {
        let none = "no joint has two chains of similar length with three or more joints";
        texts.push(none.into());
    }
    texts
}

/// The side that most names of a leg state.
pub(crate) fn named_side(leg: &LegChain, hints: &[NameHints]) -> Option<Side> {
    let sides = [leg.hip, leg.knee, leg.ankle].map(|joint| hints[joint.index()].side);
    let count = |side: Side| sides.iter().filter(|&&one| one == Some(side)).count();
    match (count(Side::Left), count(Side::Right)) {
        (left, right) if left > right => Some(Side::Left),
        (left, right) if right > left => Some(Side::Right),
        _ => None,
    }
}
