//! The plants of a motion: given in a file, or found.

use std::path::Path;

use surefoot_contact::{Edges, Settings, detect, moving_ground};
use surefoot_core::{Footplants, Leg, Plant, Vec3};
use surefoot_formats::c3d::is_c3d;
use surefoot_formats::plants::{PlantsError, PlantsFile, read_csv, write_csv};

use crate::events::Events;
use crate::input::{self, Input, is_dash};
use crate::problem::Problem;
use crate::scene::Scene;

/// Plants, and where they come from.
#[derive(Default)]
pub struct Known {
    /// The plants.
    pub plants: Footplants,
    /// How fast the ground goes that they stand on, in metres per second; `None` where it stands.
    pub ground: Option<Vec3>,
    /// Whether surefoot found them itself.
    pub found: bool,
    /// What was made of them, in sentences.
    pub notes: Vec<String>,
}

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
    let (plants, ground) = read(&name, &bytes, scene).map_err(|error| {
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

/// The plants as a file: a table where the name ends in `.csv`, else JSON.
pub fn written(name: &Path, plants: &Footplants, ground: Option<Vec3>, scene: &Scene) -> String {
    let Scene { motion, legs, .. } = scene;
    if is_table(name) {
        return write_csv(plants, legs, motion.frames());
    }
    let mut file = PlantsFile::new(plants, legs, motion.frames(), motion.fps);
    file.set_ground(ground);
    file.write()
}

/// What people call a plant: `left heel, frames 12–40`.
pub fn called(legs: &[Leg], plant: &Plant) -> String {
    let Plant { leg, point, frames, .. } = plant;
    let last = frames.end.saturating_sub(1);
    format!("{} {}, frames {}–{last}", legs[*leg].side, point.word(), frames.start)
}

/// The plants that are found.
pub fn found(scene: &Scene) -> Known {
    let Scene { motion, legs, floor, first_frame, .. } = scene;
    // Held, a point that no longer rests would be pulled down while it rises.
    let settings = Settings { first_frame: *first_frame, edges: Edges::Rest, ..Settings::default() };
    let plants = detect(motion, legs, floor.as_ref(), &settings);
    let ground = moving_ground(motion, legs, floor.as_ref(), &plants);
    Known { plants, ground, found: true, notes: Vec::new() }
}

fn is_table(name: &Path) -> bool {
    name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
}

fn read(name: &str, bytes: &[u8], scene: &Scene) -> Result<(Footplants, Option<Vec3>), PlantsError> {
    let Scene { motion, legs, .. } = scene;
    // A table begins with the name of a column, on stdin too.
    let begins = bytes.iter().find(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'{' | b'['));
    if is_table(Path::new(name)) || begins.is_some_and(u8::is_ascii_alphabetic) {
        return Ok((read_csv(bytes, legs, motion.frames())?, None));
    }
    let file = PlantsFile::read(bytes)?;
    Ok((file.plants(legs, motion.frames(), motion.fps)?, file.ground()))
}

/// Plants without the frame that a program put there: nobody stands on the floor in it.
fn without_t_pose(plants: Footplants, scene: &Scene) -> (Footplants, Vec<String>) {
    let first = scene.first_frame;
    let mut notes = Vec::new();
    let mut kept = Footplants::default();
    for mut plant in plants.plants {
        if plant.frames.start < first {
            let called = called(&scene.legs, &plant);
            notes.push(format!("{called}: not held in frame 0, a T-pose that a program put there"));
            plant.frames.start = first;
        }
        if !plant.frames.is_empty() {
            kept.plants.push(plant);
        }
    }
    (kept, notes)
}
