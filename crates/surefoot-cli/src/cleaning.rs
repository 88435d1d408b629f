//! Cleaning a file that has been read: from its text to clean text, measured as it will be read.
//!
//! A T-pose that a program put at frame 0 is kept out of it and put back untouched. The figures
//! are of the clean text, read again, never of what the cleaner had in memory.

use serde::Serialize;
use surefoot_core::{Floor, Footplants, Motion};
use surefoot_job::{Finished, Job, finish};
pub use surefoot_job::{
    Performance, figures, later, measure_scene, note_words, scene_notes, seen_from_ground,
};
use surefoot_measure::Figures;
use surefoot_solve::{Label, Report, Settings, clean, rectify, support_labels};

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
    /// How it was cleaned.
    pub method: Method,
    /// What each plant took.
    pub report: Report,
    /// What a person should know, in sentences.
    pub notes: Vec<String>,
}

/// Whether a motion's end is to meet its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    Apart,
    Meet,
}

/// Which method makes feet stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// The five phases.
    #[default]
    Phases,
    /// By who carries the body.
    Support,
}

/// Cleans a file whose plants are known.
///
/// Where the ground moves, all of it is done, and measured, as one who stands on the ground sees it.
pub fn cleaned(
    looked: &Looked,
    scene: Scene,
    known: Known,
    method: Method,
    settings: &Settings,
    ends: Ends,
) -> Result<Cleaned, Problem> {
    let cannot = |why: String| Problem::new(format!("cannot clean {}: {why}", plain(&looked.name)));
    let captured = known.ground.map(|_| scene.motion.clone());
    let scene = seen_from_ground(scene, known.ground);
    let (Solved { motion, report, skates }, said) = match ends {
        Ends::Apart => (performance(&scene, &known.plants, method, settings).map_err(cannot)?, None),
        Ends::Meet => {
            let (motion, report, said) = looped(&scene, &known.plants, settings).map_err(cannot)?;
            (Solved { motion, report, skates: None }, said)
        }
    };
    let job = Job {
        bvh: &looked.bvh,
        space: &looked.space(),
        captured: captured.as_ref().unwrap_or(&scene.motion),
        scene: &scene,
        known: &known,
    };
    let Finished { text, after, figures, notes } = finish(&job, &motion, &report).map_err(cannot)?;
    let mut notes: Vec<String> = notes.into_iter().map(|note| note.said).collect();
    notes.extend(said);
    notes.extend(skates);
    Ok(Cleaned { scene, known, text, after, figures, method, report, notes })
}

/// A motion that has been cleaned.
struct Solved {
    motion: Motion,
    report: Report,
    /// How much of it was found to skate, if that was asked.
    skates: Option<String>,
}

/// Cleans what is performed, and puts back the T-pose before it.
fn performance(
    scene: &Scene,
    plants: &Footplants,
    method: Method,
    settings: &Settings,
) -> Result<Solved, String> {
    let Performance { motion: performed, scene: solved, plants, .. } = Performance::of(scene, plants);
    let said = |error: surefoot_solve::SetupError| error.to_string();
    let ((clean, report), skates) = match method {
        Method::Phases => (clean(&performed, &solved, &plants, settings).map_err(said)?, None),
        Method::Support => {
            let labels = support_labels(&performed, &solved, &plants, settings).map_err(said)?;
            let mended = rectify(&performed, &solved, &plants, settings).map_err(said)?;
            (mended, Some(skates(&labels, settings)))
        }
    };
    let (motion, report) = Performance::put_back(scene, clean, report);
    Ok(Solved { motion, report, skates })
}

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

/// A loop whose end misses its start by more than this, in metres, is none: a person would see it.
const IS_NO_LOOP: f64 = 0.02;

/// The same for a loop, and what there is to say of it.
fn looped(
    scene: &Scene,
    plants: &Footplants,
    settings: &Settings,
) -> Result<(Motion, Report, Option<String>), String> {
    let Performance { motion: performed, scene: solved, plants, .. } = Performance::of(scene, plants);
    let up = scene.floor.as_ref().map_or(surefoot_core::Vec3::Y, Floor::up);
    let how = surefoot_edit::looped::Settings {
        map: surefoot_edit::distance::Settings { up, ..Default::default() },
        ..Default::default()
    };
    let (found, missed) =
        surefoot_edit::looped::whole(&performed, &how).map_err(|error| error.to_string())?;
    let cleaned = surefoot_edit::looped::clean(&performed, &solved, &plants, &found, settings)
        .map_err(|error| error.to_string())?;
    let (motion, report) = Performance::put_back(scene, cleaned.motion, cleaned.report);
    let missed = (missed > IS_NO_LOOP).then(|| {
        format!(
            "the end misses the start by {:.1} cm, so this is no loop yet; `surefoot loop` makes one",
            missed * 100.0
        )
    });
    Ok((motion, report, missed))
}
