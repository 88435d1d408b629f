//! A floor from a file: a mesh, a grey image or a table.

use std::path::Path;

use surefoot_core::Floor;
use surefoot_formats::Space;
use surefoot_job::{FloorFile, FloorProblem, floor_from};

use crate::args::Told;
use crate::input::{self, Input};
use crate::problem::Problem;

/// Reads a floor for a motion of this unit and up axis, but for what the user says.
pub fn read(path: &Path, told: &Told, motion: &Space) -> Result<Floor, Problem> {
    let says = FloorFile {
        unit: told.floor_unit,
        up: told.floor_up,
        cell: told.floor_cell,
        heights: told.floor_height,
        origin: told.floor_origin,
    };
    let no_size =
        || Problem::new(format!("{}: {}", FloorProblem::NoSize, path.display())).help(FloorProblem::SAY_SIZE);
    let is_image = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgm"));
    if is_image && says.image().is_none() {
        return Err(no_size());
    }
    let Input { name, bytes, .. } = input::read(path)?;
    floor_from(&path.to_string_lossy(), &bytes, &says, motion).map_err(|problem| match problem {
        FloorProblem::NoSize => no_size(),
        FloorProblem::Wrong(error) => wrong(&name, &bytes, &error.to_string()),
    })
}

fn wrong(name: &str, bytes: &[u8], said: &str) -> Problem {
    // Pixels may hold anything; a line of them is no help.
    let is_text = bytes.iter().take(1000).all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    if is_text {
        Problem::in_text(name, &String::from_utf8_lossy(bytes), said)
    } else {
        Problem::new(format!("{name}: {said}"))
    }
}
