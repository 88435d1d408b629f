//! Checks the links of every Markdown file: relative links, headings, images and mdBook includes.
//!
//! A link must lead to a file that exists, relative to the page that contains it. A link with `#heading` must
//! name a heading of that page. Pages of the book may link only to files below `book/src`, because nothing
//! else becomes part of the built book; every page must be in `SUMMARY.md`, and every picture on some page.
//! Links to other sites are not followed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::doc_paths;

/// The folder that becomes the book.
const BOOK: &str = "book/src/";

/// One line for each problem found.
pub fn problems(root: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    doc_paths::list_files(root, root, &mut paths);
    let checkout = Checkout { root, paths };
    let mut problems = Vec::new();
    let mut linked_in_book = BTreeSet::new();
    for page in checkout.paths.iter().filter(|path| path.ends_with(".md")) {
        for link in links(&checkout.text(page)) {
            match checkout.target(page, &link) {
                Ok(target) if page.starts_with(BOOK) => drop(linked_in_book.insert(target)),
                Ok(_) => {}
                Err(problem) => {
                    problems.push(format!("{page}:{}: links to `{}`, {problem}", link.line, link.to))
                }
            }
        }
    }
    problems.extend(checkout.missing_from_summary());
    let pictures = checkout.paths.iter().filter(|path| path.starts_with(BOOK) && is_picture(path));
    let unused = pictures.filter(|path| !linked_in_book.contains(*path));
    problems.extend(unused.map(|path| format!("{path}: is on no page of the book")));
    problems
}

/// The files of the checkout, from its root, with `/`; folders end in it.
struct Checkout<'a> {
    root: &'a Path,
    paths: Vec<String>,
}

impl Checkout<'_> {
    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_default()
    }

    /// The file that a link on a page leads to, or what is wrong with the link.
    fn target(&self, page: &str, link: &Link) -> Result<String, String> {
        let (to, heading) = link.to.split_once('#').unwrap_or((&link.to, ""));
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        let target =
            if to.is_empty() { page.to_owned() } else { doc_paths::normalized(&format!("{folder}/{to}")) };
        if !self.paths.iter().any(|path| path.trim_end_matches('/') == target) {
            return Err(format!("but {target} does not exist"));
        }
        if page.starts_with(BOOK) && !target.starts_with(BOOK) && !link.is_include {
            return Err(String::from("which is not part of the built book"));
        }
        if target.ends_with(".md") && !heading.is_empty() && !headings(&self.text(&target)).contains(heading)
        {
            return Err(format!("but {target} has no such heading"));
        }
        Ok(target)
    }

    /// Pages of the book that its table of contents leaves out.
    fn missing_from_summary(&self) -> Vec<String> {
        let summary = self.text("book/src/SUMMARY.md");
        let listed: BTreeSet<String> = links(&summary).into_iter().map(|link| link.to).collect();
        let pages = self.paths.iter().filter_map(|path| path.strip_prefix(BOOK));
        let pages = pages.filter(|page| page.ends_with(".md") && *page != "SUMMARY.md");
        let missing = pages.filter(|page| !listed.contains(*page));
        missing.map(|page| format!("book/src/SUMMARY.md: does not list {page}")).collect()
    }
}

fn is_picture(path: &str) -> bool {
    [".svg", ".png", ".jpg", ".gif", ".webp"].iter().any(|ending| path.ends_with(ending))
}

/// A relative link, an image or an include of a page.
struct Link {
    line: usize,
    /// As written: a path from the page's folder, and a heading after `#`.
    to: String,
    /// Whether mdBook copies the file's text into the page. Such a file may lie outside the book.
    is_include: bool,
}

/// Every relative link, image and include of a page. Code is read for includes only.
fn links(text: &str) -> Vec<Link> {
    let mut found = Vec::new();
    let mut is_code = false;
    for (index, line) in text.lines().enumerate() {
        let link = |is_include| move |to| Link { line: index + 1, to, is_include };
        found.extend(included(line).map(link(true)));
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            found.extend(links_in(line).into_iter().map(link(false)));
        }
    }
    found
}

/// The file of `{{#include FILE}}` or `{{#include FILE:anchor}}`.
fn included(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("{{#")?;
    let (_, file) = rest.split_once("include ")?;
    file.split(['}', ':']).next().map(str::to_owned)
}

/// Where the links and images of a line lead, if to a file of ours.
fn links_in(line: &str) -> Vec<String> {
    // Text between backticks is code.
    let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
    prose
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(to, _)| to.to_owned())
        .filter(|to| !to.is_empty() && !to.contains("://") && !to.starts_with("mailto:"))
        .collect()
}

/// The names by which links find the headings of a page, made as mdBook makes them.
fn headings(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code && line.starts_with('#') {
            let name = heading_name(line.trim_start_matches('#').trim());
            let again = (1..).map(|n| format!("{name}-{n}")).find(|again| !names.contains(again));
            let name = if names.contains(&name) { again.unwrap_or(name) } else { name };
            names.insert(name);
        }
    }
    names
}

/// Lower case, spaces as `-`, and nothing but letters, digits, `-` and `_`.
fn heading_name(heading: &str) -> String {
    let named = |letter: char| match letter {
        letter if letter.is_alphanumeric() || letter == '_' || letter == '-' => Some(letter),
        letter if letter.is_whitespace() => Some('-'),
        _ => None,
    };
    heading.to_lowercase().chars().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        links(text).into_iter().map(|link| link.to).collect()
    }

    #[test]
    fn links_images_and_includes_are_found_and_code_is_not() {
        let text = "[a](a.md#b) ![c](c.svg) `[no](no.md)` [far](https://example.org)\n\
                    ```rust\n{{#include ../x.rs:part}}\nlet [no](no.md);\n```\n[d](#d)\n";
        assert_eq!(found(text), ["a.md#b", "c.svg", "../x.rs", "#d"]);
    }

    #[test]
    fn headings_are_named_as_mdbook_names_them() {
        let text = "# One `two` (three)\n```sh\n# no heading\n```\n## Same\n## Same\n";
        let names: Vec<String> = headings(text).into_iter().collect();
        assert_eq!(names, ["one-two-three", "same", "same-1"]);
    }

    #[test]
    fn a_link_leads_to_a_file_and_a_heading_that_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let paths = vec!["README.md".into(), "book/src/a.md".into(), "book/src/sub/b.md".into()];
        let checkout = Checkout { root: &root, paths };
        let target = |page: &str, to: &str, is_include| {
            checkout.target(page, &Link { line: 1, to: to.to_owned(), is_include })
        };
        assert_eq!(target("book/src/sub/b.md", "../a.md", false).unwrap(), "book/src/a.md");
        assert!(target("book/src/a.md", "c.md", false).unwrap_err().contains("does not exist"));
        assert!(target("book/src/a.md", "../../README.md", false).unwrap_err().contains("not part"));
        assert_eq!(target("book/src/a.md", "../../README.md", true).unwrap(), "README.md");
        assert!(target("README.md", "#no-such-heading", false).unwrap_err().contains("no such heading"));
    }
}
