//! Plants that are held across the seam of a loop.
//!
//! A plant that ends after the period is held across the seam. Two plants of one point, one that reaches the last
//! frame and one that starts in the first, are one plant if they are in the same place.

use surefoot_core::{Footplants, Leg, Loop, Motion, Plant, RigidTransform};

/// Plants of one point that are closer than this, in metres, are the same stance.
///
/// Less than the length of a foot, more than the distance between two captures of the same step.
pub const SAME_STANCE_M: f64 = 0.1;

/// The speed at which a foot may be required to travel from one plant to the next, in metres per second: that of a
/// walking foot. A lower speed leaves larger gaps between two plants.
pub const SWING_SPEED: f64 = 2.0;

/// The plants of one cycle, with those that meet at the seam joined into one.
pub fn join_plants_at_seam(motion: &Motion, legs: &[Leg], plants: &Footplants, looping: &Loop) -> Footplants {
    let period = looping.period;
    let mut all: Vec<Plant> =
        plants.plants.iter().filter(|plant| plant.frames.start < period).cloned().collect();
    for plant in &mut all {
        plant.frames.end = plant.frames.end.min(plant.frames.start + period);
    }
    for last in 0..all.len() {
        if all[last].frames.end < period || all[last].frames.len() >= period {
            continue;
        }
        let own = all[last].clone();
        let is_next = |plant: &Plant| {
            plant.leg == own.leg
                && plant.point == own.point
                && plant.frames.start + period <= own.frames.end
                && plant.frames.start < own.frames.start
                && !plant.frames.is_empty()
        };
        if let Some(next) = all.iter().position(is_next) {
            join_or_separate(motion, legs, &mut all, last, next, looping);
        }
    }
    all.retain(|plant| plant.frames.start < plant.frames.end);
    if looping.travel != RigidTransform::IDENTITY {
        // A body that travels cannot hold a point for the whole period: such a plant is released at the seam.
        let gap = frames_to_travel(looping.travel.translation.length(), motion.fps);
        for plant in all.iter_mut().filter(|plant| plant.frames.len() >= period) {
            plant.frames.end = plant.frames.start + period.saturating_sub(gap).max(1);
        }
    }
    let mut joined = Footplants { plants: all };
    joined.sort();
    joined
}

/// Joins the plant before the seam with the one after it if both are one stance; otherwise shortens both so that the
/// foot has time to travel.
fn join_or_separate(
    motion: &Motion,
    legs: &[Leg],
    all: &mut [Plant],
    last: usize,
    next: usize,
    looping: &Loop,
) {
    let (own, period) = (all[last].clone(), looping.period);
    let there = all[next].mean_position(motion, legs).map(|position| looping.travel.point(position));
    let before_seam = Plant { frames: own.frames.start..own.frames.end.min(period), ..own.clone() };
    let here = before_seam.mean_position(motion, legs);
    let distance = here.zip(there).map_or(0.0, |(a, b)| a.distance(b));
    if distance <= SAME_STANCE_M {
        let end = (all[next].frames.end + period).max(own.frames.end.min(period));
        all[last].frames.end = end.min(own.frames.start + period);
        all[last].spot = own.spot.or(all[next].spot.map(|spot| looping.travel.point(spot)));
        all[next].frames = 0..0;
    } else {
        let gap = frames_to_travel(distance, motion.fps);
        all[last].frames.end = period.saturating_sub(gap).max(own.frames.start);
        all[next].frames.start = gap.min(all[next].frames.end);
    }
}

/// Half the frames that a swinging foot needs for a distance, rounded up: the part on one side of the seam.
fn frames_to_travel(distance: f64, fps: f64) -> usize {
    (0.5 * distance / SWING_SPEED * fps).ceil() as usize + 1
}
