//! One row of the table: what is known about a clip after it was cleaned, or why it could not be.

use std::sync::OnceLock;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};
use surefoot::CleanFile;
use surefoot_measure::{Event, EventKind, Figures, columns};

use crate::cleaned::{ClipFacts, Failure};

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// A 64-bit integer.
    Integer,
    /// A double.
    Real,
    /// UTF-8 text.
    Text,
}

/// One column of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowColumn {
    /// Its name.
    pub name: String,
    /// Its type. Every column can have missing values.
    pub kind: CellKind,
}

/// One value of a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// Not known, or not measurable.
    #[default]
    Missing,
    /// A count.
    Integer(i64),
    /// A figure, in SI units.
    Real(f64),
    /// Text.
    Text(String),
}

/// The columns that are not figures.
const FACTS: [(&str, CellKind); 16] = [
    ("clip", CellKind::Text),
    ("status", CellKind::Text),
    ("error", CellKind::Text),
    ("error_line", CellKind::Integer),
    ("frames", CellKind::Integer),
    ("fps", CellKind::Real),
    ("joints", CellKind::Integer),
    ("plants", CellKind::Integer),
    ("plants_held", CellKind::Integer),
    ("confidence_min", CellKind::Real),
    ("events", CellKind::Integer),
    ("worst_event", CellKind::Text),
    ("worst_frame", CellKind::Integer),
    ("limits_missed", CellKind::Text),
    ("warnings", CellKind::Text),
    ("notes", CellKind::Text),
];

/// The columns of the table, the same for every corpus: facts about the clip, then every figure of `measure`.
pub fn schema() -> &'static [RowColumn] {
    static SCHEMA: OnceLock<Vec<RowColumn>> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let facts = FACTS.map(|(name, kind)| RowColumn { name: name.into(), kind });
        let figures = columns().into_iter().map(|column| RowColumn {
            name: column.name,
            kind: if column.is_count { CellKind::Integer } else { CellKind::Real },
        });
        facts.into_iter().chain(figures).collect()
    })
}

/// One row of the table, in the order of [`schema`].
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    cells: Vec<Cell>,
}

impl Row {
    /// The row of a clip that was cleaned.
    pub(crate) fn cleaned(facts: &ClipFacts, file: &CleanFile) -> Self {
        let (figures, clip) = (&file.figures, &file.clip);
        let (held, plants) = figures.plants_held();
        let confidences = clip.plants.plants.iter().filter_map(|plant| plant.confidence);
        let worst = worst_event(figures);
        let cells = [
            text(&facts.name),
            text("cleaned"),
            Cell::Missing,
            Cell::Missing,
            count(clip.motion.frames()),
            Cell::Real(clip.motion.fps),
            count(clip.motion.skeleton.len()),
            count(plants),
            count(held),
            confidences.reduce(f64::min).map_or(Cell::Missing, Cell::Real),
            count(figures.events.objection_count()),
            worst.map_or(Cell::Missing, |(kind, event)| text(&event.sentence_with_cause(kind))),
            worst.map_or(Cell::Missing, |(_, event)| count(event.first)),
            lines(&facts.limits_missed),
            lines(&facts.warnings),
            lines(&facts.notes),
        ];
        let figures = schema()[FACTS.len()..].iter().zip(figures.column_values());
        let figures = figures.map(|(column, value)| match (column.kind, value) {
            (_, None) => Cell::Missing,
            (CellKind::Integer, Some(value)) => Cell::Integer(value as i64),
            (_, Some(value)) => Cell::Real(value),
        });
        Self { cells: cells.into_iter().chain(figures).collect() }
    }

    /// The row of a clip that could not be cleaned.
    pub fn failed(name: &str, failure: &Failure) -> Self {
        let line = failure.line.map_or(Cell::Missing, count);
        let mut cells = vec![text(name), text("failed"), text(&failure.message), line];
        cells.resize(schema().len(), Cell::Missing);
        Self { cells }
    }

    /// A row as it stands in a line of JSON. Columns that the line lacks are missing.
    pub fn from_json(values: &Map<String, Value>) -> Self {
        let cell = |column: &RowColumn| match (column.kind, values.get(&column.name)) {
            (CellKind::Integer, Some(value)) => value.as_i64().map_or(Cell::Missing, Cell::Integer),
            (CellKind::Real, Some(value)) => value.as_f64().map_or(Cell::Missing, Cell::Real),
            (CellKind::Text, Some(Value::String(value))) => text(value),
            _ => Cell::Missing,
        };
        Self { cells: schema().iter().map(cell).collect() }
    }

    /// All values, in the order of [`schema`].
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    fn cell(&self, name: &str) -> &Cell {
        let place = schema().iter().position(|column| column.name == name);
        place.and_then(|place| self.cells.get(place)).unwrap_or(&Cell::Missing)
    }

    /// The text in this column; empty for a missing value.
    pub fn text(&self, name: &str) -> &str {
        match self.cell(name) {
            Cell::Text(text) => text,
            _ => "",
        }
    }

    /// The number in this column.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.cell(name) {
            Cell::Integer(count) => Some(*count as f64),
            Cell::Real(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether the clip could not be cleaned.
    pub fn is_failed(&self) -> bool {
        self.text("status") == "failed"
    }

    /// The number of limits that the clip misses.
    pub fn limits_missed(&self) -> usize {
        self.text("limits_missed").lines().count()
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.cells.len()))?;
        for (column, cell) in schema().iter().zip(&self.cells) {
            match cell {
                Cell::Missing => map.serialize_entry(&column.name, &None::<f64>)?,
                Cell::Integer(value) => map.serialize_entry(&column.name, value)?,
                Cell::Real(value) => map.serialize_entry(&column.name, value)?,
                Cell::Text(value) => map.serialize_entry(&column.name, value)?,
            }
        }
        map.end()
    }
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn count(count: usize) -> Cell {
    Cell::Integer(count as i64)
}

/// Sentences as text with one in each line; missing without sentences.
fn lines(sentences: &[String]) -> Cell {
    if sentences.is_empty() { Cell::Missing } else { Cell::Text(sentences.join("\n")) }
}

/// The largest event of the first kind that occurs.
pub(crate) fn worst_event(figures: &Figures) -> Option<(EventKind, &Event)> {
    EventKind::OBJECTIONABLE.iter().find_map(|&kind| {
        let events = kind.list(&figures.events)?.iter();
        Some((kind, events.max_by(|a, b| a.amount.total_cmp(&b.amount))?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_the_same_after_json() {
        let failure = Failure { message: "frame 40 has 95 numbers\nwant 96".into(), line: Some(812) };
        let row = Row::failed("a/walk.bvh", &failure);
        let json = serde_json::to_string(&row).unwrap();
        let read: Map<String, Value> = serde_json::from_str(&json).unwrap();
        assert_eq!(read.len(), schema().len());
        assert_eq!(Row::from_json(&read), row);
        assert!(row.is_failed() && row.number("error_line") == Some(812.0) && row.limits_missed() == 0);
    }
}
