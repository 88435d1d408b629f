//! `cargo xtask abuse` runs random command lines on damaged files, kills and hostile requests against the command.

use std::path::PathBuf;

use crate::run::{cargo, root, succeeds};

/// Builds the command and the program that abuses it, and runs that with these arguments. Returns whether nothing failed.
pub fn run(arguments: &[&str]) -> bool {
    if !cargo(&["build", "--release", "-p", "surefoot-cli", "-p", "surefoot-fuzz"]) {
        return false;
    }
    let built = root().join("target/release");
    let mut command = std::process::Command::new(built.join("abuse"));
    command.args(arguments).arg("--program").arg(built.join("surefoot")).current_dir(root());
    let is_lines = arguments.first().is_none_or(|first| first.starts_with("--"));
    if let Some(captures) = captures().filter(|_| is_lines) {
        command.arg("--captures").arg(captures);
    }
    succeeds(&mut command)
}

/// The folder of captures, a few of which are damaged as well.
fn captures() -> Option<PathBuf> {
    let named = std::env::var_os("SUREFOOT_DATA").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| root().join("../shared/data"));
    folder.is_dir().then_some(folder)
}
