//! A file as the rest of surefoot sees it: in metres, Y up, with the legs known.

use surefoot_core::{Floor, Footplants, Leg, Motion, Placed};
use surefoot_edit::Take;

use crate::look::{Looked, Uneven};
use crate::plants::Known;
use crate::problem::Problem;
use crate::tell::plain;

/// A motion and what is known of it, in metres, Y up.
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
            let mut placed = Placed::default();
            let mut lowest = f64::INFINITY;
            for pose in poses.iter().skip(self.first_frame) {
                pose.place(skeleton, &mut placed);
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

/// How many chains of joints that are no legs are worth a line.
const WEIGHED: usize = 3;

/// The file in metres, Y up; or why it has no legs.
pub fn scene(looked: &Looked) -> Result<Scene, Problem> {
    let space = looked.space();
    let understanding = &looked.understanding;
    let legs = understanding.legs.as_ref().map_err(|none| {
        let problem = Problem::new(format!("no legs were found in {}", plain(&looked.name)));
        let weighed = none.weighed.iter().take(WEIGHED);
        weighed
            .fold(problem, |problem, weighed| problem.help(format!("weighed: {}", plain(weighed))))
            .help("name them in a rig file and give it with --rig")
    })?;
    let leg = |leg: &Leg| Leg {
        heel: space.point_in(leg.heel),
        ball: space.point_in(leg.ball),
        toe: space.point_in(leg.toe),
        ..leg.clone()
    };
    Ok(Scene {
        motion: looked.bvh.motion(&space),
        legs: legs.value.iter().map(leg).collect(),
        floor: match &looked.uneven {
            Some(Uneven::File(_, floor)) => Some(floor.clone()),
            _ => understanding.floor.as_ref().map(|found| space.plane_in(found.value).into()),
        },
        floor_of_plants: matches!(looked.uneven, Some(Uneven::Plants)),
        first_frame: usize::from(understanding.inserted_t_pose.value),
    })
}
