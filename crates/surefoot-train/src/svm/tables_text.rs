//! The tables as text and as rows for JSON.

use serde::Serialize;

use super::tables::{Column, Tables};

/// One cell of a table, for JSON.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TableCell {
    /// The number of the table in the thesis.
    pub table: u8,
    /// The feature set or the number of instants.
    pub row: String,
    /// The kind of motion, or the classifier.
    pub column: &'static str,
    /// The fraction of frames classified correctly.
    pub accuracy: f64,
    /// The number of frames.
    pub frames: usize,
    /// The fraction in the thesis.
    pub thesis_accuracy: Option<f64>,
    /// The number of frames in the thesis.
    pub thesis_frames: Option<usize>,
}

impl Tables {
    /// All cells, table by table.
    pub fn cells(&self) -> Vec<TableCell> {
        cells(self)
    }

    /// The tables as text, for this many motions and folds.
    pub fn text(&self, motions: usize, folds: usize) -> String {
        text(self, motions, folds)
    }
}

fn cells(tables: &Tables) -> Vec<TableCell> {
    let row = |table, row: String, column, cell: &Column| TableCell {
        table,
        row,
        column,
        accuracy: cell.ours.accuracy(),
        frames: cell.ours.frames,
        thesis_accuracy: cell.thesis.map(|thesis| thesis.accuracy),
        thesis_frames: cell.thesis.map(|thesis| thesis.frames),
    };
    let kinds = ["locomotion", "other"];
    let mut rows = Vec::new();
    for made in &tables.features {
        let each = kinds.into_iter().zip(&made.columns);
        rows.extend(each.map(|(kind, cell)| row(2, made.features.to_string(), kind, cell)));
    }
    for made in &tables.windows {
        let each = kinds.into_iter().zip(&made.columns);
        rows.extend(each.map(|(kind, cell)| row(3, made.window.samples().to_string(), kind, cell)));
    }
    for (features, cells) in &tables.plant_and_skate {
        let each = ["plant", "skate"].into_iter().zip(cells);
        rows.extend(each.map(|(kind, cell)| row(4, features.to_string(), kind, cell)));
    }
    rows
}

fn text(tables: &Tables, motions: usize, folds: usize) -> String {
    let mut text = format!(
        "svm: {motions} motions, {folds} folds, cross-validated by person and trial.\n\
         Correct frames: of these motions, and in the thesis of its own motions\n"
    );
    let head = |first: &str, columns: [&str; 2]| {
        format!("  {first:16}{:>24}{:>18}{:>24}{:>18}\n", columns[0], "thesis", columns[1], "thesis")
    };
    text += "\ntable 2: feature sets, at five instants; five labels\n";
    text += &head("features", ["locomotion", "other motion"]);
    for row in &tables.features {
        text += &line(&row.features.to_string(), &row.columns);
    }
    text += "\ntable 3: number of instants, with centres of mass, heels and toes; five labels\n";
    text += &head("instants", ["locomotion", "other motion"]);
    for row in &tables.windows {
        text += &line(&row.window.samples().to_string(), &row.columns);
    }
    text += "\ntable 4: separate classifiers for plants and skate\n";
    text += &head("features", ["plant", "skate"]);
    for ((features, columns), calm) in tables.plant_and_skate.iter().zip(&tables.not_skating) {
        text += line(&features.to_string(), columns).trim_end();
        text += &format!("   not skating: {:.1} % of {}\n", 100.0 * calm.accuracy(), calm.frames);
    }
    let chosen = tables.part_selection;
    text += &format!(
        "\nlocomotion or not, as classified by the model: {:.1} % of {} frames\n",
        100.0 * chosen.accuracy(),
        chosen.frames
    );
    text
}

fn line(name: &str, columns: &[Column; 2]) -> String {
    let cell = |column: &Column| {
        let ours = format!("{:.1} % of {}", 100.0 * column.ours.accuracy(), column.ours.frames);
        let thesis = column
            .thesis
            .map_or("–".into(), |thesis| format!("{:.1} % of {}", 100.0 * thesis.accuracy, thesis.frames));
        format!("{ours:>24}{thesis:>18}")
    };
    format!("  {name:16}{}{}\n", cell(&columns[0]), cell(&columns[1]))
}
