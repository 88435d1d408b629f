//! From a clean motion to clean text, measured as it will be read.
//!
//! The figures are of the clean text, read again, never of what the cleaner had in memory. Where the ground
//! moves, all is measured as one who stands on the ground sees it.

use surefoot_contact::over_ground;
use surefoot_core::{Floor, Footplants, Motion};
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_measure::{Figures, measure, report};
use surefoot_solve::Report;

use crate::notes::{Said, notes};
use crate::performance::back_in_room;
use crate::plants::Known;
use crate::scene::Scene;

/// A plant that misses its target by no more than this is met, in metres: what a file can show.
const MET: f64 = 1e-6;

/// What a file was, and who held it.
pub struct Job<'a> {
    /// The file.
    pub bvh: &'a Bvh,
    /// Its unit and up axis.
    pub space: &'a Space,
    /// Its motion, as captured.
    pub captured: &'a Motion,
    /// The same as its ground sees it, with its legs and floor.
    pub scene: &'a Scene,
    /// The plants that were held.
    pub known: &'a Known,
}

/// A clean file.
pub struct Finished {
    /// Its text.
    pub text: Vec<u8>,
    /// The motion in it, read again, as the ground sees it.
    pub after: Motion,
    /// What was measured of it, and of the file before.
    pub figures: Figures,
    /// What a person should know.
    pub notes: Vec<Said>,
}

/// Writes a clean motion, reads it again and measures it.
pub fn finish(job: &Job, clean: &Motion, report: &Report) -> Result<Finished, String> {
    let Job { bvh, space, captured, scene, known } = *job;
    let in_room = known.ground.map(|ground| back_in_room(clean, &scene.motion, captured, ground));
    let text = bvh.write(in_room.as_ref().unwrap_or(clean), space).map_err(|error| error.to_string())?;
    let mut again = Bvh::read(text.clone()).map_err(|error| error.to_string())?;
    again.set_rate(bvh.rate().value);
    let after = again.motion(space);
    let after = match known.ground {
        Some(ground) => over_ground(&after, ground),
        None => after,
    };
    let mut figures = figures(&after, Some(&scene.motion), scene, &known.plants)?;
    // Across a loop's seam a plant is one to the cleaner and two in the file: then they are not paired.
    let is_paired = figures.plants.len() == report.plants.len();
    for (plant, took) in figures.plants.iter_mut().zip(&report.plants).filter(|_| is_paired) {
        plant.unmet = Some(took.slide_m).filter(|&slide| slide > MET);
    }
    let notes = notes(scene, known, report, &figures);
    Ok(Finished { text, after, figures, notes })
}

/// What is measured of a motion, or of two; without a floor nothing that depends on one.
pub fn figures(
    after: &Motion,
    before: Option<&Motion>,
    scene: &Scene,
    plants: &Footplants,
) -> Result<Figures, String> {
    let floor = scene.floor_or_lowest();
    let measured = measure_scene(scene, plants, &floor);
    let mut figures = measure(after, before, &measured).map_err(|error| error.to_string())?;
    if scene.floor.is_none() {
        for measured in figures.before.iter_mut().chain([&mut figures.after]) {
            measured.penetration_max_m = None;
            measured.float_max_m = None;
        }
    }
    Ok(figures)
}

/// The same scene as `surefoot-measure` wants it.
pub fn measure_scene<'a>(
    scene: &'a Scene,
    plants: &'a Footplants,
    floor: &'a Floor,
) -> surefoot_measure::Scene<'a> {
    surefoot_measure::Scene {
        first_frame: scene.first_frame,
        ..surefoot_measure::Scene::new(&scene.legs, plants, floor)
    }
}

/// The report of a clean motion: one HTML page.
pub fn page(
    title: &str,
    after: &Motion,
    scene: &Scene,
    plants: &Footplants,
    figures: &Figures,
    notes: &[String],
) -> Result<String, String> {
    let floor = scene.floor_or_lowest();
    let page = surefoot_measure::Report {
        title,
        after,
        before: Some(&scene.motion),
        scene: &measure_scene(scene, plants, &floor),
        figures,
        notes,
    };
    report(&page).map_err(|error| format!("cannot make the report: {error}"))
}
