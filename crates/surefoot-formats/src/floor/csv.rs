//! A table of heights: a header `x,z,height`, then a line for each place of an even grid.
//!
//! The first two columns are the motion's axes of the ground, `x,y` where Z is up, and the lines
//! may come in any order. All numbers are in one unit.

use surefoot_core::floor::Surface;

use super::error::{FloorError, shown};
use super::field::{Heights, ground_names};
use crate::Space;

/// A step may differ from the first by this share of it: files are rounded.
const EVEN: f64 = 0.01;

/// Reads a table as a floor for a motion whose axes are `space`'s; its unit is `space`'s too.
pub fn read_csv(bytes: &[u8], space: &Space) -> Result<Surface, FloorError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let names = ground_names(space);
    let header = format!("{},{},height", names[0], names[1]);
    let mut lines = bytes
        .split(|&byte| byte == b'\n')
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim_ascii()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with(b"#"));
    let Some((line, found)) = lines.next() else {
        return Err(FloorError::Ends { line: 1, expected: format!("the header {header}") });
    };
    let is_header = cells(found).map(<[u8]>::to_ascii_lowercase).eq(header.split(',').map(Vec::from));
    if !is_header {
        let expected = format!("the header {header}");
        return Err(FloorError::Expected { line, found: shown(found), expected });
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
    let expected = |found: &[u8], expected: &str| FloorError::Expected {
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
    let over = places(rows.iter().map(|(_, row)| row[0]), names[0])?;
    let on = places(rows.iter().map(|(_, row)| row[1]), names[1])?;
    let at = |row: &[f64; 3]| (on.index(row[1]), over.index(row[0]));
    rows.sort_by_key(|(line, row)| (at(row), *line));
    // Row by row they are now in order: each place must be there, and once.
    for (index, (line, row)) in rows.iter().enumerate() {
        let wanted = (index / over.values.len(), index % over.values.len());
        match at(row).cmp(&wanted) {
            core::cmp::Ordering::Equal => {}
            core::cmp::Ordering::Less => {
                return Err(FloorError::Grid { line: Some(*line), at: (row[0], row[1]) });
            }
            core::cmp::Ordering::Greater => {
                return Err(FloorError::Grid {
                    line: None,
                    at: (over.values[wanted.1], on.values[wanted.0]),
                });
            }
        }
    }
    if rows.len() < over.values.len().saturating_mul(on.values.len()) {
        let wanted = (rows.len() / over.values.len(), rows.len() % over.values.len());
        return Err(FloorError::Grid { line: None, at: (over.values[wanted.1], on.values[wanted.0]) });
    }
    let unit = space.unit_m;
    let heights = rows.iter().map(|(_, row)| row[2] * unit).collect();
    let (first, step) = ([over.values[0] * unit, on.values[0] * unit], [over.step * unit, on.step * unit]);
    Heights { first, step, columns: over.values.len(), heights }.surface(space)
}

/// Evenly spaced places along an axis.
struct Places {
    values: Vec<f64>,
    step: f64,
}

impl Places {
    fn index(&self, value: f64) -> usize {
        self.values.partition_point(|&place| place <= value).saturating_sub(1)
    }
}

fn places(values: impl Iterator<Item = f64>, axis: &str) -> Result<Places, FloorError> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let (Some(&first), Some(&last)) = (values.first(), values.last()) else {
        return Err(FloorError::Ends { line: 2, expected: "a line for each place".into() });
    };
    // Nearer than this, two numbers are one place, rounded twice.
    let same = 1e-6 * (last - first);
    values.dedup_by(|next, kept| *next - *kept <= same);
    if values.len() < 2 {
        let expected = format!("two places or more along {axis}");
        return Err(FloorError::Expected { line: 2, found: first.to_string(), expected });
    }
    let step = (last - first) / (values.len() - 1) as f64;
    let first_step = values[1] - values[0];
    let is_uneven = |pair: &&[f64]| (pair[1] - pair[0] - first_step).abs() > EVEN * first_step;
    match values.windows(2).find(is_uneven) {
        Some(pair) => {
            Err(FloorError::Uneven { axis: axis.into(), between: (pair[0], pair[1]), step: first_step })
        }
        None => Ok(Places { values, step }),
    }
}
