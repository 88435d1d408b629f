//! Merges the plants of two blended motions.
//!
//! For a step that occurs in both motions, start and end of the plant are interpolated by the weight.
//! A step that occurs in only one motion is kept if that motion has at least half of the weight and
//! the point is nearly at rest in the blended motion.

use surefoot_core::{Footplants, FrameRange, Leg, Motion, Plant};
use surefoot_solve::{SAME_STANCE_M, SWING_SPEED};

use super::frame_pairs::FramePair;
use crate::join::lower_confidence;
use crate::landings::MIN_SWING_SECONDS;

/// Weight from which a motion's plants are kept if the other motion has no matching plant. With a
/// lower value both motions would plant feet that mostly follow the other one.
const SINGLE_STEP_WEIGHT: f64 = 0.5;

/// The plants of both motions, in frames of the blended motion.
///
/// Spots are dropped, since the blended path differs from both.
pub(super) fn merge(
    first: &Footplants,
    second: &Footplants,
    legs: &[Leg],
    pairs: &[FramePair],
    blended: &Motion,
) -> Footplants {
    let mut theirs: Vec<Plant> = to_blended_frames(second, pairs, |pair| pair.second);
    let mut merged = Footplants::default();
    for own in to_blended_frames(first, pairs, |pair| pair.first) {
        let is_same = |their: &&Plant| their.leg == own.leg && their.point == own.point;
        let best = theirs.iter().filter(is_same).max_by_key(|their| overlap(&own.frames, &their.frames));
        let matched = best.filter(|their| {
            2 * overlap(&own.frames, &their.frames) >= own.frames.len().min(their.frames.len())
        });
        match matched.cloned() {
            Some(their) => {
                theirs.retain(|plant| *plant != their);
                let frames = between(&own.frames, &their.frames, pairs);
                merged.plants.push(Plant {
                    frames,
                    confidence: lower_confidence(own.confidence, their.confidence),
                    ..own
                });
            }
            None if weight_in(&own.frames, pairs) <= 1.0 - SINGLE_STEP_WEIGHT => merged.plants.push(own),
            None => {}
        }
    }
    merged
        .plants
        .extend(theirs.into_iter().filter(|their| weight_in(&their.frames, pairs) >= SINGLE_STEP_WEIGHT));
    merged.plants.retain(|plant| plant.leg < legs.len());
    merged.sort();
    Footplants { plants: connect_or_separate(merged.plants, blended, legs) }
}

/// Plants in frames of the blended motion.
fn to_blended_frames(
    plants: &Footplants,
    pairs: &[FramePair],
    frame: impl Fn(&FramePair) -> f64,
) -> Vec<Plant> {
    let at = |captured: usize| pairs.partition_point(|pair| frame(pair) < captured as f64);
    let plant = |plant: &Plant| Plant {
        frames: at(plant.frames.start)..at(plant.frames.end),
        spot: None,
        // The feet of the blended motion move in another way.
        kind: None,
        ..plant.clone()
    };
    plants.plants.iter().map(plant).filter(|plant| !plant.frames.is_empty()).collect()
}

/// Number of frames in both ranges.
fn overlap(a: &FrameRange, b: &FrameRange) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}

fn weight_in(frames: &FrameRange, pairs: &[FramePair]) -> f64 {
    pairs.get((frames.start + frames.end) / 2).or(pairs.last()).map_or(0.0, |pair| pair.weight)
}

/// Interpolates start and end of two plants by the weight there.
fn between(own: &FrameRange, their: &FrameRange, pairs: &[FramePair]) -> FrameRange {
    let edge = |own: usize, their: usize| {
        let at = ((own + their) / 2).min(pairs.len().saturating_sub(1));
        let weight = pairs.get(at).map_or(0.0, |pair| pair.weight);
        (own as f64 + (their as f64 - own as f64) * weight).round() as usize
    };
    let start = edge(own.start, their.start);
    start..edge(own.end, their.end).max(start + 1)
}

/// Connects neighbouring plants of a point that stands at one place, and makes the gap between the others long enough for
/// the point to travel from one place to the other.
fn connect_or_separate(plants: Vec<Plant>, motion: &Motion, legs: &[Leg]) -> Vec<Plant> {
    let roll = (MIN_SWING_SECONDS * motion.fps).round() as usize;
    let mut separate: Vec<Plant> = Vec::new();
    for mut plant in plants {
        let is_next = |before: &&mut Plant| {
            (before.leg, before.point) == (plant.leg, plant.point)
                && plant.frames.start <= before.frames.end + roll
        };
        if let Some(before) = separate.last_mut().filter(is_next) {
            let positions = before.mean_position(motion, legs).zip(plant.mean_position(motion, legs));
            let distance = positions.map_or(0.0, |(a, b)| a.distance(b));
            if distance <= SAME_STANCE_M {
                before.frames.end = before.frames.end.max(plant.frames.end);
                before.confidence = lower_confidence(before.confidence, plant.confidence);
                continue;
            }
            // Each plant is shortened by half of the duration of the swing between them.
            let half = (0.5 * distance / SWING_SPEED * motion.fps).ceil() as usize;
            let middle = (before.frames.end + plant.frames.start) / 2;
            before.frames.end = before.frames.end.min(middle.saturating_sub(half));
            plant.frames.start = plant.frames.start.max(middle + half + 1);
        }
        separate.push(plant);
    }
    separate.retain(|plant| plant.frames.start < plant.frames.end);
    separate
}
