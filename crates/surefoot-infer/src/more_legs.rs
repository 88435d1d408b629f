//! Finds further legs of a body that walks on more than two.
//!
//! Front legs are a pair whose ends stand on the same floor as the hind legs, in the rest pose and
//! in a good part of the motion. The arms of a crawling person fail in the rest pose, where they
//! are stretched out or hang to the thighs; a horse that rears or climbs fails only in part of the
//! motion. Without a usable rest pose the motion alone must be clear: the hind legs must stand
//! upright, which those of a crawling person do not.

use crate::bones::Bones;
use crate::joint_names::{NameHints, Part};
use crate::leg_chain::LegChain;
use crate::legs::Candidate;
use crate::pose_samples::{PoseSample, PoseSamples};
use crate::sides;
use surefoot_core::WorldPose;
use surefoot_core::math::Vec3;

/// Largest height of an end above the floor while it stands, in leg lengths.
///
/// A walking horse lifts its hooves by 0.15; the hands of a standing person hang at 0.5.
const SAME_FLOOR: f64 = 0.2;

/// Largest difference between the floors of two pairs in the motion, in leg lengths. One pair may
/// end in toes, the other in the joint above its paws.
const SAME_LEVEL: f64 = 0.35;

/// Smallest ratio of the times that a pair named as legs and the first pair stand. Both are in the
/// air for half of a gallop.
const NAMED_STANCE: f64 = 0.7;

/// Like [`NAMED_STANCE`], for a pair on which the rest pose stands. It never stands on arms, and on
/// stairs the front legs are often a step higher.
const RESTING_STANCE: f64 = 0.3;

/// Like [`NAMED_STANCE`], without a usable rest pose.
const UNKNOWN_STANCE: f64 = 0.8;

/// Leg lengths of further pairs, relative to the first pair.
const LENGTHS: core::ops::Range<f64> = 0.4..2.5;

/// Smallest share of the motion in which the first pair is taken to stand, so that [`NAMED_STANCE`]
/// and the ratios below it stay meaningful.
const LEAST_STANCE: f64 = 0.3;

/// Smallest mean cosine between up and the first pair while it stands, without a usable rest pose.
/// From hip to toes an animal's legs are within 20° of upright, a crawling person's at 60°.
const UPRIGHT: f64 = 0.8;

/// The pairs among `others` that are legs of the same body as `legs`, the first pair.
pub(crate) fn find(
    legs: &Candidate,
    others: Vec<Candidate>,
    up: Vec3,
    bones: &Bones,
    samples: &PoseSamples,
    hints: &[NameHints],
) -> Vec<Candidate> {
    let stance = Stance { legs, bones, samples };
    let body = bones.body_root(legs.from, samples.skeleton);
    let is_leg = |other: &Candidate| {
        let share = stance.shares_stance(other, up);
        let by_rest = match stance.shares_floor_at_rest(other) {
            _ if is_named_leg(other, hints) => share >= NAMED_STANCE,
            Some(at_rest) => at_rest && share >= RESTING_STANCE,
            None => share >= UNKNOWN_STANCE && stance.uprightness(up) >= UPRIGHT && !stance.hangs(other, up),
        };
        by_rest
            && LENGTHS.contains(&(other.leg_length() / legs.leg_length()))
            && bones.body_root(other.from, samples.skeleton) == body
    };
    others.into_iter().filter(is_leg).collect()
}

/// Whether both chains of a pair have names of legs.
fn is_named_leg(pair: &Candidate, hints: &[NameHints]) -> bool {
    pair.legs.iter().all(|leg| {
        let mut joints = [leg.hip, leg.knee, leg.ankle].into_iter();
        joints.any(|joint| hints[joint.index()].part.is_some_and(Part::is_leg))
    })
}

/// Compares other pairs with the first pair, on which the body stands.
struct Stance<'a> {
    legs: &'a Candidate,
    bones: &'a Bones,
    samples: &'a PoseSamples<'a>,
}

impl Stance<'_> {
    /// The height of the lowest end of a pair.
    fn lowest(&self, pair: &Candidate, world: &WorldPose, up: Vec3) -> f64 {
        let end = |leg: &LegChain| lowest_end(leg, self.bones, self.samples, world, up).dot(up);
        pair.legs.iter().map(end).fold(f64::INFINITY, f64::min)
    }

    /// The 10th percentile of the height of a pair's lowest end, and the share of the motion in
    /// which the end is near that height.
    fn standing(&self, pair: &Candidate, up: Vec3) -> (f64, f64) {
        let height = |sample: &PoseSample| self.lowest(pair, &sample.now, up);
        let mut heights: Vec<f64> = self.samples.poses.iter().map(height).collect();
        heights.sort_by(f64::total_cmp);
        let Some(&floor) = heights.get(heights.len() / 10) else { return (0.0, 0.0) };
        let stands = |height: &&f64| (**height - floor).abs() < SAME_FLOOR * self.legs.leg_length();
        (floor, heights.iter().filter(stands).count() as f64 / heights.len() as f64)
    }

    /// Ratio of the times that another pair and the first stand; 0 if their floors differ.
    fn shares_stance(&self, other: &Candidate, up: Vec3) -> f64 {
        let [(floor, stands), (other_floor, other_stands)] =
            [self.legs, other].map(|pair| self.standing(pair, up));
        let is_level = (other_floor - floor).abs() < SAME_LEVEL * self.legs.leg_length();
        if is_level { other_stands / stands.max(LEAST_STANCE) } else { 0.0 }
    }

    /// Whether the ends of another pair are at the height of the first pair's.
    fn shares_floor(&self, other: &Candidate, world: &WorldPose, up: Vec3) -> bool {
        let difference = self.lowest(other, world, up) - self.lowest(self.legs, world, up);
        difference.abs() < SAME_FLOOR * self.legs.leg_length()
    }

    /// Whether the ends of another pair are at the height of the first pair's in the rest pose; `None` if the rest pose
    /// is not usable.
    fn shares_floor_at_rest(&self, other: &Candidate) -> Option<bool> {
        let up = sides::rest_up(self.legs, self.samples)?;
        let rest = &self.samples.rest;
        // Some files have all bones in a row, so that the trunk runs down from the legs. A person's
        // trunk runs up, an animal's level.
        let is_row = is_down(rest, self.legs, other, up);
        let is_usable = !is_row && is_mirrored(self.legs, rest) && is_mirrored(other, rest);
        is_usable.then(|| self.shares_floor(other, rest, up))
    }

    /// Whether another pair branches off far below the first in most of the motion, like the arms
    /// of a person who bends down.
    fn hangs(&self, other: &Candidate, up: Vec3) -> bool {
        let hangs = |sample: &&PoseSample| is_down(&sample.now, self.legs, other, up);
        2 * self.samples.poses.iter().filter(hangs).count() > self.samples.poses.len()
    }

    /// Mean cosine between up and the first pair, from hip to lowest end, while it stands.
    fn uprightness(&self, up: Vec3) -> f64 {
        let (floor, _) = self.standing(self.legs, up);
        let mut stands: Vec<f64> = Vec::new();
        for sample in &self.samples.poses {
            for leg in &self.legs.legs {
                let end = lowest_end(leg, self.bones, self.samples, &sample.now, up);
                if (end.dot(up) - floor).abs() < SAME_FLOOR * self.legs.leg_length() {
                    stands.push((sample.now.joint(leg.hip) - end).normalize_or_zero().dot(up));
                }
            }
        }
        stands.iter().sum::<f64>() / stands.len().max(1) as f64
    }
}

/// Whether the trunk runs down from the first pair to where another pair branches off.
fn is_down(world: &WorldPose, legs: &Candidate, other: &Candidate, up: Vec3) -> bool {
    let trunk = world.joint(other.from) - world.joint(legs.from);
    // False if all legs are children of one joint, which makes both sides 0.
    trunk.dot(up) < -0.5 * trunk.length()
}

/// Whether the two chains of a pair are mirror images: the line between their ends is parallel to
/// the line between their hips.
fn is_mirrored(pair: &Candidate, world: &WorldPose) -> bool {
    let [one, other] = pair.legs;
    let hips = world.joint(one.hip) - world.joint(other.hip);
    let ends = world.joint(one.ankle) - world.joint(other.ankle);
    hips.dot(ends).abs() >= 0.9 * hips.length() * ends.length()
}

/// The lowest joint or bone end of a foot.
fn lowest_end(leg: &LegChain, bones: &Bones, samples: &PoseSamples, world: &WorldPose, up: Vec3) -> Vec3 {
    let path = bones.path(leg.ankle);
    let tip = path[path.len() - 1];
    let end = samples.skeleton.joint(tip).end.unwrap_or(Vec3::ZERO);
    let end = world.joint(tip) + world.rotations[tip.index()] * end;
    let lower = |a: Vec3, b: Vec3| if b.dot(up) < a.dot(up) { b } else { a };
    path.iter().map(|&joint| world.joint(joint)).fold(end, lower)
}
