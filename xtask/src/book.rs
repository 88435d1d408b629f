//! `cargo xtask book`: builds the book under `book/` into `target/book`, after checking its links.
//!
//! `cargo xtask book --update` first rewrites the transcripts and figures that the command generates. The test
//! `crates/surefoot-cli/tests/cli/book.rs` compares them, so a stale page fails `cargo xtask test`.

use std::path::PathBuf;
use std::process::Command;

use crate::run::{cargo, cargo_command, root, succeeds};
use crate::{doc_paths, links};

/// The version of mdBook that the book is written for. Another major version may change heading names and themes.
const MDBOOK_VERSION: &str = "0.5.4";

/// Checks links and named paths, and builds the book.
pub fn build() -> bool {
    has_good_links()
        && names_existing_paths()
        && install_mdbook()
        && succeeds(Command::new(mdbook()).arg("build").arg(root().join("book")))
}

/// Rewrites transcripts and figures, then builds the book.
pub fn update() -> bool {
    let mut tests = cargo_command(&["test", "--quiet", "--package", "surefoot-cli", "the_book"]);
    succeeds(tests.env("UPDATE_EXPECT", "1")) && build()
}

/// Whether every link of every Markdown file leads somewhere; prints those that do not.
pub fn has_good_links() -> bool {
    report(links::problems(&root()))
}

/// Whether the pages of the book name only files and folders that exist; prints those that do not.
fn names_existing_paths() -> bool {
    let missing = doc_paths::problems(&root());
    report(missing.into_iter().filter(|problem| problem.starts_with("book/")).collect())
}

/// Prints problems; true if there are none.
fn report(problems: Vec<String>) -> bool {
    for problem in &problems {
        eprintln!("{problem}");
    }
    problems.is_empty()
}

/// Where mdBook is installed: in the checkout, so that nothing else on the machine changes.
fn tools() -> PathBuf {
    root().join("target/tools")
}

fn mdbook() -> PathBuf {
    tools().join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX))
}

/// Installs mdBook where it is missing or of another version. Takes a few minutes, once.
fn install_mdbook() -> bool {
    let version = Command::new(mdbook()).arg("--version").output();
    if version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(MDBOOK_VERSION)) {
        return true;
    }
    println!("installing mdBook {MDBOOK_VERSION} into target/tools");
    let (tools, build) = (tools(), tools().join("build"));
    let [tools, build] = [&tools, &build].map(|path| path.to_string_lossy());
    let what = ["install", "mdbook", "--version", MDBOOK_VERSION, "--locked", "--force"];
    let how = ["--no-default-features", "--features", "search", "--root", &tools, "--target-dir", &build];
    cargo(&[&what[..], &how[..]].concat())
}
