//! Checks the lock files against a copy of the RustSec database of known vulnerabilities, without a network.
//!
//! The copy is a clone or an unpacked archive of the database: a folder `crates` with a folder for each package, in
//! which each advisory is a text that begins with TOML. Only four fields of it are needed, so no parser for TOML is. A
//! version is affected unless it meets one of the requirements in `patched` or `unaffected`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::root;

/// The lock files of this repository.
const LOCK_FILES: [&str; 3] = ["Cargo.lock", "fuzz/Cargo.lock", "bindings/python/Cargo.lock"];

/// The variable that names a copy of the database for `cargo xtask test`.
const VARIABLE: &str = "SUREFOOT_ADVISORIES";

/// Checks the dependencies against a copy of the database and prints what it finds. Returns whether there is nothing.
pub fn check(database: &Path) -> bool {
    let problems = problems_in(&root(), database);
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    if problems.is_empty() {
        println!("no dependency has a known vulnerability, by {}", database.display());
    }
    problems.is_empty()
}

/// The findings in the copy that the environment names. Without one, prints that nothing was checked.
pub fn problems(root: &Path) -> Vec<String> {
    match std::env::var_os(VARIABLE) {
        Some(database) => problems_in(root, &PathBuf::from(database)),
        None => {
            println!("known vulnerabilities are not checked: {VARIABLE} names no copy of their database");
            Vec::new()
        }
    }
}

fn problems_in(root: &Path, database: &Path) -> Vec<String> {
    let crates = database.join("crates");
    if !crates.is_dir() {
        return vec![format!(
            "{} has no folder crates, expected a copy of the RustSec database",
            database.display()
        )];
    }
    let mut problems = Vec::new();
    for lock in LOCK_FILES {
        let Ok(text) = fs::read_to_string(root.join(lock)) else {
            problems.push(format!("{lock} cannot be read"));
            continue;
        };
        for (name, version) in packages(&text) {
            let entries = fs::read_dir(crates.join(name)).into_iter().flatten().flatten();
            let texts = entries.filter_map(|entry| fs::read_to_string(entry.path()).ok());
            let found = texts.filter_map(|text| finding(&text, version));
            problems.extend(found.map(|found| format!("{lock}: {name} {version}: {found}")));
        }
    }
    problems.sort();
    problems.dedup();
    problems
}

/// Names and versions of the packages of a lock file.
fn packages(lock: &str) -> impl Iterator<Item = (&str, &str)> {
    let value = |line: &'static str| move |text: &&str| text.starts_with(line);
    lock.split("[[package]]").skip(1).filter_map(move |package| {
        let field = |name| package.lines().find(value(name))?.split('"').nth(1);
        Some((field("name = ")?, field("version = ")?))
    })
}

/// The number and title of an advisory that affects this version.
fn finding(advisory: &str, version: &str) -> Option<String> {
    let toml = advisory.split("```").nth(1).unwrap_or(advisory);
    let line =
        |key: &str| toml.lines().find(|line| line.split('=').next().is_some_and(|own| own.trim() == key));
    // Withdrawn advisories do not count, and those that only inform are not about the code.
    if line("withdrawn").is_some() || line("informational").is_some_and(|line| !line.contains("unsound")) {
        return None;
    }
    let is_safe =
        ["patched", "unaffected"].iter().any(|key| list(toml, key).iter().any(|rule| meets(version, rule)));
    let id = line("id").and_then(|line| line.split('"').nth(1)).unwrap_or("an advisory without a number");
    let title = advisory.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default();
    (!is_safe).then(|| format!("{id}: {title}"))
}

/// The strings of a list, which may go over several lines.
fn list<'a>(toml: &'a str, key: &str) -> Vec<&'a str> {
    let is_key = |line: &&str| line.split('=').next().is_some_and(|own| own.trim() == key);
    let Some(start) = toml.lines().find(is_key) else { return Vec::new() };
    let at = start.as_ptr() as usize - toml.as_ptr() as usize;
    let text = toml[at..].split_once('[').map_or("", |(_, rest)| rest.split(']').next().unwrap_or_default());
    text.split('"').skip(1).step_by(2).collect()
}

/// A version as numbers, and how many of them are given.
fn numbers(version: &str) -> ([u64; 3], usize) {
    let plain = version.split(['-', '+']).next().unwrap_or_default();
    let given: Vec<u64> = plain.trim().split('.').map_while(|part| part.parse().ok()).take(3).collect();
    let mut numbers = [0; 3];
    numbers[..given.len()].copy_from_slice(&given);
    (numbers, given.len())
}

/// Whether a version meets a requirement, as `>= 1.2.3, < 2` or `^0.5`.
fn meets(version: &str, requirement: &str) -> bool {
    requirement.split(',').all(|part| meets_one(numbers(version).0, part.trim()))
}

fn meets_one(version: [u64; 3], requirement: &str) -> bool {
    let digits = requirement.find(|letter: char| letter.is_ascii_digit());
    let (operator, stated) = requirement.split_at(digits.unwrap_or(requirement.len()));
    let (bound, given) = numbers(stated);
    match operator.trim() {
        ">=" => version >= bound,
        ">" => version > bound,
        "<" => version < bound,
        "<=" => version <= bound,
        "=" => version[..given] == bound[..given],
        "~" => version >= bound && version[..given.clamp(1, 2)] == bound[..given.clamp(1, 2)],
        "*" => true,
        // `^1.2`, and a version alone, mean the same up to the first number that is not 0.
        _ => {
            let fixed = bound.iter().position(|&number| number > 0).unwrap_or(given.max(1) - 1) + 1;
            version >= bound && version[..fixed] == bound[..fixed]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADVISORY: &str = "```toml\n[advisory]\nid = \"RUSTSEC-2020-0001\"\npackage = \"made-up\"\n\n[versions]\n\
        patched = [\n  \">= 1.4.2\",\n  \"^1.2.9\",\n]\nunaffected = [\"< 1.1\"]\n```\n\n# It reads too far\n\nText.\n";

    #[test]
    fn versions_are_affected_between_the_stated_ones() {
        for (version, is_affected) in
            [("1.0.9", false), ("1.1.0", true), ("1.2.8", true), ("1.2.9", false), ("2.0.0", false)]
        {
            assert_eq!(finding(ADVISORY, version).is_some(), is_affected, "{version}");
        }
        assert_eq!(finding(ADVISORY, "1.2.0").as_deref(), Some("RUSTSEC-2020-0001: It reads too far"));
        let withdrawn = ADVISORY.replace("[versions]", "withdrawn = \"2021-01-01\"\n[versions]");
        assert_eq!(finding(&withdrawn, "1.2.0"), None);
        let unmaintained = ADVISORY.replace("[versions]", "informational = \"unmaintained\"\n[versions]");
        assert_eq!(finding(&unmaintained, "1.2.0"), None);
    }

    #[test]
    fn requirements_are_read_as_cargo_reads_them() {
        for (requirement, met, not_met) in [
            ("^0.5", "0.5.9", "0.6.0"),
            ("^0.0.3", "0.0.3", "0.0.4"),
            ("~1.2.3", "1.2.9", "1.3.0"),
            ("~1", "1.9.0", "2.0.0"),
            ("=1.2", "1.2.7", "1.3.0"),
            (">= 1.2, < 2", "1.9.9", "2.0.0"),
            ("1.2.3", "1.9.0", "2.0.0"),
            ("< 0.3.0-alpha", "0.2.9", "0.3.0"),
        ] {
            assert!(meets(met, requirement) && !meets(not_met, requirement), "{requirement}");
        }
    }

    #[test]
    fn a_dependency_with_an_advisory_is_found_in_a_copy_of_the_database() {
        let folder = std::env::temp_dir().join(format!("surefoot-advisories-{}", std::process::id()));
        let package = folder.join("crates/serde");
        fs::create_dir_all(&package).unwrap();
        let advisory = ADVISORY.replace(">= 1.4.2", ">= 99").replace("< 1.1", "< 1");
        fs::write(package.join("RUSTSEC-2020-0001.md"), advisory).unwrap();
        let found = problems_in(&root(), &folder);
        let none = problems_in(&root(), &folder.join("crates"));
        fs::remove_dir_all(&folder).unwrap();
        assert!(found.iter().any(|line| line.starts_with("Cargo.lock: serde 1.")), "{found:?}");
        assert!(none.len() == 1 && none[0].contains("has no folder crates"), "{none:?}");
    }
}
