//! Checks that the features of the crate `surefoot` build alone and have the dependencies that its docs list.
//!
//! The list is a file that the docs and the book include. `UPDATE_EXPECT=1 cargo xtask test features` rewrites it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::run::{cargo, cargo_command};

/// The list of dependencies.
const LIST: &str = "crates/surefoot/dependencies.txt";
/// The choices of features that the list shows.
const CHOICES: [&str; 3] = ["solve", "formats", "default"];
/// The choices of features that must compile: none, and those that programs are likely to use alone.
const COMPILED: [&str; 5] = ["", "solve", "formats", "contact", "measure"];

/// One line if the list is out of date, and one for each choice of features that does not compile.
pub fn problems(root: &Path) -> Vec<String> {
    let (list, path) = (CHOICES.map(dependencies).join("\n"), root.join(LIST));
    if std::env::var_os("UPDATE_EXPECT").is_some() && fs::write(&path, &list).is_err() {
        return vec![format!("{LIST}: cannot be written")];
    }
    let stated = fs::read_to_string(path).unwrap_or_default().replace('\r', "");
    let mut problems = Vec::new();
    if stated != list {
        let update = "UPDATE_EXPECT=1 cargo xtask test features";
        problems.push(format!("{LIST}: differs from the list below; `{update}` rewrites it\n{list}"));
    }
    let failing = COMPILED.iter().filter(|features| !compiles(features));
    problems.extend(failing.map(|features| format!("surefoot: does not compile with features [{features}]")));
    problems
}

fn compiles(features: &str) -> bool {
    let package = ["check", "--quiet", "--package", "surefoot", "--lib"];
    cargo(&[&package[..], &["--no-default-features", "--features", features]].concat())
}

/// The crates that a program compiles for these features: the name of the features, our crates, the others.
fn dependencies(features: &str) -> String {
    let package = ["tree", "--package", "surefoot", "--no-default-features", "--features", features];
    let mut command = cargo_command(&package);
    // For one platform, so that the list does not depend on the machine.
    command.args(["--target", "x86_64-unknown-linux-gnu", "--edges", "normal,build"]);
    let tree = command.args(["--prefix", "none", "--format", "{p}"]).output();
    let tree = tree.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let names: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    let (ours, others): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| name.starts_with("surefoot"));
    format!("{features}\n{}{}", wrapped(&ours), wrapped(&others))
}

/// The names in lines of at most 100 columns, indented by two.
fn wrapped(names: &[&str]) -> String {
    let mut text = String::new();
    let mut column = usize::MAX;
    for name in names {
        if column.saturating_add(name.len()) >= 100 {
            text.push_str(if text.is_empty() { " " } else { "\n " });
            column = 1;
        }
        text.push(' ');
        text.push_str(name);
        column += name.len() + 1;
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_wrapped() {
        let names = vec!["a-name-of-20-letters"; 6];
        let lines = wrapped(&names);
        assert!(lines.lines().count() == 2 && lines.lines().all(|line| line.len() <= 100), "{lines}");
        assert!(lines.starts_with("  a-name") && lines.ends_with("letters\n"), "{lines}");
    }
}
