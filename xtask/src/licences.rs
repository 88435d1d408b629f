//! Checks the licences and the versions of all dependencies against `deny.toml`.
//!
//! cargo-deny checks the same and, with a network, known vulnerabilities as well. Because it is seldom installed
//! and slow to build, this check reads the two lists it needs from `deny.toml` and runs `cargo tree`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::run::cargo_command;

/// One line for each dependency with a licence that `deny.toml` does not allow, and for each that occurs in
/// two versions which `deny.toml` does not except.
pub fn problems(root: &Path) -> Vec<String> {
    let rules = fs::read_to_string(root.join("deny.toml")).unwrap_or_default();
    // Only dependencies that a user compiles; those of tests are not published.
    let arguments = ["tree", "--workspace", "--edges", "normal,build", "--target", "all", "--prefix", "none"];
    let tree = cargo_command(&arguments).args(["--format", "{p}|{l}"]).output();
    let tree = tree.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    if tree.is_empty() {
        return vec!["cargo tree: lists no dependency".into()];
    }
    let packages: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let mut problems = forbidden_licences(&packages, &strings(&rules, "allow"));
    problems.extend(duplicates(&packages, &strings(&rules, "skip")));
    problems
}

fn forbidden_licences(packages: &BTreeSet<&str>, allowed: &[&str]) -> Vec<String> {
    let named = packages.iter().filter_map(|line| line.split_once('|'));
    named
        .filter(|(_, licence)| !is_allowed(licence, allowed))
        .map(|(package, licence)| format!("{package}: deny.toml does not allow the licence `{licence}`"))
        .collect()
}

/// Whether every part of an SPDX expression joined by `AND` has an allowed alternative. Parentheses are taken to
/// enclose alternatives, as they do in `(MIT OR Apache-2.0) AND Unicode-3.0`.
fn is_allowed(licence: &str, allowed: &[&str]) -> bool {
    licence.split(" AND ").all(|part| {
        let part = part.trim_matches(['(', ')']);
        part.split(" OR ").flat_map(|part| part.split('/')).any(|name| allowed.contains(&name))
    })
}

fn duplicates(packages: &BTreeSet<&str>, excepted: &[&str]) -> Vec<String> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in packages {
        let mut words = package.split([' ', '|']);
        if let (Some(name), Some(version)) = (words.next(), words.next()) {
            versions.entry(name).or_default().insert(version);
        }
    }
    versions.retain(|name, versions| versions.len() > 1 && !excepted.contains(name));
    let line = |(name, versions): (&str, BTreeSet<&str>)| {
        format!("{name}: the dependencies contain versions {}", Vec::from_iter(versions).join(" and "))
    };
    versions.into_iter().map(line).collect()
}

/// The strings of the list `key = ["…", …]`, which may span several lines.
fn strings<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let start = format!("\n{key} = [");
    let list = text.split_once(&start).and_then(|(_, rest)| rest.split_once(']'));
    list.map_or_else(Vec::new, |(list, _)| list.split('"').skip(1).step_by(2).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_allowed_alternative_of_every_part_is_enough() {
        let allowed = ["MIT", "Unicode-3.0"];
        for licence in ["MIT", "Apache-2.0 OR MIT", "MIT/Apache-2.0", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
            assert!(is_allowed(licence, &allowed), "{licence}");
        }
        for licence in ["", "GPL-3.0", "MIT AND GPL-3.0", "Apache-2.0 OR GPL-3.0"] {
            assert!(!is_allowed(licence, &allowed), "{licence}");
        }
    }

    #[test]
    fn two_versions_of_a_package_are_found() {
        let packages = ["a v1.0.0|MIT", "a v2.0.0|MIT", "b v1.0.0|MIT", "b v2.0.0 (proc-macro)|MIT"].into();
        assert_eq!(duplicates(&packages, &["b"]), ["a: the dependencies contain versions v1.0.0 and v2.0.0"]);
    }

    #[test]
    fn lists_may_span_lines() {
        let text = "\nallow = [\n    \"MIT\",\n    \"Zlib\",\n]\nskip = []\n";
        assert_eq!(strings(text, "allow"), ["MIT", "Zlib"]);
        assert!(strings(text, "skip").is_empty());
    }
}
