//! `cargo xtask studio` and `cargo xtask studio-test`: the page, its WebAssembly, and both in a browser.
//!
//! What is built is kept in the checkout, so that nobody needs Node to run the studio. A file beside it has
//! a hash of what it was built from.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{cargo, cargo_command, root, went_well};

/// Where the built page is kept.
const PAGE: &str = "crates/surefoot-studio/page";
/// What the page is built from.
const PAGE_SOURCES: [&str; 5] = [
    "studio/src",
    "studio/index.html",
    "studio/vite.config.js",
    "studio/tsconfig.json",
    "studio/package-lock.json",
];
/// The crates that its WebAssembly is built from.
const CRATES: [&str; 10] =
    ["core", "contact", "edit", "formats", "job", "measure", "sample", "solve", "studio", "wasm"];
/// The page is to be small, but what runs on every edit is not to be as small as it could be: it would be slow.
const FAST: [&str; 3] = ["surefoot-solve", "libm", "surefoot-core"];
/// The target of the WebAssembly.
const TARGET: &str = "wasm32-unknown-unknown";

/// Two numbers in one step, as every browser since 2023 can: less to load, and less to do.
const LANES: &str = "-Ctarget-feature=+simd128";

/// Builds page and WebAssembly anew.
pub fn build() -> bool {
    let wasm = root().join("target/wasm").join(TARGET).join("release/surefoot_wasm.wasm");
    let page = root().join(PAGE);
    build_wasm()
        && npm(&["install", "--no-audit", "--no-fund"])
        && npm(&["run", "build"])
        && fs::copy(wasm, page.join("surefoot.wasm")).is_ok()
        && fs::write(page.join("sources.txt"), format!("page {}\nwasm {}\n", page_hash(), wasm_hash()))
            .is_ok()
}

fn build_wasm() -> bool {
    let installed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    let is_there = installed.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(TARGET));
    let what =
        ["build", "--release", "-p", "surefoot-wasm", "--target", TARGET, "--target-dir", "target/wasm"];
    let mut command = if is_there { cargo_command(&what) } else { debian(&what) };
    if is_there {
        command.env("RUSTFLAGS", LANES);
    }
    command.envs([
        ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "z"),
        ("CARGO_PROFILE_RELEASE_LTO", "fat"),
        ("CARGO_PROFILE_RELEASE_STRIP", "symbols"),
    ]);
    for part in FAST {
        command.args(["--config", &format!("profile.release.package.{part}.opt-level=\"s\"")]);
    }
    went_well(&mut command)
}

/// The build where that target is not installed and only Debian's packages can be had: `rustc-web`,
/// `cargo-web`, `rust-web-src` and an `lld`, whose number moves.
fn debian(what: &[&str]) -> Command {
    let programs = fs::read_dir("/usr/bin").into_iter().flatten().flatten().map(|entry| entry.path());
    let linker = programs.filter(|path| path.to_string_lossy().contains("/wasm-ld-")).max();
    let mut command = Command::new("/usr/bin/cargo");
    command
        .args(what)
        .args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"])
        .current_dir(root());
    for (name, _) in std::env::vars_os().filter(|(name, _)| {
        let name = name.to_string_lossy();
        name.starts_with("CARGO") || name.starts_with("RUST")
    }) {
        command.env_remove(name);
    }
    command.env("PATH", "/usr/bin:/bin").env("RUSTC_BOOTSTRAP", "1");
    let smaller = "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none";
    command.env("RUSTFLAGS", format!("{smaller} {LANES}"));
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker.unwrap_or_else(|| "wasm-ld".into()));
    command
}

fn npm(what: &[&str]) -> bool {
    went_well(Command::new("npm").args(what).current_dir(root().join("studio")))
}

/// Whether the page is built from the sources that are there. WebAssembly that is older than its crates is
/// told, and is no failure: a browser test that compares its bytes with the command's decides.
pub fn is_fresh() -> bool {
    let kept = fs::read_to_string(root().join(PAGE).join("sources.txt")).unwrap_or_default();
    if !kept.contains(&format!("wasm {}", wasm_hash())) {
        println!(
            "SUREFOOT: the studio's WebAssembly is older than its crates; `cargo xtask studio` renews it"
        );
    }
    let is_fresh = kept.contains(&format!("page {}", page_hash()));
    if !is_fresh {
        eprintln!("the studio's page is older than its sources; `cargo xtask studio` renews it");
    }
    is_fresh
}

/// Why the studio cannot be tested in a browser here.
pub fn lacks() -> Option<&'static str> {
    let is_there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if !is_there("node") || !is_there("npm") {
        return Some("node and npm");
    }
    (!Path::new("/usr/bin/chromium").exists()).then_some("/usr/bin/chromium")
}

/// Tests the studio in a browser.
pub fn test() -> bool {
    let has_modules = root().join("studio/node_modules/playwright-core").exists();
    (has_modules || npm(&["install", "--no-audit", "--no-fund"]))
        // As the tests build it: they have, and it is quicker to run.
        && cargo(&["build", "--package", "surefoot-cli", "--profile", "test"])
        && npm(&["test"])
}

fn page_hash() -> String {
    hash(PAGE_SOURCES.iter().map(|name| root().join(name)).collect())
}

fn wasm_hash() -> String {
    hash(CRATES.iter().map(|name| root().join(format!("crates/surefoot-{name}/src"))).collect())
}

/// FNV-1a of all files, in the order of their names. Line ends do not count: a checkout may change them.
fn hash(mut todo: Vec<PathBuf>) -> String {
    let mut files = Vec::new();
    while let Some(path) = todo.pop() {
        match fs::read_dir(&path) {
            Ok(entries) => todo.extend(entries.flatten().map(|entry| entry.path())),
            Err(_) => files.push(path),
        }
    }
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        for byte in fs::read(file).unwrap_or_default().into_iter().filter(|&byte| byte != b'\r') {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}
