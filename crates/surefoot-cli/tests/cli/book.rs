//! The transcripts and figures of the book match the output of the command.
//!
//! Every `console` block under `book/src` is a transcript: a line that begins with `$ ` is a command, the lines
//! after it are its output, stdout and stderr together. A page's commands run in order, in one temporary
//! folder. Three comments control the run:
//!
//! - `<!-- hidden: COMMAND -->` runs a command that the page does not show;
//! - `<!-- figure: NAME.svg -->` compares the file that a command wrote with `book/src/figures/NAME.svg`;
//! - `<!-- not run: REASON -->` before a block leaves that block as it is.
//!
//! `UPDATE_EXPECT=1 cargo test -p surefoot-cli the_book` (or `cargo xtask book --update`) rewrites the pages and
//! figures that differ.
//! Only samples that surefoot makes itself are used, so a checkout without captures runs all of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::blend_cases;
use super::knee_cost;
use super::test_folder::TestFolder;

/// The expected text of a page, and the figures that its commands drew.
struct RenderedPage {
    text: String,
    figures: Vec<(String, Vec<u8>)>,
}

#[test]
#[cfg(unix)]
fn the_book_shows_what_the_command_prints() {
    let pages = pages();
    assert!(pages.len() > 10, "book/src has {} pages", pages.len());
    let stale: Vec<String> = std::thread::scope(|scope| {
        let checks: Vec<_> = pages.iter().map(|page| scope.spawn(|| check(page))).collect();
        checks.into_iter().flat_map(|check| check.join().unwrap()).collect()
    });
    assert!(stale.is_empty(), "run `cargo xtask book --update`:\n{}", stale.join("\n"));
}

#[test]
fn the_figure_of_the_knee_change_is_up_to_date() {
    let stale = compare(&book().join("figures/knee-cost.svg"), knee_cost::svg().as_bytes());
    assert!(stale.is_none(), "run `cargo xtask book --update`: {stale:?}");
}

#[test]
fn the_figure_of_the_blend_cases_is_up_to_date() {
    let stale = compare(&book().join("figures/blend-cases.svg"), blend_cases::svg().as_bytes());
    assert!(stale.is_none(), "run `cargo xtask book --update`: {stale:?}");
}

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src")
}

/// Every Markdown file of the book.
fn pages() -> Vec<PathBuf> {
    let mut folders = vec![book()];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

/// The differences of a page and its figures from the output of the commands; empty if they were updated.
fn check(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).unwrap();
    let rendered = render(&text, page);
    let figures =
        rendered.figures.iter().map(|(name, bytes)| (book().join("figures").join(name), bytes.as_slice()));
    let files = figures.chain([(page.to_owned(), rendered.text.as_bytes())]);
    files.filter_map(|(path, expected)| compare(&path, expected)).collect()
}

/// Describes the first difference of a file from its expected content. With `UPDATE_EXPECT`, rewrites the file.
fn compare(path: &Path, expected: &[u8]) -> Option<String> {
    let found = std::fs::read(path).unwrap_or_default();
    if found == expected {
        return None;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, expected).unwrap();
        return None;
    }
    let (found, expected) = (String::from_utf8_lossy(&found), String::from_utf8_lossy(expected));
    let same = found.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
    let line =
        |text: &str| text.lines().nth(same).unwrap_or("(the end)").chars().take(160).collect::<String>();
    Some(format!(
        "{}:{}:\n  found    {}\n  expected {}",
        path.display(),
        same + 1,
        line(&found),
        line(&expected)
    ))
}

/// Runs the commands of a page and puts their output in place of the output on the page.
fn render(page: &str, path: &Path) -> RenderedPage {
    let folder = TestFolder::new();
    let mut rendered = RenderedPage { text: String::new(), figures: Vec::new() };
    let mut lines = page.lines();
    let mut is_run = true;
    while let Some(line) = lines.next() {
        rendered.text += line;
        rendered.text.push('\n');
        if let Some(command) = marker(line, "hidden") {
            let (output, code) = shell(&folder, command);
            assert_eq!(code, Some(0), "{}: {command}: {output}", path.display());
        } else if let Some(name) = marker(line, "figure") {
            let bytes = std::fs::read(folder.path(name));
            let bytes = bytes.unwrap_or_else(|error| panic!("{}: {name}: {error}", path.display()));
            rendered.figures.push((name.to_owned(), bytes));
        } else if marker(line, "not run").is_some() {
            is_run = false;
        } else if line == "```console" {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let block = if is_run { transcript(&folder, &block) } else { block.join("\n") + "\n" };
            rendered.text += &block;
            rendered.text += "```\n";
            is_run = true;
        }
    }
    rendered
}

/// The text of `<!-- word: text -->`.
fn marker<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.strip_prefix("<!-- ")?.strip_prefix(word)?.strip_prefix(": ")?.strip_suffix(" -->")
}

/// A block with the output of each of its commands.
fn transcript(folder: &TestFolder, block: &[&str]) -> String {
    let mut text = String::new();
    let mut lines = block.iter();
    while let Some(line) = lines.next() {
        let Some(first) = line.strip_prefix("$ ") else {
            continue;
        };
        let mut command = first.to_owned();
        text += line;
        text.push('\n');
        while command.ends_with('\\') {
            let next = lines.next().expect("a command continues after a backslash");
            command.push('\n');
            command += next;
            text += next;
            text.push('\n');
        }
        text += &shell(folder, &command).0;
    }
    text
}

/// The output of a shell command and its exit code.
///
/// In a pipeline stderr could arrive before or after stdout, so stderr comes last. Otherwise both are in the
/// order in which the command printed them.
fn shell(folder: &TestFolder, command: &str) -> (String, Option<i32>) {
    let redirection = if command.contains(" | ") { "" } else { "exec 2>&1\n" };
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("{redirection}{command}"))
        .current_dir(folder.path(""))
        .env("PATH", path_with_surefoot())
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    let text: String = printed.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    (if text.trim().is_empty() { String::new() } else { text }, output.status.code())
}

/// The search path with the folder of the built command first.
fn path_with_surefoot() -> OsString {
    let folder = Path::new(env!("CARGO_BIN_EXE_surefoot")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([folder.to_owned()].into_iter().chain(std::env::split_paths(&path))).unwrap()
}

#[test]
#[cfg(unix)]
fn a_transcript_is_its_commands_with_their_output() {
    let page = "text\n\n<!-- hidden: echo two > file -->\n```console\n$ cat file\nold\n$ echo a \\\n  b\n```\n\
                <!-- figure: file -->\n<!-- not run: a picture -->\n```console\n$ false\nkept\n```\n";
    let rendered = render(page, Path::new("page.md"));
    let expected = page.replace("$ cat file\nold\n", "$ cat file\ntwo\n").replace("  b\n", "  b\na b\n");
    assert_eq!(rendered.text, expected);
    assert_eq!(rendered.figures, [("file".to_owned(), b"two\n".to_vec())]);
}
