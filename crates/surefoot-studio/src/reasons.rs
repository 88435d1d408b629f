//! Why a plant is not held, in a few words for a label beside its footprint.

use surefoot_core::FrameRange;
use surefoot_measure::Unit;
use surefoot_solve::{Note, PlantReport, Report};

/// For each plant the reason why it is not held in place; `None` for a plant that is held.
pub fn reasons(report: &Report) -> Vec<Option<String>> {
    let reason = |plant: &PlantReport| report.notes.iter().find_map(|note| reason_in(note, plant));
    report.plants.iter().map(reason).collect()
}

/// The reason in a note, if the note is about the plant.
fn reason_in(note: &Note, plant: &PlantReport) -> Option<String> {
    let is_same = |leg: usize, frames: &FrameRange| leg == plant.leg && *frames == plant.frames;
    match note {
        Note::OutOfReach { leg, frames, drift_m } if is_same(*leg, frames) => {
            Some(format!("out of reach: the leg is {} too short", Unit::Metres.format(*drift_m)))
        }
        Note::FootLengthMismatch { leg, point, frames, drift_m }
            if is_same(*leg, frames) && *point == plant.point =>
        {
            let off = Unit::Metres.format(*drift_m);
            Some(format!("{off} off: the spots of heel and ball do not fit the length of the foot"))
        }
        Note::NotHeld { leg, point, frames, held_frames }
            if is_same(*leg, frames) && *point == plant.point =>
        {
            Some(format!("held in {held_frames} of {} frames: another plant takes its place", frames.len()))
        }
        _ => None,
    }
}
