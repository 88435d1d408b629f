//! Measures how far a planted point is from the position at which its plant holds it.
//!
//! A plant that holds its point fully keeps it at its spot. Other plants hold only the height, only the place on the
//! ground, or apply only a share of the correction; their position depends on the captured motion. Only a deviation
//! from that position, in the coordinates that are held, counts as drift.

use crate::context::Context;
use crate::paths::Paths;
use surefoot_core::{Hold, HoldKind, Plant, Vec3};

/// The distance of a point from the position at which its plant holds it, at each frame of the plant, in metres.
///
/// `captured` is the motion before; without it, the position of plants with a strength below 1 is unknown, and the list
/// is empty.
pub(crate) fn deviations(
    paths: &Paths,
    captured: Option<&Paths>,
    plant: &Plant,
    context: &Context,
) -> Vec<f64> {
    let path = paths.planted_positions(plant, context);
    if plant.hold.is_exact() && !has_pivot(plant, context) {
        let spot = crate::slide::plant_spot(plant, path);
        return path.iter().filter_map(|point| Some(point.distance(spot?))).collect();
    }
    let captured = match (captured, plant.hold.strength == 1.0) {
        (Some(captured), _) => captured.planted_positions(plant, context),
        // At full strength the captured position determines only the coordinates that are not held.
        (None, true) => path,
        (None, false) => return Vec::new(),
    };
    let Some(spot) = plant.spot.or_else(|| implied_spot(path, captured, &plant.hold, context)) else {
        return Vec::new();
    };
    let deviation = |(frame, (point, captured)): (usize, (&Vec3, &Vec3))| {
        let hold = context.plants.hold_at(plant, plant.frames.start.max(context.first_frame) + frame);
        let promised = hold.position(spot, *captured, Some(&*context.floor));
        held_distance(&hold, *point, promised, context)
    };
    path.iter().zip(captured).enumerate().map(deviation).collect()
}

/// Whether a plant keeps its point from moving along the ground.
pub(crate) fn is_held_along_ground(plant: &Plant, context: &Context) -> bool {
    let kind_holds = plant.hold.kind != HoldKind::Height;
    kind_holds && plant.hold.strength == 1.0 && !has_pivot(plant, context)
}

/// Whether a plant holds the height of its point.
pub(crate) fn is_held_in_height(plant: &Plant) -> bool {
    plant.hold.kind != HoldKind::Ground && plant.hold.strength == 1.0
}

/// Whether the foot turns about another point during this plant, which then holds only its height.
fn has_pivot(plant: &Plant, context: &Context) -> bool {
    plant.hold.kind != HoldKind::Pivot
        && context.plants.plants.iter().any(|other| {
            other.leg == plant.leg
                && other.point != plant.point
                && other.hold.kind == HoldKind::Pivot
                && other.frames.start < plant.frames.end
                && plant.frames.start < other.frames.end
        })
}

/// The distance between two positions in the coordinates that are held.
fn held_distance(hold: &Hold, point: Vec3, promised: Vec3, context: &Context) -> f64 {
    match hold.kind {
        HoldKind::Height => (context.floor.above(point) - context.floor.above(promised)).abs(),
        _ => hold.held_part(point - promised, context.floor.plane_under(promised).normal).length(),
    }
}

/// The spot that a plant without a given one must have, from the frame in which its point is captured highest: elsewhere the
/// floor may have raised the point.
fn implied_spot(path: &[Vec3], captured: &[Vec3], hold: &Hold, context: &Context) -> Option<Vec3> {
    if hold.strength == 1.0 {
        return path.first().copied();
    }
    let height = |frame: &usize| context.floor.above(captured[*frame]);
    let frame = (0..path.len().min(captured.len())).max_by(|a, b| height(a).total_cmp(&height(b)))?;
    let moved = path[frame] - captured[frame];
    // At strength 0 the point stays as captured, wherever its spot is.
    Some(captured[frame] + if hold.strength > 0.0 { moved / hold.strength } else { Vec3::ZERO })
}
