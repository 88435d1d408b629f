//! Virtual environments of Python, in which the bindings are built and tested.
//!
//! The environments are below `target/`, so that nothing else on the machine changes. What the tests of a binding need is
//! installed from the Python package index by name and version, as its `tests/requirements.txt` lists it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{capture, cargo, root, succeeds};
use crate::tally::Tally;

/// The folder of the Python package.
const PACKAGE: &str = "bindings/python";

/// A virtual environment with what the tests of a binding need.
pub struct Environment {
    folder: PathBuf,
    binding: PathBuf,
}

impl Environment {
    /// The environment `target/NAME` for the binding in a folder of the repository; created where it is missing.
    pub fn new(interpreter: &str, name: &str, binding: &str) -> Option<Self> {
        let folder = root().join("target").join(name);
        let environment = Self { folder, binding: root().join(binding) };
        let exists = environment.folder.join("bin/python").exists()
            || succeeds(Command::new(interpreter).args(["-m", "venv"]).arg(&environment.folder));
        (exists && environment.pip(&["-r", "tests/requirements.txt"])).then_some(environment)
    }

    /// A file of the environment.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// The interpreter, in the folder of the binding.
    pub fn python(&self) -> Command {
        let mut python = Command::new(self.path("bin/python"));
        python.current_dir(&self.binding);
        python
    }

    fn pip(&self, arguments: &[&str]) -> bool {
        let mut pip = self.python();
        pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet"]).args(arguments);
        succeeds(&mut pip)
    }

    /// Builds the wheel of the Python package and installs it. Returns the wheel.
    pub fn install_wheel(&self) -> Option<PathBuf> {
        let wheel = self.build_wheel()?;
        self.pip(&["--force-reinstall", "--no-deps", wheel.to_str()?]).then_some(wheel)
    }

    fn build_wheel(&self) -> Option<PathBuf> {
        let wheels = root().join("target/wheels");
        // A wheel of an earlier version would be found instead.
        let _ = fs::remove_dir_all(&wheels);
        let mut maturin = Command::new(self.path("bin/maturin"));
        maturin.args(["build", "--release", "--quiet", "--interpreter", "python3", "--out"]).arg(&wheels);
        maturin.env("CARGO_TARGET_DIR", root().join("target/python"));
        let is_built = succeeds(maturin.current_dir(root().join(PACKAGE)));
        fs::read_dir(&wheels).ok()?.flatten().map(|entry| entry.path()).next().filter(|_| is_built)
    }

    /// Runs the tests of the binding, with files that they find in variables of the environment.
    pub fn pytest(&self, files: &[(&str, &Path)]) -> Tally {
        // With the profile of the other tests, which have compiled most of it.
        if !cargo(&["build", "--package", "surefoot-cli", "--profile", "test"]) {
            return Tally::of_one(false);
        }
        let mut pytest = self.python();
        pytest.args(["-m", "pytest"]).env("SUREFOOT_COMMAND", root().join("target/debug/surefoot"));
        pytest.envs(files.iter().copied());
        let tests = capture(&mut pytest);
        Tally::of_pytest(&tests.output, tests.succeeded)
    }
}

/// Whether an interpreter exists and runs a line of Python without an error.
pub fn runs(interpreter: &str, line: &str) -> bool {
    Command::new(interpreter).args(["-c", line]).output().is_ok_and(|output| output.status.success())
}
