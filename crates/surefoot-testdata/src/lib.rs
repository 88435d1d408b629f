//! Locates the captured motions that tests read.
//!
//! Captures are too large and too variously licensed to live in the repository. They are searched
//! for in the folder named by `SUREFOOT_DATA`, otherwise in `shared/data` beside the checkout.
//! A test that needs a capture starts with
//!
//! ```no_run
//! let Some(file) = surefoot_testdata::path("bvh/cmu/02_01.bvh") else {
//!     return;
//! };
//! ```
//!
//! If the capture is missing, the test skips itself and prints a line starting with
//! `SUREFOOT-SKIPPED:`, which `cargo xtask test` counts. With `CI=true` a missing capture is a
//! panic that names it, so a green CI run has executed every test.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Path of a file or folder of the data, given relative to the data folder.
///
/// Returns `None` and prints the skip if it is missing; panics instead under `CI=true`.
pub fn path(within: &str) -> Option<PathBuf> {
    let path = folder().join(within);
    if path.exists() {
        return Some(path);
    }
    report_missing(&format!("{} does not exist", path.display()));
    None
}

/// Every file below a folder of the data whose lower-case name ends in `ending`, sorted by path.
///
/// A missing folder, or one without such a file, counts as missing data like in [`path`]: a loop
/// over no files would pass without having tested anything.
pub fn files(within: &str, ending: &str) -> Vec<PathBuf> {
    let Some(root) = path(within) else { return Vec::new() };
    let mut files = files_below(&root, ending);
    if files.is_empty() {
        report_missing(&format!("{} has no file ending in {ending}", root.display()));
    }
    files.sort();
    files
}

fn files_below(root: &Path, ending: &str) -> Vec<PathBuf> {
    let mut folders = vec![root.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().to_ascii_lowercase().ends_with(ending) {
                files.push(path);
            }
        }
    }
    files
}

fn report_missing(missing: &str) {
    skip(&format!("test data is missing: {missing}"));
}

/// Panics under `CI=true`, otherwise prints that the current test is skipped for this reason.
pub fn skip(reason: &str) {
    if std::env::var("CI").is_ok_and(|ci| ci == "true") {
        panic!("{reason}; with CI=true no test may be skipped");
    }
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // Written to the stream directly: the test harness hides `eprintln!` of tests that pass.
    let line = format!("SUREFOOT-SKIPPED: {test}: {reason}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}

/// The data folder, which may not exist.
fn folder() -> PathBuf {
    match std::env::var_os("SUREFOOT_DATA") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    }
}

/// A splitmix64 random number generator with a fixed seed, for reproducible damage to files.
pub struct Random(pub u64);

impl Random {
    /// A number from 0 up to but not including `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_matching_files_gives_no_files() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert_eq!(files_below(&folder, ".bvh"), Vec::<PathBuf>::new());
        assert_eq!(files_below(&folder, "lib.rs").len(), 1);
    }

    #[test]
    fn random_numbers_are_below_the_end() {
        let mut random = Random(1);
        assert!((0..1000).all(|_| random.below(7) < 7));
        assert_eq!(random.below(0), 0);
    }
}
