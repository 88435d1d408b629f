//! `cargo xtask train` fits the built-in contact model to the labelled motions again.
//!
//! Training is deterministic: the model changes only with the data or the method.

use std::path::PathBuf;

use crate::run::{cargo_command, root, succeeds};

/// The model that is compiled into the program.
const MODEL: &str = "crates/surefoot-contact/src/learned/model.bin";

/// Fits the model to the labelled motions of the data folder and overwrites [`MODEL`].
pub fn run() -> bool {
    let data = match std::env::var_os("SUREFOOT_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared/data"),
    };
    let labelled = data.join("labelled");
    if !labelled.is_dir() {
        eprintln!("{}: no such folder; SUREFOOT_DATA names the data folder", labelled.display());
        return false;
    }
    let mut command = cargo_command(&["run", "--release", "--package", "surefoot-cli", "--", "train"]);
    command.arg(labelled).args(["--output", MODEL, "--force"]);
    succeeds(&mut command)
}
