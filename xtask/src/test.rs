//! `cargo xtask test` runs all checks and counts their results.
//!
//! Every step runs even if an earlier one failed, so that one run shows everything that has to be fixed. The steps
//! that run test binaries count each test, all others count as one. With `CI=true` a skipped test is a failure.

use std::io::IsTerminal;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::run::{capture, cargo_command, is_ci, root, succeeds};
use crate::tally::Tally;
use crate::{
    advisories, architecture, blender, book, dependencies, doc_paths, features, fuzz, packages, page_check,
    pictures, python, sbom, studio, toolchain,
};

/// A step's name and its function.
type Step = (&'static str, fn() -> Tally);

/// The steps in the order they run.
const STEPS: &[Step] = &[
    ("format", || Tally::of_one(succeeds(&mut cargo_command(&["fmt", "--all", "--check"])))),
    ("clippy", clippy),
    ("tests", || cargo_test(&["--tests"])),
    ("doc tests", || cargo_test(&["--doc"])),
    ("docs", docs),
    ("features of the library", || reported(features::problems)),
    ("fuzz targets compile", || Tally::of_one(fuzz::compiles())),
    ("paths in the documentation exist", || reported(doc_paths::problems)),
    ("links in the documentation", || Tally::of_one(book::has_good_links())),
    ("dependencies are as in ARCHITECTURE.md", || reported(architecture::problems)),
    ("packages", || reported(packages::problems)),
    ("licences, duplicates and sources", || reported(dependencies::problems)),
    ("known vulnerabilities", || reported(advisories::problems)),
    ("the bill of materials is up to date", || reported(sbom::problems)),
    ("minimum Rust version", minimum_rust_version),
    ("the Python package", python_package),
    ("the Blender extension", blender_extension),
    ("the studio's page is up to date", || Tally::of_one(studio::is_fresh())),
    ("the studio's page comes from its sources", page_is_reproduced),
    ("the pictures of the studio are up to date", || reported(pictures::problems)),
    ("the studio in a browser", browser),
];

/// Runs every step whose name contains one of the `selected` words, or all steps if there are none.
///
/// Returns whether all tests passed, and with `CI=true` whether none was skipped.
pub fn run(selected: &[&str]) -> bool {
    let mut total = Tally::default();
    let mut failing = Vec::new();
    let has_word = |name: &str, word: &str| name.to_lowercase().contains(&word.to_lowercase());
    let is_selected = |name: &str| selected.is_empty() || selected.iter().any(|word| has_word(name, word));
    for (name, step) in STEPS.iter().filter(|(name, _)| is_selected(name)) {
        println!("\n== {name} ==");
        let started = Instant::now();
        let tally = step();
        println!("{name}: {tally} ({:.0} s)", started.elapsed().as_secs_f64());
        if tally.failed > 0 || (is_ci() && tally.skipped > 0) {
            failing.push(*name);
        }
        total = total.plus(tally);
    }
    if is_ci() && total.skipped > 0 {
        println!("\nCI=true: the {} skipped tests count as failed", total.skipped);
        total = Tally { failed: total.failed + total.skipped, skipped: 0, ..total };
    }
    if !failing.is_empty() {
        println!("\nfailing: {}", failing.join(", "));
    }
    println!("\n{total}");
    total.failed == 0 && total.passed > 0
}

fn clippy() -> Tally {
    let mut command = cargo_command(&["clippy", "--workspace", "--all-targets", "--quiet"]);
    Tally::of_one(succeeds(command.args(["--", "--deny", "warnings"])))
}

fn docs() -> Tally {
    let mut command = cargo_command(&["doc", "--workspace", "--no-deps", "--quiet"]);
    Tally::of_one(succeeds(command.env("RUSTDOCFLAGS", "--deny warnings")))
}

fn cargo_test(targets: &[&str]) -> Tally {
    let mut command: Command = cargo_command(&["test", "--workspace", "--no-fail-fast"]);
    command.args(targets);
    if std::io::stderr().is_terminal() {
        // Cargo writes to a pipe here and would otherwise drop its colours.
        command.env("CARGO_TERM_COLOR", "always");
    }
    let tests = capture(&mut command);
    Tally::of_cargo_test(&tests.output, tests.succeeded)
}

/// Prints the problems that a check found; the check passes if there are none.
fn reported(check: fn(&Path) -> Vec<String>) -> Tally {
    let problems = check(&root());
    for line in &problems {
        eprintln!("{line}");
    }
    Tally::of_one(problems.is_empty())
}

fn minimum_rust_version() -> Tally {
    let tally = reported(toolchain::problems);
    match toolchain::other_compiler(&root()) {
        Some(compiler) if tally.failed == 0 => skip(&format!("the tests ran with {compiler}")),
        _ => tally,
    }
}

fn browser() -> Tally {
    match studio::lacks() {
        Some(program) => {
            skip(&format!("the studio is not tested in a browser, because {program} is missing"))
        }
        None => Tally::of_one(studio::test()),
    }
}

fn page_is_reproduced() -> Tally {
    match page_check::lacks() {
        Some(reason) => skip(&format!("the studio's page is not built again, because {reason}")),
        None => reported(page_check::problems),
    }
}

fn python_package() -> Tally {
    match python::lacks() {
        Some(program) => skip(&format!("the Python package is not tested, because {program} is missing")),
        None => python::test(),
    }
}

fn blender_extension() -> Tally {
    match blender::lacks() {
        Some(program) => skip(&format!("the Blender extension is not tested, because {program} is missing")),
        None => blender::test(),
    }
}

fn skip(reason: &str) -> Tally {
    println!("SUREFOOT-SKIPPED: {reason}");
    Tally::skipped()
}
