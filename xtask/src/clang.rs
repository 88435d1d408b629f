//! clang, which compiles `ufbx`, the C library that reads FBX, for WebAssembly.
//!
//! Each version of clang gives other bytes, so `sources.txt` beside the page records the one that the page was built with,
//! and only the same version can check the module with the reader of FBX.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{apt_install, is_debian_root, root};

/// Compiles `ufbx` without a C library: `crates/surefoot-wasm` has what it needs of one.
pub fn compile_ufbx(command: &mut Command) {
    let strings = root().join("crates/surefoot-wasm/src/ufbx_strings.h");
    let flags = format!("-Os -DUFBX_NO_LIBC -DUFBX_NO_STDIO -include {}", strings.display());
    command.envs(program().map(|clang| ("CC_wasm32_unknown_unknown", clang)));
    command.env("CFLAGS_wasm32_unknown_unknown", flags);
}

/// Installs clang if it is missing and can be installed. Returns whether it is there.
pub fn is_installed() -> bool {
    program().is_some() || (is_debian_root() && apt_install(&["clang"]) && program().is_some())
}

/// The version, such as `14.0.6`.
pub fn version() -> Option<String> {
    let output = Command::new(program()?).arg("--version").output().ok()?;
    version_in(&String::from_utf8_lossy(&output.stdout)).map(String::from)
}

/// The version in `Debian clang version 14.0.6`.
fn version_in(text: &str) -> Option<&str> {
    text.split("clang version ").nth(1)?.split_whitespace().next()
}

/// `clang`, or `clang-N` of Debian's packages.
fn program() -> Option<PathBuf> {
    let runs = |program: &Path| Command::new(program).arg("--version").output().is_ok();
    let programs = fs::read_dir("/usr/bin").into_iter().flatten().flatten().map(|entry| entry.path());
    let is_numbered = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.strip_prefix("clang-").is_some_and(|number| number.parse::<u32>().is_ok())
    };
    Some(PathBuf::from("clang")).filter(|clang| runs(clang)).or_else(|| programs.filter(is_numbered).max())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_found_in_the_first_line() {
        let text = "Debian clang version 14.0.6\nTarget: x86_64-pc-linux-gnu\n";
        assert_eq!(version_in(text), Some("14.0.6"));
        assert_eq!(version_in("gcc (Debian 12.2.0) 12.2.0"), None);
    }
}
