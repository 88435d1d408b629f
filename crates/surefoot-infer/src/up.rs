//! Which axis points up?
//!
//! Mostly the one from the feet to the hips: people stand more than they lie. Where the motion is
//! not clear about it, the rest pose, the floor that nothing goes below, the path that leads over
//! it and the custom of most files (Y, then Z) have a say.

use crate::Inferred;
use crate::hip_knee_ankle::Cut;
use crate::sight::Sight;
use surefoot_core::UpAxis;
use surefoot_core::WorldPose;
use surefoot_core::math::{Vec3, exp};

/// What the direction from feet to hips is worth, for a body that stands all the time.
const STANDING: f64 = 6.0;

/// What the rest pose is worth. Some files draw it in other axes than they move in, so it must
/// not outweigh a body that stands upright in most of the motion.
const RESTING: f64 = 1.6;

/// What a level lower edge of all joints is worth: along the true up axis there is a floor that
/// nothing goes below, whether the body stands, lies or tumbles.
const FLOOR: f64 = 2.5;

/// A lower edge that moves by this much is as uneven as any, in legs.
const UNEVEN: f64 = 0.5;

/// What a path that keeps its height is worth.
const TRAVEL: f64 = 0.6;

/// What custom is worth, for the axes' positive and negative ends: most files are Y up, many
/// Z up, a few X up; a negative end is rare.
const CUSTOM: [[f64; 2]; 3] = [[-0.5, -0.8], [0.6, -0.4], [0.4, -0.4]];

/// All six directions.
fn all() -> impl Iterator<Item = UpAxis> {
    (0..3).flat_map(|axis| [false, true].map(|negative| UpAxis { axis, negative }))
}

/// Finds the axis that points up.
pub(crate) fn find(legs: &[Cut], sight: &Sight) -> Inferred<UpAxis> {
    let upright = upright(legs, sight);
    let rest = direction(legs, sight, &sight.rest);
    let edge = lower_edges(sight, size(legs, sight));
    let travel = travel(sight);
    let score = |up: UpAxis| {
        let along = |direction: Option<Vec3>| direction.map_or(0.0, |d| d.dot(up.direction()));
        STANDING * along(upright)
            + RESTING * along(rest)
            + FLOOR * (1.0 - edge[up.axis][usize::from(up.negative)])
            + TRAVEL * (1.0 - travel[up.axis])
            + CUSTOM[up.axis][usize::from(up.negative)]
    };
    let mut ranked: Vec<(f64, UpAxis)> = all().map(|up| (score(up), up)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (best, up) = ranked[0];
    let weights: f64 = ranked.iter().map(|(score, _)| exp(score - best)).sum();
    let mut confidence = 1.0 / weights;
    if legs.is_empty() {
        confidence = confidence.min(0.5);
    }
    Inferred { value: up, confidence, reason: reason(up, ranked[1].1, confidence, upright, rest) }
}

fn reason(up: UpAxis, second: UpAxis, confidence: f64, upright: Option<Vec3>, rest: Option<Vec3>) -> String {
    let along = |direction: Option<Vec3>, up: UpAxis| direction.map_or(0.0, |d| d.dot(up.direction()));
    let mut reasons = Vec::new();
    if along(upright, up) > 0.3 {
        reasons.push(format!("the hips are above the feet along {}", up.as_str()));
    }
    if along(rest, up) > 0.5 {
        reasons.push(format!("the rest pose stands along {}", up.as_str()));
    }
    if reasons.is_empty() && CUSTOM[up.axis][usize::from(up.negative)] > 0.0 {
        reasons.push(format!("nothing stands clearly, and many files have {} up", up.as_str()));
    } else if reasons.is_empty() {
        reasons.push(format!("nothing stands clearly, and most of the body is along {}", up.as_str()));
    }
    let mut reason = reasons.join(", ");
    if confidence < 0.9 {
        let against = if along(upright, second) > 0.3 {
            "the hips are above the feet along it in part of the motion"
        } else if along(rest, second) > 0.5 {
            "the rest pose stands along it"
        } else {
            "less speaks for it"
        };
        reason += &format!("; {} was weighed too: {against}", second.as_str());
    }
    reason
}

/// From feet to hips, mean over the motion; shorter than 1 where that changes.
fn upright(legs: &[Cut], sight: &Sight) -> Option<Vec3> {
    let seen: Vec<Vec3> = (sight.looks.iter()).filter_map(|look| direction(legs, sight, &look.now)).collect();
    (!seen.is_empty()).then(|| seen.iter().copied().sum::<Vec3>() / seen.len() as f64)
}

/// From the middle of the ankles to the middle of the hips, as a unit vector; shorter where the
/// legs are drawn in or apart and do not say much. Without legs, from the root to the middle of
/// all joints, as in a bust.
fn direction(legs: &[Cut], sight: &Sight, placed: &WorldPose) -> Option<Vec3> {
    if legs.is_empty() {
        return middle_direction(sight, placed).map(|direction| direction * BUST);
    }
    let count = legs.len() as f64;
    let up = |leg: &Cut| placed.joint(leg.hip) - placed.joint(leg.ankle);
    let up = legs.iter().map(up).sum::<Vec3>() / count;
    let leg = legs.iter().map(Cut::leg).sum::<f64>() / count;
    let reach = (up.length() / (0.6 * leg)).min(1.0);
    up.try_normalize().map(|direction| direction * reach)
}

/// How far the direction of a body without legs is believed.
const BUST: f64 = 0.3;

/// From the first root to the middle of all joints.
fn middle_direction(sight: &Sight, placed: &WorldPose) -> Option<Vec3> {
    let first = *placed.positions.first()?;
    let middle = placed.positions.iter().copied().sum::<Vec3>() / sight.skeleton.len() as f64;
    (middle - first).try_normalize()
}

/// For each axis, how uneven the body's lower edge is along it and along its opposite, from 0 for
/// a level one to 1.
fn lower_edges(sight: &Sight, leg: f64) -> [[f64; 2]; 3] {
    let mut uneven = [[1.0; 2]; 3];
    for up in all() {
        let lowest = |placed: &WorldPose| {
            let heights = placed.positions.iter().map(|place| place.dot(up.direction()));
            heights.fold(f64::INFINITY, f64::min)
        };
        let edge: Vec<f64> = sight.looks.iter().map(|look| lowest(&look.now)).collect();
        if leg > 0.0 {
            uneven[up.axis][usize::from(up.negative)] = (spread(edge) / (UNEVEN * leg)).min(1.0);
        }
    }
    uneven
}

/// The length of a leg, or of half the body where there is none.
fn size(legs: &[Cut], sight: &Sight) -> f64 {
    if !legs.is_empty() {
        return legs.iter().map(Cut::leg).sum::<f64>() / legs.len() as f64;
    }
    let first = sight.rest.positions.first().copied().unwrap_or(Vec3::ZERO);
    sight.rest.positions.iter().map(|place| place.distance(first)).fold(0.0, f64::max)
}

/// For each axis, how far the first root travels along it, from 0 to 1 for the farthest.
fn travel(sight: &Sight) -> [f64; 3] {
    let path = |axis: usize| {
        let places = sight.looks.iter().filter_map(|look| look.now.positions.first());
        spread(places.map(|place| place[axis]).collect())
    };
    let far = [0, 1, 2].map(path);
    let most = far.iter().copied().fold(0.0, f64::max);
    far.map(|one| if most > 0.0 { one / most } else { 1.0 })
}

/// From the 10th to the 90th of a hundred.
fn spread(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values.get(((values.len().max(1) - 1) as f64 * share) as usize);
    match (at(0.1), at(0.9)) {
        (Some(low), Some(high)) => high - low,
        _ => 0.0,
    }
}
