//! The tables of the book are what the experiments print.
//!
//! A table of the page follows a comment `<!-- table: NAME -->`. `UPDATE_EXPECT=1 cargo test -p surefoot-edit book_tables`
//! rewrites those that differ.

use std::path::Path;

use crate::clips;

#[path = "../../examples/choi/tables/mod.rs"]
mod tables;

#[test]
fn the_tables_of_the_reach_page_are_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/edits/reach.md");
    let mut page = std::fs::read_to_string(&path).unwrap();
    let mut stale = Vec::new();
    for name in tables::NAMES {
        let Some(table) = tables::table(name, surefoot_testdata::path) else { return };
        let marker = format!("<!-- table: {name} -->\n");
        let (before, rest) = page.split_once(&marker).unwrap_or_else(|| panic!("no {marker}"));
        let is_row = |line: &&str| line.starts_with('|');
        let found: String = rest.lines().take_while(is_row).map(|line| format!("{line}\n")).collect();
        if found != table.text {
            stale.push(format!("{name}:\n{}", table.text));
            page = format!("{before}{marker}{}{}", table.text, &rest[found.len()..]);
        }
    }
    if !stale.is_empty() && std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, page).unwrap();
        return;
    }
    assert!(
        stale.is_empty(),
        "run UPDATE_EXPECT=1 cargo test -p surefoot-edit book_tables:\n{}",
        stale.join("\n")
    );
}
