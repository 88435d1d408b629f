//! The comparison with the paper in the book is what `cargo bench -p surefoot --bench cleanup` prints.

use std::fmt::Write;

use crate::book_pages::{book, expect_current};

#[path = "../../benches/cleanup/capture.rs"]
mod capture;
#[path = "../../benches/cleanup/options.rs"]
#[allow(dead_code, reason = "the benchmark reads options, the book has the default ones")]
mod options;
#[path = "../../benches/cleanup/rows.rs"]
#[allow(dead_code, reason = "the benchmark prints more than the book has")]
mod rows;

use capture::Capture;
use options::{FOLDERS, Options};
use rows::{HEADING, Row, events, quantile_row, within_captured};

/// The captures that have rows of their own, in the order of the page.
const NAMED: [&str; 4] = ["02_01.bvh", "02_03.bvh", "07_01.bvh", "16_22.bvh"];

/// Number of columns before those of the events.
const COLUMNS: usize = 110;

/// Labels of the rows of events on the page, and of the last row.
const EVENT_ROWS: [&str; 7] = [
    "new slides",
    "teleports",
    "knee pops",
    "scrapes",
    "below the floor, in frames × points",
    "deeper below the floor than captured, in frames × points",
    "joints with other channels",
];

#[test]
fn the_comparison_with_the_paper_is_current_in_the_book() {
    let files = FOLDERS.into_iter().flat_map(|folder| surefoot_testdata::files(folder, ".bvh")).collect();
    let options = Options::of(files);
    let captures: Vec<Capture> =
        options.files.iter().filter_map(|path| Capture::read(path, &options)).collect();
    // Without captures the test has printed that it is skipped.
    if captures.is_empty() {
        return;
    }
    let (mut blocks, mut columns) = (Vec::new(), Vec::new());
    for (scale, damage) in [(1.0, "as captured"), (1.1, "root path × 1.10")] {
        for (form, settings) in &options.forms {
            let rows: Vec<(&str, Row)> = (captures.iter())
                .filter_map(|capture| Some((&*capture.name, Row::new(&capture.clean(scale, settings)?)?)))
                .collect();
            blocks.push(block(&format!("{form}, {damage}"), &rows));
            let rows: Vec<Row> = rows.into_iter().map(|(_, row)| row).collect();
            columns.push((events(&rows), within_captured(&rows)));
        }
    }
    let path = book("method/paper.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once("```text\npaper, as captured\n").expect("the page has the block");
    let (_, rest) = rest.split_once("```").unwrap();
    let (between, rest) = rest.split_once("| new slides |").expect("the page has the table of events");
    let (_, after) = rest.split_once("\n\n").unwrap();
    let table = event_table(&columns, captures_with_rows(&blocks[0]));
    let current = format!("{before}```text\n{}```{between}{table}\n{after}", blocks.join("\n"));
    expect_current(&path, &current);
}

/// The rows of one form of the method.
fn block(title: &str, rows: &[(&str, Row)]) -> String {
    let mut text = format!("{title}\n");
    for line in HEADING {
        let line: String = line.chars().take(COLUMNS).collect();
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    for name in NAMED {
        if let Some((_, row)) = rows.iter().find(|(of, _)| *of == name) {
            writeln!(text, "{}", row.figures(name)).unwrap();
        }
    }
    let all: Vec<Row> = rows.iter().map(|(_, row)| row.clone()).collect();
    for (name, share) in [("median", 0.5), ("90 %", 0.9)] {
        writeln!(text, "{}", quantile_row(&all, share).figures(&format!("{name} of {}", all.len()))).unwrap();
    }
    text
}

/// The number of captures that a block states.
fn captures_with_rows(block: &str) -> &str {
    block.split("median of ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap()
}

/// The rows of the table of events, a column for each form of the method.
fn event_table(columns: &[([String; 7], usize)], captures: &str) -> String {
    let mut text = String::new();
    for (n, label) in EVENT_ROWS.iter().enumerate() {
        let cells: Vec<&str> = columns.iter().map(|(events, _)| &*events[n]).collect();
        writeln!(text, "| {label} | {} |", cells.join(" | ")).unwrap();
    }
    let within: Vec<String> = columns.iter().map(|(_, within)| within.to_string()).collect();
    let label =
        format!("captures of {captures} whose added acceleration stays below the largest captured one");
    writeln!(text, "| {label} | {} |", within.join(" | ")).unwrap();
    text
}
