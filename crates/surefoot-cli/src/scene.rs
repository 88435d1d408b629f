//! A file as the rest of surefoot sees it: in metres, Y up, with the legs known.

pub use surefoot_job::Scene;

use crate::look::{Looked, Uneven};
use crate::problem::Problem;

/// The file in metres, Y up; or why it has no legs.
pub fn scene(looked: &Looked) -> Result<Scene, Problem> {
    let uneven = match &looked.uneven {
        Some(Uneven::File(_, floor)) => Some(floor.clone()),
        _ => None,
    };
    let scene = surefoot_job::scene(&looked.name, &looked.bvh, &looked.understanding, uneven);
    let scene = scene.map_err(|none| {
        let problem = Problem::new(none.to_string());
        let weighed = none.weighed.iter();
        weighed
            .fold(problem, |problem, weighed| problem.help(format!("weighed: {weighed}")))
            .help("name them in a rig file and give it with --rig")
    })?;
    Ok(Scene { floor_of_plants: matches!(looked.uneven, Some(Uneven::Plants)), ..scene })
}
