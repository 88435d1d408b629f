//! Builds the studio's page again from its sources and compares it with the committed one, byte for byte.
//!
//! The page runs in the browsers of users, and nobody reads its WebAssembly. The build is the same on every machine,
//! because the compiler and the packages are pinned and the modules contain no paths. WebAssembly that is older than its
//! crates (see `studio::is_fresh`) is not compared. A build that was compared is not repeated until sources change.

use std::fs;
use std::path::Path;

use crate::run::root;
use crate::studio::{
    BUILT, PAGE, WASM_CRATE, build_modules, build_scripts, has_std_sources, hashes, update_modules,
};
use crate::{studio, toolchain};

/// The folder of the second build.
const REBUILT: &str = "target/page";

/// Holds the hashes of the sources and of the page that were compared last.
const COMPARED: &str = "target/page/compared.txt";

/// Why the page cannot be built here as it was built for the repository, if so.
pub fn lacks() -> Option<String> {
    if let Some(program) = studio::missing_for_build() {
        return Some(format!("{program} is missing"));
    }
    if !has_std_sources() {
        return Some("the sources of the standard library are missing: rustup component add rust-src".into());
    }
    toolchain::other_compiler(&root())
        .map(|compiler| format!("it was built with another compiler than {compiler}"))
}

/// A line for each file of the page that a new build does not give.
pub fn problems(root: &Path) -> Vec<String> {
    let present = hashes().join("\n");
    if fs::read_to_string(root.join(COMPARED)).is_ok_and(|compared| compared == present) {
        println!("the page was compared before, and nothing has changed since");
        return Vec::new();
    }
    let rebuilt = root.join(REBUILT);
    let recorded = fs::read_to_string(root.join(PAGE).join("sources.txt")).unwrap_or_default();
    let is_wasm_current = present
        .lines()
        .filter(|line| line.starts_with(WASM_CRATE))
        .all(|line| recorded.lines().any(|own| own == line));
    if !is_wasm_current {
        println!(
            "the studio's WebAssembly is older than its crates, so only the scripts of the page are compared"
        );
    }
    let built = fs::create_dir_all(&rebuilt).is_ok()
        && update_modules()
        && build_scripts(&rebuilt)
        && (!is_wasm_current || build_modules(&rebuilt));
    if !built {
        return vec!["the page cannot be built".into()];
    }
    let is_compared = |name: &&&str| is_wasm_current || !name.ends_with(".wasm");
    let differs = |name: &&&str| text(&rebuilt.join(name)) != text(&root.join(PAGE).join(name));
    let problems: Vec<String> = (BUILT.iter().filter(is_compared).filter(differs))
        .map(|name| format!("{PAGE}/{name} is not what its sources give: `cargo xtask studio` builds it"))
        .collect();
    if problems.is_empty() && is_wasm_current {
        // Only a shortcut for the next run.
        let _ = fs::write(root.join(COMPARED), present);
    }
    problems
}

/// The bytes of a file. Line ends of text do not count, because a checkout may change them.
fn text(path: &Path) -> Option<Vec<u8>> {
    let is_text = path.extension().is_none_or(|ending| ending != "wasm");
    let bytes = fs::read(path).ok()?;
    Some(bytes.into_iter().filter(|&byte| !(is_text && byte == b'\r')).collect())
}
