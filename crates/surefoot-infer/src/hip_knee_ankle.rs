//! Which joints of a chain are its hip, knee and ankle?
//!
//! Every three places along the chain are tried. Speaks for three: thigh and shin of about one
//! length that make up most of the chain, each straight however the body moves, with little before
//! the hip and a short foot after the ankle; joints that turn, and names that fit.

use crate::bones::{Bones, Chain};
use crate::names::{Part, Said};
use crate::sight::Sight;
use surefoot_core::JointId;
use surefoot_core::WorldPose;
use surefoot_core::math::{Vec3, acos, ln};

/// A chain cut into thigh, shin and foot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub hip: JointId,
    pub knee: JointId,
    pub ankle: JointId,
    /// Lengths in the file's unit, along the chain.
    pub thigh: f64,
    pub shin: f64,
    /// How well the three fit, higher is better; about 2 for a clear leg without names.
    pub fit: f64,
    /// Mean angle between shin and foot in radians, 0 where the foot goes on straight.
    pub foot_angle: Option<f64>,
}

impl Cut {
    /// From hip to ankle along the bones.
    pub(crate) fn leg(&self) -> f64 {
        self.thigh + self.shin
    }
}

/// Looks in which straightness is measured.
const LOOKS: usize = 24;

/// Spread of the natural logarithm of thigh over shin. People are within 0.15, captures with
/// misplaced knees (CMU subject 12) at 0.3, animals at 0.5.
const RATIO_SPREAD: f64 = 0.35;

/// What a hip-to-knee line that is shorter than its bones costs. A thigh bent by 25° in its middle
/// is 2.4 % shorter and loses 1.1, more than a name is worth; an animal's leg
/// taken for a thigh loses more than all names together.
const BENT: f64 = 45.0;

/// The most it costs: a wild chain should not hide what else is known.
const MOST_BENT: f64 = 6.0;

/// A hip this far from where its chain branches off, in thighs, is nothing unusual.
const HIP_AWAY: f64 = 0.35;

/// The most that it costs the first joint of a chain to be farther away. Legs of a crab are far from
/// the middle of its shell, and that must not weigh more than a thigh that bends.
const MOST_AWAY: f64 = 4.0;

/// What a name that fits its place is worth. Two of them outweigh most of the shape's doubts.
const NAME: f64 = 0.8;

/// The best cut of both chains of a pair, or of each alone where they differ in number of joints.
pub(crate) fn cut(pair: &[Chain; 2], bones: &Bones, sight: &Sight, said: &[Said]) -> Option<[Cut; 2]> {
    let [one, other] = [0, 1].map(|side| Ways::new(&pair[side], bones, sight, said));
    if pair[0].knots.len() == pair[1].knots.len() {
        let both = |at: [usize; 3]| Some((one.fit(at)? + other.fit(at)?, at));
        let best = best(triples(pair[0].knots.len()).filter_map(both))?;
        return Some([one.cut(best, &other)?, other.cut(best, &one)?]);
    }
    let alone = |ways: &Ways| {
        let fits = triples(ways.chain.knots.len()).filter_map(|at| Some((ways.fit(at)?, at)));
        ways.cut(best(fits)?, ways)
    };
    Some([alone(&one)?, alone(&other)?])
}

/// The three places with the best fit; the first of equals.
fn best(fits: impl Iterator<Item = (f64, [usize; 3])>) -> Option<[usize; 3]> {
    let better = |a: (f64, [usize; 3]), b: (f64, [usize; 3])| if b.0 > a.0 { b } else { a };
    fits.reduce(better).map(|(_, at)| at)
}

/// Every three rising places out of `count`.
fn triples(count: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..count).flat_map(move |hip| {
        (hip + 1..count).flat_map(move |knee| (knee + 1..count).map(move |ankle| [hip, knee, ankle]))
    })
}

/// All that is needed to weigh the ways of cutting one chain.
struct Ways<'a> {
    chain: &'a Chain,
    bones: &'a Bones,
    said: &'a [Said],
    /// Where each place along the chain is, look by look; the chain's end comes last.
    seen: Vec<Vec<Vec3>>,
}

impl<'a> Ways<'a> {
    fn new(chain: &'a Chain, bones: &'a Bones, sight: &Sight, said: &'a [Said]) -> Self {
        let step = sight.looks.len().div_ceil(LOOKS).max(1);
        let mut seen: Vec<Vec<Vec3>> =
            (sight.looks.iter().step_by(step)).map(|look| places(chain, sight, &look.now)).collect();
        if seen.is_empty() {
            seen.push(places(chain, sight, &sight.rest));
        }
        Self { chain, bones, said, seen }
    }

    fn along(&self, at: usize) -> f64 {
        self.chain.knots[at].along
    }

    /// How well three places fit hip, knee and ankle; `None` where a bone has no length.
    fn fit(&self, at: [usize; 3]) -> Option<f64> {
        let [hip, knee, ankle] = at;
        let thigh = self.along(knee) - self.along(hip);
        let shin = self.along(ankle) - self.along(knee);
        if thigh <= 0.0 || shin <= 0.0 {
            return None;
        }
        let ratio = ln(thigh / shin) / RATIO_SPREAD;
        let away = (self.along(hip) / thigh - HIP_AWAY).max(0.0) / 0.25;
        let whole = (thigh + shin) / self.chain.total;
        let fit = whole
            - 0.5 * ratio * ratio
            - (0.5 * away * away).min(if hip == 0 { MOST_AWAY } else { f64::INFINITY })
            - self.bent(hip, knee)
            - self.bent(knee, ankle)
            - foot_doubt((self.chain.total - self.along(ankle)) / (thigh + shin))
            + self.turning(at)
            + self.angled_foot(at)
            + self.named(at);
        fit.is_finite().then_some(fit)
    }

    /// What speaks against the places between two being one bone.
    fn bent(&self, from: usize, to: usize) -> f64 {
        if to == from + 1 {
            return 0.0;
        }
        let apart = |seen: &Vec<Vec3>| seen[from].distance(seen[to]);
        let mean = self.seen.iter().map(apart).sum::<f64>() / self.seen.len() as f64;
        let straight = mean / (self.along(to) - self.along(from));
        (BENT * (1.0 - straight)).clamp(0.0, MOST_BENT)
    }

    /// The share of the chain's turning that happens at the three places, down to the ankle.
    fn turning(&self, at: [usize; 3]) -> f64 {
        let turning = |knot: usize| {
            let joints = self.chain.knots[knot].joints.iter();
            joints.map(|joint| self.bones.activity[joint.index()]).fold(0.0, f64::max)
        };
        let all: f64 = (0..=at[2]).map(turning).sum();
        // A still pose says nothing: 0.01 is a turning of one degree at one joint.
        if all < 0.01 { 0.6 } else { at.into_iter().map(turning).sum::<f64>() / all }
    }

    /// What a foot at an angle to its shin is worth.
    fn angled_foot(&self, [_, knee, ankle]: [usize; 3]) -> f64 {
        match self.foot_angle(knee, ankle) {
            Some(angle) if (0.75..2.4).contains(&angle) => 0.4,
            _ => 0.0,
        }
    }

    /// Mean angle between shin and foot, if there is a foot.
    fn foot_angle(&self, knee: usize, ankle: usize) -> Option<f64> {
        let angle = |seen: &Vec<Vec3>| {
            let shin = seen[ankle] - seen[knee];
            let foot = *seen.last()? - seen[ankle];
            let cos = shin.try_normalize()?.dot(foot.try_normalize()?);
            (foot.length() > 0.04 * shin.length()).then(|| acos(cos.clamp(-1.0, 1.0)))
        };
        let angles: Vec<f64> = self.seen.iter().filter_map(angle).collect();
        (!angles.is_empty()).then(|| angles.iter().sum::<f64>() / angles.len() as f64)
    }

    /// What the names at the three places are worth.
    fn named(&self, at: [usize; 3]) -> f64 {
        let zones = [Zone::Hip, Zone::Knee, Zone::Ankle];
        let best_at = |(knot, zone): (usize, Zone)| {
            let joints = self.chain.knots[knot].joints.iter();
            joints.map(|&joint| self.name_fit(joint, zone)).fold(-1.0, f64::max)
        };
        at.into_iter().zip(zones).map(best_at).sum::<f64>() * NAME
    }

    /// From 1 for a name that fits the zone to −1 for one that belongs elsewhere.
    fn name_fit(&self, joint: JointId, zone: Zone) -> f64 {
        let said = self.said[joint.index()];
        let fit: f64 = match (said.part, zone) {
            (None, _) => 0.0,
            (Some(Part::Thigh), Zone::Hip) | (Some(Part::Shin), Zone::Knee) => 1.0,
            (Some(Part::Ankle), Zone::Ankle) => 1.0,
            (Some(Part::Foot), Zone::Ankle) => 0.8,
            (Some(Part::Hip), Zone::Hip) => 0.7,
            (Some(Part::Leg), Zone::Hip | Zone::Knee) => 0.5,
            // The middle part of an arm or the front leg of an animal.
            (Some(Part::Arm), _) => 0.0,
            (Some(_), _) => -1.0,
        };
        if said.helper { fit.min(0.0) - 0.3 } else { fit }
    }

    /// The joint of a place that is meant: by name, else the one that turns, else the last. Both
    /// legs of a pair have a say, so that they agree.
    fn joint_at(&self, knot: usize, zone: Zone, other: &Self) -> JointId {
        let joints = &self.chain.knots[knot].joints;
        let others = other.chain.knots.get(knot).map(|knot| &knot.joints);
        let others = others.filter(|others| others.len() == joints.len());
        let rank = |at: usize| {
            let both = [Some(joints[at]), others.map(|others| others[at])].into_iter().flatten();
            both.fold((0.0, 0.0), |(name, turn), joint| {
                (name + self.name_fit(joint, zone), turn + self.bones.activity[joint.index()])
            })
        };
        let better = |a: usize, b: usize| {
            let (name, turn) = (rank(a).0.total_cmp(&rank(b).0), rank(a).1.total_cmp(&rank(b).1));
            if name.then(turn).is_gt() { a } else { b }
        };
        (0..joints.len()).reduce(better).map_or(self.chain.from, |at| joints[at])
    }

    fn cut(&self, at: [usize; 3], other: &Self) -> Option<Cut> {
        let [hip, knee, ankle] = at;
        Some(Cut {
            hip: self.joint_at(hip, Zone::Hip, other),
            knee: self.joint_at(knee, Zone::Knee, other),
            ankle: self.joint_at(ankle, Zone::Ankle, other),
            thigh: self.along(knee) - self.along(hip),
            shin: self.along(ankle) - self.along(knee),
            fit: self.fit(at)?,
            foot_angle: self.foot_angle(knee, ankle),
        })
    }
}

/// Where a name should stand.
#[derive(Clone, Copy)]
enum Zone {
    Hip,
    Knee,
    Ankle,
}

/// What speaks against a foot this long, in legs: a missing one a little, one that is half a leg
/// long (a paw with its metatarsus) not much, longer ones more and more.
fn foot_doubt(foot: f64) -> f64 {
    if foot < 0.05 {
        return 0.4;
    }
    let long = (foot - 0.5).max(0.0) / 0.2;
    0.5 * long * long
}

/// Where the chain's places are, and its end.
fn places(chain: &Chain, sight: &Sight, placed: &WorldPose) -> Vec<Vec3> {
    let last = |joints: &Vec<JointId>| joints[joints.len() - 1];
    let mut places: Vec<Vec3> = (chain.knots.iter()).map(|knot| placed.joint(last(&knot.joints))).collect();
    let tip = last(&chain.knots[chain.knots.len() - 1].joints);
    let end = sight.skeleton.joint(tip).end.unwrap_or(Vec3::ZERO);
    places.push(placed.joint(tip) + placed.rotations[tip.index()] * end);
    places
}
