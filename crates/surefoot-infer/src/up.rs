//! Infers the up axis.
//!
//! The strongest evidence is the direction from the feet to the hips: people stand more than they
//! lie. Further evidence is the rest pose, a level lower edge of the body (the floor), the path of
//! the root over the floor, and the convention of most files (Y, then Z).

use crate::Inferred;
use crate::leg_chain::LegChain;
use crate::pose_samples::PoseSamples;
use surefoot_core::UpAxis;
use surefoot_core::WorldPose;
use surefoot_core::math::{Vec3, exp};

/// Weight of the direction from feet to hips for a body that always stands, in log odds.
const STANDING: f64 = 6.0;

/// Weight of the rest pose, in log odds. Some files use other axes for it than for the motion, so
/// it must not outweigh a body that stands upright in most of the motion.
const RESTING: f64 = 1.6;

/// Weight of a level lower edge of all joints, in log odds: along the true up axis no joint goes
/// below the floor, whether the body stands, lies or tumbles.
const FLOOR: f64 = 2.5;

/// Variation of the lower edge that counts as completely uneven, in leg lengths.
const UNEVEN: f64 = 0.5;

/// Weight of a root path that keeps its height, in log odds.
const TRAVEL: f64 = 0.6;

/// Weight of convention for the positive and negative direction of each axis, in log odds: most
/// files have Y up, many Z, a few X; negative directions are rare.
const CONVENTION: [[f64; 2]; 3] = [[-0.5, -0.8], [0.6, -0.4], [0.4, -0.4]];

/// All six directions.
fn all() -> impl Iterator<Item = UpAxis> {
    (0..3).flat_map(|axis| [false, true].map(|negative| UpAxis { axis, negative }))
}

/// Infers the axis that points up. Without legs the confidence is at most 0.5.
pub(crate) fn find(legs: &[LegChain], samples: &PoseSamples) -> Inferred<UpAxis> {
    let upright = upright(legs, samples);
    let rest = direction(legs, samples, &samples.rest);
    let edge = lower_edges(samples, size(legs, samples));
    let travel = travel(samples);
    let score = |up: UpAxis| {
        let along = |direction: Option<Vec3>| direction.map_or(0.0, |d| d.dot(up.direction()));
        STANDING * along(upright)
            + RESTING * along(rest)
            + FLOOR * (1.0 - edge[up.axis][usize::from(up.negative)])
            + TRAVEL * (1.0 - travel[up.axis])
            + CONVENTION[up.axis][usize::from(up.negative)]
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
    if reasons.is_empty() && CONVENTION[up.axis][usize::from(up.negative)] > 0.0 {
        reasons.push(format!("the body does not stand clearly, and many files have {} up", up.as_str()));
    } else if reasons.is_empty() {
        reasons
            .push(format!("the body does not stand clearly, and most of it extends along {}", up.as_str()));
    }
    let mut reason = reasons.join(", ");
    if confidence < 0.9 {
        let alternative = if along(upright, second) > 0.3 {
            "the hips are above the feet along it in part of the motion"
        } else if along(rest, second) > 0.5 {
            "the rest pose stands along it"
        } else {
            "with less evidence"
        };
        reason += &format!("; second choice is {}: {alternative}", second.as_str());
    }
    reason
}

/// Mean direction from the feet to the hips over the motion; shorter than 1 where it varies.
fn upright(legs: &[LegChain], samples: &PoseSamples) -> Option<Vec3> {
    let sampled = samples.poses.iter();
    let directions: Vec<Vec3> = sampled.filter_map(|sample| direction(legs, samples, &sample.now)).collect();
    (!directions.is_empty()).then(|| directions.iter().copied().sum::<Vec3>() / directions.len() as f64)
}

/// The direction from the middle of the ankles to the middle of the hips. Its length is 1, less if
/// the legs are bent or spread so far that they lie within 0.6 leg lengths.
///
/// Without legs, the direction from the root to the middle of all joints, as in a bust.
fn direction(legs: &[LegChain], samples: &PoseSamples, world: &WorldPose) -> Option<Vec3> {
    if legs.is_empty() {
        return middle_direction(samples, world).map(|direction| direction * BUST);
    }
    let count = legs.len() as f64;
    let up = |leg: &LegChain| world.joint(leg.hip) - world.joint(leg.ankle);
    let up = legs.iter().map(up).sum::<Vec3>() / count;
    let leg = legs.iter().map(LegChain::leg_length).sum::<f64>() / count;
    let reach = (up.length() / (0.6 * leg)).min(1.0);
    up.try_normalize().map(|direction| direction * reach)
}

/// Length of the direction of a body without legs: its weight relative to that of legs.
const BUST: f64 = 0.3;

/// The direction from the first root to the middle of all joints.
fn middle_direction(samples: &PoseSamples, world: &WorldPose) -> Option<Vec3> {
    let first = *world.positions.first()?;
    let middle = world.positions.iter().copied().sum::<Vec3>() / samples.skeleton.len() as f64;
    (middle - first).try_normalize()
}

/// For both directions of each axis the unevenness of the body's lower edge, from 0 (level) to 1.
fn lower_edges(samples: &PoseSamples, leg: f64) -> [[f64; 2]; 3] {
    let mut uneven = [[1.0; 2]; 3];
    for up in all() {
        let lowest = |world: &WorldPose| {
            let heights = world.positions.iter().map(|position| position.dot(up.direction()));
            heights.fold(f64::INFINITY, f64::min)
        };
        let edge: Vec<f64> = samples.poses.iter().map(|sample| lowest(&sample.now)).collect();
        if leg > 0.0 {
            uneven[up.axis][usize::from(up.negative)] = (spread(edge) / (UNEVEN * leg)).min(1.0);
        }
    }
    uneven
}

/// The mean leg length, or the extent of a body without legs, in units of the file.
fn size(legs: &[LegChain], samples: &PoseSamples) -> f64 {
    if !legs.is_empty() {
        return legs.iter().map(LegChain::leg_length).sum::<f64>() / legs.len() as f64;
    }
    let first = samples.rest.positions.first().copied().unwrap_or(Vec3::ZERO);
    samples.rest.positions.iter().map(|position| position.distance(first)).fold(0.0, f64::max)
}

/// For each axis the distance that the first root travels along it, relative to the largest.
fn travel(samples: &PoseSamples) -> [f64; 3] {
    let path = |axis: usize| {
        let positions = samples.poses.iter().filter_map(|sample| sample.now.positions.first());
        spread(positions.map(|position| position[axis]).collect())
    };
    let distances = [0, 1, 2].map(path);
    let most = distances.iter().copied().fold(0.0, f64::max);
    distances.map(|distance| if most > 0.0 { distance / most } else { 1.0 })
}

/// The range from the 10th to the 90th percentile.
fn spread(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values.get(((values.len().max(1) - 1) as f64 * share) as usize);
    match (at(0.1), at(0.9)) {
        (Some(low), Some(high)) => high - low,
        _ => 0.0,
    }
}
