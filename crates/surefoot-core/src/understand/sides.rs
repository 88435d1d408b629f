//! Which leg of a pair is the left one, and which pair is in front?
//!
//! Names say it in most files. Shape says it too: toes and bent knees point forward, and left is
//! to the left of forward with up above. Where the two disagree, the names are kept, since people
//! go by them, and the file is probably mirrored: a warning says so.

use super::bones::Bones;
use super::hip_knee_ankle::Cut;
use super::legs::{Candidate, named_side};
use super::names::{Place, Said, Side};
use super::sight::Sight;
use crate::math::Vec3;
use crate::pose::Placed;

/// A pair of legs in order.
pub(super) struct Sided {
    pub left: Cut,
    pub right: Cut,
    /// Where names and shape disagree, or neither tells.
    pub warning: Option<String>,
}

/// Tells left from right.
pub(super) fn sides(pair: &Candidate, up: Vec3, bones: &Bones, sight: &Sight, said: &[Said]) -> Sided {
    let [one, other] = pair.cuts;
    let seen = first_is_left(pair, up, bones, sight);
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

/// By how much the share of looks that agree on the side must differ from one half.
const AGREE: f64 = 0.15;

/// Whether the first leg of a pair is on the body's left; `None` where it is not clear.
///
/// A capture may twist the hips until they lie along the feet; then the rest pose is asked.
fn first_is_left(pair: &Candidate, up: Vec3, bones: &Bones, sight: &Sight) -> Option<bool> {
    let vote = |placed: &Placed, up: Vec3| {
        let [one, other] = pair.cuts.map(|cut| placed.joint(cut.hip));
        let forward = forward(&pair.cuts, placed, up, bones, sight)?;
        let left = up.cross(forward).dot(one - other);
        (left.abs() > 1e-9 * pair.leg()).then_some(left > 0.0)
    };
    let votes: Vec<bool> = sight.looks.iter().filter_map(|look| vote(&look.now, up)).collect();
    let ayes = votes.iter().filter(|&&aye| aye).count() as f64 / votes.len().max(1) as f64;
    if !votes.is_empty() && (ayes - 0.5).abs() > AGREE {
        return Some(ayes > 0.5);
    }
    vote(&sight.rest, rest_up(pair, sight)?)
}

/// Up at rest, which need not be up in the motion: from the feet to where the legs branch off.
pub(super) fn rest_up(legs: &Candidate, sight: &Sight) -> Option<Vec3> {
    let ends = legs.cuts.map(|cut| sight.rest.joint(cut.ankle));
    let up = sight.rest.joint(legs.from) - 0.5 * (ends[0] + ends[1]);
    // Legs that point to both sides, or nowhere, are no rest pose to judge by.
    up.try_normalize().filter(|_| up.length() > 0.4 * legs.leg())
}

/// The way the body faces, level: where its toes point, or its knees where it has no feet.
pub(super) fn forward(legs: &[Cut], placed: &Placed, up: Vec3, bones: &Bones, sight: &Sight) -> Option<Vec3> {
    let toes = |cut: &Cut| {
        let path = bones.path(cut.ankle);
        let tip = path[path.len() - 1];
        let end = sight.skeleton.joint(tip).end.unwrap_or(Vec3::ZERO);
        let end = placed.joint(tip) + placed.rotations[tip.index()] * end;
        level(end - placed.joint(cut.ankle), up)
    };
    let knee = |cut: &Cut| {
        let middle = 0.5 * (placed.joint(cut.hip) + placed.joint(cut.ankle));
        level(placed.joint(cut.knee) - middle, up)
    };
    let leg: f64 = legs.iter().map(Cut::leg).sum();
    let toes: Vec3 = legs.iter().map(toes).sum();
    // A twentieth of a leg: shorter feet are an end site drawn straight down.
    if toes.length() > 0.05 * leg {
        return toes.try_normalize();
    }
    let knees: Vec3 = legs.iter().map(knee).sum();
    knees.try_normalize().filter(|_| knees.length() > 0.01 * leg)
}

/// The part of a vector that is level.
pub(super) fn level(vector: Vec3, up: Vec3) -> Vec3 {
    vector - up * vector.dot(up)
}

/// The pairs from front to hind, each with its word; one pair alone has none.
pub(super) fn front_to_hind(
    pairs: Vec<Candidate>,
    up: Vec3,
    bones: &Bones,
    sight: &Sight,
    said: &[Said],
) -> Vec<(Candidate, &'static str)> {
    let cuts: Vec<Cut> = pairs.iter().flat_map(|pair| pair.cuts).collect();
    let seen = sight.looks.iter().map(|look| &look.now).chain([&sight.rest]);
    let mut ahead = vec![0.0; pairs.len()];
    for placed in seen {
        let Some(forward) = forward(&cuts, placed, up, bones, sight) else {
            continue;
        };
        for (ahead, pair) in ahead.iter_mut().zip(&pairs) {
            let hips = pair.cuts.map(|cut| placed.joint(cut.hip));
            *ahead += (hips[0] + hips[1]).dot(forward);
        }
    }
    let named = |pair: &Candidate| {
        let joints = pair.cuts.iter().flat_map(|cut| [cut.hip, cut.knee, cut.ankle]);
        match joints.filter_map(|joint| said[joint.index()].place).next() {
            Some(Place::Front) => 0,
            Some(Place::Hind) => 2,
            Some(Place::Middle) | None => 1,
        }
    };
    let mut ordered: Vec<(f64, Candidate)> = ahead.into_iter().zip(pairs).collect();
    ordered.sort_by(|a, b| named(&a.1).cmp(&named(&b.1)).then(b.0.total_cmp(&a.0)));
    let words = words(ordered.len());
    (ordered.into_iter().map(|(_, pair)| pair)).zip(words).collect()
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
