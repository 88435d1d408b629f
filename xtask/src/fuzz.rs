//! `cargo xtask fuzz` runs the fuzz targets, which feed damaged files to the readers.

use crate::run::{cargo, cargo_command, root, succeeds};

/// Runs every fuzz target for this many seconds and returns whether none of them found a crash.
pub fn run(seconds: u32) -> bool {
    if !is_installed() && !cargo(&["install", "cargo-fuzz", "--locked"]) {
        return false;
    }
    let targets = targets();
    if targets.is_empty() {
        eprintln!("`cargo fuzz list` names no target");
        return false;
    }
    // All targets run, even after one of them has found a crash.
    let passed: Vec<bool> = targets.iter().map(|target| fuzz(target, seconds)).collect();
    passed.into_iter().all(|passed| passed)
}

/// Type-checks all fuzz targets, without the sanitizers and the C++ library that they run with.
pub fn compiles() -> bool {
    let manifest = ["--manifest-path", "fuzz/Cargo.toml", "--target-dir", "target"];
    let mut command = cargo_command(&["check", "--quiet", "--bins"]);
    // The build script of libfuzzer-sys compiles libFuzzer unless it is given a library. A check links nothing,
    // so the file need not exist.
    command.args(manifest).env("CUSTOM_LIBFUZZER_PATH", root().join("target/libfuzzer.a"));
    succeeds(&mut command)
}

/// Runs one target, with its seeds and its dictionary if it has them.
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
    // A stable compiler accepts the flags of the sanitizers only with this variable.
    succeeds(command.env("RUSTC_BOOTSTRAP", "1"))
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
