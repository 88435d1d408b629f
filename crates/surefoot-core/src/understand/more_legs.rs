//! Which other pairs of chains are legs too?
//!
//! Front legs are a pair whose ends stand where the hind ones do, at rest and in most of the
//! motion. A crawling person's arms fail at rest, where they are stretched out or hang to the
//! thighs; a horse that rears fails in some of the motion, not in most.

use super::bones::Bones;
use super::hip_knee_ankle::Cut;
use super::legs::Candidate;
use super::names::Said;
use super::sides;
use super::sight::Sight;
use crate::math::Vec3;
use crate::pose::Placed;
use crate::skeleton::JointId;

/// How much higher than the other legs' an end may stand, in legs.
///
/// A walking horse lifts its hooves by 0.15; a standing person's hands hang at 0.5.
const SAME_FLOOR: f64 = 0.2;

/// The share of the motion in which the ends must stand on the floor of the others.
const MOSTLY: f64 = 0.7;

/// Lengths that legs of one body may have, as a ratio to the first pair.
const LENGTHS: core::ops::Range<f64> = 0.4..2.5;

/// The pairs among `others` that are legs of the same body as `legs`.
pub(super) fn find(
    legs: &Candidate,
    others: Vec<Candidate>,
    up: Vec3,
    bones: &Bones,
    sight: &Sight,
    said: &[Said],
) -> Vec<Candidate> {
    let root = root_of(legs.from, sight);
    let stands = |other: &Candidate, placed: &Placed, up: Vec3| {
        let lowest = |candidate: &Candidate| {
            let ends = candidate.cuts.iter().map(|cut| lowest_end(cut, bones, sight, placed, up));
            ends.fold(f64::INFINITY, f64::min)
        };
        (lowest(other) - lowest(legs)).abs() < SAME_FLOOR * legs.leg()
    };
    let is_leg = |other: &Candidate| {
        let named = |cut: &Cut| {
            [cut.hip, cut.knee, cut.ankle]
                .iter()
                .any(|joint| said[joint.index()].part.is_some_and(|part| part.is_leg()))
        };
        let at_rest = sides::rest_up(legs, sight).is_some_and(|up| stands(other, &sight.rest, up));
        let looks = sight.looks.iter().filter(|look| stands(other, &look.now, up)).count();
        LENGTHS.contains(&(other.leg() / legs.leg()))
            && root_of(other.from, sight) == root
            && (at_rest || other.cuts.iter().all(named))
            && looks as f64 >= MOSTLY * sight.looks.len() as f64
    };
    others.into_iter().filter(is_leg).collect()
}

/// How high the lowest joint of a foot is.
fn lowest_end(cut: &Cut, bones: &Bones, sight: &Sight, placed: &Placed, up: Vec3) -> f64 {
    let path = bones.path(cut.ankle);
    let tip = path[path.len() - 1];
    let end = sight.skeleton.joint(tip).end.unwrap_or(Vec3::ZERO);
    let end = placed.joint(tip) + placed.rotations[tip.index()] * end;
    (path.iter().map(|&joint| placed.joint(joint)).chain([end]))
        .map(|place| place.dot(up))
        .fold(f64::INFINITY, f64::min)
}

/// The root a joint hangs from.
fn root_of(joint: JointId, sight: &Sight) -> JointId {
    let above = core::iter::successors(Some(joint), |&joint| sight.skeleton.parent(joint));
    above.last().unwrap_or(joint)
}
