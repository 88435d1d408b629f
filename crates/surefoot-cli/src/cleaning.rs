//! What is measured of a motion that is cleaned, and what there is to say of it.

pub use surefoot_job::{figures, measure_scene, note_words, scene_notes, seen_from_ground};
use surefoot_solve::{Label, Settings};

/// How many frames skate, in how many runs.
pub fn skates(labels: &[Label], settings: &Settings) -> String {
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
