//! Finds the arms of a body whose legs are known, and the palms.
//!
//! Arms are a pair of chains like legs, above them: two bones of similar length and a hand. The same split into three
//! joints is used as for legs, with the names of arms. Shape alone decides where names are unknown.

use crate::bones::{self, Bones, Pair};
use crate::joint_names::{ArmPart, NameHints, Side};
use crate::leg_chain::{LegChain, split_pair};
use crate::legs::named_side;
use crate::pose_samples::PoseSamples;
use crate::{Inferred, LegOverride};
use surefoot_core::math::{Vec3, exp};
use surefoot_core::{JointId, JointPoint, Leg, Limb, WorldPose};

/// Lengths of arms relative to legs: 0.65 in people, 0.45 in cartoons, 1.2 in apes.
const LENGTHS: core::ops::Range<f64> = 0.35..1.4;

/// Score of a joint with the name of an arm's part, like that of a clear shape.
const NAME_SCORE: f64 = 0.7;

/// Least score of arms. Chains of the right length with two bones of similar length score 1 without names; ears, hair
/// and wings score less.
const ARM_SCORE: f64 = 0.5;

/// Distance of the middle of the palm from the wrist, in lengths of the forearm: 5 cm in an adult.
const PALM: f64 = 0.2;

/// Shortest bone of a hand that has a direction, in lengths of the forearm.
const SHORTEST_HAND: f64 = 0.03;

/// The arms of a body with these legs.
pub(crate) fn find(
    legs: &[Leg],
    bones: &Bones,
    samples: &PoseSamples,
    hints: &[NameHints],
) -> Inferred<Vec<Leg>> {
    let none = || Inferred { reason: "no pair of chains resembles arms".into(), ..Inferred::default() };
    let Some(first) = legs.first() else { return none() };
    let body = bones.body_root(first.hip, samples.skeleton);
    let leg_length = length_of(legs, samples);
    let (pairs, _) = bones::pairs(bones, samples.skeleton);
    let score = |pair: &Pair| {
        let is_same_body = bones.body_root(pair.chains[0].from, samples.skeleton) == body;
        if !is_same_body || pair.chains.iter().any(|chain| has_leg(legs, chain.first(), samples)) {
            return None;
        }
        let arms = split_pair(&pair.chains, bones, samples, hints, Limb::Arm)?;
        let names = arms.iter().map(|arm| named_joints(arm, hints)).sum::<f64>();
        let is_as_long = arms.iter().all(|arm| LENGTHS.contains(&(arm.leg_length() / leg_length)));
        is_as_long.then(|| (0.5 * (arms[0].fit + arms[1].fit + NAME_SCORE * names), arms))
    };
    let better = |a: (f64, [LegChain; 2]), b: (f64, [LegChain; 2])| if b.0 > a.0 { b } else { a };
    match pairs.iter().filter_map(score).reduce(better) {
        Some((score, arms)) if score > ARM_SCORE => Inferred {
            value: left_and_right(arms, legs, bones, samples, hints),
            confidence: 1.0 / (1.0 + exp(ARM_SCORE - score)),
            reason: reason(&arms[0], samples, hints),
        },
        _ => none(),
    }
}

/// The arms that the caller has given; those with a joint that the skeleton does not have are left out.
pub(crate) fn given(arms: &[LegOverride], legs: &[Leg], samples: &PoseSamples) -> Inferred<Vec<Leg>> {
    let known = samples.skeleton.len();
    let exists = |arm: &&LegOverride| {
        let points = [arm.heel, arm.ball].into_iter().flatten().map(|point| point.joint);
        [arm.hip, arm.knee, arm.ankle].into_iter().chain(points).all(|joint| joint.index() < known)
            && legs.iter().all(|leg| leg.ankle != arm.ankle)
    };
    let arm = |arm: &LegOverride| {
        let palm = arm.ball.unwrap_or_else(|| palm(arm.knee, arm.ankle, None, samples));
        Leg {
            heel: arm.heel.unwrap_or(wrist(arm.ankle)),
            ..leg(arm.side.clone(), [arm.hip, arm.knee, arm.ankle], palm)
        }
    };
    crate::given_value(arms.iter().filter(exists).map(arm).collect())
}

/// The mean length of the legs, from hip to ankle, in units of the file.
fn length_of(legs: &[Leg], samples: &PoseSamples) -> f64 {
    let world = samples.first_or_rest();
    let length = |leg: &Leg| {
        let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| world.joint(joint));
        hip.distance(knee) + knee.distance(ankle)
    };
    legs.iter().map(length).sum::<f64>() / legs.len() as f64
}

/// Whether a leg is below a joint, or the joint within a leg.
fn has_leg(legs: &[Leg], joint: JointId, samples: &PoseSamples) -> bool {
    let is_above = |above: JointId, below: JointId| {
        core::iter::successors(Some(below), |&joint| samples.skeleton.parent(joint))
            .any(|joint| joint == above)
    };
    legs.iter().any(|leg| is_above(joint, leg.ankle) || is_above(leg.hip, joint))
}

/// Number of joints of an arm with a fitting name.
fn named_joints(arm: &LegChain, hints: &[NameHints]) -> f64 {
    let part = |joint: JointId| hints[joint.index()].arm;
    let is_upper = matches!(part(arm.hip), Some(ArmPart::Upper | ArmPart::Shoulder));
    let [is_fore, is_hand] = [part(arm.knee) == Some(ArmPart::Fore), part(arm.ankle) == Some(ArmPart::Hand)];
    f64::from(u8::from(is_upper) + u8::from(is_fore) + u8::from(is_hand))
}

fn reason(arm: &LegChain, samples: &PoseSamples, hints: &[NameHints]) -> String {
    let name = |joint: JointId| &samples.skeleton.joint(joint).name;
    let listed = format!("{}, {}, {}", name(arm.hip), name(arm.knee), name(arm.ankle));
    match named_joints(arm, hints) > 0.0 {
        true => format!("the joints have names of an arm ({listed})"),
        false => format!("the joints have the proportions of an arm ({listed})"),
    }
}

/// The left arm and the right one: by their names, or else by the side of the body on which they are.
fn left_and_right(
    arms: [LegChain; 2],
    legs: &[Leg],
    bones: &Bones,
    samples: &PoseSamples,
    hints: &[NameHints],
) -> Vec<Leg> {
    let [one, other] = arms;
    let first_is_left = match [one, other].map(|arm| named_side(&arm, hints)) {
        [Some(Side::Left), Some(Side::Right)] => true,
        [Some(Side::Right), Some(Side::Left)] => false,
        _ => is_on_left(&one, &other, legs, samples),
    };
    let [left, right] = if first_is_left { [one, other] } else { [other, one] };
    let arm = |side: &str, arm: LegChain| {
        let palm = palm(arm.knee, arm.ankle, Some(bones), samples);
        leg(format!("{side} hand"), [arm.hip, arm.knee, arm.ankle], palm)
    };
    vec![arm("left", left), arm("right", right)]
}

/// Whether the first of two arms is on the side of the left leg in most of the motion.
fn is_on_left(one: &LegChain, other: &LegChain, legs: &[Leg], samples: &PoseSamples) -> bool {
    let [Some(left), Some(right)] = [0, 1].map(|side| legs.get(side)) else { return true };
    let side = |world: &WorldPose| {
        let hips = world.joint(left.hip) - world.joint(right.hip);
        (world.joint(one.hip) - world.joint(other.hip)).dot(hips)
    };
    let sampled: f64 = samples.poses.iter().map(|sample| side(&sample.now)).sum();
    (if samples.poses.is_empty() { side(&samples.rest) } else { sampled }) >= 0.0
}

fn leg(side: String, [hip, knee, ankle]: [JointId; 3], palm: JointPoint) -> Leg {
    Leg { side, limb: Limb::Arm, hip, knee, ankle, heel: wrist(ankle), ball: palm, toe: palm }
}

fn wrist(wrist: JointId) -> JointPoint {
    JointPoint { joint: wrist, offset: Vec3::ZERO }
}

/// The middle of the palm, on the bone of the hand: towards the fingers, or along the forearm where the hand has no bones.
fn palm(elbow: JointId, wrist: JointId, bones: Option<&Bones>, samples: &PoseSamples) -> JointPoint {
    let rest = &samples.rest;
    let at = rest.joint(wrist);
    let forearm = at - rest.joint(elbow);
    let path = bones.map_or_else(|| vec![wrist], |bones| bones.path(wrist));
    let joints = path.iter().map(|&joint| rest.joint(joint));
    let end = path.last().and_then(|&tip| {
        let end = samples.skeleton.joint(tip).end?;
        Some(rest.joint(tip) + rest.rotations[tip.index()] * end)
    });
    let mut hand = joints.chain(end).map(|position| position - at);
    let along = hand.find(|bone| bone.length() > SHORTEST_HAND * forearm.length()).unwrap_or(forearm);
    let offset = rest.rotations[wrist.index()].conjugate() * along.normalize_or_zero();
    JointPoint { joint: wrist, offset: offset * (PALM * forearm.length()) }
}
