//! The tables as text and as rows for JSON.

use serde::Serialize;

use super::data_table::{DataRow, THESIS};
use super::tables::{Column, Tables};

/// One cell of a table, for JSON.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TableCell {
    /// The number of the table in the thesis: 2 to 4.
    pub table: u8,
    /// The feature set or the number of instants.
    pub row: String,
    /// The kind of motion, or the classifier.
    pub column: &'static str,
    /// The fraction of frames classified correctly, split by person and trial.
    pub accuracy: f64,
    /// The same, with frames split at random.
    pub random_split_accuracy: f64,
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
        accuracy: cell.by_person.accuracy(),
        random_split_accuracy: cell.at_random.accuracy(),
        frames: cell.by_person.frames,
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
        "svm: {motions} motions, {folds} folds.\n\
         Correct frames: split by person and trial, split at random, and in the thesis of its own motions\n"
    );
    text += &data_text(&tables.data);
    if !tables.features.is_empty() {
        text += "\ntable 2: feature sets, at five instants; five labels\n";
        text += &head("features", ["locomotion", "other motion"]);
    }
    for row in &tables.features {
        text += &line(&row.features.to_string(), &row.columns);
    }
    if !tables.windows.is_empty() {
        text += "\ntable 3: number of instants, with centres of mass, heels and toes; five labels\n";
        text += &head("instants", ["locomotion", "other motion"]);
    }
    for row in &tables.windows {
        text += &line(&row.window.samples().to_string(), &row.columns);
    }
    if !tables.plant_and_skate.is_empty() {
        text += "\ntable 4: separate classifiers for plants and skate\n";
        text += &head("features", ["plant", "skate"]);
    }
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

/// Table 1: our rows, then those of the thesis.
fn data_text(rows: &[DataRow]) -> String {
    let mut text = String::from("\ntable 1: the data, with frames at 30 per second\n");
    let kind_of = |is_locomotion: bool| if is_locomotion { "locomotion" } else { "other motion" };
    let mut add = |whose: &str, is_locomotion: bool, kind: &str, motions: usize, frames: usize| {
        let group = kind_of(is_locomotion);
        text += &format!("  {whose:8}{group:14}{kind:28}{motions:>4} motions{frames:>7} frames\n");
    };
    for row in rows {
        let kind = row.kind.as_deref().unwrap_or("damaged copies");
        add("ours", row.is_locomotion, kind, row.motions, row.frames);
    }
    for (is_locomotion, kind, motions, frames) in THESIS {
        add("thesis", is_locomotion, kind, motions, frames);
    }
    text
}

fn head(first: &str, columns: [&str; 2]) -> String {
    let both = |column: &str| format!("{column:>22}{:>9}{:>17}", "random", "thesis");
    format!("  {first:14}{}{}\n", both(columns[0]), both(columns[1]))
}

fn line(name: &str, columns: &[Column; 2]) -> String {
    let percent = |accuracy: f64| format!("{:.1} %", 100.0 * accuracy);
    let cell = |column: &Column| {
        let by_person = format!("{} of {}", percent(column.by_person.accuracy()), column.by_person.frames);
        let at_random = percent(column.at_random.accuracy());
        let thesis = column
            .thesis
            .map_or("–".into(), |thesis| format!("{} of {}", percent(thesis.accuracy), thesis.frames));
        format!("{by_person:>22}{at_random:>9}{thesis:>17}")
    };
    format!("  {name:14}{}{}\n", cell(&columns[0]), cell(&columns[1]))
}
