//! Foot contact labels as an array (frames, 4), as machine learning data sets have them: left heel, left ball, right heel,
//! right ball, each 0, 1 or a probability.

use surefoot_core::{Footplants, Leg};

use super::array_file::{ArrayFile, ArrayInfo};
use super::npy::header_bytes;
use crate::plants::{PlantsError, label_columns, plants_of_labels};

/// Names of arrays with labels in an archive.
const LABELS: &[&str] = &[
    "contacts",
    "contact",
    "footcontacts",
    "footcontact",
    "feetcontacts",
    "contactlabels",
    "labels",
    "arr0",
];

/// Reads labels for a motion with these legs and number of frames: a `.npy` file, or an array of a `.npz` file that is
/// called `contacts` or alike. Labels that were computed from differences have one row less; their last row is repeated.
pub fn read_labels(bytes: &[u8], legs: &[Leg], frames: usize) -> Result<Footplants, PlantsError> {
    let wrong = |problem: String| PlantsError::Labels { problem };
    let file = ArrayFile::read(bytes).map_err(|error| wrong(error.to_string()))?;
    let columns = label_columns(legs);
    let is_table = |array: &ArrayInfo| array.header.is_number() && matches!(array.shape_of(2), [_, _]);
    let Some(array) = file.find(LABELS, is_table) else {
        let (found, count) = (file.describe(), columns.len());
        return Err(wrong(format!("found {found}; expected an array \"contacts\" (frames, {count})")));
    };
    let &[rows, width] = file.arrays[array].shape_of(2) else { return Ok(Footplants::default()) };
    if width != columns.len() {
        let (shape, count) = (file.arrays[array].header.shape_text(), columns.len());
        return Err(wrong(format!(
            "found the shape {shape}, expected {count} columns, heel and ball of each foot"
        )));
    }
    if rows != frames && rows + 1 != frames {
        return Err(PlantsError::Frames { found: rows, motion: frames });
    }
    let numbers = file.numbers(bytes, array).map_err(|error| wrong(error.to_string()))?;
    if let Some(at) = numbers.iter().position(|number| !(0.0..=1.0).contains(number)) {
        let (frame, column, found) = (at / width, at % width, numbers[at]);
        return Err(wrong(format!(
            "frame {frame}, column {column}: found {found}, expected a number from 0 to 1"
        )));
    }
    let mut table: Vec<Vec<f64>> = numbers.chunks_exact(width.max(1)).map(<[f64]>::to_vec).collect();
    table.extend(table.last().filter(|_| rows < frames).cloned());
    Ok(plants_of_labels(&columns, &table))
}

/// Writes plants as labels in a `.npy` file (frames, 4): the confidence of each plant, or 1 if it has none, and 0 elsewhere.
pub fn write_labels(plants: &Footplants, legs: &[Leg], frames: usize) -> Vec<u8> {
    let columns = label_columns(legs);
    let mut numbers = vec![0_f32; frames * columns.len()];
    for plant in &plants.plants {
        let Some(column) = columns.iter().position(|&column| column == (plant.leg, plant.point)) else {
            continue;
        };
        for frame in plant.frames.start..plant.frames.end.min(frames) {
            // A confidence below 0.5 would be read as a foot that is up.
            numbers[frame * columns.len() + column] = plant.confidence.map_or(1.0, |one| one.max(0.5)) as f32;
        }
    }
    let mut npy = header_bytes("<f4", false, &[frames, columns.len()]);
    npy.extend(numbers.into_iter().flat_map(f32::to_le_bytes));
    npy
}
