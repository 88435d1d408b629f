//! The comparison of the methods `support` and `phases` in the book is what `cargo bench -p surefoot --bench rectify`
//! prints.

use surefoot::core::Clip;
use surefoot::sample::{Kind, Skate};

use crate::book_pages::{book, expect_current};

#[path = "../../benches/rectify/comparison.rs"]
#[allow(dead_code, reason = "the benchmark runs all motions, the book has an excerpt")]
mod comparison;

use comparison::{HEADING, METHODS, capture, row, sample, title};

/// The generated motions of the excerpt in the book.
const GENERATED: [(Kind, Skate); 4] = [
    (Kind::Walk, Skate::ALL[0]),
    (Kind::Turn, Skate::ALL[1]),
    (Kind::Run, Skate::ALL[1]),
    (Kind::Stand, Skate::ALL[2]),
];

/// The captures of the excerpt.
const CAPTURED: [&str; 2] = ["02_01", "16_22"];

fn lines(name: &str, clip: &Clip) -> String {
    let rows = METHODS.iter().map(|(method, work)| row(name, method, clip, &work(clip).unwrap()).unwrap());
    std::iter::once(title(name, clip)).chain(rows).map(|line| line + "\n").collect()
}

#[test]
fn the_table_of_support_phases_is_current_in_the_book() {
    let captures: Option<Vec<Clip>> = CAPTURED.iter().map(|name| capture(name)).collect();
    // Without captures the test has printed that it is skipped.
    let Some(captures) = captures else { return };
    let mut table = String::from(HEADING);
    for (kind, skate) in GENERATED {
        let name = format!("{} {}", kind.as_str(), skate.as_str());
        table += &lines(&name, &sample(kind, skate).unwrap());
    }
    for (name, clip) in CAPTURED.iter().zip(&captures) {
        table += &lines(name, clip);
    }
    let path = book("method/support.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(HEADING).expect("the page has the heading of the table");
    let (_, after) = rest.split_once("```").unwrap();
    expect_current(&path, &format!("{before}{table}```{after}"));
}
