//! What is measured of a motion that is cleaned, and what there is to say of it.

use surefoot_contact::over_ground;
use surefoot_core::{Floor, Footplants, FrameRange, Leg, Motion, Vec3};
use surefoot_edit::Cleaned;
use surefoot_measure::{Figures, PlantFigures, Unit, measure};
use surefoot_solve::{Label, Note, Report, Settings};

use crate::plants::Known;
use crate::scene::Scene;
use crate::tell::plain;

/// The same scene as one who stands on its ground sees it.
pub fn seen_from_ground(scene: Scene, ground: Option<Vec3>) -> Scene {
    match ground {
        Some(ground) => Scene { motion: over_ground(&scene.motion, ground), ..scene },
        None => scene,
    }
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

/// A plant that drifts no farther than this in the file is held, in metres.
const HELD: f64 = 1e-5;

/// A plant that misses its target by no more than this is met, in metres: what a file can show.
pub const MET: f64 = 1e-6;

/// How many frames skate, in how many runs.
fn skates(labels: &[Label], settings: &Settings) -> String {
    let is_skate = |label: &Label| *label == Label::Skate;
    let frames = labels.iter().filter(|label| is_skate(label)).count();
    let runs = labels.chunk_by(|one, other| is_skate(one) == is_skate(other)).filter(|run| is_skate(&run[0]));
    let runs = match runs.count() {
        1 => "1 run".to_owned(),
        count => format!("{count} runs"),
    };
    format!(
        "by support: in {frames} of {} frames a planted foot slides faster than {} m/s, in {runs}",
        labels.len(),
        settings.skate,
    )
}

/// What a person should know of how a motion was cleaned.
pub fn edit_notes(scene: &Scene, cleaned: &Cleaned, figures: &Figures, settings: &Settings) -> Vec<String> {
    let Cleaned { report, labels, .. } = cleaned;
    let mut notes: Vec<String> = report.notes.iter().map(|note| note_words(&scene.legs, note)).collect();
    notes.extend(uneven_ground(scene, report));
    notes.extend(figures.plants.iter().filter_map(not_held));
    notes.extend((!labels.is_empty()).then(|| skates(labels, settings)));
    notes
}

/// From this share of plants off the floor on, the ground is not the plane it was taken for.
const UNEVEN: f64 = 0.2;

/// A way out where many plants stand off the floor.
fn uneven_ground(scene: &Scene, report: &Report) -> Option<String> {
    let is_off = |note: &&Note| matches!(note, Note::OffFloor { .. });
    let off = report.notes.iter().filter(is_off).count();
    let is_plane = scene.floor.as_ref().is_some_and(|floor| floor.as_plane().is_some());
    let is_uneven = is_plane && off > 1 && off as f64 > UNEVEN * report.plants.len() as f64;
    is_uneven.then(|| {
        format!(
            "{off} of {} plants stand off the floor: on stairs and uneven ground try --floor plants",
            report.plants.len()
        )
    })
}

/// A plant that drifts in the file, though the cleaner says nothing of it.
fn not_held(plant: &PlantFigures) -> Option<String> {
    let PlantFigures { foot, point, first, last, .. } = plant;
    let drift = plant.after.drift.filter(|&drift| drift > HELD && plant.unmet.is_none())?;
    let (foot, point, drift) = (plain(foot), point.word(), Unit::Metres.say(drift));
    Some(format!("{foot} {point}, frames {first}–{last}: not held, it drifts by {drift}"))
}

/// What a person should know of a scene that is cleaned or measured.
pub fn scene_notes(scene: &Scene, known: &Known) -> Vec<String> {
    let mut notes = Vec::new();
    if known.found && known.plants.plants.is_empty() {
        notes.push("no foot was found to be down, so nothing is held".into());
    } else if known.found {
        notes.push(
            "the plants were found by surefoot; `surefoot detect` writes them down to be edited".into(),
        );
    }
    if let Some(ground) = known.ground {
        notes.push(format!(
            "the ground moves at {:.2} m/s, as on a treadmill: plants stand on it, and drift is measured on it",
            ground.length()
        ));
    }
    if scene.first_frame > 0 {
        notes.push(
            "frame 0 is a T-pose that a program put there; it is left as it is and not measured".into(),
        );
    }
    if scene.floor_of_plants {
        notes.push("the floor goes through the places where the plants stand, as captured".into());
    }
    if scene.floor.is_none() {
        notes.push("there is no floor: plants stand at whatever height they have".into());
    }
    notes
}

/// A note in words.
pub fn note_words(legs: &[Leg], note: &Note) -> String {
    let side = |leg: usize| legs.get(leg).map_or("no such".into(), |leg| plain(&leg.side));
    let span = |frames: &FrameRange| format!("frames {}–{}", frames.start, frames.end.saturating_sub(1));
    match note {
        Note::OutOfReach { leg, frames, by_m } => format!(
            "{} foot, {}: out of reach, so it slides by up to {:.2} mm",
            side(*leg),
            span(frames),
            by_m * 1000.0
        ),
        Note::WrongSize { leg, point, frames, by_m } => format!(
            "{} {}, {}: its spot does not fit the size of the foot, it stays {:.2} mm away",
            side(*leg),
            point.word(),
            span(frames),
            by_m * 1000.0
        ),
        Note::NotHeld { leg, point, frames, held } => format!(
            "{} {}, {}: held for {held} of {} frames",
            side(*leg),
            point.word(),
            span(frames),
            frames.len()
        ),
        Note::OffFloor { leg, point, frame, above_m } => format!(
            "{} {} from frame {frame}: stands {:.0} mm {} the floor and keeps its height",
            side(*leg),
            point.word(),
            above_m.abs() * 1000.0,
            if *above_m < 0.0 { "below" } else { "above" }
        ),
        other => format!("{other:?}"),
    }
}
