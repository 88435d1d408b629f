//! Merges the plants of two joined motions.

use surefoot_core::{Footplants, FrameRange, Leg, Motion, Plant};

use crate::distance::Crossing;
use crate::edit_result::MIN_PLANT_SECONDS;
use crate::landings::MIN_SWING_SECONDS;
use surefoot_solve::{SAME_STANCE_M, SWING_SPEED};

/// The plants of both motions, in frames of the joined motion.
pub(super) fn merge(
    first: &Motion,
    first_plants: &Footplants,
    second: &Motion,
    second_plants: &Footplants,
    legs: &[Leg],
    crossing: &Crossing,
    window: &FrameRange,
) -> Footplants {
    let middle = (window.start + window.end).div_ceil(2);
    // Frame of the joined motion for a frame of the second. Frames before the start saturate to 0;
    // their plants end before the middle and are dropped.
    let later = |frame: usize| (frame + crossing.from).saturating_sub(crossing.to);
    let mut theirs: Vec<(Plant, &Plant)> = second_plants
        .plants
        .iter()
        .map(|plant| {
            let frames = later(plant.frames.start)..later(plant.frames.end);
            let spot = plant.spot.map(|spot| crossing.transform.point(spot));
            (Plant { frames, spot, ..plant.clone() }, plant)
        })
        .filter(|(plant, _)| plant.frames.end > middle)
        .collect();
    let (roll, shortest) = (MIN_SWING_SECONDS * first.fps, MIN_PLANT_SECONDS * first.fps);
    let roll = roll.round() as usize;
    // What the cut leaves of a plant may be too short to be seen as a stance.
    let is_remnant = |plant: &Plant, captured: &Plant| {
        plant.frames.len() < captured.frames.len() && (plant.frames.len() as f64) < shortest
    };
    let mut merged = Footplants::default();
    for own in first_plants.plants.iter().filter(|plant| plant.frames.start < middle) {
        let mut plant = own.clone();
        let same = |their: &Plant| their.leg == own.leg && their.point == own.point;
        // Planted on both sides without a swing in between.
        let meets = |their: &Plant| {
            their.frames.start <= own.frames.end + roll
                && own.frames.end.min(middle) + window.len() >= their.frames.start
        };
        match theirs.iter().position(|(their, _)| same(their) && meets(their)) {
            Some(at) => {
                let (their, captured) = theirs[at].clone();
                let their_position =
                    captured.mean_position(second, legs).map(|position| crossing.transform.point(position));
                let distance =
                    own.mean_position(first, legs).zip(their_position).map_or(0.0, |(a, b)| a.distance(b));
                if distance <= SAME_STANCE_M {
                    theirs.remove(at);
                    plant.frames.end = their.frames.end.max(plant.frames.end.min(middle));
                    plant.spot = plant.spot.or(their.spot);
                    plant.confidence = lower_confidence(plant.confidence, their.confidence);
                } else {
                    // Each plant is shortened by half of the duration of the swing between them.
                    let gap = (0.5 * distance / SWING_SPEED * first.fps).ceil() as usize + 1;
                    plant.frames.end = plant.frames.end.min(middle.saturating_sub(gap));
                    let start = &mut theirs[at].0.frames.start;
                    *start = (*start).max(middle + gap);
                }
            }
            None => plant.frames.end = plant.frames.end.min(middle),
        }
        if !is_remnant(&plant, own) {
            merged.plants.push(plant);
        }
    }
    for (mut plant, captured) in theirs {
        plant.frames.start = plant.frames.start.max(middle);
        if !is_remnant(&plant, captured) {
            merged.plants.push(plant);
        }
    }
    merged.plants.retain(|plant| plant.frames.start < plant.frames.end);
    merged.sort();
    merged
}

/// The lower of two confidences. `None` means set by hand, which is certain.
pub(crate) fn lower_confidence(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
