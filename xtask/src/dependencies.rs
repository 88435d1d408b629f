//! Checks the licences, versions and sources of all dependencies against `deny.toml`.
//!
//! cargo-deny takes minutes to build, so this check does not need it: it reads the lists of `deny.toml`, the output of
//! `cargo tree` and the lock files. Where cargo-deny is installed, it runs as well, without a network. Known
//! vulnerabilities need a database from the network; CONTRIBUTING.md describes how they are checked.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::run::{cargo, cargo_command};

/// The source of a package from crates.io, as lock files state it.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The lock files of this repository.
const LOCK_FILES: [&str; 2] = ["Cargo.lock", "fuzz/Cargo.lock"];

/// One line for each dependency with a licence that `deny.toml` does not allow, for each that occurs in two versions
/// which `deny.toml` does not except, and for each that does not come from crates.io.
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
    for name in LOCK_FILES {
        let lock = fs::read_to_string(root.join(name)).unwrap_or_default();
        problems.extend(other_sources(&lock).into_iter().map(|problem| format!("{name}: {problem}")));
    }
    if is_cargo_deny_installed() && !cargo(&["deny", "--offline", "check", "licenses", "bans", "sources"]) {
        problems.push("cargo deny: found a problem, see above".into());
    }
    problems
}

fn is_cargo_deny_installed() -> bool {
    cargo_command(&["deny", "--version"]).output().is_ok_and(|output| output.status.success())
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

/// The packages of a lock file that do not come from crates.io. Crates of this repository have no source.
fn other_sources(lock: &str) -> Vec<String> {
    let packages = lock.split("[[package]]").skip(1);
    let value = |package: &str, key: &str| -> Option<String> {
        let line = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))?;
        Some(line.trim_matches('"').to_owned())
    };
    let mut problems: Vec<String> = packages
        .filter_map(|package| Some((value(package, "name")?, value(package, "source")?)))
        .filter(|(_, source)| source != CRATES_IO)
        .map(|(name, source)| format!("{name} comes from {source}, expected crates.io"))
        .collect();
    if !lock.contains("[[package]]") {
        problems.push("lists no package".into());
    }
    problems
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
    fn a_package_from_elsewhere_than_crates_io_is_found() {
        let lock = format!(
            "[[package]]\nname = \"ours\"\nversion = \"1.0.0\"\n\n\
             [[package]]\nname = \"glam\"\nsource = \"{CRATES_IO}\"\n\n\
             [[package]]\nname = \"fork\"\nsource = \"git+https://example.org/fork#1234\"\n"
        );
        let expected = ["fork comes from git+https://example.org/fork#1234, expected crates.io"];
        assert_eq!(other_sources(&lock), expected);
        assert_eq!(other_sources(""), ["lists no package"]);
    }

    #[test]
    fn lists_may_span_lines() {
        let text = "\nallow = [\n    \"MIT\",\n    \"Zlib\",\n]\nskip = []\n";
        assert_eq!(strings(text, "allow"), ["MIT", "Zlib"]);
        assert!(strings(text, "skip").is_empty());
    }
}
