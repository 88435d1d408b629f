//! `cargo xtask pictures` takes the screenshots of the studio for the book, and a check finds stale ones.
//!
//! A picture shows the page, its texts and the figures that the WebAssembly computes. So `sources.txt` beside the
//! pictures holds the hashes of the built page: after a rebuild that changed it, the pictures have to be taken again.

use std::fs;
use std::path::Path;

use crate::run::{cargo, root};
use crate::studio;

/// The folder of the pictures.
const PICTURES: &str = "book/src/pictures";

/// Takes all pictures with the committed page. A person has to look at each before it is committed.
pub fn take() -> bool {
    if let Some(program) = studio::missing() {
        eprintln!("the pictures need {program}, which is not installed");
        return false;
    }
    studio::update_modules()
        && cargo(&["build", "--package", "surefoot-cli"])
        && studio::npm(&["run", "pictures"])
        && fs::write(root().join(PICTURES).join("sources.txt"), lines(&studio::built_hashes())).is_ok()
}

/// One line if the pictures show another page than the committed one.
pub fn problems(root: &Path) -> Vec<String> {
    let recorded = fs::read_to_string(root.join(PICTURES).join("sources.txt")).unwrap_or_default();
    stale(&recorded, &studio::built_hashes())
}

fn stale(recorded: &str, built: &[String]) -> Vec<String> {
    let differing: Vec<&str> = built
        .iter()
        .filter(|line| !recorded.lines().any(|other| other == line.as_str()))
        .filter_map(|line| line.split(' ').next())
        .collect();
    let line = |names: &str| {
        format!(
            "{PICTURES}: taken with another {names}; `cargo xtask pictures` takes them again, look at each"
        )
    };
    if differing.is_empty() { Vec::new() } else { vec![line(&differing.join(", "))] }
}

fn lines(hashes: &[String]) -> String {
    hashes.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_another_page_are_stale() {
        let built = ["studio.js 1".to_owned(), "surefoot.wasm 2".to_owned()];
        assert!(stale(&lines(&built), &built).is_empty());
        for recorded in ["", "studio.js 0\nsurefoot.wasm 2\n"] {
            let problems = stale(recorded, &built);
            assert!(problems.len() == 1 && problems[0].contains("studio.js"), "{problems:?}");
        }
    }
}
