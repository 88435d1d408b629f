//! `cargo xtask test`: everything that must hold, counted.
//!
//! Each step runs whether or not the one before it failed, so that one run tells all. A test
//! binary counts with its own tests, any other step counts as one.

use std::io::IsTerminal;
use std::process::Command;

use crate::book;
use crate::named_paths;
use crate::run::{cargo_command, heard, root, went_well};
use crate::studio;

/// How a step, or all of them, went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Tally {
    fn of_one(passed: bool) -> Self {
        Self { passed: usize::from(passed), failed: usize::from(!passed), skipped: 0 }
    }

    fn and(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// A step's name and what it does.
type Step = (&'static str, fn() -> Tally);

/// The steps, in the order they run.
const STEPS: &[Step] = &[
    ("format", || step(cargo_command(&["fmt", "--all", "--check"]))),
    ("clippy", || {
        let what = ["clippy", "--workspace", "--all-targets", "--quiet"];
        let mut command = cargo_command(&what);
        command.args(["--", "--deny", "warnings"]);
        step(command)
    }),
    ("tests", || {
        let what = ["--lib", "--bins", "--tests", "--examples"];
        tests(cargo_test(&what))
    }),
    ("doc tests", || tests(cargo_test(&["--doc"]))),
    ("docs", || {
        let mut command = cargo_command(&["doc", "--workspace", "--no-deps", "--quiet"]);
        command.env("RUSTDOCFLAGS", "--deny warnings");
        step(command)
    }),
    ("paths named in the docs", || {
        let missing = named_paths::missing(&root());
        for line in &missing {
            eprintln!("{line}");
        }
        Tally::of_one(missing.is_empty())
    }),
    ("links in the docs", || Tally::of_one(book::has_good_links())),
    ("the studio's page", || Tally::of_one(studio::is_fresh())),
    ("the studio in a browser", || match studio::lacks() {
        Some(what) => {
            println!("SUREFOOT-SKIPPED: the studio is not tested in a browser, for want of {what}");
            Tally { skipped: 1, ..Tally::default() }
        }
        None => Tally::of_one(studio::test()),
    }),
];

/// Runs every step and says whether all of it passed.
pub fn run() -> bool {
    let mut all = Tally::default();
    let mut failing = Vec::new();
    for (name, step) in STEPS {
        println!("\n== {name} ==");
        let tally = step();
        println!("{name}: {tally}");
        if tally.failed > 0 {
            failing.push(*name);
        }
        all = all.and(tally);
    }
    if !failing.is_empty() {
        println!("\nfailing: {}", failing.join(", "));
    }
    println!("\n{all}");
    all.failed == 0
}

fn step(mut command: Command) -> Tally {
    Tally::of_one(went_well(&mut command))
}

fn cargo_test(what: &[&str]) -> Command {
    let mut command = cargo_command(&["test", "--workspace", "--no-fail-fast"]);
    command.args(what);
    if std::io::stderr().is_terminal() {
        // Cargo sees a pipe and would drop its colours.
        command.env("CARGO_TERM_COLOR", "always");
    }
    command
}

fn tests(mut command: Command) -> Tally {
    let (went_well, text) = heard(&mut command);
    count(&text, went_well)
}

/// Counts what `cargo test` printed.
///
/// A test that skipped itself says so on a line of its own (see `surefoot-testdata`), and cargo
/// counts it as passed. A run that fails without a failing test, such as one that does not
/// compile, is one failure.
fn count(text: &str, went_well: bool) -> Tally {
    let results =
        text.lines().filter_map(|line| line.trim_start().strip_prefix("test result: ")).map(|result| Tally {
            passed: number_before(result, " passed"),
            failed: number_before(result, " failed"),
            skipped: number_before(result, " ignored"),
        });
    let mut tally = results.fold(Tally::default(), Tally::and);
    // The line may follow `test this_one ... ` where a test binary runs on one thread.
    let skips = text.matches("SUREFOOT-SKIPPED: ").count();
    tally.passed = tally.passed.saturating_sub(skips);
    tally.skipped += skips;
    if !went_well && tally.failed == 0 {
        tally.failed = 1;
    }
    tally
}

/// The number right before `word`; 0 where there is none.
fn number_before(text: &str, word: &str) -> usize {
    text.split_once(word)
        .and_then(|(before, _)| before.rsplit(' ').next())
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_BINARIES: &str = "\
running 3 tests
SUREFOOT-SKIPPED: every_real_file_reads needs the data folder
test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
test result: FAILED. 10 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out
";

    #[test]
    fn results_add_up_and_skips_are_not_passes() {
        let tally = count(TWO_BINARIES, false);
        assert_eq!(tally.to_string(), "12 passed, 2 failed, 2 skipped");
    }

    #[test]
    fn tests_that_do_not_compile_are_a_failure() {
        assert_eq!(count("error: expected `;`", false).to_string(), "0 passed, 1 failed");
    }
}
