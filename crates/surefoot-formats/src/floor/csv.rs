//! A CSV table of heights: a header `x,z,height`, then a line for each point of an even grid.
//!
//! The first two columns are the ground axes of the motion, `x,y` where Z is up. Lines may come in
//! any order. All numbers have the same unit.

use surefoot_core::floor::Surface;

use super::error::{FloorError, shown};
use super::height_grid::{HeightGrid, ground_names};
use crate::Space;
use crate::json::without_bom;

/// Largest difference between two distances of neighbours, as a fraction: coordinates are rounded.
const UNEVENNESS: f64 = 0.01;

/// Reads a table of heights in the unit and axes of `space`.
pub fn read_csv(bytes: &[u8], space: &Space) -> Result<Surface, FloorError> {
    let names = ground_names(space);
    let header = format!("{},{},height", names[0], names[1]);
    let mut lines = without_bom(bytes)
        .split(|&byte| byte == b'\n')
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim_ascii()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with(b"#"));
    let Some((line, found)) = lines.next() else {
        return Err(FloorError::Truncated { line: 1, expected: format!("the header {header}") });
    };
    let is_header = cells(found).map(<[u8]>::to_ascii_lowercase).eq(header.split(',').map(Vec::from));
    if !is_header {
        let expected = format!("the header {header}");
        return Err(FloorError::Unexpected { line, found: shown(found), expected });
    }
    let mut rows: Vec<(usize, [f64; 3])> = Vec::new();
    for (line, text) in lines {
        rows.push((line, row(line, text)?));
    }
    grid(rows, names, space)
}

fn cells(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| byte == b',').map(|cell| {
        let cell = cell.trim_ascii();
        cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\"")).unwrap_or(cell).trim_ascii()
    })
}

fn row(line: usize, text: &[u8]) -> Result<[f64; 3], FloorError> {
    let expected = |found: &[u8], expected: &str| FloorError::Unexpected {
        line,
        found: shown(found),
        expected: expected.into(),
    };
    let mut numbers = [0.0; 3];
    let mut all = cells(text);
    for number in &mut numbers {
        let cell = all.next().ok_or_else(|| expected(text, "three numbers"))?;
        let value: Option<f64> = core::str::from_utf8(cell).ok().and_then(|cell| cell.parse().ok());
        *number = value.filter(|v| v.is_finite()).ok_or_else(|| expected(cell, "a number"))?;
    }
    if all.next().is_some() { Err(expected(text, "three numbers")) } else { Ok(numbers) }
}

fn grid(mut rows: Vec<(usize, [f64; 3])>, names: [&str; 2], space: &Space) -> Result<Surface, FloorError> {
    let first_axis = Coordinates::new(rows.iter().map(|(_, row)| row[0]), names[0])?;
    let second_axis = Coordinates::new(rows.iter().map(|(_, row)| row[1]), names[1])?;
    let cell = |row: &[f64; 3]| (second_axis.index(row[1]), first_axis.index(row[0]));
    rows.sort_by_key(|(line, row)| (cell(row), *line));
    let columns = first_axis.values.len();
    let missing = |(row, column): (usize, usize)| FloorError::GridPoint {
        line: None,
        at: (first_axis.values[column], second_axis.values[row]),
    };
    // Sorted row by row, the n-th line must be the n-th grid point.
    for (index, (line, row)) in rows.iter().enumerate() {
        let expected = (index / columns, index % columns);
        match cell(row).cmp(&expected) {
            core::cmp::Ordering::Equal => {}
            core::cmp::Ordering::Less => {
                return Err(FloorError::GridPoint { line: Some(*line), at: (row[0], row[1]) });
            }
            core::cmp::Ordering::Greater => return Err(missing(expected)),
        }
    }
    if rows.len() < columns.saturating_mul(second_axis.values.len()) {
        return Err(missing((rows.len() / columns, rows.len() % columns)));
    }
    let unit = space.unit_m;
    let heights = rows.iter().map(|(_, row)| row[2] * unit).collect();
    let first = [first_axis.values[0] * unit, second_axis.values[0] * unit];
    let step = [first_axis.step * unit, second_axis.step * unit];
    HeightGrid { first, step, columns, heights }.surface(space)
}

/// The evenly spaced coordinates of grid points along one axis.
struct Coordinates {
    values: Vec<f64>,
    step: f64,
}

impl Coordinates {
    /// The index of the grid line at `value`.
    fn index(&self, value: f64) -> usize {
        self.values.partition_point(|&coordinate| coordinate <= value).saturating_sub(1)
    }

    fn new(values: impl Iterator<Item = f64>, axis: &str) -> Result<Self, FloorError> {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let (Some(&first), Some(&last)) = (values.first(), values.last()) else {
            return Err(FloorError::Truncated { line: 2, expected: "a line for each grid point".into() });
        };
        // Numbers that differ by less are the same coordinate, rounded differently.
        let same = 1e-6 * (last - first);
        values.dedup_by(|next, kept| *next - *kept <= same);
        if values.len() < 2 {
            let expected = format!("two or more grid points along {axis}");
            return Err(FloorError::Unexpected { line: 2, found: first.to_string(), expected });
        }
        let step = (last - first) / (values.len() - 1) as f64;
        let first_step = values[1] - values[0];
        let is_uneven = |pair: &&[f64]| (pair[1] - pair[0] - first_step).abs() > UNEVENNESS * first_step;
        match values.windows(2).find(is_uneven) {
            Some(pair) => {
                Err(FloorError::Uneven { axis: axis.into(), between: (pair[0], pair[1]), step: first_step })
            }
            None => Ok(Self { values, step }),
        }
    }
}
