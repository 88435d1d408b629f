//! What a person should know of a cleaned file, in sentences.

use surefoot_contact::ground_changes;
use surefoot_core::{FrameRange, Leg, Vec3};
use surefoot_measure::{Deepest, Figures, PlantFigures, Unit};
use surefoot_solve::{Note, Report};

use crate::plain;
use crate::plants::Known;
use crate::scene::Scene;

/// A sentence, and the frame it is about, if it is about one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The first frame it is about.
    pub frame: Option<usize>,
    /// The sentence.
    pub said: String,
}

impl From<String> for Said {
    fn from(said: String) -> Self {
        Self { frame: None, said }
    }
}

/// A plant that drifts no farther than this in the file is held, in metres.
const HELD: f64 = 1e-5;

/// What a person should know of how a motion was cleaned.
pub(crate) fn notes(scene: &Scene, report: &Report, figures: &Figures) -> Vec<Said> {
    let mut notes: Vec<Said> = report.notes.iter().map(|note| said(&scene.legs, note)).collect();
    notes.extend(uneven_ground(scene, report).map(Said::from));
    notes.extend(figures.plants.iter().filter_map(not_held));
    notes.extend(figures.deepest.as_ref().and_then(in_floor));
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
fn not_held(plant: &PlantFigures) -> Option<Said> {
    let PlantFigures { foot, point, first, last, .. } = plant;
    let drift = plant.after.drift.filter(|&drift| drift > HELD && plant.unmet.is_none())?;
    let (foot, point, drift) = (plain(foot), point.as_str(), Unit::Metres.say(drift));
    let said = format!("{foot} {point}, frames {first}–{last}: not held, it drifts by {drift}");
    Some(Said { frame: Some(*first), said })
}

/// A foot that stays in the floor deeper than this is told of, in metres.
const DEEP: f64 = 1e-3;

/// Where a foot is still below the floor, and how deep it was there.
fn in_floor(deepest: &Deepest) -> Option<Said> {
    let Deepest { foot, point, frame, depth, before } = deepest;
    let before = before.filter(|_| *depth > DEEP)?;
    let [depth, before] = [*depth, before].map(|depth| Unit::Metres.say(depth));
    let said = format!(
        "{} {point}, frame {frame}: deepest below the floor, by {depth}; {before} as captured",
        plain(foot)
    );
    Some(Said { frame: Some(*frame), said })
}

/// What to say of ground whose speed changes.
pub fn changing_ground([first, last]: [f64; 2], ground: Vec3) -> String {
    format!(
        "the ground's speed changes from {first:.2} to {last:.2} m/s, but is taken to be {:.2} m/s throughout: \
         feet are held to that, and slide over a ground that goes otherwise",
        ground.length()
    )
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
        let Scene { motion, legs, floor, .. } = scene;
        let changes = ground_changes(motion, legs, floor.as_ref(), &known.plants, ground);
        notes.extend(changes.map(|speeds| changing_ground(speeds, ground)));
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

fn said(legs: &[Leg], note: &Note) -> Said {
    let frame = match note {
        Note::OutOfReach { frames, .. } | Note::WrongSize { frames, .. } | Note::NotHeld { frames, .. } => {
            Some(frames.start)
        }
        Note::OffFloor { frame, .. } => Some(*frame),
        _ => None,
    };
    Said { frame, said: note_words(legs, note) }
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
            point.as_str(),
            span(frames),
            by_m * 1000.0
        ),
        Note::NotHeld { leg, point, frames, held } => format!(
            "{} {}, {}: held for {held} of {} frames",
            side(*leg),
            point.as_str(),
            span(frames),
            frames.len()
        ),
        Note::OffFloor { leg, point, frame, above_m } => format!(
            "{} {} from frame {frame}: stands {:.0} mm {} the floor and keeps its height",
            side(*leg),
            point.as_str(),
            above_m.abs() * 1000.0,
            if *above_m < 0.0 { "below" } else { "above" }
        ),
        other => format!("{other:?}"),
    }
}
