//! Where the tests find captured motions.
//!
//! Captures are too large and too variously licensed to live in the repository. They are looked
//! for in the folder that `SUREFOOT_DATA` names, else in the data folder beside the checkout.
//! A test that needs them starts with
//!
//! ```no_run
//! let Some(file) = surefoot_testdata::path("bvh/cmu/02_01.bvh") else {
//!     return;
//! };
//! ```
//!
//! Where the data is missing it thereby skips itself, on a line that `cargo xtask test` counts.
//! With `CI=true` a skip is a failure: what CI calls passed has been run.

use std::io::Write;
use std::path::{Path, PathBuf};

/// A file or folder of the data, by its path in the data folder.
///
/// `None` where it is missing, which has then been said. Panics instead where the environment
/// has `CI=true`.
pub fn path(within: &str) -> Option<PathBuf> {
    let path = folder().join(within);
    if path.exists() {
        return Some(path);
    }
    let missing = format!("needs {}, which is not there", path.display());
    if std::env::var("CI").is_ok_and(|ci| ci == "true") {
        panic!("{missing}; with CI=true nothing may be skipped");
    }
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // Written to the stream itself: `eprintln!` would be captured with a passing test's output.
    let line = format!("SUREFOOT-SKIPPED: {test} {missing}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
    None
}

/// Every file below a folder of the data whose name ends in `ending`, sorted; `.bvh` for one.
///
/// None where the folder is missing, which has then been said as by [`path`].
pub fn files(within: &str, ending: &str) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = path(within).into_iter().collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let name = path.to_string_lossy().to_ascii_lowercase();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(ending) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The data folder, there or not.
fn folder() -> PathBuf {
    match std::env::var_os("SUREFOOT_DATA") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    }
}

/// Numbers that look thrown and are the same every time (splitmix64), to damage files with.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`; 0 where there are none.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % sides.max(1) as u64) as usize
    }
}
