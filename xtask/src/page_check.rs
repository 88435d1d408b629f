//! Builds the studio's page again from its sources and compares it with the committed one, byte for byte.
//!
//! WebAssembly cannot be reviewed by reading it, so this shows that the committed page is what its sources give. The build
//! is the same on every machine, because the compiler and the packages are pinned and the modules contain no paths.
//! WebAssembly that is older than its crates (see `studio::is_fresh`) is not compared, nor is the module with the reader
//! of FBX where another version of clang is installed, or none. A build that was compared is not repeated until sources
//! change.

use std::fs;
use std::path::Path;

use crate::run::{is_ci, root};
use crate::studio::{
    BUILT, FULL_MODULE, PAGE, WASM_CRATE, build_modules, build_scripts, has_std_sources, hashes,
    install_std_sources, update_modules,
};
use crate::{clang, studio, toolchain};

/// The folder of the second build.
const REBUILT: &str = "target/page";

/// Holds the hashes of the sources and of the page that were compared last.
const COMPARED: &str = "target/page/compared.txt";

/// Why the page cannot be built here as it was built for the repository, if so.
pub fn lacks() -> Option<String> {
    if let Some(program) = studio::missing_for_build() {
        return Some(format!("{program} is missing"));
    }
    if !has_std_sources() && !install_std_sources() {
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
    let has_clang = is_wasm_current && has_recorded_clang(&recorded);
    let is_compared = |name: &&str| match *name {
        FULL_MODULE => has_clang,
        name => is_wasm_current || !name.ends_with(".wasm"),
    };
    let compared: Vec<&str> = BUILT.into_iter().filter(is_compared).collect();
    let built = fs::create_dir_all(&rebuilt).is_ok()
        && update_modules()
        && build_scripts(&rebuilt)
        && build_modules(&rebuilt, &compared);
    if !built {
        return vec!["the page cannot be built".into()];
    }
    let differs = |name: &&&str| text(&rebuilt.join(name)) != text(&root.join(PAGE).join(name));
    let problems: Vec<String> = (compared.iter().filter(differs))
        .map(|name| format!("{PAGE}/{name} is not what its sources give: `cargo xtask studio` builds it"))
        .collect();
    if problems.is_empty() && compared.len() == BUILT.len() {
        // Only a shortcut for the next run.
        let _ = fs::write(root.join(COMPARED), present);
    }
    problems
}

/// Whether this machine has the version of clang that the page was built with. Continuous integration installs clang.
fn has_recorded_clang(recorded: &str) -> bool {
    if is_ci() {
        clang::is_installed();
    }
    let present = clang::version();
    let recorded = recorded.lines().find_map(|line| line.strip_prefix("clang "));
    let is_same = present.as_deref().is_some_and(|version| recorded == Some(version));
    if !is_same {
        println!(
            "{FULL_MODULE} is not compared: it was built with clang {}, and this machine has {}",
            recorded.unwrap_or("of an unknown version"),
            present.map_or_else(|| "none".into(), |version| format!("clang {version}"))
        );
    }
    is_same
}

/// The bytes of a file. Line ends of text do not count, because a checkout may change them.
fn text(path: &Path) -> Option<Vec<u8>> {
    let is_text = path.extension().is_none_or(|ending| ending != "wasm");
    let bytes = fs::read(path).ok()?;
    Some(bytes.into_iter().filter(|&byte| !(is_text && byte == b'\r')).collect())
}
