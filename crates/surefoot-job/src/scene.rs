//! A file as the rest of surefoot sees it: in metres, Y up, with the legs known.

use core::fmt;

use surefoot_contact::over_ground;
use surefoot_core::{Floor, Footplants, Leg, Motion, Vec3, WorldPose};
use surefoot_edit::Take;
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_infer::Inference;

use crate::plain;
use crate::plants::Known;

/// A motion and what is known of it, in metres, Y up.
#[derive(Clone, Debug)]
pub struct Scene {
    /// All frames.
    pub motion: Motion,
    /// The legs.
    pub legs: Vec<Leg>,
    /// The floor, where something tells.
    pub floor: Option<Floor>,
    /// Whether the floor is to be made from the plants, once they are known.
    pub floor_of_plants: bool,
    /// The first frame of the performance: 1 after an inserted T-pose.
    pub first_frame: usize,
}

impl Scene {
    /// A take as a scene.
    pub fn of(take: &Take, floor_of_plants: bool) -> Self {
        let Take { motion, legs, floor, first_frame, .. } = take.clone();
        Self { motion, legs, floor, floor_of_plants, first_frame }
    }

    /// The scene as a take: what edits take and give back.
    pub fn take(self, known: &Known) -> Take {
        let Self { motion, legs, floor, first_frame, .. } = self;
        let (plants, ground) = (known.plants.clone(), known.ground);
        Take { motion, legs, plants, floor, first_frame, ground, ..Take::default() }
    }

    /// Makes the floor from the plants, if that was asked for.
    ///
    /// They were found on the plane that was found; without any the floor stays that plane.
    pub fn settle(&mut self, plants: &Footplants) {
        if self.floor_of_plants {
            let made = Floor::from_plants(&self.motion, &self.legs, plants, self.first_frame);
            self.floor = made.or(self.floor.take());
        }
    }

    /// The floor; where there is none, a level one under the lowest place of any foot.
    pub fn floor_or_lowest(&self) -> Floor {
        let lowest = || {
            let Motion { skeleton, poses, .. } = &self.motion;
            let mut placed = WorldPose::default();
            let mut lowest = f64::INFINITY;
            for pose in poses.iter().skip(self.first_frame) {
                pose.forward_kinematics(skeleton, &mut placed);
                for leg in &self.legs {
                    let points = [leg.heel, leg.ball, leg.toe].map(|point| placed.point(&point).y);
                    lowest = points.into_iter().fold(lowest, f64::min);
                }
            }
            // Without a frame there is no lowest place, and nothing to be above it.
            Floor::level(if lowest.is_finite() { lowest } else { 0.0 })
        };
        self.floor.clone().unwrap_or_else(lowest)
    }
}

/// The same scene as one who stands on its ground sees it.
pub fn seen_from_ground(scene: Scene, ground: Option<Vec3>) -> Scene {
    match ground {
        Some(ground) => Scene { motion: over_ground(&scene.motion, ground), ..scene },
        None => scene,
    }
}

/// A file in which no legs were found.
#[derive(Clone, Debug)]
pub struct NoLegs {
    /// The file's name.
    pub name: String,
    /// The chains of joints that came nearest, and what speaks against each.
    pub weighed: Vec<String>,
}

impl fmt::Display for NoLegs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no legs were found in {}", plain(&self.name))
    }
}

/// How many chains of joints that are no legs are worth a line.
const WEIGHED: usize = 3;

/// The file in metres, Y up; or why it has no legs. `uneven` is a floor that is no plane.
pub fn scene(
    name: &str,
    bvh: &Bvh,
    understanding: &Inference,
    uneven: Option<Floor>,
) -> Result<Scene, NoLegs> {
    let space = Space { unit_m: understanding.unit_m.value, up: understanding.up.value };
    let legs = understanding.legs.as_ref().map_err(|none| {
        let weighed = none.candidates.iter().take(WEIGHED).map(|weighed| plain(weighed));
        NoLegs { name: name.to_owned(), weighed: weighed.collect() }
    })?;
    let plane = || understanding.floor.as_ref().map(|found| space.plane_from_file(found.value).into());
    Ok(Scene {
        motion: bvh.motion(&space),
        legs: space.legs_from_file(&legs.value),
        floor: uneven.or_else(plane),
        floor_of_plants: false,
        first_frame: usize::from(understanding.inserted_t_pose.value),
    })
}
