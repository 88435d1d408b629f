//! Reads the few facts about the crates that the checks need from their `Cargo.toml` files.
//!
//! The manifests of this repository are regular, one `key = value` a line, so a full TOML parser is not needed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// One crate below `crates/`.
pub struct Manifest {
    /// The crate's name, which is also its folder's.
    pub name: String,
    text: String,
}

/// The manifests of all crates below `crates/`, in the order of their names.
pub fn read_all(root: &Path) -> Vec<Manifest> {
    let folders = fs::read_dir(root.join("crates")).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        folders.map(|folder| folder.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names.into_iter().filter_map(|name| read(root, name)).collect()
}

fn read(root: &Path, name: String) -> Option<Manifest> {
    let text = fs::read_to_string(root.join("crates").join(&name).join("Cargo.toml")).ok()?;
    Some(Manifest { name, text })
}

impl Manifest {
    /// Whether the crate can be published.
    pub fn is_published(&self) -> bool {
        !self.section("package").any(|line| line == "publish = false")
    }

    /// Whether `[package]` has this key, written in the manifest or inherited from the workspace.
    pub fn has(&self, key: &str) -> bool {
        self.section("package").any(|line| key_of(line) == key)
    }

    /// The crates of this repository that the crate depends on, optional ones included.
    pub fn dependencies(&self) -> BTreeSet<String> {
        let keys = self.section("dependencies").map(key_of);
        keys.filter(|key| key.starts_with("surefoot")).map(String::from).collect()
    }

    /// The lines of a section of the manifest.
    fn section(&self, name: &str) -> impl Iterator<Item = &str> {
        let header = format!("[{name}]");
        let mut lines = self.text.lines();
        lines.by_ref().find(|line| *line == header);
        lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.trim().is_empty())
    }
}

/// The key of a line, without `.workspace` or another subkey.
fn key_of(line: &str) -> &str {
    line.split(['.', ' ', '=']).next().unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
[package]
name = \"surefoot-edit\"
license.workspace = true

[dependencies]
surefoot-core.workspace = true
surefoot-solve = { path = \"../surefoot-solve\", optional = true }
serde = \"1\"

[dev-dependencies]
surefoot-sample.path = \"../surefoot-sample\"
";

    #[test]
    fn dependencies_are_those_of_users_and_not_those_of_tests() {
        let manifest = Manifest { name: "surefoot-edit".into(), text: TEXT.into() };
        let expected = ["surefoot-core", "surefoot-solve"].map(String::from);
        assert_eq!(manifest.dependencies(), expected.into());
    }

    #[test]
    fn inherited_keys_are_found() {
        let manifest = Manifest { name: "surefoot-edit".into(), text: TEXT.into() };
        assert!(manifest.has("license") && !manifest.has("description") && manifest.is_published());
    }
}
