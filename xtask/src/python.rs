//! `cargo xtask test python` builds the wheel, installs it into a virtual environment of its own and tests it.
//!
//! The environment is below `target/`, so that nothing else on the machine changes. What the tests need is installed
//! from the Python package index by name and version, as `bindings/python/tests/requirements.txt` lists it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{capture, cargo, root, succeeds};
use crate::tally::Tally;

/// The oldest Python that the wheel runs on.
const OLDEST_PYTHON: &str = "import sys; sys.exit(sys.version_info < (3, 10))";

/// The program that the tests need and this machine lacks.
pub fn lacks() -> Option<&'static str> {
    let has = |arguments: &[&str]| {
        Command::new("python3").args(arguments).output().is_ok_and(|output| output.status.success())
    };
    match () {
        () if !has(&["-c", OLDEST_PYTHON]) => Some("python3, version 3.10 or newer,"),
        () if !has(&["-c", "import venv, ensurepip"]) => Some("Python's module venv"),
        () => None,
    }
}

/// Builds and installs the wheel, and runs its tests.
pub fn test() -> Tally {
    // The package is a workspace of its own, which the step `format` does not see.
    if !cargo(&["fmt", "--manifest-path", "bindings/python/Cargo.toml", "--check"]) {
        return Tally::of_one(false);
    }
    let environment = root().join("target/python-env");
    let Some(wheel) = prepare(&environment) else { return Tally::of_one(false) };
    // With the profile of the other tests, which have compiled most of it.
    if !cargo(&["build", "--package", "surefoot-cli", "--profile", "test"]) {
        return Tally::of_one(false);
    }
    let mut pytest = Command::new(environment.join("bin/python"));
    pytest.args(["-m", "pytest"]).current_dir(root().join("bindings/python"));
    pytest.env("SUREFOOT_COMMAND", root().join("target/debug/surefoot")).env("SUREFOOT_WHEEL", wheel);
    let tests = capture(&mut pytest);
    Tally::of_pytest(&tests.output, tests.succeeded)
}

/// Makes the environment and installs the wheel into it. Returns the wheel.
fn prepare(environment: &Path) -> Option<PathBuf> {
    let python = environment.join("bin/python");
    if !python.exists() && !succeeds(Command::new("python3").args(["-m", "venv"]).arg(environment)) {
        return None;
    }
    let pip = |arguments: &[&str]| {
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet"]).args(arguments);
        succeeds(pip.current_dir(root().join("bindings/python")))
    };
    let wheels = root().join("target/wheels");
    // A wheel of an earlier version would be installed instead.
    let _ = fs::remove_dir_all(&wheels);
    let built = pip(&["-r", "tests/requirements.txt"]) && build(environment, &wheels);
    let wheel = fs::read_dir(&wheels).ok()?.flatten().map(|entry| entry.path()).next().filter(|_| built)?;
    pip(&["--force-reinstall", "--no-deps", wheel.to_str()?]).then_some(wheel)
}

fn build(environment: &Path, wheels: &Path) -> bool {
    let mut maturin = Command::new(environment.join("bin/maturin"));
    maturin.args(["build", "--release", "--quiet", "--interpreter", "python3", "--out"]).arg(wheels);
    maturin.env("CARGO_TARGET_DIR", root().join("target/python"));
    succeeds(maturin.current_dir(root().join("bindings/python")))
}
