//! Checks that ARCHITECTURE.md states the dependencies that the manifests have.
//!
//! Its table of crates has one row for each crate, whose second column lists the crates of this repository
//! that it depends on, without `surefoot-` in front of their names:
//!
//! ```text
//! | `surefoot-edit` | `core`, `solve` | opens files; … |
//! ```

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::manifests::{self, Manifest};

/// One line for each crate whose row is missing or wrong.
pub fn problems(root: &Path) -> Vec<String> {
    let document = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap_or_default();
    manifests::read_all(root).iter().filter_map(|manifest| problem(&document, manifest)).collect()
}

fn problem(document: &str, manifest: &Manifest) -> Option<String> {
    let Some(stated) = stated_dependencies(document, &manifest.name) else {
        return Some(format!("ARCHITECTURE.md: the table of crates has no row for `{}`", manifest.name));
    };
    let actual = manifest.dependencies();
    (stated != actual).then(|| {
        let list = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
        format!(
            "ARCHITECTURE.md: the row of `{}` lists [{}], but its manifest depends on [{}]",
            manifest.name,
            list(&stated),
            list(&actual)
        )
    })
}

/// The second column of a crate's row, as full crate names.
fn stated_dependencies(document: &str, name: &str) -> Option<BTreeSet<String>> {
    let start = format!("| `{name}` |");
    let row = document.lines().find_map(|line| line.strip_prefix(&start))?;
    let column = row.split('|').next().unwrap_or_default();
    // Every second piece is between backticks.
    Some(column.split('`').skip(1).step_by(2).map(full_name).collect())
}

fn full_name(short: &str) -> String {
    if short == "surefoot" { short.into() } else { format!("surefoot-{short}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_column_lists_the_dependencies() {
        let document =
            "| crate | depends on | never |\n| `surefoot-edit` | `core`, `solve` | opens `files` |\n";
        let expected = ["surefoot-core", "surefoot-solve"].map(String::from);
        assert_eq!(stated_dependencies(document, "surefoot-edit"), Some(expected.into()));
        assert_eq!(stated_dependencies(document, "surefoot-core"), None);
    }
}
