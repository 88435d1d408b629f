//! Checks that every published crate has what a package needs.
//!
//! The manifests are checked for the metadata that a registry shows, the folders for a readme and both licence
//! texts, and `cargo package` for everything else: it must succeed without a warning. The packages are not
//! compiled again, which would take as long as all other checks together.

use std::path::Path;

use crate::manifests::{self, Manifest};
use crate::run::{capture, cargo_command};

/// Keys that every published crate's `[package]` has.
const KEYS: [&str; 8] = [
    "description",
    "version",
    "license",
    "rust-version",
    "readme",
    "documentation",
    "keywords",
    "categories",
];
/// Files that every published crate's folder has.
const FILES: [&str; 3] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// One line for each missing key or file, and the warnings and errors of `cargo package`.
pub fn problems(root: &Path) -> Vec<String> {
    let published = manifests::read_all(root).into_iter().filter(Manifest::is_published);
    let mut problems: Vec<String> = published.flat_map(|manifest| missing(root, &manifest)).collect();
    // `--allow-dirty`: a contributor tests before committing.
    let what = ["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"];
    let packaging = capture(&mut cargo_command(&what));
    if !packaging.succeeded || packaging.output.contains("warning:") {
        problems.push("cargo package: failed or warned, see above".into());
    }
    problems
}

fn missing(root: &Path, manifest: &Manifest) -> Vec<String> {
    let folder = format!("crates/{}", manifest.name);
    let keys = KEYS.iter().filter(|key| !manifest.has(key));
    let files = FILES.iter().filter(|file| !root.join(&folder).join(file).is_file());
    keys.map(|key| format!("{folder}/Cargo.toml: [package] has no `{key}`"))
        .chain(files.map(|file| format!("{folder}: has no {file}")))
        .collect()
}
