//! Does a foot go through the floor, or hang over it while planted?

use crate::context::Context;
use crate::paths::{LegPath, Paths, held_frames};
use crate::rank::largest;
use surefoot_core::{Plant, Vec3};

/// A given spot farther than this off the floor is on something of its own, in metres.
///
/// The cleaner's own limit: plants within 2 cm stand on the floor, others (stairs, a box) keep
/// their height. Smaller, and a noisy spot hides that its foot hangs in the air.
const STEP: f64 = 0.02;

/// How deep a heel, ball or toe tip is below the floor in any frame: max of −height, in metres.
///
/// 0 where none is below; none without legs or frames.
pub(crate) fn penetration_max(paths: &Paths, context: &Context) -> Option<f64> {
    let points = paths.legs.iter().flat_map(|leg| leg.heel.iter().chain(&leg.ball).chain(&leg.toe));
    largest(points.map(|&point| (-context.floor.above(point)).max(0.0)))
}

/// The point of a foot that is deepest below the floor, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Deepest {
    /// Which foot: the leg's side.
    pub foot: String,
    /// Which point of it.
    pub point: &'static str,
    /// The frame.
    pub frame: usize,
    /// How deep, in metres.
    pub depth: f64,
    /// How deep the same point is in the same frame before, if there is a before.
    pub before: Option<f64>,
}

/// A point of a foot, and where it goes.
type Point = (&'static str, fn(&LegPath) -> &[Vec3]);

const POINTS: [Point; 3] =
    [("heel", |leg| &leg.heel), ("ball", |leg| &leg.ball), ("toe tip", |leg| &leg.toe)];

/// Where a foot is deepest below the floor; none where none is below it.
pub(crate) fn deepest(after: &Paths, before: Option<&Paths>, context: &Context) -> Option<Deepest> {
    let depth = |place: Vec3| (-context.floor.above(place)).max(0.0);
    let (mut most, mut found) = (0.0, None);
    for (leg, paths) in after.legs.iter().enumerate() {
        for (point, path) in POINTS {
            for (frame, place) in path(paths).iter().enumerate() {
                if depth(*place) > most {
                    (most, found) = (depth(*place), Some((leg, point, path, frame)));
                }
            }
        }
    }
    let (leg, point, path, frame) = found?;
    Some(Deepest {
        foot: context.legs[leg].side.clone(),
        point,
        frame: frame + context.first_frame,
        depth: most,
        before: before.map(|before| depth(path(&before.legs[leg])[frame])),
    })
}

/// How high a planted point is above what it stands on: max of height, in metres.
///
/// It stands on the floor, or at the height of its spot where that is given and more than 2 cm
/// off the floor. 0 where none is above; none without a planted frame.
pub(crate) fn float_max(paths: &Paths, context: &Context) -> Option<f64> {
    largest(context.plants.plants.iter().filter_map(|plant| {
        let ground = ground_of(plant, context);
        let path = &paths.legs[plant.leg].point(plant.point)[held_frames(plant, context, paths.frames)];
        largest(path.iter().map(|&point| (context.floor.above(point) - ground).max(0.0)))
    }))
}

/// The height above the floor of what a plant stands on, in metres.
fn ground_of(plant: &Plant, context: &Context) -> f64 {
    let height = plant.spot.map_or(0.0, |spot| context.floor.above(spot));
    if height.abs() > STEP { height } else { 0.0 }
}
