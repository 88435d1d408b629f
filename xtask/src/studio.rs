//! `cargo xtask studio` builds the studio's page, `cargo xtask studio-test` tests it in a browser.
//!
//! The built page is committed, so that running the studio needs neither Node nor a WebAssembly compiler.
//! `sources.txt` beside it holds hashes of its sources and of the built files, from which [`is_fresh`] finds a page that
//! was not rebuilt after a change, and the version of clang.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::clang;
use crate::run::{apt_install, cargo, cargo_command, is_debian_root, root, succeeds};

/// The folder of the built page.
pub const PAGE: &str = "crates/surefoot-studio/page";
/// The files of the built page, which the server embeds.
pub const BUILT: [&str; 7] =
    ["index.html", "studio.css", "studio.js", "worker.js", "formats.js", "surefoot.wasm", FULL_MODULE];
/// The module that reads all formats, which the page loads when it needs it.
pub const FULL_MODULE: &str = "surefoot-full.wasm";
/// The WebAssembly modules and the features that they are built with.
const MODULES: [(&str, &[&str]); 2] = [("surefoot.wasm", &[]), (FULL_MODULE, &["--features", "full"])];
/// The sources of the page, apart from its WebAssembly.
const PAGE_SOURCES: [&str; 7] = [
    "studio/src",
    "studio/trim-three",
    "studio/index.html",
    "studio/vite.config.js",
    "studio/tsconfig.json",
    "studio/package.json",
    "studio/package-lock.json",
];
/// The features of WebAssembly that the page may use: those of the oldest browsers that `studio/src/core.ts` names.
/// With all features Binaryen uses typed references, which need Chrome 119, for 0.03 % of the size.
const WASM_FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-mutable-globals",
    "--enable-multivalue",
];

/// The crate that is compiled to WebAssembly.
pub const WASM_CRATE: &str = "surefoot-wasm";
const TARGET: &str = "wasm32-unknown-unknown";
/// Crates that run on every edit: they are compiled for speed and size, all others for size alone.
const FAST: [&str; 1] = ["libm"];
/// Instructions on two numbers at once, which every browser since 2023 has: smaller and faster code.
const SIMD: &str = "-Ctarget-feature=+simd128";
/// The oldest Node that the build tools run on.
const OLDEST_NODE: (u32, u32) = (20, 19);
/// The browser of the tests, unless the environment variable `CHROMIUM` names another.
const CHROMIUM: &str = "/usr/bin/chromium";
/// The checks of the TypeScript sources: scripts in `studio/package.json`.
const CHECKS: [&str; 3] = ["format:check", "lint", "typecheck"];

/// Builds the page and its WebAssembly.
pub fn build() -> bool {
    let page = root().join(PAGE);
    if !clang::is_installed() {
        eprintln!("the studio's page needs clang, which compiles the reader of FBX and is not installed");
        return false;
    }
    install_modules()
        && build_scripts(&page)
        && build_modules(&page, &BUILT)
        && fs::write(page.join("sources.txt"), record()).is_ok()
}

/// The contents of `sources.txt`.
fn record() -> String {
    let clang = clang::version().map(|version| format!("clang {version}"));
    hashes().into_iter().chain(clang).map(|line| line + "\n").collect()
}

/// Builds the page without its WebAssembly into a folder.
pub fn build_scripts(folder: &Path) -> bool {
    npm(&["run", "build", "--", "--outDir", &folder.display().to_string()])
}

/// Builds those WebAssembly modules of the page that are listed into a folder.
pub fn build_modules(folder: &Path, files: &[&str]) -> bool {
    let modules = MODULES.iter().filter(|(name, _)| files.contains(name));
    modules.into_iter().all(|(name, features)| build_module(&folder.join(name), features))
}

/// Builds a WebAssembly module of the page.
fn build_module(page: &Path, features: &[&str]) -> bool {
    let built = root().join("target/wasm").join(TARGET).join("release/surefoot_wasm.wasm");
    build_wasm(features) && shrink_wasm(&built, page)
}

/// The passes of Binaryen. Control flow that is built anew from flat code, by `--rereloop`, makes the compressed module
/// 0.5 % smaller than `-Oz` alone does.
const WASM_PASSES: [&str; 5] = ["--flatten", "--rereloop", "-Oz", "--converge", "--strip-producers"];

/// Writes the WebAssembly module to the page, optimised for size by Binaryen: 3 % smaller when compressed.
fn shrink_wasm(built: &Path, page: &Path) -> bool {
    let optimiser = root().join("studio/node_modules/.bin/wasm-opt");
    let mut command = Command::new(optimiser);
    succeeds(command.args(WASM_PASSES).args(WASM_FEATURES).arg(built).arg("-o").arg(page))
}

fn build_wasm(features: &[&str]) -> bool {
    let arguments =
        ["build", "--release", "-p", WASM_CRATE, "--target", TARGET, "--target-dir", "target/wasm"];
    let arguments = &[&arguments, features].concat();
    let mut command = if has_std_sources() {
        let mut command = cargo_command(arguments);
        compile_std(&mut command);
        command
    } else if has_target() {
        let mut command = cargo_command(arguments);
        command.env("RUSTFLAGS", SIMD);
        command
    } else {
        debian_cargo(arguments)
    };
    clang::compile_ufbx(&mut command);
    command.envs([
        ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "z"),
        ("CARGO_PROFILE_RELEASE_LTO", "fat"),
        ("CARGO_PROFILE_RELEASE_STRIP", "symbols"),
    ]);
    for package in FAST {
        command.args(["--config", &format!("profile.release.package.{package}.opt-level=\"s\"")]);
    }
    succeeds(&mut command)
}

/// Whether the toolchain has the WebAssembly target: `rustup target add wasm32-unknown-unknown`.
fn has_target() -> bool {
    let installed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    installed.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(TARGET))
}

/// Whether the toolchain has the sources of the standard library: `rustup component add rust-src`.
pub fn has_std_sources() -> bool {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).current_dir(root()).output();
    sysroot.is_ok_and(|output| {
        let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        sysroot.join("lib/rustlib/src/rust/library/std").exists()
    })
}

/// Adds the sources of the standard library to the toolchain, and returns whether they are there.
pub fn install_std_sources() -> bool {
    let mut rustup = Command::new("rustup");
    succeeds(rustup.args(["component", "add", "rust-src"]).current_dir(root())) && has_std_sources()
}

/// Compiles the standard library as well, for size and without the messages of panics, which the page cannot
/// show. Compressed, the module is then 15 % smaller: 433 instead of 508 KB.
fn compile_std(command: &mut Command) {
    let small_panics = "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none";
    command
        .args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", format!("{small_panics} {SIMD}"));
}

/// Cargo from Debian's packages `rustc-web`, `cargo-web` and `rust-web-src`, for machines without the
/// WebAssembly target. The linker comes from a package `lld-N`.
fn debian_cargo(arguments: &[&str]) -> Command {
    let programs = fs::read_dir("/usr/bin").into_iter().flatten().flatten().map(|entry| entry.path());
    let linker = programs.filter(|path| path.to_string_lossy().contains("/wasm-ld-")).max();
    let mut command = Command::new("/usr/bin/cargo");
    command.args(arguments).current_dir(root());
    // Environment variables of the running cargo would select the wrong toolchain.
    for (name, _) in std::env::vars_os().filter(|(name, _)| {
        let name = name.to_string_lossy();
        name.starts_with("CARGO") || name.starts_with("RUST")
    }) {
        command.env_remove(name);
    }
    compile_std(&mut command);
    command.env("PATH", "/usr/bin:/bin");
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker.unwrap_or_else(|| "wasm-ld".into()));
    command
}

/// Runs npm in the folder of the page's sources.
pub fn npm(arguments: &[&str]) -> bool {
    succeeds(Command::new("npm").args(arguments).current_dir(root().join("studio")))
}

/// Installs exactly the packages of `package-lock.json`.
fn install_modules() -> bool {
    npm(&["ci", "--no-audit", "--no-fund"]) && fs::write(installed_lock(), lock_hash()).is_ok()
}

/// Installs the packages if the installed ones are those of another lock file.
pub fn update_modules() -> bool {
    fs::read_to_string(installed_lock()).is_ok_and(|hash| hash == lock_hash()) || install_modules()
}

/// Holds the hash of the lock file from which the packages were installed.
fn installed_lock() -> PathBuf {
    root().join("studio/node_modules/.surefoot-lock")
}

fn lock_hash() -> String {
    hash(vec![root().join("studio/package-lock.json")])
}

/// Whether the committed page was built from the present sources and not changed afterwards.
///
/// WebAssembly that is older than its crates is only reported: many changes there do not change its behaviour,
/// and the browser tests compare what it writes with what the command writes.
pub fn is_fresh() -> bool {
    let recorded = fs::read_to_string(root().join(PAGE).join("sources.txt")).unwrap_or_default();
    let mut is_fresh = true;
    for line in hashes().iter().filter(|line| !recorded.lines().any(|other| other == line.as_str())) {
        let name = line.split(' ').next().unwrap_or_default();
        if name == WASM_CRATE {
            println!("the studio's WebAssembly is older than its crates: `cargo xtask studio` rebuilds it");
        } else {
            eprintln!(
                "{name} differs from what {PAGE} was built with: `cargo xtask studio` rebuilds the page"
            );
            is_fresh = false;
        }
    }
    is_fresh
}

/// The lines of `sources.txt`: a name and a hash each.
pub fn hashes() -> Vec<String> {
    let page_sources = PAGE_SOURCES.iter().map(|name| root().join(name)).collect();
    let sources = [("studio", hash(page_sources)), (WASM_CRATE, hash(wasm_sources()))];
    let sources = sources.map(|(name, hash)| format!("{name} {hash}"));
    sources.into_iter().chain(built_hashes()).collect()
}

/// A name and a hash for each file of the built page.
pub fn built_hashes() -> Vec<String> {
    BUILT.map(|name| format!("{name} {}", hash(vec![root().join(PAGE).join(name)]))).to_vec()
}

/// The sources of the WebAssembly crate and of all crates of this workspace that it depends on.
fn wasm_sources() -> Vec<PathBuf> {
    let arguments = ["tree", "--package", WASM_CRATE, "--edges", "normal", "--prefix", "none"];
    let tree = cargo_command(&arguments).args(["--format", "{p}"]).output();
    let tree = tree.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    // Crates of the workspace are listed with their folder: `name version (folder)`.
    let folders = tree.lines().filter_map(|line| line.split_once(" (")?.1.split(')').next());
    let crates = folders.map(Path::new).filter(|folder| folder.starts_with(root()));
    let mut sources: Vec<PathBuf> = crates.map(|folder| folder.join("src")).collect();
    sources.push(root().join("Cargo.lock"));
    sources.sort();
    sources.dedup();
    sources
}

/// FNV-1a of the contents of files and folders, in the order of their paths. Line ends of text do not count,
/// because a checkout may change them.
fn hash(mut paths: Vec<PathBuf>) -> String {
    let mut files = Vec::new();
    while let Some(path) = paths.pop() {
        match fs::read_dir(&path) {
            Ok(entries) => paths.extend(entries.flatten().map(|entry| entry.path())),
            Err(_) => files.push(path),
        }
    }
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        let is_text = file.extension().is_none_or(|extension| extension != "wasm");
        let bytes = fs::read(&file).unwrap_or_default();
        for byte in bytes.into_iter().filter(|&byte| !(is_text && byte == b'\r')) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

/// The program that the browser tests need and this machine lacks, if they may be skipped for that.
///
/// They may not be skipped under `CI=true`, nor where `cargo xtask studio-test` can install what is missing.
pub fn lacks() -> Option<&'static str> {
    let must_run = std::env::var("CI").is_ok_and(|value| value == "true");
    if must_run { None } else { missing().filter(|_| !can_install()) }
}

/// The first program that the browser tests and the pictures need and this machine lacks.
pub fn missing() -> Option<&'static str> {
    let chromium = std::env::var_os("CHROMIUM").map_or_else(|| PathBuf::from(CHROMIUM), PathBuf::from);
    missing_for_build().or((!chromium.exists()).then_some("Chromium"))
}

/// The first program that the build of the page needs and this machine lacks.
pub fn missing_for_build() -> Option<&'static str> {
    let version = |program: &str| {
        let output = Command::new(program).arg("--version").output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    if !version("node").is_some_and(|text| is_new_enough(&text)) {
        return Some("Node 20.19 or newer");
    }
    version("npm").is_none().then_some("npm")
}

/// Whether a version such as `v20.20.2` is at least [`OLDEST_NODE`].
fn is_new_enough(version: &str) -> bool {
    let mut numbers = version.trim().trim_start_matches('v').split('.').map_while(|text| text.parse().ok());
    let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    version >= OLDEST_NODE
}

/// Whether Chromium is missing and can be installed.
fn can_install() -> bool {
    missing() == Some("Chromium") && is_debian_root()
}

/// Checks the format, rules and types of the page's sources and tests the page in a browser.
pub fn test() -> bool {
    if can_install() && !apt_install(&["chromium", "fonts-dejavu-core"]) {
        eprintln!("Chromium could not be installed");
    }
    if let Some(program) = missing() {
        eprintln!("the tests of the studio need {program}, which is not installed");
        return false;
    }
    // All checks run, so that one run shows all that has to be fixed.
    let checks = || CHECKS.map(|script| npm(&["run", script])).iter().all(|passed| *passed);
    update_modules()
        && checks()
        // With the profile of the other tests, which have compiled most of it.
        && cargo(&["build", "--package", "surefoot-cli", "--profile", "test"])
        && npm(&["test"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_versions_are_compared_by_number() {
        assert!(["v20.19.0", "v20.20.2\n", "v22.1.0"].iter().all(|version| is_new_enough(version)));
        assert!(["v18.20.4", "v20.9.0", "", "none"].iter().all(|version| !is_new_enough(version)));
    }

    #[test]
    fn the_webassembly_has_sources_in_this_workspace() {
        let sources = wasm_sources();
        assert!(sources.contains(&root().join("crates/surefoot-core/src")), "{sources:?}");
        assert!(sources.iter().all(|path| path.exists()), "{sources:?}");
    }

    #[test]
    fn every_built_file_has_a_hash() {
        let hashes = hashes();
        assert!(BUILT.iter().all(|name| hashes.iter().any(|line| line.starts_with(name))), "{hashes:?}");
    }
}
