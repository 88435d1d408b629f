//! Which pairs of chains are legs?
//!
//! Every pair of like chains is weighed: shape, where it branches off, what the rest of the body
//! does, how its ends move, and what its joints are called. The best pair above the mark is the
//! legs. An animal's other legs are left to `more_legs.rs`, which needs to know what is up.

use crate::NoLegs;
use crate::bones::{Bones, Chain, Pair};
use crate::evidence::{Body, Evidence, weigh};
use crate::hip_knee_ankle::{Cut, cut};
use crate::names::{Part, Said, Side};
use crate::sight::Sight;
use surefoot_core::JointId;
use surefoot_core::math::exp;

/// A pair of chains that may be legs, with all that was weighed.
pub(crate) struct Candidate {
    pub from: JointId,
    pub firsts: [JointId; 2],
    pub cuts: [Cut; 2],
    evidence: Vec<Evidence>,
}

impl Candidate {
    /// All evidence together; above [`MARK`] for legs.
    fn score(&self) -> f64 {
        self.evidence.iter().map(|evidence| evidence.weight).sum()
    }

    /// From hip to ankle, mean of both.
    pub(crate) fn leg(&self) -> f64 {
        0.5 * (self.cuts[0].leg() + self.cuts[1].leg())
    }

    /// The chief reasons for (positive `sign`) or against.
    fn reasons(&self, sign: f64, most: usize) -> String {
        let mut reasons: Vec<&Evidence> =
            (self.evidence.iter()).filter(|evidence| evidence.weight * sign > 0.25).collect();
        reasons.sort_by(|a, b| (b.weight * sign).total_cmp(&(a.weight * sign)));
        let words: Vec<&str> = (reasons.iter().take(most)).map(|one| one.words.as_str()).collect();
        words.join(", ")
    }

    /// Its hips, knees and ankles.
    fn joints(&self) -> impl Iterator<Item = JointId> + '_ {
        self.cuts.iter().flat_map(|cut| [cut.hip, cut.knee, cut.ankle])
    }

    /// Whether two pairs have a joint or a whole chain in common: no leg is part of two pairs.
    fn shares_joints_with(&self, other: &Self) -> bool {
        other.joints().any(|joint| self.joints().any(|own| own == joint))
            || other.firsts.iter().any(|first| self.firsts.contains(first))
    }
}

/// The score a pair of legs has at least. A foot at an angle at the lower end of the body has 3,
/// the arms of a bust −2.
const MARK: f64 = 0.5;

/// The pair that is the legs, and how sure; or what was weighed.
pub(crate) fn find(
    (pairs, short): (&[Pair], &[Pair]),
    bones: &Bones,
    sight: &Sight,
    said: &[Said],
) -> Result<Found, NoLegs> {
    let mut candidates = candidates(pairs, bones, sight, said);
    let is_legs = |candidate: &&Candidate| candidate.score() > MARK;
    if candidates.iter().find(is_legs).is_none() {
        return Err(NoLegs { candidates: weighed(&candidates, short, sight, said) });
    }
    let legs = candidates.remove(0);
    let body = bones.body_of(legs.from, sight.skeleton);
    let is_rival = |other: &&Candidate| bones.body_of(other.from, sight.skeleton) == body;
    let (rivals, strangers): (Vec<_>, Vec<_>) = candidates.iter().partition(is_rival);
    let second = rivals.iter().map(|rival| rival.score()).fold(MARK, f64::max);
    let other_body = strangers.into_iter().find(is_legs).map(|legs| legs.from);
    let confidence = 1.0 / (1.0 + exp(second - legs.score()));
    let reason = legs.reasons(1.0, 4);
    Ok(Found { legs, confidence, reason, others: candidates, other_body })
}

/// The legs, and the pairs that may be more of them.
pub(crate) struct Found {
    pub legs: Candidate,
    pub confidence: f64,
    pub reason: String,
    pub others: Vec<Candidate>,
    /// Where the legs of a second body branch off, if there is one.
    pub other_body: Option<JointId>,
}

/// Every pair that can be cut into hip, knee and ankle, the best first.
fn candidates(pairs: &[Pair], bones: &Bones, sight: &Sight, said: &[Said]) -> Vec<Candidate> {
    let cut_one = |pair: &Pair| {
        Some(Candidate {
            from: pair.chains[0].from,
            firsts: [0, 1].map(|side| pair.chains[side].first()),
            cuts: cut(&pair.chains, bones, sight, said)?,
            evidence: Vec::new(),
        })
    };
    let mut candidates: Vec<Candidate> = pairs.iter().filter_map(cut_one).collect();
    let body = Body::new(bones, sight);
    for at in 0..candidates.len() {
        let rivals = candidates.iter().filter(|other| !other.shares_joints_with(&candidates[at]));
        let longest_rival = rivals.map(Candidate::leg).fold(0.0, f64::max);
        candidates[at].evidence = weigh(&candidates[at], longest_rival, &body, bones, sight, said);
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

/// What was weighed, for a person.
fn weighed(candidates: &[Candidate], short: &[Pair], sight: &Sight, said: &[Said]) -> Vec<String> {
    let name = |joint: JointId| sight.skeleton.joint(joint).name.as_str();
    let chain = |cut: &Cut| format!("{}–{}–{}", name(cut.hip), name(cut.knee), name(cut.ankle));
    let sentence = |candidate: &Candidate| {
        let against = candidate.reasons(-1.0, 4);
        let against = if against.is_empty() { "too little speaks for it".into() } else { against };
        format!("{} and {}: {against}", chain(&candidate.cuts[0]), chain(&candidate.cuts[1]))
    };
    // Chains that are called legs but end too soon: rigs whose feet hang from the root.
    let is_called_leg = |pair: &&Pair| {
        let joints = pair.chains[0].knots.iter().flat_map(|knot| &knot.joints);
        joints.into_iter().any(|joint| said[joint.index()].part.is_some_and(Part::is_leg))
    };
    let too_short = |pair: &Pair| {
        let path = |chain: &Chain| {
            let joints = chain.knots.iter().flat_map(|knot| &knot.joints);
            joints.map(|&joint| name(joint)).collect::<Vec<_>>().join("–")
        };
        format!("{} and {}: no hip, knee and ankle in a row", path(&pair.chains[0]), path(&pair.chains[1]))
    };
    let mut weighed: Vec<String> = short.iter().filter(is_called_leg).take(3).map(too_short).collect();
    weighed.extend(candidates.iter().take(6).map(sentence));
    if weighed.is_empty() {
        let none = "no two chains of three joints or more branch off from one joint and are of one length";
        weighed.push(none.into());
    }
    weighed
}

/// The side that a chain's names agree on.
pub(crate) fn named_side(cut: &Cut, said: &[Said]) -> Option<Side> {
    let sides = [cut.hip, cut.knee, cut.ankle].map(|joint| said[joint.index()].side);
    let count = |side: Side| sides.iter().filter(|&&one| one == Some(side)).count();
    match (count(Side::Left), count(Side::Right)) {
        (left, right) if left > right => Some(Side::Left),
        (left, right) if right > left => Some(Side::Right),
        _ => None,
    }
}
