//! A floor from a file: a mesh, a grey image or a table.

use std::path::Path;

use surefoot_core::Floor;
use surefoot_formats::Space;
use surefoot_formats::floor::{FloorError, Image, read_csv, read_obj, read_pgm};

use crate::args::Told;
use crate::input::{self, Input};
use crate::problem::Problem;

/// Reads a floor for a motion of this unit and up axis, but for what the user says.
pub fn read(path: &Path, told: &Told, motion: &Space) -> Result<Floor, Problem> {
    let space =
        Space { unit_m: told.floor_unit.unwrap_or(motion.unit_m), up: told.floor_up.unwrap_or(motion.up) };
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    let image = if ending == "pgm" { Some(image(path, told)?) } else { None };
    let Input { name, bytes, .. } = input::read(path)?;
    let surface = match image {
        Some(image) => read_pgm(&bytes, &image, &space),
        None if ending == "csv" => read_csv(&bytes, &space),
        None => read_obj(&bytes, &space),
    };
    surface.map(Floor::from).map_err(|error| problem(&name, &bytes, &error))
}

/// How large a grey image is: it does not say.
fn image(path: &Path, told: &Told) -> Result<Image, Problem> {
    let (Some(cell), Some(heights)) = (told.floor_cell, told.floor_height) else {
        let what = format!("a grey image does not say how large it is: {}", path.display());
        return Err(Problem::new(what).help("say so, as --floor-cell 5cm --floor-height 0..50cm"));
    };
    Ok(Image { cell, heights, origin: told.floor_origin })
}

fn problem(name: &str, bytes: &[u8], error: &FloorError) -> Problem {
    // Pixels may hold anything; a line of them is no help.
    let is_text = bytes.iter().take(1000).all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    let said = error.to_string();
    if is_text {
        Problem::in_text(name, &String::from_utf8_lossy(bytes), &said)
    } else {
        Problem::new(format!("{name}: {said}"))
    }
}
