//! How far planted points slide, of a file as it was read.

use serde::Serialize;
use surefoot_core::{FootPoint, Footplants, Leg, Motion, Plant, PointOn, Skeleton, Vec3};

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

/// How far each plant slides, of the motion as the file holds it.
///
/// `legs` are the plants' own, in metres, of a skeleton whose joints have the file's names.
pub fn slides(looked: &Looked, plants: &Footplants, legs: &[Leg], skeleton: &Skeleton) -> Vec<Slide> {
    let motion = looked.bvh.motion(&looked.space());
    let slide = |plant: &Plant| {
        let leg = legs.get(plant.leg)?;
        let PointOn { joint, offset } = match plant.point {
            FootPoint::Heel => leg.heel,
            FootPoint::Ball => leg.ball,
        };
        let joint = motion.skeleton.find(&skeleton.joint(joint).name)?;
        slide(&motion, &PointOn { joint, offset }, plant, &leg.side)
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
