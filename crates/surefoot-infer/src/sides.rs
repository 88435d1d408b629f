//! Determines which leg of a pair is the left one, and the order of pairs from front to hind.
//!
//! In most files names state the side. Shape determines it too: toes and bent knees point forward,
//! and left follows from forward and up. A body with more than two legs faces from the pair nearest
//! to its root, which is at the hips, to the farthest. If names and shape disagree, the names
//! decide, because people use them, and a warning states that the file may be mirrored.

use crate::bones::Bones;
use crate::joint_names::{LegRow, NameHints, Side};
use crate::leg_chain::LegChain;
use crate::legs::{Candidate, named_side};
use crate::pose_samples::PoseSamples;
use surefoot_core::WorldPose;
use surefoot_core::math::Vec3;

/// A pair of legs with known sides.
pub(crate) struct SidedLegs {
    pub left: LegChain,
    pub right: LegChain,
    /// A warning if names and shape disagree, or neither determines the side.
    pub warning: Option<String>,
}

/// Determines the sides of a pair. `ends` are the front and the hind pair of a body with more than
/// two legs.
pub(crate) fn assign(
    pair: &Candidate,
    ends: Option<[[LegChain; 2]; 2]>,
    up: Vec3,
    bones: &Bones,
    samples: &PoseSamples,
    hints: &[NameHints],
) -> SidedLegs {
    let [one, other] = pair.legs;
    let by_shape = first_is_left(pair, ends, up, bones, samples);
    let by_name = match [one, other].map(|leg| named_side(&leg, hints)) {
        [Some(Side::Left), Some(Side::Right)] => Some(true),
        [Some(Side::Right), Some(Side::Left)] => Some(false),
        _ => None,
    };
    let name = |leg: &LegChain| &samples.skeleton.joint(leg.hip).name;
    let warning = match (by_name, by_shape) {
        (Some(by_name), Some(by_shape)) if by_name != by_shape => {
            let left = if by_name { &one } else { &other };
            Some(format!(
                "{} is named as the left leg, but the direction of the toes places it on the right: \
                 the file may be mirrored or left-handed",
                name(left)
            ))
        }
        (None, None) => Some(format!(
            "neither names nor shape determine left and right; {} is assumed to be left",
            name(&one)
        )),
        _ => None,
    };
    let (left, right) = if by_name.or(by_shape).unwrap_or(true) { (one, other) } else { (other, one) };
    SidedLegs { left, right, warning }
}

/// Smallest mean sine between forward and the line of the hips from which the side is clear.
const CLEAR: f64 = 0.5;

/// Whether the first leg of a pair is the left one by shape; `None` if unclear.
///
/// A capture may twist the hips until they lie along the feet; then the rest pose is used.
fn first_is_left(
    pair: &Candidate,
    ends: Option<[[LegChain; 2]; 2]>,
    up: Vec3,
    bones: &Bones,
    samples: &PoseSamples,
) -> Option<bool> {
    // From 1 if the first hip is exactly to the left of the second to −1 if exactly to the right.
    let left = |world: &WorldPose, up: Vec3| {
        let [one, other] = pair.legs.map(|leg| world.joint(leg.hip));
        let middle = |legs: [LegChain; 2]| 0.5 * (world.joint(legs[0].hip) + world.joint(legs[1].hip));
        let forward = match ends {
            Some([front, hind]) => level(middle(front) - middle(hind), up).try_normalize()?,
            None => forward(&pair.legs, world, up, bones, samples)?,
        };
        Some(up.cross(forward).dot((one - other).try_normalize()?))
    };
    let sampled: Vec<f64> = samples.poses.iter().filter_map(|sample| left(&sample.now, up)).collect();
    let mean = sampled.iter().sum::<f64>() / sampled.len().max(1) as f64;
    let clear = |left: f64| (left.abs() > CLEAR).then_some(left > 0.0);
    clear(mean).or_else(|| clear(left(&samples.rest, rest_up(pair, samples)?)?))
}

/// The up direction of the rest pose, which may differ from that of the motion: from the feet to
/// the joint where the legs branch off, or the axis close to it. `None` if the rest pose does not
/// stand.
///
/// Rest poses usually stand along an axis, but the feet of an animal are behind its hips.
pub(crate) fn rest_up(legs: &Candidate, samples: &PoseSamples) -> Option<Vec3> {
    let ends = legs.legs.map(|leg| samples.rest.joint(leg.ankle));
    let up = samples.rest.joint(legs.from) - 0.5 * (ends[0] + ends[1]);
    // Legs that are spread to both sides or have no length do not stand.
    let up = up.try_normalize().filter(|_| up.length() > 0.4 * legs.leg_length())?;
    let axis = Vec3::AXES.into_iter().find(|axis| axis.dot(up).abs() > NEAR_AXIS);
    Some(axis.map_or(up, |axis| axis * axis.dot(up).signum()))
}

/// The cosine of 25°: an axis closer than that replaces the measured direction.
const NEAR_AXIS: f64 = 0.906;

/// The level direction that the body faces: where its toes and bent knees point. `None` if unclear.
///
/// On all fours the toes point back, but the strongly bent knees outweigh them.
pub(crate) fn forward(
    legs: &[LegChain],
    world: &WorldPose,
    up: Vec3,
    bones: &Bones,
    samples: &PoseSamples,
) -> Option<Vec3> {
    let toes = |leg: &LegChain| {
        let path = bones.path(leg.ankle);
        let tip = path[path.len() - 1];
        let end = samples.skeleton.joint(tip).end.unwrap_or(Vec3::ZERO);
        let end = world.joint(tip) + world.rotations[tip.index()] * end;
        level(end - world.joint(leg.ankle), up) / (FOOT * leg.leg_length())
    };
    let knee = |leg: &LegChain| {
        let middle = 0.5 * (world.joint(leg.hip) + world.joint(leg.ankle));
        level(world.joint(leg.knee) - middle, up) / (KNEE * leg.leg_length())
    };
    let all: Vec3 = legs.iter().map(|leg| toes(leg) + knee(leg)).sum();
    // An end site straight down and straight legs have no level direction.
    all.try_normalize().filter(|_| all.length() > 0.1 * legs.len() as f64)
}

/// Distance of the toes from the ankle that counts as 1, in leg lengths: the length of a foot.
const FOOT: f64 = 0.25;

/// Distance of the knee from the line between hip and ankle that counts as 1, in leg lengths: a
/// strongly bent knee.
const KNEE: f64 = 0.1;

/// The level component of a vector.
pub(crate) fn level(vector: Vec3, up: Vec3) -> Vec3 {
    vector - up * vector.dot(up)
}

/// Orders the pairs from front to hind, each with the prefix of its leg names; none for one pair.
pub(crate) fn order_front_to_hind(
    pairs: Vec<Candidate>,
    samples: &PoseSamples,
    hints: &[NameHints],
) -> Vec<(Candidate, &'static str)> {
    let named = |pair: &Candidate| {
        let mut joints = pair.legs.iter().flat_map(|leg| [leg.hip, leg.knee, leg.ankle]);
        match joints.find_map(|joint| hints[joint.index()].row) {
            Some(LegRow::Front) => 0,
            Some(LegRow::Hind) => 2,
            Some(LegRow::Middle) | None => 1,
        }
    };
    let depth = |pair: &Candidate| {
        core::iter::successors(Some(pair.from), |&joint| samples.skeleton.parent(joint)).count()
    };
    // The legs of an insect are all children of one joint; files list them from front to hind.
    let first = |pair: &Candidate| pair.first_joints[0].min(pair.first_joints[1]);
    let mut ordered = pairs;
    ordered.sort_by_key(|pair| (named(pair), core::cmp::Reverse(depth(pair)), first(pair)));
    let prefixes = prefixes(ordered.len());
    ordered.into_iter().zip(prefixes).collect()
}

/// The prefixes of leg names, from front to hind.
fn prefixes(pairs: usize) -> Vec<&'static str> {
    match pairs {
        0 | 1 => vec![""; pairs],
        2 => vec!["front ", "hind "],
        3 => vec!["front ", "middle ", "hind "],
        4 => vec!["front ", "second ", "third ", "hind "],
        _ => (["front ", "second ", "third ", "fourth ", "fifth ", "sixth "].into_iter())
            .cycle()
            .take(pairs)
            .collect(),
    }
}
