//! Runs a test in a separate process.
//!
//! The allocator counts the memory of a process, and the tests of this binary run on several
//! threads. A test that limits memory therefore starts this binary again, for that test alone.

use std::process::{Command, Stdio};

/// Set in the process that runs one test alone.
const ALONE: &str = "SUREFOOT_TEST_ALONE";

/// Runs `body` in a new process that executes only the test `module::name`.
///
/// `module` is `module_path!()` of the test.
pub fn run(module: &str, name: &str, body: impl FnOnce()) {
    if std::env::var_os(ALONE).is_some() {
        return body();
    }
    // Test names do not contain the name of the binary's crate.
    let module = module.split_once("::").map_or("", |(_, module)| module);
    let test = format!("{module}::{name}");
    let output = Command::new(std::env::current_exe().expect("path of the test binary"))
        .args(["--exact", &test, "--nocapture"])
        .env(ALONE, "1")
        .stderr(Stdio::inherit())
        .output()
        .expect("start the test binary");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{test} failed in its own process:\n{stdout}");
    assert!(stdout.contains("1 passed"), "no test is called {test}:\n{stdout}");
}
