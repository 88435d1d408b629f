//! How far planted points slide, of a file as it was read.

use serde::Serialize;
use surefoot_core::{FootPoint, Footplants, Motion, Plant, PointOn, Vec3};

use crate::look::Looked;

/// How far the point of one plant slides.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Slide {
    /// The leg's name.
    pub foot: String,
    /// `heel` or `ball`.
    pub point: &'static str,
    /// The first frame held, from 0.
    pub first: usize,
    /// The last frame held.
    pub last: usize,
    /// The furthest the point gets from where the plant began, in metres.
    pub drift_max_m: f64,
    /// The mean of that over the plant's frames, in metres.
    pub drift_mean_m: f64,
}

impl Slide {
    /// How many frames the plant has.
    pub fn frames(&self) -> usize {
        self.last + 1 - self.first
    }
}

/// How far each plant slides, by the foot points that were found out. `sides` are the names of
/// the plants' legs; a leg that was not found out under that name has no slide.
pub fn slides(looked: &Looked, plants: &Footplants, sides: &[String]) -> Vec<Slide> {
    let Ok(legs) = &looked.understanding.legs else {
        return Vec::new();
    };
    let space = looked.space();
    let motion = looked.bvh.motion(&space);
    let slide = |plant: &Plant| {
        let side = sides.get(plant.leg)?;
        let leg = legs.value.iter().find(|leg| leg.side == *side)?;
        let on = match plant.point {
            FootPoint::Heel => leg.heel,
            FootPoint::Ball => leg.ball,
        };
        slide(&motion, &space.point_in(on), plant, side)
    };
    plants.plants.iter().filter_map(slide).collect()
}

/// `None` for a plant of frames that are not there.
fn slide(motion: &Motion, on: &PointOn, plant: &Plant, side: &str) -> Option<Slide> {
    let poses = motion.poses.get(plant.frames.clone())?;
    let places: Vec<Vec3> = poses.iter().map(|pose| pose.placed(&motion.skeleton).point(on)).collect();
    let start = *places.first()?;
    let drifts = places.iter().map(|place| place.distance(start));
    Some(Slide {
        foot: side.to_owned(),
        point: plant.point.word(),
        first: plant.frames.start,
        last: plant.frames.end - 1,
        drift_max_m: drifts.clone().fold(0.0, f64::max),
        drift_mean_m: drifts.sum::<f64>() / places.len() as f64,
    })
}
