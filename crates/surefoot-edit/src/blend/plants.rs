//! Merges the plants of two blended motions.
//!
//! For a step that occurs in both motions, start and end of the plant are interpolated by the weight.
//! A step that occurs in only one motion is kept if that motion has at least half of the weight and
//! the point is nearly at rest in the blended motion.

use surefoot_core::{Footplants, FrameRange, Leg, Plant};

use super::frame_pairs::FramePair;
use crate::join::lower_confidence;

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
    separate(&mut merged);
    merged
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

/// Ends each plant at least one frame before the next plant of the same point.
fn separate(plants: &mut Footplants) {
    for n in 1..plants.plants.len() {
        let (before, after) = plants.plants.split_at_mut(n);
        let (before, after) = (&mut before[n - 1], &after[0]);
        if before.leg == after.leg && before.point == after.point {
            before.frames.end = before.frames.end.min(after.frames.start.saturating_sub(1));
        }
    }
    plants.plants.retain(|plant| plant.frames.start < plant.frames.end);
}
