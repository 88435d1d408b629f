//! Counts of passed, failed and skipped tests.

use std::fmt;

/// How many tests of a step, or of all steps, passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

impl Tally {
    /// A step that counts as one test.
    pub fn of_one(passed: bool) -> Self {
        Self { passed: usize::from(passed), failed: usize::from(!passed), skipped: 0 }
    }

    /// A step that counts as one test and was not run.
    pub fn skipped() -> Self {
        Self { skipped: 1, ..Self::default() }
    }

    /// The sum of two tallies.
    pub fn plus(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }

    /// Counts the tests in the output of `cargo test`.
    ///
    /// A test that finds no data prints a line with `SUREFOOT-SKIPPED` (see `surefoot-testdata`), and cargo
    /// counts that test as passed. A run that failed without a failing test, for example because a test does
    /// not compile, counts as one failure.
    pub fn of_cargo_test(output: &str, succeeded: bool) -> Self {
        let results = output.lines().filter_map(|line| line.trim_start().strip_prefix("test result: "));
        let mut tally = results.map(of_result_line).fold(Self::default(), Self::plus);
        // The mark need not start its line: with one test thread it follows `test NAME ... `.
        let skips = output.matches("SUREFOOT-SKIPPED: ").count();
        tally.passed = tally.passed.saturating_sub(skips);
        tally.skipped += skips;
        if !succeeded && tally.failed == 0 {
            tally.failed = 1;
        }
        tally
    }
}

impl Tally {
    /// Counts the tests in the last line of `pytest`, such as `2 failed, 41 passed, 1 skipped in 3.20s`.
    pub fn of_pytest(output: &str, succeeded: bool) -> Self {
        let is_summary =
            |line: &&str| line.contains(" in ") && (line.contains("passed") || line.contains("failed"));
        let line = output.lines().rev().find(is_summary).unwrap_or_default();
        let count = |word| number_before(line, word);
        let mut tally = Self {
            passed: count(" passed"),
            failed: count(" failed") + count(" error"),
            skipped: count(" skipped"),
        };
        if !succeeded && tally.failed == 0 {
            tally.failed = 1;
        }
        tally
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// The counts in the rest of a line `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
fn of_result_line(line: &str) -> Tally {
    Tally {
        passed: number_before(line, " passed"),
        failed: number_before(line, " failed"),
        skipped: number_before(line, " ignored"),
    }
}

/// The number in front of `word`, or 0 if there is none.
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
        let tally = Tally::of_cargo_test(TWO_BINARIES, false);
        assert_eq!(tally.to_string(), "12 passed, 2 failed, 2 skipped");
    }

    #[test]
    fn results_of_pytest_are_counted() {
        let of = |output, succeeded| Tally::of_pytest(output, succeeded).to_string();
        assert_eq!(
            of("....\n2 failed, 41 passed, 1 skipped in 3.20s\n", false),
            "41 passed, 2 failed, 1 skipped"
        );
        assert_eq!(of("41 passed in 3.20s\n", true), "41 passed, 0 failed");
        assert_eq!(of("1 passed, 2 errors in 3.20s\n", false), "1 passed, 2 failed");
        assert_eq!(of("no module named pytest\n", false), "0 passed, 1 failed");
    }

    #[test]
    fn tests_that_do_not_compile_are_a_failure() {
        assert_eq!(Tally::of_cargo_test("error: expected `;`", false).to_string(), "0 passed, 1 failed");
    }
}
