//! Which leg of a pair is the left one, and which pair is in front?
//!
//! A body on more than two legs faces from the pair nearest to its root to the one farthest away:
//! roots are at the hips. For the rest, names say it in most files. Shape says it too: toes and bent knees point forward, and left is
//! to the left of forward with up above. Where the two disagree, the names are kept, since people
//! go by them, and the file is probably mirrored: a warning says so.

use crate::bones::Bones;
use crate::hip_knee_ankle::Cut;
use crate::legs::{Candidate, named_side};
use crate::names::{Place, Said, Side};
use crate::sight::Sight;
use surefoot_core::WorldPose;
use surefoot_core::math::Vec3;

/// A pair of legs in order.
pub(crate) struct Sided {
    pub left: Cut,
    pub right: Cut,
    /// Where names and shape disagree, or neither tells.
    pub warning: Option<String>,
}

/// Tells left from right, by the front and the hind pair of a body on more than two legs.
pub(crate) fn sides(
    pair: &Candidate,
    ends: Option<[[Cut; 2]; 2]>,
    up: Vec3,
    bones: &Bones,
    sight: &Sight,
    said: &[Said],
) -> Sided {
    let [one, other] = pair.cuts;
    let seen = first_is_left(pair, ends, up, bones, sight);
    let named = match [one, other].map(|cut| named_side(&cut, said)) {
        [Some(Side::Left), Some(Side::Right)] => Some(true),
        [Some(Side::Right), Some(Side::Left)] => Some(false),
        _ => None,
    };
    let name = |cut: &Cut| &sight.skeleton.joint(cut.hip).name;
    let warning = match (named, seen) {
        (Some(named), Some(seen)) if named != seen => {
            let left = if named { &one } else { &other };
            Some(format!(
                "{} is named as the left leg but is on the body's right, going by the direction \
                 of its toes: the file may be mirrored, or left-handed",
                name(left)
            ))
        }
        (None, None) => {
            Some(format!("neither names nor shape tell left from right; {} is taken as left", name(&one)))
        }
        _ => None,
    };
    let (left, right) = if named.or(seen).unwrap_or(true) { (one, other) } else { (other, one) };
    Sided { left, right, warning }
}

/// How far to one side the hips' line must point, as a mean sine, to tell left from right.
const AGREE: f64 = 0.5;

/// Whether the first leg of a pair is on the body's left; `None` where it is not clear.
///
/// A capture may twist the hips until they lie along the feet; then the rest pose is asked.
fn first_is_left(
    pair: &Candidate,
    ends: Option<[[Cut; 2]; 2]>,
    up: Vec3,
    bones: &Bones,
    sight: &Sight,
) -> Option<bool> {
    // How far to the left the first hip is of the second: 1 straight left, −1 straight right.
    let left = |placed: &WorldPose, up: Vec3| {
        let [one, other] = pair.cuts.map(|cut| placed.joint(cut.hip));
        let middle = |cuts: [Cut; 2]| 0.5 * (placed.joint(cuts[0].hip) + placed.joint(cuts[1].hip));
        let forward = match ends {
            Some([front, hind]) => level(middle(front) - middle(hind), up).try_normalize()?,
            None => forward(&pair.cuts, placed, up, bones, sight)?,
        };
        Some(up.cross(forward).dot((one - other).try_normalize()?))
    };
    let seen: Vec<f64> = sight.looks.iter().filter_map(|look| left(&look.now, up)).collect();
    let mean = seen.iter().sum::<f64>() / seen.len().max(1) as f64;
    let clear = |left: f64| (left.abs() > AGREE).then_some(left > 0.0);
    clear(mean).or_else(|| clear(left(&sight.rest, rest_up(pair, sight)?)?))
}

/// Up at rest, which need not be up in the motion: from the feet to where the legs branch off.
///
/// Rest poses are drawn along an axis, and an animal's feet are behind its hips: the axis is taken
/// where one is near.
pub(crate) fn rest_up(legs: &Candidate, sight: &Sight) -> Option<Vec3> {
    let ends = legs.cuts.map(|cut| sight.rest.joint(cut.ankle));
    let up = sight.rest.joint(legs.from) - 0.5 * (ends[0] + ends[1]);
    // Legs that point to both sides, or nowhere, are no rest pose to judge by.
    let up = up.try_normalize().filter(|_| up.length() > 0.4 * legs.leg())?;
    let axis = Vec3::AXES.into_iter().find(|axis| axis.dot(up).abs() > NEAR_AXIS);
    Some(axis.map_or(up, |axis| axis * axis.dot(up).signum()))
}

/// The cosine of 25°: nearer than that, an axis is the one that was meant.
const NEAR_AXIS: f64 = 0.906;

/// The way the body faces, level: where its toes and its bent knees point.
///
/// On all fours toes point back, but then the knees are bent and say so more clearly.
pub(crate) fn forward(
    legs: &[Cut],
    placed: &WorldPose,
    up: Vec3,
    bones: &Bones,
    sight: &Sight,
) -> Option<Vec3> {
    let toes = |cut: &Cut| {
        let path = bones.path(cut.ankle);
        let tip = path[path.len() - 1];
        let end = sight.skeleton.joint(tip).end.unwrap_or(Vec3::ZERO);
        let end = placed.joint(tip) + placed.rotations[tip.index()] * end;
        level(end - placed.joint(cut.ankle), up) / (FOOT * cut.leg())
    };
    let knee = |cut: &Cut| {
        let middle = 0.5 * (placed.joint(cut.hip) + placed.joint(cut.ankle));
        level(placed.joint(cut.knee) - middle, up) / (KNEE * cut.leg())
    };
    let all: Vec3 = legs.iter().map(|cut| toes(cut) + knee(cut)).sum();
    // An end site straight down and straight legs point nowhere.
    all.try_normalize().filter(|_| all.length() > 0.1 * legs.len() as f64)
}

/// A foot's length, in legs: toes that far ahead count as 1.
const FOOT: f64 = 0.25;

/// How far ahead of the straight leg a well bent knee is, in legs, and counts as 1.
const KNEE: f64 = 0.1;

/// The part of a vector that is level.
pub(crate) fn level(vector: Vec3, up: Vec3) -> Vec3 {
    vector - up * vector.dot(up)
}

/// The pairs from front to hind, each with its word; one pair alone has none.
pub(crate) fn front_to_hind(
    pairs: Vec<Candidate>,
    sight: &Sight,
    said: &[Said],
) -> Vec<(Candidate, &'static str)> {
    let named = |pair: &Candidate| {
        let mut joints = pair.cuts.iter().flat_map(|cut| [cut.hip, cut.knee, cut.ankle]);
        match joints.find_map(|joint| said[joint.index()].place) {
            Some(Place::Front) => 0,
            Some(Place::Hind) => 2,
            Some(Place::Middle) | None => 1,
        }
    };
    let depth = |pair: &Candidate| {
        core::iter::successors(Some(pair.from), |&joint| sight.skeleton.parent(joint)).count()
    };
    // Legs of an insect all hang from one joint; files list them from front to hind.
    let first = |pair: &Candidate| pair.firsts[0].min(pair.firsts[1]);
    let mut ordered = pairs;
    ordered.sort_by_key(|pair| (named(pair), core::cmp::Reverse(depth(pair)), first(pair)));
    let words = words(ordered.len());
    ordered.into_iter().zip(words).collect()
}

/// What pairs of legs are called, from front to hind.
fn words(pairs: usize) -> Vec<&'static str> {
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
