//! Penetration of the floor, and height of planted points above it.

use crate::context::Context;
use crate::paths::{LegPath, Paths, planted_frames};
use crate::promise::is_held_in_height;
use crate::statistics::largest;
use surefoot_core::{Plant, Vec3};

/// Height above the floor from which a given spot counts as raised ground (stairs, a box), in metres.
///
/// With a smaller value, noise of a spot would hide a floating foot.
const MIN_STEP_HEIGHT: f64 = 0.02;

/// The largest depth of any heel, ball or toe tip below the floor, in metres.
///
/// 0 if no point is below the floor; `None` without legs or frames.
pub(crate) fn penetration_max(paths: &Paths, context: &Context) -> Option<f64> {
    let points = paths.legs.iter().flat_map(|leg| leg.heel.iter().chain(&leg.ball).chain(&leg.toe));
    largest(points.map(|&point| (-context.floor.above(point)).max(0.0)))
}

/// The foot point with the largest penetration, and its frame.
#[derive(Clone, Debug, PartialEq)]
pub struct DeepestPoint {
    /// The side of the leg.
    pub foot: String,
    /// Name of the foot point.
    pub point: &'static str,
    /// The frame.
    pub frame: usize,
    /// Penetration, in metres.
    pub depth: f64,
    /// Penetration of the same point and frame in the motion before, if there is one.
    pub before: Option<f64>,
}

/// Name of a foot point and its path.
type Point = (&'static str, fn(&LegPath) -> &[Vec3]);

const POINTS: [Point; 3] =
    [("heel", |leg| &leg.heel), ("ball", |leg| &leg.ball), ("toe tip", |leg| &leg.toe)];

/// The point with the largest penetration; `None` if no point is below the floor.
pub(crate) fn deepest(after: &Paths, before: Option<&Paths>, context: &Context) -> Option<DeepestPoint> {
    let depth = |position: Vec3| (-context.floor.above(position)).max(0.0);
    let (mut most, mut found) = (0.0, None);
    for (leg, paths) in after.legs.iter().enumerate() {
        for (point, path) in POINTS {
            for (frame, position) in path(paths).iter().enumerate() {
                if depth(*position) > most {
                    (most, found) = (depth(*position), Some((leg, point, path, frame)));
                }
            }
        }
    }
    let (leg, point, path, frame) = found?;
    Some(DeepestPoint {
        foot: context.legs[leg].side.clone(),
        point: if context.legs[leg].is_arm() && point != POINTS[0].0 { "palm" } else { point },
        frame: frame + context.first_frame,
        depth: most,
        before: before.map(|before| depth(path(&before.legs[leg])[frame])),
    })
}

/// The largest height of a planted point above its ground, in metres.
///
/// The ground is the floor, or the height of the plant's spot if that is more than 2 cm off the floor.
/// 0 if no planted point floats; `None` without planted frames.
pub(crate) fn float_max(paths: &Paths, context: &Context) -> Option<f64> {
    // The hand is thicker than its bone, and may be on a wall.
    let feet =
        context.plants.plants.iter().filter(|plant| plant.leg < context.feet() && is_held_in_height(plant));
    largest(feet.filter_map(|plant| {
        let ground = ground_of(plant, context);
        let path = &paths.legs[plant.leg].point(plant.point)[planted_frames(plant, context, paths.frames)];
        largest(path.iter().map(|&point| (context.floor.above(point) - ground).max(0.0)))
    }))
}

/// The height of the ground of a plant above the floor, in metres.
fn ground_of(plant: &Plant, context: &Context) -> f64 {
    let height = plant.spot.map_or(0.0, |spot| context.floor.above(spot));
    if height.abs() > MIN_STEP_HEIGHT { height } else { 0.0 }
}
