//! How far planted points slide, of a file as it was read.

use serde::Serialize;
use surefoot_core::{FootPoint, Footplants, Leg, Motion, Plant, Vec3};

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

/// How far each plant slides, by the foot points that were found out; none without legs.
pub fn slides(looked: &Looked, plants: &Footplants) -> Vec<Slide> {
    let Ok(legs) = &looked.understanding.legs else {
        return Vec::new();
    };
    let space = looked.space();
    let motion = looked.bvh.motion(&space);
    let in_metres = |leg: &Leg| Leg {
        heel: space.point_in(leg.heel),
        ball: space.point_in(leg.ball),
        toe: space.point_in(leg.toe),
        ..leg.clone()
    };
    let legs: Vec<Leg> = legs.value.iter().map(in_metres).collect();
    let plants = plants.plants.iter();
    plants.filter_map(|plant| slide(&motion, &legs, plant)).collect()
}

/// `None` for a plant of a leg or of frames that are not there.
fn slide(motion: &Motion, legs: &[Leg], plant: &Plant) -> Option<Slide> {
    let leg = legs.get(plant.leg)?;
    let on = match plant.point {
        FootPoint::Heel => &leg.heel,
        FootPoint::Ball => &leg.ball,
    };
    let poses = motion.poses.get(plant.frames.clone())?;
    let places: Vec<Vec3> = poses
        .iter()
        .map(|pose| pose.placed(&motion.skeleton).point(on))
        .collect();
    let start = *places.first()?;
    let drifts = places.iter().map(|place| place.distance(start));
    Some(Slide {
        foot: leg.side.clone(),
        point: plant.point.word(),
        first: plant.frames.start,
        last: plant.frames.end - 1,
        drift_max_m: drifts.clone().fold(0.0, f64::max),
        drift_mean_m: drifts.sum::<f64>() / places.len() as f64,
    })
}
