//! From a clean take to clean text, measured as it will be read.
//!
//! The figures are of the clean text, read again, never of what the cleaner had in memory. Where the ground
//! moves, all is measured as one who stands on the ground sees it.

use surefoot_core::{Floor, Footplants, Motion};
use surefoot_edit::Take;
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_measure::{Figures, measure};
use surefoot_solve::Report;

use crate::notes::{Said, notes};
use crate::scene::Scene;

/// A plant that misses its target by no more than this is met, in metres: what a file can show.
const MET: f64 = 1e-6;

/// What was done, to be written like a file.
pub struct Work<'a> {
    /// The file.
    pub bvh: &'a Bvh,
    /// The unit and axes to write in.
    pub space: &'a Space,
    /// The take as it was, seen from its ground.
    pub before: Take,
    /// What was made of it.
    pub made: Take,
    /// What cleaning it took; none was done without.
    pub report: Option<&'a Report>,
    /// Whether the floor was made from the plants.
    pub floor_of_plants: bool,
}

/// Work that is done.
pub struct Finished {
    /// The take as it was, seen from its ground, with the plants that were held.
    pub before: Take,
    /// The file's text.
    pub text: Vec<u8>,
    /// The motion in it, read again, seen from its ground.
    pub after: Motion,
    /// What was measured of it, and of the take before it was cleaned.
    pub figures: Figures,
    /// What there is to say of how it was cleaned.
    pub notes: Vec<Said>,
}

/// Writes what was made, reads it again and measures it.
pub fn finish(work: Work) -> Result<Finished, String> {
    let Work { bvh, space, before, made, report, floor_of_plants } = work;
    let text = bvh.write(&made.motion, space).map_err(|error| error.to_string())?;
    let mut read = Bvh::read(text.clone()).map_err(|error| error.to_string())?;
    read.set_rate(made.motion.fps);
    let before = Take { plants: made.plants.clone(), ..before };
    let after = Take { motion: read.motion(space), ..made }.from_ground().motion;
    let scene = Scene::of(&before, floor_of_plants);
    let was = report.map(|_| &before.motion);
    let mut figures = figures(&after, was, &scene, &before.plants)?;
    let mut said = Vec::new();
    if let Some(report) = report {
        // Across a loop's seam a plant is one to the cleaner and two in the file: then they are not paired.
        let is_paired = figures.plants.len() == report.plants.len();
        for (plant, took) in figures.plants.iter_mut().zip(&report.plants).filter(|_| is_paired) {
            plant.unmet = Some(took.slide_m).filter(|&slide| slide > MET);
        }
        said = notes(&scene, report, &figures);
    }
    Ok(Finished { before, text, after, figures, notes: said })
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
        figures.deepest = None;
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

/// What a report is made of, for whoever makes one.
pub fn page<T>(
    title: &str,
    (scene, plants): (&Scene, &Footplants),
    after: &Motion,
    figures: &Figures,
    notes: &[String],
    of: impl FnOnce(surefoot_measure::Report) -> T,
) -> T {
    let floor = scene.floor_or_lowest();
    of(surefoot_measure::Report {
        title,
        after,
        before: figures.before.as_ref().map(|_| &scene.motion),
        scene: &measure_scene(scene, plants, &floor),
        figures,
        notes,
    })
}
