//! Goals as a CSV table: a line for each frame of a joint.

use super::error::{GoalPosition, GoalsError};
use super::path::GoalPath;
use super::table::{Row, Table};
use super::{Entry, GoalsFile, PathSource, Point};
use surefoot_core::Vec3;

/// Whether a goals file is a table: its first line of content has a column `joint`, which no JSON file begins with.
pub(super) fn is_table(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#")).unwrap_or_default();
    let is_joint = |cell: &[u8]| {
        let cell = cell.trim_ascii().to_ascii_lowercase();
        cell == b"joint" || cell == b"\"joint\""
    };
    !first.starts_with(b"{") && first.split(|&byte| byte == b',').any(is_joint)
}

/// Reads a table with the columns `frame`, `joint`, `x`, `y` and `z`. Lines of one joint at consecutive frames are one
/// goal.
pub(super) fn read(bytes: &[u8]) -> Result<GoalsFile, GoalsError> {
    let table = Table::read(bytes)?;
    let [frame, joint, x, y, z] = ["frame", "joint", "x", "y", "z"].map(|name| table.column(&[name]));
    let (frame, joint, position) = (frame?, joint?, [x?, y?, z?]);
    let mut runs: Vec<Run> = Vec::new();
    for row in &table.rows {
        let at_frame = whole(row, frame)?;
        let [x, y, z] = position.map(|column| row.number(column));
        let position = Vec3::new(x?, y?, z?);
        let run = runs.last_mut().filter(|run| run.joint == row.text(joint));
        match run.filter(|run| run.first + run.positions.len() == at_frame) {
            Some(run) => run.positions.push(position),
            None => runs.push(Run {
                line: row.line,
                joint: row.text(joint).to_owned(),
                first: at_frame,
                positions: vec![position],
            }),
        }
    }
    let entries = runs.into_iter().enumerate().map(|(number, run)| run.entry(number)).collect();
    Ok(GoalsFile { entries, limits: Vec::new(), paths: Vec::new() })
}

/// Consecutive frames of one joint.
struct Run {
    line: usize,
    joint: String,
    first: usize,
    positions: Vec<Vec3>,
}

impl Run {
    fn entry(self, number: usize) -> Entry {
        let last = self.first + self.positions.len() - 1;
        let points = self.positions.into_iter().enumerate();
        let points = points.map(|(n, position)| ((self.first + n) as f64, position));
        Entry {
            at: GoalPosition { line: self.line, kind: "goal", number },
            frames: Some((self.first, last)),
            joint: self.joint,
            point: Point::Offset(Vec3::ZERO),
            path: GoalPath::through(points.collect()).map(PathSource::Points),
            position: None,
            shift: None,
            orientation: None,
            relative_to: None,
            chain_from: None,
        }
    }
}

/// A whole number from 0. Numbers above 2⁵³ have no exact successor as a frame.
fn whole(row: &Row, column: usize) -> Result<usize, GoalsError> {
    let number = row.number(column)?;
    let is_whole = (0.0..9.0e15).contains(&number) && number == (number as usize) as f64;
    if is_whole { Ok(number as usize) } else { Err(row.unexpected(column, "a whole number from 0")) }
}
