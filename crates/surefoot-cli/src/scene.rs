//! A file as the rest of surefoot sees it: in metres, Y up, with the legs known.

use surefoot_core::{Floor, Leg, Motion};

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
    // A floor is in metres already, in the file's axes.
    let floor = |floor: &Floor| Floor { normal: space.turn_in(floor.normal), offset: floor.offset };
    Ok(Scene {
        motion: looked.bvh.motion(&space),
        legs: legs.value.iter().map(leg).collect(),
        floor: understanding.floor.as_ref().map(|found| floor(&found.value)),
        first_frame: usize::from(understanding.inserted_t_pose.value),
    })
}
