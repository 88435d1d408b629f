//! Checks that the documentation names only paths that exist.
//!
//! Reads every Markdown file of the repository: its links, its `code spans` and its fenced blocks that have no
//! language or `text` (the trees). A word there is a path if it starts with one of [`FOLDERS`], ends in `.rs` or
//! `.md`, or, in a tree, ends in `/`. A path may be relative to the root, relative to the document, or the tail of
//! a longer path, as in a tree.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders at the root. A word that starts with one of them is a path, whether or not the folder exists.
const FOLDERS: &[&str] =
    &["crates", "xtask", "book", "fuzz", "benches", "bindings", "studio", ".ci", ".cargo"];

/// One line for each path in the documentation that does not exist, and for each crate that is missing in the tree
/// of ARCHITECTURE.md.
pub fn problems(root: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    list_files(root, root, &mut paths);
    let mut problems = Vec::new();
    for doc in paths.iter().filter(|path| path.ends_with(".md")) {
        let text = fs::read_to_string(root.join(doc)).unwrap_or_default();
        let folder = doc.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (line, name) in named_paths(&text) {
            if !exists(&paths, folder, &name) {
                problems.push(format!("{doc}:{line}: `{name}` does not exist"));
            }
        }
    }
    let architecture = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap_or_default();
    let crates = paths.iter().filter_map(|path| path.strip_prefix("crates/"));
    for name in crates.filter_map(|path| path.strip_suffix('/')) {
        if !name.contains('/') && !architecture.contains(&format!("{name}/")) {
            problems.push(format!("ARCHITECTURE.md: the tree has no crates/{name}"));
        }
    }
    problems
}

/// Appends every file and folder below `folder` as a path relative to `root`. Folders end in `/`.
pub fn list_files(root: &Path, folder: &Path, paths: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if matches!(name.as_ref(), ".git" | "target" | "node_modules" | "corpus" | "artifacts") {
            continue;
        }
        let Ok(from_root) = path.strip_prefix(root) else {
            continue;
        };
        let parts: Vec<_> = from_root.iter().map(|part| part.to_string_lossy()).collect();
        let shown = parts.join("/");
        if path.is_dir() {
            paths.push(shown + "/");
            list_files(root, &path, paths);
        } else {
            paths.push(shown);
        }
    }
}

fn exists(paths: &[String], folder: &str, name: &str) -> bool {
    let name = name.strip_prefix("./").unwrap_or(name);
    let tail = format!("/{name}");
    let folder_tail = format!("{}/", tail.trim_end_matches('/'));
    let from_folder = normalized(&format!("{folder}/{name}"));
    paths.iter().any(|path| {
        let rooted = format!("/{path}");
        rooted.ends_with(&tail) || rooted.ends_with(&folder_tail) || path.trim_end_matches('/') == from_folder
    })
}

/// The path with `.` and `..` resolved.
pub fn normalized(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// All paths in a document, with their line numbers.
fn named_paths(text: &str) -> Vec<(usize, String)> {
    let mut names = Vec::new();
    // Inside a fenced block: whether its paths count.
    let mut fence: Option<bool> = None;
    for (index, line) in text.lines().enumerate() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            fence = match fence {
                None => Some(matches!(language.trim(), "" | "text")),
                Some(_) => None,
            };
            continue;
        }
        let words: Vec<&str> = match fence {
            Some(true) => line.split_whitespace().filter(|word| is_path(word) || is_folder(word)).collect(),
            Some(false) => Vec::new(),
            None => spans(line).filter(|word| is_path(word)).chain(links(line)).collect(),
        };
        names.extend(words.into_iter().map(|word| (index + 1, word.to_owned())));
    }
    names
}

/// The texts between backticks.
fn spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The targets of links to files of this repository.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(to, _)| to.split('#').next().unwrap_or(to))
        .filter(|to| !to.is_empty() && !to.contains("://") && !to.starts_with("mailto:"))
}

fn is_path(word: &str) -> bool {
    let plain = !word.is_empty()
        && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-/".contains(letter));
    let first = word.split('/').next().unwrap_or(word);
    plain
        && ((word.contains('/') && FOLDERS.contains(&first))
            || word.ends_with(".rs")
            || word.ends_with(".md"))
}

fn is_folder(word: &str) -> bool {
    word.len() > 1
        && word.ends_with('/')
        && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-/".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        named_paths(text).into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn paths_are_found_in_links_spans_and_trees() {
        let text = "See [how](book/bvh.md#units), `crates/surefoot` and `walk.bvh`.\n\
                    ```text\ncrates/\n  surefoot-core/   what things are / and so on\n    pose.rs\n```\n\
                    ```sh\ncd crates/elsewhere\n```\n";
        assert_eq!(names(text), ["crates/surefoot", "book/bvh.md", "crates/", "surefoot-core/", "pose.rs"]);
    }

    #[test]
    fn a_path_may_be_the_tail_of_another_path() {
        let paths = ["crates/".into(), "crates/a/".into(), "crates/a/b.rs".into()];
        for path in ["crates/a", "crates/a/", "a/b.rs", "b.rs", "../crates/a/b.rs"] {
            assert!(exists(&paths, "docs", path), "{path}");
        }
        for path in ["crates/b.rs", "c.rs", "a/b"] {
            assert!(!exists(&paths, "docs", path), "{path}");
        }
    }
}
