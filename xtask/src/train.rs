//! `cargo xtask train`: the model inside the program, fitted anew.
//!
//! The same data gives the same bytes, so a change of them is a change of data or of method.

use std::path::PathBuf;

use crate::run::{cargo_command, root, went_well};

/// Where the model lives.
const MODEL: &str = "crates/surefoot-contact/src/learned/model.bin";

/// Fits the model to the labelled motions and writes it where the program takes it from.
pub fn run() -> bool {
    let data = match std::env::var_os("SUREFOOT_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared/data"),
    };
    let labelled = data.join("labelled");
    if !labelled.is_dir() {
        eprintln!("{} is not there; SUREFOOT_DATA names the data folder", labelled.display());
        return false;
    }
    let mut command = cargo_command(&["run", "--release", "--package", "surefoot-cli", "--", "train"]);
    command.arg(labelled).args(["--output", MODEL, "--force"]);
    went_well(&mut command)
}
