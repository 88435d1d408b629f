//! One motion file, or two: before and after cleaning or editing.
//!
//! Legs, unit, floor and T-pose are inferred from the file before and used for both. Inferred from each file
//! on its own they would differ by as much as the feet were moved.

use std::path::Path;

use surefoot::Clip;
use surefoot_core::Motion;

use crate::args::FileOptions;
use crate::input::{self, is_dash};
use crate::problem::Problem;
use crate::source::{Parsed, Source, add_plants, check_plants_stdin, load_with_legs, parse};

/// A motion to measure or draw, in the ground's frame of reference, and the one before it.
pub struct BeforeAfter {
    /// The name of the file after, or of the only one.
    pub name: String,
    /// The clip of the file after, or of the only one.
    pub clip: Clip,
    /// The motion before, where there is one.
    pub before: Option<Motion>,
    /// The file before, or the only one, with its plants.
    pub source: Source,
}

/// Loads a file, and the one before it where there is one, with their plants.
pub fn load_before_after(
    after: &Path,
    before: Option<&Path>,
    plants: Option<&Path>,
    file_options: &FileOptions,
) -> Result<BeforeAfter, Problem> {
    check_plants_stdin(after, plants)?;
    if is_dash(after) && before.is_some_and(is_dash) {
        return Err(Problem::new("both files are -, but stdin can be read only once"));
    }
    let mut source = load_with_legs(before.unwrap_or(after), file_options)?;
    add_plants(&mut source.file, plants)?;
    let clip = source.clip().relative_to_ground();
    if before.is_none() {
        return Ok(BeforeAfter { name: source.file.name.clone(), clip, before: None, source });
    }
    let Parsed { name, mut bvh, .. } = parse(input::read(after)?)?;
    if let Some(fps) = file_options.fps.or(source.settings.fps) {
        bvh.set_rate(fps);
    }
    let mut motion = bvh.motion(&source.file.space());
    if let Some(velocity) = source.clip().ground_velocity {
        motion = motion.with_added_velocity(-velocity);
    }
    let (before, clip) = (Some(clip.motion), Clip { motion, ..clip });
    Ok(BeforeAfter { name, clip, before, source })
}
