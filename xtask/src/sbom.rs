//! `cargo xtask sbom` writes the software bill of materials: everything that the program is built from.
//!
//! The list has the format CycloneDX 1.5. It contains the packages that users compile, with their version, licence and
//! the checksum of the lock file, sorted and without a date, so that it changes only with the dependencies.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::run::{cargo_command, root};

/// The file, relative to the root of the repository.
const FILE: &str = "sbom.cdx.json";

/// Writes the list and returns whether that succeeded.
pub fn write() -> bool {
    match components(&root()).map(|components| fs::write(root().join(FILE), text(&components))) {
        Some(Ok(())) => true,
        _ => {
            eprintln!("{FILE}: cannot be written");
            false
        }
    }
}

/// A line if the list is not that of the lock file.
pub fn problems(root: &Path) -> Vec<String> {
    let written = fs::read_to_string(root.join(FILE)).unwrap_or_default();
    match components(root).map(|components| text(&components)) {
        Some(text) if text == written => Vec::new(),
        Some(_) => vec![format!("{FILE}: differs from the dependencies; run `cargo xtask sbom`")],
        None => vec!["cargo tree: lists no dependency".into()],
    }
}

/// A package that the program is built from.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Component {
    name: String,
    version: String,
    licence: String,
    /// The SHA-256 checksum of a package from crates.io.
    checksum: Option<String>,
}

fn components(root: &Path) -> Option<BTreeSet<Component>> {
    let arguments = ["tree", "--package", "surefoot-cli", "--edges", "normal,build", "--target", "all"];
    let output = cargo_command(&arguments).args(["--prefix", "none", "--format", "{p}|{l}"]).output().ok()?;
    let tree = String::from_utf8(output.stdout).ok().filter(|tree| !tree.is_empty())?;
    let lock = fs::read_to_string(root.join("Cargo.lock")).ok()?;
    let component = |line: &str| {
        let (package, licence) = line.trim_end_matches(" (*)").split_once('|')?;
        let mut words = package.split(' ');
        let (name, version) = (words.next()?.to_owned(), words.next()?.trim_start_matches('v').to_owned());
        let checksum = checksum(&lock, &name, &version);
        Some(Component { name, version, licence: licence.to_owned(), checksum })
    };
    tree.lines().map(component).collect()
}

/// The checksum of a package in a lock file.
fn checksum(lock: &str, name: &str, version: &str) -> Option<String> {
    let start = format!("\nname = \"{name}\"\nversion = \"{version}\"\n");
    let package = lock.split("[[package]]").find(|package| package.starts_with(&start))?;
    let line = package.lines().find_map(|line| line.strip_prefix("checksum = \""))?;
    Some(line.trim_end_matches('"').to_owned())
}

fn text(components: &BTreeSet<Component>) -> String {
    let list: Vec<String> = components.iter().map(component_text).collect();
    format!(
        "{{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n  \"components\": [\n{}\n  ]\n}}\n",
        list.join(",\n")
    )
}

fn component_text(Component { name, version, licence, checksum }: &Component) -> String {
    // Older packages separate alternatives with a slash.
    let licence = licence.replace('/', " OR ");
    let hashes = checksum.as_ref().map_or(String::new(), |checksum| {
        format!(", \"hashes\": [{{ \"alg\": \"SHA-256\", \"content\": \"{checksum}\" }}]")
    });
    format!(
        "    {{ \"type\": \"library\", \"name\": \"{name}\", \"version\": \"{version}\", \
         \"purl\": \"pkg:cargo/{name}@{version}\", \"licenses\": [{{ \"expression\": \"{licence}\" }}]{hashes} }}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_has_its_checksum_and_licence() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"x\"\nchecksum = \"12ab\"\n";
        assert_eq!(checksum(lock, "a", "1.0.0").as_deref(), Some("12ab"));
        assert_eq!(checksum(lock, "a", "2.0.0"), None);
        let [name, version, licence] = ["a", "1.0.0", "MIT/Apache-2.0"].map(String::from);
        let text = component_text(&Component { name, version, licence, checksum: Some("12ab".into()) });
        assert!(
            text.contains("\"expression\": \"MIT OR Apache-2.0\"") && text.contains("\"content\": \"12ab\"")
        );
    }
}
