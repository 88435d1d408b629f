//! Checks that the tests run with the minimum Rust version that the manifest states.
//!
//! `rust-toolchain.toml` pins the toolchain to `rust-version` of `Cargo.toml`, so every run of the tests with the
//! pinned toolchain is also the test of the minimum version.

use std::fs;
use std::path::Path;
use std::process::Command;

/// One line if the manifest and the pinned toolchain disagree.
pub fn problems(root: &Path) -> Vec<String> {
    let (minimum, pinned) = (minimum(root), read(root, "rust-toolchain.toml", "channel"));
    let agree = !minimum.is_empty() && is_release_of(&pinned, &minimum);
    let line = || format!("rust-toolchain.toml: pins {pinned}, but Cargo.toml has rust-version {minimum}");
    if agree { Vec::new() } else { vec![line()] }
}

/// The compiler in use, if it is not of the minimum version: then this run does not test that version.
pub fn other_compiler(root: &Path) -> Option<String> {
    let used = compiler_version().unwrap_or_default();
    let minimum = minimum(root);
    (!is_release_of(&used, &minimum)).then(|| format!("rustc {used} instead of {minimum}"))
}

fn minimum(root: &Path) -> String {
    read(root, "Cargo.toml", "rust-version")
}

/// The value of a key in a file, or nothing.
fn read(root: &Path, file: &str, key: &str) -> String {
    let text = fs::read_to_string(root.join(file)).unwrap_or_default();
    value(&text, key).unwrap_or_default().to_owned()
}

/// The value of a line `key = "value"`.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""))?;
    rest.split('"').next()
}

/// Whether `1.95.0` is a release of `1.95`.
fn is_release_of(version: &str, minor: &str) -> bool {
    version == minor || version.strip_prefix(minor).is_some_and(|patch| patch.starts_with('.'))
}

/// The version in `rustc 1.95.0 (59807616e 2026-04-14)`.
fn compiler_version() -> Option<String> {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split_whitespace().nth(1).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patch_releases_belong_to_their_minor_version() {
        assert!(is_release_of("1.95.0", "1.95") && is_release_of("1.95", "1.95"));
        assert!(!is_release_of("1.95.0", "1.9") && !is_release_of("1.96.0", "1.95"));
    }
}
