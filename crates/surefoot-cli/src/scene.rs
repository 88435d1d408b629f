//! A file as the rest of surefoot sees it: in metres, Y up, with the legs known.

use surefoot_core::{Floor, Leg, Motion, Placed};

use crate::look::Looked;
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
    /// The first frame of the performance: 1 after an inserted T-pose.
    pub first_frame: usize,
}

impl Scene {
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
        floor: understanding.floor.as_ref().map(|found| space.plane_in(found.value).into()),
        first_frame: usize::from(understanding.inserted_t_pose.value),
    })
}
