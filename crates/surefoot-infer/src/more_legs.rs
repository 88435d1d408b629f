//! Which other pairs of chains are legs too?
//!
//! Front legs are a pair whose ends stand where the hind ones do, at rest and in a good part of
//! the motion. A crawling person's arms fail at rest, where they are stretched out or hang to the
//! thighs; a horse that rears or climbs fails in some of the motion, not in most. Where the file draws no
//! rest pose to judge by, the motion must be clear about it: hind legs that stand upright, which a
//! crawling person's do not.

use crate::bones::Bones;
use crate::hip_knee_ankle::Cut;
use crate::legs::Candidate;
use crate::names::{Part, Said};
use crate::sides;
use crate::sight::{Look, Sight};
use surefoot_core::WorldPose;
use surefoot_core::math::Vec3;

/// How much higher than the other legs' an end may stand, in legs.
///
/// A walking horse lifts its hooves by 0.15; a standing person's hands hang at 0.5.
const SAME_FLOOR: f64 = 0.2;

/// How far apart the floors of two pairs may be in the motion, in legs. One pair may end in toes,
/// the other in the joint above its paws.
const SAME_LEVEL: f64 = 0.35;

/// How often the ends must stand on the floor, against how often the first pair does. Both are in
/// the air for half of a gallop.
const MOSTLY: f64 = 0.7;

/// The same where the rest pose already stands on them: arms do not, however they are drawn, and
/// on stairs the front legs are often a step higher.
const AT_REST_TOO: f64 = 0.3;

/// Lengths that legs of one body may have, as a ratio to the first pair.
const LENGTHS: core::ops::Range<f64> = 0.4..2.5;

/// The same where there is no rest pose to judge by.
const NEARLY_ALWAYS: f64 = 0.8;

/// The least share of the motion in which a pair of legs stands.
const LEAST: f64 = 0.3;

/// How upright the first pair must stand then, as a cosine. From hip to toes an animal's legs are
/// within 20° of upright in the mean, a crawling person's at 60°.
const UPRIGHT: f64 = 0.8;

/// The pairs among `others` that are legs of the same body as `legs`.
pub(crate) fn find(
    legs: &Candidate,
    others: Vec<Candidate>,
    up: Vec3,
    bones: &Bones,
    sight: &Sight,
    said: &[Said],
) -> Vec<Candidate> {
    let stance = Stance { legs, bones, sight };
    let body = bones.body_of(legs.from, sight.skeleton);
    let is_leg = |other: &Candidate| {
        let share = stance.shares_stance(other, up);
        let by_rest = match stance.shares_floor_at_rest(other) {
            _ if is_named_leg(other, said) => share >= MOSTLY,
            Some(at_rest) => at_rest && share >= AT_REST_TOO,
            None => share >= NEARLY_ALWAYS && stance.uprightness(up) >= UPRIGHT && !stance.hangs(other, up),
        };
        by_rest
            && LENGTHS.contains(&(other.leg() / legs.leg()))
            && bones.body_of(other.from, sight.skeleton) == body
    };
    others.into_iter().filter(is_leg).collect()
}

/// Whether both chains of a pair are called legs.
fn is_named_leg(pair: &Candidate, said: &[Said]) -> bool {
    pair.cuts.iter().all(|cut| {
        let mut joints = [cut.hip, cut.knee, cut.ankle].into_iter();
        joints.any(|joint| said[joint.index()].part.is_some_and(Part::is_leg))
    })
}

/// The first pair, and how the body stands on it.
struct Stance<'a> {
    legs: &'a Candidate,
    bones: &'a Bones,
    sight: &'a Sight<'a>,
}

impl Stance<'_> {
    /// The height of a pair's lowest end.
    fn lowest(&self, pair: &Candidate, placed: &WorldPose, up: Vec3) -> f64 {
        let end = |cut: &Cut| lowest_end(cut, self.bones, self.sight, placed, up).dot(up);
        pair.cuts.iter().map(end).fold(f64::INFINITY, f64::min)
    }

    /// The height to which a pair's ends come down in the motion, and the share of it in which they
    /// are near that.
    fn standing(&self, pair: &Candidate, up: Vec3) -> (f64, f64) {
        let height = |look: &Look| self.lowest(pair, &look.now, up);
        let mut heights: Vec<f64> = self.sight.looks.iter().map(height).collect();
        heights.sort_by(f64::total_cmp);
        let Some(&floor) = heights.get(heights.len() / 10) else { return (0.0, 0.0) };
        let stands = |height: &&f64| (**height - floor).abs() < SAME_FLOOR * self.legs.leg();
        (floor, heights.iter().filter(stands).count() as f64 / heights.len() as f64)
    }

    /// How often another pair stands on the legs' floor, against how often the legs do.
    fn shares_stance(&self, other: &Candidate, up: Vec3) -> f64 {
        let [(floor, stands), (other_floor, other_stands)] =
            [self.legs, other].map(|pair| self.standing(pair, up));
        let is_level = (other_floor - floor).abs() < SAME_LEVEL * self.legs.leg();
        if is_level { other_stands / stands.max(LEAST) } else { 0.0 }
    }

    /// Whether another pair's ends are as low as the legs'.
    fn shares_floor(&self, other: &Candidate, placed: &WorldPose, up: Vec3) -> bool {
        let apart = self.lowest(other, placed, up) - self.lowest(self.legs, placed, up);
        apart.abs() < SAME_FLOOR * self.legs.leg()
    }

    /// The same at rest; `None` if the file draws no body at rest.
    fn shares_floor_at_rest(&self, other: &Candidate) -> Option<bool> {
        let up = sides::rest_up(self.legs, self.sight)?;
        let rest = &self.sight.rest;
        // All bones in a row: a trunk that runs down the legs. A person's runs the other way, an
        // animal's across.
        let is_row = is_down(rest, self.legs, other, up);
        let is_drawn = !is_row && is_mirrored(self.legs, rest) && is_mirrored(other, rest);
        is_drawn.then(|| self.shares_floor(other, rest, up))
    }

    /// Whether another pair branches off far below the legs in most of the motion, as the arms of a
    /// person who bends down do, or of a body whose bones are all in a row.
    fn hangs(&self, other: &Candidate, up: Vec3) -> bool {
        let hangs = |look: &&Look| is_down(&look.now, self.legs, other, up);
        2 * self.sight.looks.iter().filter(hangs).count() > self.sight.looks.len()
    }

    /// How upright the legs stand while they do, from hip to the lowest end, as a mean cosine.
    fn uprightness(&self, up: Vec3) -> f64 {
        let (floor, _) = self.standing(self.legs, up);
        let mut stands: Vec<f64> = Vec::new();
        for look in &self.sight.looks {
            for cut in &self.legs.cuts {
                let end = lowest_end(cut, self.bones, self.sight, &look.now, up);
                if (end.dot(up) - floor).abs() < SAME_FLOOR * self.legs.leg() {
                    stands.push((look.now.joint(cut.hip) - end).normalize_or_zero().dot(up));
                }
            }
        }
        stands.iter().sum::<f64>() / stands.len().max(1) as f64
    }
}

/// Whether the trunk runs down from the legs to where another pair branches off.
fn is_down(placed: &WorldPose, legs: &Candidate, other: &Candidate, up: Vec3) -> bool {
    let trunk = placed.joint(other.from) - placed.joint(legs.from);
    // Not at all where all legs hang from one joint.
    trunk.dot(up) < -0.5 * trunk.length()
}

/// Whether the two chains of a pair are mirror images: the line between their ends runs along the
/// line between their hips.
fn is_mirrored(pair: &Candidate, placed: &WorldPose) -> bool {
    let [one, other] = pair.cuts;
    let hips = placed.joint(one.hip) - placed.joint(other.hip);
    let ends = placed.joint(one.ankle) - placed.joint(other.ankle);
    hips.dot(ends).abs() >= 0.9 * hips.length() * ends.length()
}

/// The lowest place of a foot.
fn lowest_end(cut: &Cut, bones: &Bones, sight: &Sight, placed: &WorldPose, up: Vec3) -> Vec3 {
    let path = bones.path(cut.ankle);
    let tip = path[path.len() - 1];
    let end = sight.skeleton.joint(tip).end.unwrap_or(Vec3::ZERO);
    let end = placed.joint(tip) + placed.rotations[tip.index()] * end;
    let lower = |a: Vec3, b: Vec3| if b.dot(up) < a.dot(up) { b } else { a };
    path.iter().map(|&joint| placed.joint(joint)).fold(end, lower)
}
