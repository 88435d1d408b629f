//! The plants of a motion, and the ground they stand on.

use std::path::Path;

use surefoot_contact::{Edges, Settings, moving_ground};
use surefoot_core::{Footplants, Leg, Plant, Vec3};
use surefoot_formats::plants::{PlantsError, PlantsFile, read_csv, write_csv};

use crate::scene::Scene;

/// Plants, and where they come from.
#[derive(Clone, Debug, Default)]
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

/// How plants are found that are to be held.
pub fn standing_settings(scene: &Scene) -> Settings {
    // Held, a point that no longer rests would be pulled down while it rises.
    Settings { first_frame: scene.first_frame, edges: Edges::Rest, ..Settings::default() }
}

/// Plants that were found, on ground that moves if they say so.
pub fn standing(plants: Footplants, scene: &Scene) -> Known {
    let Scene { motion, legs, floor, .. } = scene;
    let ground = moving_ground(motion, legs, floor.as_ref(), &plants);
    Known { plants, ground, found: true, notes: Vec::new() }
}

/// The plants in a file's bytes, and how fast the ground goes: a table where its name ends in `.csv` or it
/// begins like one, else JSON.
pub fn read_plants(
    name: &str,
    bytes: &[u8],
    scene: &Scene,
) -> Result<(Footplants, Option<Vec3>), PlantsError> {
    let Scene { motion, legs, .. } = scene;
    // A table begins with the name of a column, on stdin too.
    let begins = bytes.iter().find(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'{' | b'['));
    if is_table(Path::new(name)) || begins.is_some_and(u8::is_ascii_alphabetic) {
        return Ok((read_csv(bytes, legs, motion.frames())?, None));
    }
    let file = PlantsFile::read(bytes)?;
    Ok((file.plants(legs, motion.frames(), motion.fps)?, file.ground()))
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

/// Whether a file of this name is a table.
pub fn is_table(name: &Path) -> bool {
    name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
}

/// What people call a plant: `left heel, frames 12–40`.
pub fn called(legs: &[Leg], plant: &Plant) -> String {
    let Plant { leg, point, frames, .. } = plant;
    let last = frames.end.saturating_sub(1);
    format!("{} {}, frames {}–{last}", legs[*leg].side, point.as_str(), frames.start)
}

/// Plants without the frame that a program put there: nobody stands on the floor in it.
pub fn without_t_pose(plants: Footplants, scene: &Scene) -> (Footplants, Vec<String>) {
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
