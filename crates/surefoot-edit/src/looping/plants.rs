//! Plants of a loop, including those that continue across the seam.
//!
//! A plant that ends after the period continues across the seam. A point that is planted in the last
//! frame and in the first belongs to one plant, unless its positions differ.

use surefoot_core::{Footplants, Leg, Motion, Plant};

use surefoot_core::Loop;

/// The plants of the period that starts at `first`, in frames of the period.
///
/// A plant that the cut made shorter than `shortest` frames is dropped, unless the same point is
/// planted on the other side of the seam.
pub(super) fn within(plants: &Footplants, first: usize, period: usize, shortest: f64) -> Footplants {
    let clipped = |plant: &Plant| Plant {
        frames: plant.frames.start.saturating_sub(first)..plant.frames.end.saturating_sub(first).min(period),
        ..plant.clone()
    };
    let has_frames = |plant: &&Plant| plant.frames.start < plant.frames.end;
    let all: Vec<Plant> = plants.plants.iter().map(clipped).collect();
    let continues = |plant: &Plant| {
        let is_other = |other: &&Plant| {
            let meets = |a: &Plant, b: &Plant| a.frames.start == 0 && b.frames.end == period;
            (other.leg, other.point) == (plant.leg, plant.point)
                && (meets(plant, other) || meets(other, plant))
        };
        all.iter().filter(has_frames).any(|other| is_other(&other))
    };
    let is_kept = |(plant, captured): &(&Plant, &Plant)| {
        let is_cut = plant.frames.len() < captured.frames.len();
        !is_cut || plant.frames.len() as f64 >= shortest || continues(plant)
    };
    let kept = all.iter().zip(&plants.plants).filter(|(plant, _)| has_frames(plant)).filter(is_kept);
    Footplants { plants: kept.map(|(plant, _)| plant.clone()).collect() }
}

/// The plants of a loop whose start moved by some frames.
///
/// A plant that spans the new seam ends after the period. Plants on both sides of the old seam, which
/// is now inside the loop, are joined.
pub(super) fn start_at(
    motion: &Motion,
    legs: &[Leg],
    plants: &Footplants,
    looping: &Loop,
    start: usize,
) -> Footplants {
    if start == 0 {
        return plants.clone();
    }
    let period = looping.period;
    let mut shifted = surefoot_solve::join_plants_at_seam(motion, legs, plants, looping);
    for plant in &mut shifted.plants {
        let frames = &mut plant.frames;
        if frames.len() >= period {
            *frames = 0..period;
        } else if frames.start < start {
            // The plant belongs to the next period.
            plant.spot = plant.spot.map(|spot| looping.travel.point(spot));
            *frames = frames.start + period - start..frames.end + period - start;
        } else {
            *frames = frames.start - start..frames.end - start;
        }
    }
    shifted.sort();
    shifted
}
