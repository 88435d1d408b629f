//! What an event comes from: a plant close by whose point moves in the capture.
//!
//! A foot cannot both stay where it is planted and go where it was captured. Where the captured point of a plant moves, its
//! correction changes, and the rest of the foot has to move by as much during the plant or soon before or after it.

use super::Events;
use crate::context::Context;
use crate::paths::Paths;
use crate::statistics::largest;
use crate::unit::Unit;
use surefoot_core::Plant;

/// Longest time between an event and the plant that it comes from, in seconds.
const NEAR_SECONDS: f64 = 0.25;

/// Least distance by which the captured point of that plant moves, in metres: what a viewer notices of a slide.
const LEAST_MOTION: f64 = 0.012;

/// Sets the cause of each event, where one is known, from the plants of its foot.
pub(crate) fn find_causes(events: &mut Events, captured: &Paths, context: &Context) {
    let near = (NEAR_SECONDS * captured.fps) as usize;
    let moving: Vec<(&Plant, f64)> = (context.plants.plants.iter())
        .filter_map(|plant| captured_motion(captured, plant, context).map(|motion| (plant, motion)))
        .collect();
    let Events { new_slides, teleports, knee_pops, scrapes, .. } = events;
    for event in [new_slides, teleports, knee_pops, scrapes].into_iter().flatten().flatten() {
        let is_near = |(plant, _): &&(&Plant, f64)| {
            context.legs[plant.leg].side == event.foot
                && plant.frames.start <= event.last + near
                && event.first < plant.frames.end + near
        };
        let most = moving.iter().filter(is_near).max_by(|a, b| a.1.total_cmp(&b.1));
        event.cause = most.map(|(plant, motion)| sentence(plant, *motion, context));
    }
}

/// How far the captured point of a plant gets from where the plant begins, in metres, if that can be seen.
fn captured_motion(captured: &Paths, plant: &Plant, context: &Context) -> Option<f64> {
    let path = captured.planted_positions(plant, context);
    let first = *path.first()?;
    largest(path.iter().map(|position| position.distance(first))).filter(|motion| *motion > LEAST_MOTION)
}

fn sentence(plant: &Plant, motion: f64, context: &Context) -> String {
    let leg = &context.legs[plant.leg];
    format!(
        "the {} {} is held in frames {}–{}, in which it moves {} in the capture",
        leg.side,
        leg.point_name(plant.point),
        plant.frames.start,
        plant.frames.end - 1,
        Unit::Metres.format(motion)
    )
}
