//! Who is held across the seam of a loop?
//!
//! A plant that ends after the period is held across the seam. A point that is held in the last frame
//! and in the first stands on one plant, unless it stands at two places.

use surefoot_core::{Footplants, Leg, Motion, Plant};

use super::Loop;
use crate::distance::Placement;
use crate::edited::{FOOT_SPEED, ONE_STANCE, mean_place};

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
    let mut turned = wrapped(motion, legs, plants, looped);
    for plant in &mut turned.plants {
        let frames = &mut plant.frames;
        if frames.len() >= period {
            *frames = 0..period;
        } else if frames.start < begins {
            // It is of the next round.
            plant.spot = plant.spot.map(|spot| looped.travel.place(spot));
            *frames = frames.start + period - begins..frames.end + period - begins;
        } else {
            *frames = frames.start - begins..frames.end - begins;
        }
    }
    turned.sort();
    turned
}

/// The plants of one round, those across the seam made one.
pub(super) fn wrapped(motion: &Motion, legs: &[Leg], plants: &Footplants, looped: &Loop) -> Footplants {
    let period = looped.period;
    let mut all: Vec<Plant> =
        plants.plants.iter().filter(|plant| plant.frames.start < period).cloned().collect();
    for plant in &mut all {
        plant.frames.end = plant.frames.end.min(plant.frames.start + period);
    }
    for n in 0..all.len() {
        if all[n].frames.end < period || all[n].frames.len() >= period {
            continue;
        }
        let own = all[n].clone();
        let is_next = |plant: &Plant| {
            plant.leg == own.leg
                && plant.point == own.point
                && plant.frames.start + period <= own.frames.end
                && plant.frames.start < own.frames.start
                && !plant.frames.is_empty()
        };
        let Some(next) = all.iter().position(is_next) else { continue };
        let there = mean_place(motion, legs, &all[next]).map(|place| looped.travel.place(place));
        let here = Plant { frames: own.frames.start..own.frames.end.min(period), ..own.clone() };
        let apart = mean_place(motion, legs, &here).zip(there).map_or(0.0, |(a, b)| a.distance(b));
        if apart <= ONE_STANCE {
            all[n].frames.end = (all[next].frames.end + period).max(own.frames.end.min(period));
            all[n].frames.end = all[n].frames.end.min(own.frames.start + period);
            all[n].spot = own.spot.or(all[next].spot.map(|spot| looped.travel.place(spot)));
            all[next].frames = 0..0;
        } else {
            let gap = (0.5 * apart / FOOT_SPEED * motion.fps).ceil() as usize + 1;
            all[n].frames.end = period.saturating_sub(gap).max(own.frames.start);
            all[next].frames.start = gap.min(all[next].frames.end);
        }
    }
    all.retain(|plant| plant.frames.start < plant.frames.end);
    if looped.travel != Placement::STAYS {
        // Nobody stands all the time and travels: such a plant lets go at the seam.
        let gap = (0.5 * looped.travel.shift.length() / FOOT_SPEED * motion.fps).ceil() as usize + 1;
        for plant in all.iter_mut().filter(|plant| plant.frames.len() >= period) {
            plant.frames.end = plant.frames.start + period.saturating_sub(gap).max(1);
        }
    }
    let mut wrapped = Footplants { plants: all };
    wrapped.sort();
    wrapped
}
