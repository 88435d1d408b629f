//! Who is held across the seam of a loop?
//!
//! A plant that ends after the period is held across the seam. A point that is held in the last frame
//! and in the first stands on one plant, unless it stands at two places.

use surefoot_core::{Footplants, Leg, Motion, Plant};

use surefoot_core::Loop;

/// The plants of a period that begins at `first`, in its own frames. What is left of one that the cut
/// made shorter than `shortest` is left out, unless the same point is held on the other side.
pub(super) fn within(plants: &Footplants, first: usize, period: usize, shortest: f64) -> Footplants {
    let clipped = |plant: &Plant| Plant {
        frames: plant.frames.start.saturating_sub(first)..plant.frames.end.saturating_sub(first).min(period),
        ..plant.clone()
    };
    let is_there = |plant: &&Plant| plant.frames.start < plant.frames.end;
    let all: Vec<Plant> = plants.plants.iter().map(clipped).collect();
    let goes_on = |plant: &Plant| {
        let is_other = |other: &&Plant| {
            let meets = |a: &Plant, b: &Plant| a.frames.start == 0 && b.frames.end == period;
            (other.leg, other.point) == (plant.leg, plant.point)
                && (meets(plant, other) || meets(other, plant))
        };
        all.iter().filter(is_there).any(|other| is_other(&other))
    };
    let is_kept = |(plant, captured): &(&Plant, &Plant)| {
        let is_cut = plant.frames.len() < captured.frames.len();
        !is_cut || plant.frames.len() as f64 >= shortest || goes_on(plant)
    };
    let kept = all.iter().zip(&plants.plants).filter(|(plant, _)| is_there(plant)).filter(is_kept);
    Footplants { plants: kept.map(|(plant, _)| plant.clone()).collect() }
}

/// The plants of a loop that begins so many frames later. One that the new seam goes through ends
/// after the period; what stood on both sides of the old one, which is in the midst of the loop now, is made one
/// there.
pub(super) fn turned(
    motion: &Motion,
    legs: &[Leg],
    plants: &Footplants,
    looped: &Loop,
    begins: usize,
) -> Footplants {
    if begins == 0 {
        return plants.clone();
    }
    let period = looped.period;
    let mut turned = surefoot_solve::join_plants_at_seam(motion, legs, plants, looped);
    for plant in &mut turned.plants {
        let frames = &mut plant.frames;
        if frames.len() >= period {
            *frames = 0..period;
        } else if frames.start < begins {
            // It is of the next round.
            plant.spot = plant.spot.map(|spot| looped.travel.point(spot));
            *frames = frames.start + period - begins..frames.end + period - begins;
        } else {
            *frames = frames.start - begins..frames.end - begins;
        }
    }
    turned.sort();
    turned
}
