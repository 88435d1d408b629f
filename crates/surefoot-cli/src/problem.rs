//! Problems, and how they are printed.
//!
//! A problem in a file is printed with the line that it is about. Names and text from files may contain
//! anything, so the renderer replaces control characters.

use std::io::IsTerminal;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use surefoot::TextPlace;

/// Why a command ended early.
#[derive(Debug)]
pub enum CommandError {
    /// The command failed.
    Problem(Problem),
    /// The reader of stdout closed it, as `head` does. This is not reported.
    PipeClosed,
    /// The output was written, but it misses limits that the user set: a line for each.
    LimitsMissed(Vec<String>),
}

impl From<Problem> for CommandError {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

/// A message about something that could not be done, with its place in a file and hints.
#[derive(Debug)]
pub struct Problem {
    what: String,
    place: Option<Box<TextPlace>>,
    help: Vec<String>,
}

impl Problem {
    /// A problem with this message, in lower case and without a full stop.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), place: None, help: Vec::new() }
    }

    /// A problem that the operating system reports about a file.
    pub fn with_file(path: &Path, doing: &str, error: &std::io::Error) -> Self {
        Self::new(format!("cannot {doing} {}: {}", path.display(), reason_text(error)))
    }

    /// A problem in a text file, from a message of the form `line 12: what is wrong`.
    pub fn in_text(file: &str, text: &str, message: &str) -> Self {
        match TextPlace::of_message(file, text, message) {
            Some((place, what)) => Self::new(what).at(place),
            None => Self::new(format!("{file}: {message}")),
        }
    }

    /// Adds a place in a file.
    pub fn at(mut self, place: TextPlace) -> Self {
        self.place = Some(Box::new(place));
        self
    }

    /// Adds a hint.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The message without its place and hints.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// The line of the file that the problem is about.
    pub fn line(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.line)
    }

    /// Prints the problem to stderr.
    pub fn print(&self) {
        stderr_line!("{}", self.rendered(&stderr_renderer()));
    }

    fn rendered(&self, renderer: &Renderer) -> String {
        let title = Level::ERROR.primary_title(self.what.as_str());
        let mut group = Group::with_title(title);
        if let Some(place) = &self.place {
            group = add_place(place, group);
        }
        for help in &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let rendered = renderer.render(&[group]);
        match &self.place {
            Some(place) => with_column(place, &rendered),
            None => rendered,
        }
    }
}

/// Adds a place in a text file to a message.
fn add_place<'a>(place: &'a TextPlace, group: Group<'a>) -> Group<'a> {
    if place.text.trim().is_empty() {
        let origin = Origin::path(place.file.as_str()).line(place.line);
        return group.element(origin.char_column(place.column));
    }
    let byte_of = |character: usize| {
        let mut letters = place.text.char_indices().map(|(byte, _)| byte);
        letters.nth(character).unwrap_or(place.text.len())
    };
    let marked = byte_of(place.text_column)..byte_of(place.text_column + place.length.max(1));
    let snippet = Snippet::source(place.text.as_str())
        .line_start(place.line)
        .path(place.file.as_str())
        .annotation(AnnotationKind::Primary.span(marked));
    group.element(snippet)
}

/// Corrects the column if the text is only a part of its line: the renderer counts within the text.
fn with_column(place: &TextPlace, rendered: &str) -> String {
    let shown = |column| format!("{}:{}:{column}", place.file, place.line);
    rendered.replacen(&shown(place.text_column + 1), &shown(place.column), 1)
}

/// The reason of an error of the operating system, without its number.
pub fn reason_text(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "it does not exist".into(),
        ErrorKind::PermissionDenied => "permission denied".into(),
        ErrorKind::StorageFull => "no space left".into(),
        ErrorKind::ReadOnlyFilesystem => "that place is read-only".into(),
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or(&text);
            let mut letters = text.chars();
            match letters.next() {
                Some(first) => first.to_lowercase().chain(letters).collect(),
                None => "unknown error".into(),
            }
        }
    }
}

/// Prints a warning to stderr.
pub fn warn(what: &str) {
    let group = Group::with_title(Level::WARNING.primary_title(what));
    stderr_line!("{}", stderr_renderer().render(&[group]));
}

fn stderr_renderer() -> Renderer {
    if std::io::stderr().is_terminal() && colour_is_wanted() { Renderer::styled() } else { Renderer::plain() }
}

/// Whether the environment allows colours: see <https://no-color.org>.
pub fn colour_is_wanted() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(problem: &Problem, expected: Expect) {
        expected.assert_eq(&problem.rendered(&Renderer::plain()));
    }

    fn place(column: usize, text: &str) -> TextPlace {
        TextPlace {
            file: "walk.bvh".into(),
            line: 812,
            column,
            text_column: (column - 1).min(20),
            text: text.into(),
            length: 3,
        }
    }

    #[test]
    fn a_problem_shows_the_line_it_is_about() {
        let problem = Problem::new("frame 40 has 95 numbers, but the joints need 96")
            .at(place(5, "0.1 0.2 0.3"))
            .help("is the file truncated?");
        check(
            &problem,
            expect![[r#"
                error: frame 40 has 95 numbers, but the joints need 96
                   --> walk.bvh:812:5
                    |
                812 | 0.1 0.2 0.3
                    |     ^^^
                    |
                    = help: is the file truncated?"#]],
        );
    }

    #[test]
    fn a_part_of_a_long_line_keeps_its_column() {
        let problem = Problem::new("not a number").at(place(400, "…0.100000 0.200000  x.3 0.400000…"));
        check(
            &problem,
            expect![[r#"
                error: not a number
                   --> walk.bvh:812:400
                    |
                812 | …0.100000 0.200000  x.3 0.400000…
                    |                     ^^^"#]],
        );
    }

    #[test]
    fn an_empty_line_has_a_place() {
        check(
            &Problem::new("the file ends too early").at(place(1, "")),
            expect![[r#"
                error: the file ends too early
                --> walk.bvh:812:1"#]],
        );
    }

    #[test]
    fn control_characters_are_replaced() {
        let problem = Problem::new("joint \x1b[2J is odd").at(place(1, "JOINT \x1b[2J"));
        assert!(!problem.rendered(&Renderer::plain()).contains('\x1b'));
    }
}
