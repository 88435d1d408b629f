//! The last part of every edit: cleans, writes and measures the result.

use std::borrow::Cow;

use surefoot_core::Clip;
use surefoot_edit::knee_speed_added;
use surefoot_solve::{Method, Settings, SupportLabel};

use crate::{CleanFile, Error, MotionFile, OutputSettings, Target, finish};

/// An edited motion, cleaned, written and measured.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EditedFile<'a> {
    /// The written file, read back and measured.
    pub file: CleanFile<'a>,
    /// The method that cleaned it. `None` where the feet were left as they are.
    pub method: Option<Method>,
    /// The largest change of a knee's angular speed by cleaning, in radians per second.
    pub knee_speed_added: Option<f64>,
    /// Notes about the sources and the result.
    pub notes: Vec<String>,
}

/// Finishes an edit of these files: cleans it, writes it into a copy of `target`, reads it back and measures it.
pub fn finish_edit<'a>(
    sources: &[&MotionFile],
    edited: Cow<'a, Clip>,
    target: Target,
    settings: &OutputSettings,
) -> Result<EditedFile<'a>, Error> {
    let file = finish(target, edited, settings)?;
    let knee_speed_added = settings
        .clean
        .map(|_| knee_speed_added(&file.before, &file.clip.motion, &file.clip.legs, file.clip.first_frame));
    let notes = notes(sources, &file, settings.clean.as_ref());
    Ok(EditedFile { method: settings.clean.map(|clean| clean.method), file, knee_speed_added, notes })
}

/// Notes about the sources, each once, then about the result.
fn notes(sources: &[&MotionFile], file: &CleanFile, settings: Option<&Settings>) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for note in sources.iter().flat_map(|source| source.clip_notes()) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes.extend(file.notes.iter().map(|note| note.text.clone()));
    let labels = &file.labels;
    notes.extend(settings.filter(|_| !labels.is_empty()).map(|settings| skate_summary(file, settings)));
    notes
}

/// How many frames skate, in how many runs, and how that is known.
fn skate_summary(CleanFile { labels, clip, .. }: &CleanFile, settings: &Settings) -> String {
    let is_skate = |label: &SupportLabel| *label == SupportLabel::Skate;
    let frames = labels.iter().filter(|label| is_skate(label)).count();
    let runs = labels.chunk_by(|one, other| is_skate(one) == is_skate(other)).filter(|run| is_skate(&run[0]));
    let runs = match runs.count() {
        1 => "1 run".to_owned(),
        count => format!("{count} runs"),
    };
    let has_labels = clip.plants.plants.iter().all(|plant| plant.kind.is_some());
    let slides = match has_labels {
        true => "is labelled skate".to_owned(),
        false => format!("slides faster than {} m/s", settings.skate_speed),
    };
    format!("support phases: a planted foot {slides} in {frames} of {} frames, in {runs}", labels.len())
}
