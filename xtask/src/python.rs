//! `cargo xtask test python` builds the wheel, installs it into a virtual environment of its own and tests it.

use crate::python_env::{Environment, runs};
use crate::run::cargo;
use crate::tally::Tally;

/// The oldest Python that the wheel runs on.
const OLDEST_PYTHON: &str = "import sys; sys.exit(sys.version_info < (3, 10))";

/// The program that the tests need and this machine lacks.
pub fn lacks() -> Option<&'static str> {
    match () {
        () if !runs("python3", OLDEST_PYTHON) => Some("python3, version 3.10 or newer,"),
        () if !runs("python3", "import venv, ensurepip") => Some("Python's module venv"),
        () => None,
    }
}

/// Builds and installs the wheel, and runs its tests.
pub fn test() -> Tally {
    // The package is a workspace of its own, which the step `format` does not see.
    if !cargo(&["fmt", "--manifest-path", "bindings/python/Cargo.toml", "--check"]) {
        return Tally::of_one(false);
    }
    let environment = Environment::new("python3", "python-env", "bindings/python");
    let installed = environment.and_then(|environment| Some((environment.install_wheel()?, environment)));
    match installed {
        Some((wheel, environment)) => environment.pytest(&[("SUREFOOT_WHEEL", &wheel)]),
        None => Tally::of_one(false),
    }
}
