//! Loads one motion file, or two: before and after cleaning or editing.

use std::path::Path;

use surefoot::edit_files::BeforeAfter;
use surefoot_formats::source::Format;

use crate::args::FileOptions;
use crate::input::{self, is_dash};
use crate::problem::Problem;
use crate::source::{Parsed, Source, add_plants, check_plants_stdin, load_with_legs, parse, read_problem};

/// Loads a file, and the file before cleaning or editing if one is given, with their plants.
///
/// Returns the file before, or the only one; the name of the file after, or of the only one; and the motions.
pub fn load_before_after(
    after: &Path,
    before: Option<&Path>,
    plants: Option<&Path>,
    file_options: &FileOptions,
) -> Result<(Source, String, BeforeAfter), Problem> {
    check_plants_stdin(after, plants)?;
    if is_dash(after) && before.is_some_and(is_dash) {
        return Err(Problem::new("both files are -, but stdin can be read only once"));
    }
    let mut source = load_with_legs(before.unwrap_or(after), file_options)?;
    add_plants(&mut source.file, plants)?;
    if before.is_none() {
        let (name, motions) = (source.file.name.clone(), BeforeAfter::new(&source.file, None));
        return Ok((source, name, motions));
    }
    let Parsed { name, source: mut after, .. } = parse(input::read(after)?, file_options)?;
    let own = (after.format() != Format::Bvh).then_some(source.file.source.rate().value);
    // A file with keys at times is sampled at the frames of the file before.
    if let Some(fps) = file_options.fps.or(source.settings.fps).or(own) {
        after.set_rate(fps);
    }
    after.check_size().map_err(|error| read_problem(&name, &error))?;
    let motions = BeforeAfter::new(&source.file, Some(&after));
    Ok((source, name, motions))
}
