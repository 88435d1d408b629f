//! The plants of a motion: given in a file, or found.

use std::path::Path;

use surefoot_contact::detect;
use surefoot_formats::c3d::is_c3d;
use surefoot_formats::plants::PlantsError;
pub use surefoot_job::{Known, written};
use surefoot_job::{read_plants, standing, standing_settings, without_t_pose};

use crate::events::Events;
use crate::input::{self, Input, is_dash};
use crate::problem::Problem;
use crate::scene::Scene;

/// The plants in `file`, or the ones found where there is none.
pub fn known(file: Option<&Path>, scene: &Scene) -> Result<Known, Problem> {
    let Some(file) = file else { return Ok(found(scene)) };
    let Input { name, bytes, .. } = input::read(file)?;
    if is_c3d(&bytes) {
        let events = Events::of(&name, &bytes, scene, None)?;
        let found = found(scene);
        let plants = events.put_right(&found.plants, scene);
        return Ok(Known { plants, found: false, notes: vec![events.words(&name, scene)], ..found });
    }
    let (plants, ground) = read_plants(&name, &bytes, scene).map_err(|error| {
        let text = String::from_utf8_lossy(&bytes);
        let problem = Problem::in_text(&name, &text, &error.to_string());
        match error {
            PlantsError::Frames { .. } | PlantsError::Fps { .. } => {
                problem.help("plants belong to one motion; `surefoot detect` finds those of this one")
            }
            _ => problem,
        }
    })?;
    let (plants, notes) = without_t_pose(plants, scene);
    Ok(Known { plants, ground, found: false, notes })
}

/// Stdin can be read once.
pub fn check_stdin(motion: &Path, plants: Option<&Path>) -> Result<(), Problem> {
    if is_dash(motion) && plants.is_some_and(is_dash) {
        return Err(Problem::new("the motion and --plants - both want stdin"));
    }
    Ok(())
}

/// The plants that are found.
pub fn found(scene: &Scene) -> Known {
    let Scene { motion, legs, floor, .. } = scene;
    standing(detect(motion, legs, floor.as_ref(), &standing_settings(scene)), scene)
}
