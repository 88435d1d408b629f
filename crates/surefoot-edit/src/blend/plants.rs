//! Who is held in a blended motion?
//!
//! A step that both motions clip is held from when to when the weight says, between theirs. A step
//! that only one takes is held while that one has half of the weight or more, and its point rests in
//! what was made.

use surefoot_core::{Footplants, FrameRange, Leg, Plant};

use super::course::Step;
use crate::join::least;

/// From this share of the weight on a motion's own steps are held.
const ALONE: f64 = 0.5;

/// The plants of both motions, in the blended motion's frames. Spots are of neither's path, so none
/// is kept.
pub(super) fn merge(first: &Footplants, second: &Footplants, legs: &[Leg], steps: &[Step]) -> Footplants {
    let mut theirs: Vec<Plant> = moved(second, steps, |step| step.second);
    let mut merged = Footplants::default();
    for own in moved(first, steps, |step| step.first) {
        let is_same = |their: &&Plant| their.leg == own.leg && their.point == own.point;
        let best = theirs.iter().filter(is_same).max_by_key(|their| both(&own.frames, &their.frames));
        let matched = best
            .filter(|their| 2 * both(&own.frames, &their.frames) >= own.frames.len().min(their.frames.len()));
        match matched.cloned() {
            Some(their) => {
                theirs.retain(|plant| *plant != their);
                let frames = between(&own.frames, &their.frames, steps);
                merged.plants.push(Plant {
                    frames,
                    confidence: least(own.confidence, their.confidence),
                    ..own
                });
            }
            None if weight_in(&own.frames, steps) <= 1.0 - ALONE => merged.plants.push(own),
            None => {}
        }
    }
    merged.plants.extend(theirs.into_iter().filter(|their| weight_in(&their.frames, steps) >= ALONE));
    merged.plants.retain(|plant| plant.leg < legs.len());
    merged.sort();
    apart(&mut merged);
    merged
}

/// Plants in the blended motion's frames.
fn moved(plants: &Footplants, steps: &[Step], frame: impl Fn(&Step) -> f64) -> Vec<Plant> {
    let at = |captured: usize| steps.partition_point(|step| frame(step) < captured as f64);
    let plant = |plant: &Plant| Plant {
        frames: at(plant.frames.start)..at(plant.frames.end),
        spot: None,
        ..plant.clone()
    };
    plants.plants.iter().map(plant).filter(|plant| !plant.frames.is_empty()).collect()
}

/// For how many frames both are held.
fn both(a: &FrameRange, b: &FrameRange) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}

fn weight_in(frames: &FrameRange, steps: &[Step]) -> f64 {
    steps.get((frames.start + frames.end) / 2).or(steps.last()).map_or(0.0, |step| step.weight)
}

/// From when to when, between two plants.
fn between(own: &FrameRange, their: &FrameRange, steps: &[Step]) -> FrameRange {
    let edge = |own: usize, their: usize| {
        let at = ((own + their) / 2).min(steps.len().saturating_sub(1));
        let weight = steps.get(at).map_or(0.0, |step| step.weight);
        (own as f64 + (their as f64 - own as f64) * weight).round() as usize
    };
    let start = edge(own.start, their.start);
    start..edge(own.end, their.end).max(start + 1)
}

/// Lets go of a point before its next plant begins.
fn apart(plants: &mut Footplants) {
    for n in 1..plants.plants.len() {
        let (before, after) = plants.plants.split_at_mut(n);
        let (before, after) = (&mut before[n - 1], &after[0]);
        if before.leg == after.leg && before.point == after.point {
            before.frames.end = before.frames.end.min(after.frames.start.saturating_sub(1));
        }
    }
    plants.plants.retain(|plant| plant.frames.start < plant.frames.end);
}

/// A foot that is free for less than this has not been lifted, in seconds: it rolls.
const ROLLS: f64 = 0.1;

/// How many steps these plants are: how often a foot comes to stand, on its heel or its ball.
pub fn steps_taken(plants: &Footplants, fps: f64) -> usize {
    let mut held: Vec<(usize, FrameRange)> =
        plants.plants.iter().map(|plant| (plant.leg, plant.frames.clone())).collect();
    held.sort_by_key(|(leg, frames)| (*leg, frames.start));
    let mut last: Option<(usize, usize)> = None;
    let mut count = 0;
    for (leg, frames) in held {
        match &mut last {
            Some((of, end)) if *of == leg && frames.start as f64 <= *end as f64 + ROLLS * fps => {
                *end = frames.end.max(*end)
            }
            _ => {
                count += 1;
                last = Some((leg, frames.end));
            }
        }
    }
    count
}
