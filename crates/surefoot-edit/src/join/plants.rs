//! Who is held on either side of a crossing, and across it?

use surefoot_core::{Footplants, FrameRange, Leg, Motion, Plant};

use crate::distance::Crossing;
use surefoot_solve::{SAME_STANCE_M, SWING_SPEED};

/// The plants of both motions, in the joined motion's frames.
pub(super) fn merge(
    first: &Motion,
    first_plants: &Footplants,
    second: &Motion,
    second_plants: &Footplants,
    legs: &[Leg],
    crossing: &Crossing,
    zone: &FrameRange,
) -> Footplants {
    let middle = (zone.start + zone.end).div_ceil(2);
    // By how much a frame of the second motion is counted on; what comes before the joined motion's
    // start is never kept, as it is before the middle.
    let later = |frame: usize| (frame + crossing.from).saturating_sub(crossing.to);
    let mut theirs: Vec<(Plant, &Plant)> = second_plants
        .plants
        .iter()
        .map(|plant| {
            let frames = later(plant.frames.start)..later(plant.frames.end);
            let spot = plant.spot.map(|spot| crossing.placed.point(spot));
            (Plant { frames, spot, ..plant.clone() }, plant)
        })
        .filter(|(plant, _)| plant.frames.end > middle)
        .collect();
    let mut merged = Footplants::default();
    for own in first_plants.plants.iter().filter(|plant| plant.frames.start < middle) {
        let mut plant = own.clone();
        let same = |their: &Plant| their.leg == own.leg && their.point == own.point;
        // Held on both sides, without a break.
        let meets = |their: &Plant| {
            their.frames.start <= own.frames.end
                && own.frames.end.min(middle) + zone.len() >= their.frames.start
        };
        match theirs.iter().position(|(their, _)| same(their) && meets(their)) {
            Some(at) => {
                let (their, captured) = theirs[at].clone();
                let there = captured.mean_position(second, legs).map(|place| crossing.placed.point(place));
                let apart = own.mean_position(first, legs).zip(there).map_or(0.0, |(a, b)| a.distance(b));
                if apart <= SAME_STANCE_M {
                    theirs.remove(at);
                    plant.frames.end = their.frames.end.max(plant.frames.end.min(middle));
                    plant.spot = plant.spot.or(their.spot);
                    plant.confidence = least(plant.confidence, their.confidence);
                } else {
                    // Time for the foot to get from one to the other, half of it from each.
                    let gap = (0.5 * apart / SWING_SPEED * first.fps).ceil() as usize + 1;
                    plant.frames.end = plant.frames.end.min(middle.saturating_sub(gap));
                    let start = &mut theirs[at].0.frames.start;
                    *start = (*start).max(middle + gap);
                }
            }
            None => plant.frames.end = plant.frames.end.min(middle),
        }
        merged.plants.push(plant);
    }
    for (mut plant, _) in theirs {
        plant.frames.start = plant.frames.start.max(middle);
        merged.plants.push(plant);
    }
    merged.plants.retain(|plant| plant.frames.start < plant.frames.end);
    merged.sort();
    merged
}

/// The less sure of two; a person's word is sure.
pub(crate) fn least(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
