//! Cleaning a file that has been read: from its text to clean text, measured as it will be read.
//!
//! A T-pose that a program put at frame 0 is kept out of it and put back untouched. The figures
//! are of the clean text, read again, never of what the cleaner had in memory.

use surefoot_contact::over_ground;
use surefoot_core::{Floor, Footplants, FrameRange, Leg, Motion, Plant, Vec3};
use surefoot_formats::bvh::Bvh;
use surefoot_measure::{Figures, PlantFigures, Unit, measure};
use surefoot_solve::{Note, Report, Settings, clean};

use crate::look::Looked;
use crate::plants::Known;
use crate::problem::Problem;
use crate::scene::Scene;
use crate::tell::plain;

/// A cleaned file.
pub struct Cleaned {
    /// The motion before, its legs and floor.
    pub scene: Scene,
    /// The plants that were held.
    pub known: Known,
    /// The file's text.
    pub text: Vec<u8>,
    /// The motion in it, read again.
    pub after: Motion,
    /// What was measured of it, and of the file before.
    pub figures: Figures,
    /// What each plant took.
    pub report: Report,
    /// What a person should know, in sentences.
    pub notes: Vec<String>,
}

/// Cleans a file whose plants are known.
///
/// Where the ground moves, all of it is done, and measured, as one who stands on the ground sees it.
pub fn cleaned(looked: &Looked, scene: Scene, known: Known, settings: &Settings) -> Result<Cleaned, Problem> {
    let cannot = |why: String| Problem::new(format!("cannot clean {}: {why}", plain(&looked.name)));
    let captured = scene.motion.clone();
    let scene = seen_from_ground(scene, known.ground);
    let (motion, report) = performance(&scene, &known.plants, settings).map_err(cannot)?;
    let motion = back_in_room(motion, &scene.motion, captured, known.ground);
    let text = looked.bvh.write(&motion, &looked.space()).map_err(|error| cannot(error.to_string()))?;
    let after = read_again(looked, &text).map_err(cannot)?;
    let after = known.ground.map_or(after.clone(), |ground| over_ground(&after, ground));
    let mut figures = figures(&after, Some(&scene.motion), &scene, &known.plants).map_err(cannot)?;
    for (plant, took) in figures.plants.iter_mut().zip(&report.plants) {
        plant.unmet = Some(took.slide_m).filter(|&slide| slide > MET);
    }
    let notes = notes(&scene, &known, &report, &figures);
    Ok(Cleaned { scene, known, text, after, figures, report, notes })
}

/// The same scene as one who stands on its ground sees it.
pub fn seen_from_ground(scene: Scene, ground: Option<Vec3>) -> Scene {
    match ground {
        Some(ground) => Scene { motion: over_ground(&scene.motion, ground), ..scene },
        None => scene,
    }
}

/// A clean motion as the room sees it; poses that were left alone come back to the last bit.
fn back_in_room(clean: Motion, from_ground: &Motion, captured: Motion, ground: Option<Vec3>) -> Motion {
    let Some(ground) = ground else { return clean };
    let mut motion = over_ground(&clean, -ground);
    let each = clean.poses.iter().zip(&from_ground.poses).zip(captured.poses);
    for (pose, ((clean, before), captured)) in motion.poses.iter_mut().zip(each) {
        if clean == before {
            *pose = captured;
        }
    }
    motion
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
const MET: f64 = 1e-6;

/// A file's motion without the T-pose before it, and its plants, as the cleaner takes them.
pub struct Performance {
    /// What is performed.
    pub motion: Motion,
    /// Its body, legs and floor.
    pub scene: surefoot_solve::Scene,
    /// Its plants, in its own frames.
    pub plants: Footplants,
    /// The file's number of its first frame.
    pub first: usize,
}

impl Performance {
    /// What is performed in a file.
    pub fn of(scene: &Scene, plants: &Footplants) -> Self {
        let Scene { motion, legs, floor, first_frame, .. } = scene;
        let first = (*first_frame).min(motion.frames());
        let solved = surefoot_solve::Scene {
            skeleton: motion.skeleton.clone(),
            fps: motion.fps,
            legs: legs.clone(),
            floor: floor.clone(),
        };
        let motion = Motion { poses: motion.poses[first..].to_vec(), ..motion.clone() };
        Self { motion, scene: solved, plants: earlier(plants, first), first }
    }
}

/// Cleans what is performed, and puts back the T-pose before it.
fn performance(scene: &Scene, plants: &Footplants, settings: &Settings) -> Result<(Motion, Report), String> {
    let Performance { motion: performed, scene: solved, plants, first } = Performance::of(scene, plants);
    let (clean, mut report) =
        clean(&performed, &solved, &plants, settings).map_err(|error| error.to_string())?;
    for plant in &mut report.plants {
        plant.frames = plant.frames.start + first..plant.frames.end + first;
    }
    report.notes.iter_mut().for_each(|note| later(note, first));
    let motion = &scene.motion;
    let poses = motion.poses[..first].iter().cloned().chain(clean.poses).collect();
    Ok((Motion { poses, ..clean }, report))
}

/// Makes a note speak of frames that are so many later.
pub fn later(note: &mut Note, by: usize) {
    match note {
        Note::OutOfReach { frames, .. } | Note::WrongSize { frames, .. } | Note::NotHeld { frames, .. } => {
            *frames = frames.start + by..frames.end + by;
        }
        Note::OffFloor { frame, .. } => *frame += by,
        _ => {}
    }
}

/// Plants that begin and end so many frames earlier.
fn earlier(plants: &Footplants, by: usize) -> Footplants {
    let moved = |plant: &Plant| Plant {
        frames: plant.frames.start.saturating_sub(by)..plant.frames.end.saturating_sub(by),
        ..plant.clone()
    };
    Footplants { plants: plants.plants.iter().map(moved).collect() }
}

fn read_again(looked: &Looked, text: &[u8]) -> Result<Motion, String> {
    let mut bvh = Bvh::read(text.to_vec()).map_err(|error| error.to_string())?;
    bvh.set_rate(looked.bvh.rate().value);
    Ok(bvh.motion(&looked.space()))
}

fn notes(scene: &Scene, known: &Known, report: &Report, figures: &Figures) -> Vec<String> {
    let mut notes = scene_notes(scene, known);
    notes.extend(known.notes.iter().cloned());
    notes.extend(report.notes.iter().map(|note| note_words(&scene.legs, note)));
    notes.extend(uneven_ground(scene, report));
    notes.extend(figures.plants.iter().filter_map(not_held));
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
