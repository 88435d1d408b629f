//! `cargo xtask fuzz`: broken files by the million, thrown at the readers.

use crate::run::{cargo, cargo_command, root, went_well};

/// Runs every fuzz target for this many seconds and says whether all of them held.
pub fn run(seconds: u32) -> bool {
    if !root().join("fuzz").is_dir() {
        eprintln!("there is no fuzz target yet");
        return false;
    }
    if !is_installed() && !cargo(&["install", "cargo-fuzz", "--locked"]) {
        return false;
    }
    let targets = targets();
    if targets.is_empty() {
        eprintln!("cargo fuzz lists no target");
        return false;
    }
    // All of them run, whether or not one before found something.
    let held: Vec<bool> = targets.iter().map(|target| fuzz(target, seconds)).collect();
    held.into_iter().all(|held| held)
}

/// Runs one target, from its seeds and with its dictionary where it has them.
fn fuzz(target: &str, seconds: u32) -> bool {
    println!("\n== fuzz {target}, {seconds} s ==");
    let (corpus, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
    let dictionary = format!("fuzz/{target}.dict");
    if let Err(error) = std::fs::create_dir_all(root().join(&corpus)) {
        eprintln!("{corpus}: {error}");
        return false;
    }
    let mut command = cargo_command(&["fuzz", "run", target, &corpus]);
    if root().join(&seeds).is_dir() {
        command.arg(seeds);
    }
    command.args(["--", &format!("-max_total_time={seconds}")]);
    if root().join(&dictionary).is_file() {
        command.arg(format!("-dict={dictionary}"));
    }
    // The sanitizers need flags that a stable compiler keeps behind this.
    went_well(command.env("RUSTC_BOOTSTRAP", "1"))
}

fn is_installed() -> bool {
    cargo_command(&["fuzz", "--version"]).output().is_ok_and(|output| output.status.success())
}

fn targets() -> Vec<String> {
    match cargo_command(&["fuzz", "list"]).output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).split_whitespace().map(String::from).collect(),
        Err(_) => Vec::new(),
    }
}
