//! `score --tables`: the tables of Hsu's thesis, for other motions.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use surefoot_train::{Column, Folds, LabelledMotion, Tables, tables};

use crate::output::{json, print};
use crate::problem::CommandError;

/// Prints the tables.
pub fn run(all: &[LabelledMotion], folds: &Folds, as_json: bool) -> Result<(), CommandError> {
    let bar = bar();
    let made = tables(all, folds, &|share| bar.set_position((100.0 * share) as u64));
    bar.finish_and_clear();
    if as_json {
        return print(&json(&rows(&made))?);
    }
    print(text(&made, all.len(), folds.count).as_bytes())
}

fn bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(100);
    match ProgressStyle::with_template("fitting {bar:40} {percent} % {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// One cell of a table, for JSON.
#[derive(Serialize)]
struct Row {
    table: u8,
    row: String,
    column: &'static str,
    right: f64,
    frames: usize,
    thesis_right: Option<f64>,
    thesis_frames: Option<usize>,
}

fn rows(tables: &Tables) -> Vec<Row> {
    let row = |table, row: String, column, cell: &Column| Row {
        table,
        row,
        column,
        right: cell.ours.accuracy(),
        frames: cell.ours.frames,
        thesis_right: cell.thesis.map(|thesis| thesis.accuracy),
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
