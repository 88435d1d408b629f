//! Notes about glitches: frames in which a capture jumps away and comes back.

use surefoot_core::Clip;
use surefoot_edit::glitches::{Glitch, Jump, find};
use surefoot_measure::Unit;
use surefoot_solve::{Form, Settings};

use super::notes::FrameNote;
use crate::printable;

/// Most glitches that are named one by one; of more, the number is stated.
const MAX_LISTED: usize = 8;

/// Most joints of a glitch that are named.
const MAX_JOINTS: usize = 3;

/// One note for each glitch of a clip, with its frames and joints, in order of time; none for the published method, which
/// knows none, unless they are repaired.
pub(super) fn glitch_notes(clip: &Clip, settings: &Settings) -> Vec<FrameNote> {
    if settings.form == Form::Paper && !settings.repair_glitches {
        return Vec::new();
    }
    let glitches = find(&clip.motion, &clip.legs, clip.first_frame);
    let note = |glitch: &Glitch| FrameNote {
        frame: Some(glitch.frames.start),
        text: glitch_text(glitch, clip, settings),
    };
    let mut notes: Vec<FrameNote> = glitches.iter().take(MAX_LISTED).map(note).collect();
    if glitches.len() > MAX_LISTED {
        let others: Vec<String> =
            glitches[MAX_LISTED..].iter().map(|glitch| glitch.frames.start.to_string()).take(50).collect();
        let text =
            format!("{} more glitches, from frames {}", glitches.len() - MAX_LISTED, others.join(", "));
        notes.push(FrameNote { frame: Some(glitches[MAX_LISTED].frames.start), text });
    }
    notes
}

fn glitch_text(glitch: &Glitch, clip: &Clip, settings: &Settings) -> String {
    let frames = match glitch.frames.len() {
        1 => format!("frame {}", glitch.frames.start),
        _ => format!("frames {}–{}", glitch.frames.start, glitch.frames.end - 1),
    };
    let mut jumps: Vec<&Jump> = glitch.jumps.iter().collect();
    jumps.sort_by(|a, b| b.angle.total_cmp(&a.angle));
    let mut joints: Vec<String> = jumps.iter().take(MAX_JOINTS).map(|jump| jump_text(jump, clip)).collect();
    if glitch.jumps.len() > MAX_JOINTS {
        joints.push(match glitch.jumps.len() - MAX_JOINTS {
            1 => "another joint".into(),
            count => format!("{count} other joints"),
        });
    }
    let treatment = match settings.repair_glitches {
        true => "replaced by interpolation",
        false => "the setting repair-glitches replaces it by interpolation",
    };
    format!("{frames}: glitch of {}: {treatment}", joints.join(", "))
}

/// The name of a joint and how far it jumps: by its rotation, or by its position if that alone jumps.
fn jump_text(jump: &Jump, clip: &Clip) -> String {
    let name = printable(&clip.motion.skeleton.joint(jump.joint).name);
    let degrees = jump.angle.to_degrees();
    match (degrees >= 1.0, jump.distance >= 1e-3) {
        (true, true) => format!("{name} ({degrees:.0}°, {})", Unit::Metres.format(jump.distance)),
        (_, true) => format!("{name} ({})", Unit::Metres.format(jump.distance)),
        _ => format!("{name} ({degrees:.0}°)"),
    }
}
