//! Errors of the library as exceptions: `FormatError` for content, `OSError` for files, `ValueError` for the rest.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use surefoot::Error;
use surefoot::formats::bvh::{BvhError, BvhProblem};
use surefoot::formats::source::ReadError;

/// The parts of a `FormatError`.
#[derive(Default)]
pub struct Found {
    pub line: Option<usize>,
    pub found: Option<String>,
    pub expected: Option<String>,
}

/// A `FormatError` with its parts.
pub fn format_error(message: &str, parts: &Found) -> PyErr {
    let made = Python::attach(|py| {
        let values = PyDict::new(py);
        values.set_item("line", parts.line)?;
        values.set_item("found", &parts.found)?;
        values.set_item("expected", &parts.expected)?;
        let class = py.import("surefoot._errors")?.getattr("FormatError")?;
        Ok(PyErr::from_value(class.call((message,), Some(&values))?))
    });
    made.unwrap_or_else(|error| error)
}

/// An error of the library as an exception.
pub fn from_error(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Io { path, error } => {
            std::io::Error::new(error.kind(), format!("{}: {error}", path.display())).into()
        }
        Error::Read { error: ReadError::Bvh(error), .. } => format_error(&message, &parts_of(&error)),
        Error::Read { error, .. } => {
            let line = error.position().map(|position| position.line);
            format_error(&message, &Found { line, ..Found::default() })
        }
        Error::NoLegs(error) => {
            let found = (!error.candidates.is_empty()).then(|| error.candidates.join("; "));
            let expected = Some("joints of a leg: hip, knee and ankle".into());
            format_error(&message, &Found { line: None, found, expected })
        }
        _ => format_error(&message, &Found::default()),
    }
}

fn parts_of(error: &BvhError) -> Found {
    let text = |text: &dyn ToString| Some(text.to_string());
    let (found, expected) = match &error.problem {
        BvhProblem::Unexpected { found, expected } => (Some(found.clone()), Some(expected.clone())),
        BvhProblem::NotANumber { found, .. } => (Some(found.clone()), text(&"a number")),
        BvhProblem::FrameLength { found, expected, .. }
        | BvhProblem::TruncatedFrame { found, expected, .. } => (text(found), text(expected)),
        BvhProblem::TruncatedHierarchy { open, .. } => (None, Some(format!("{open} more closing }}"))),
        BvhProblem::NoFrames { stated } => (text(&0), text(stated)),
        BvhProblem::Empty => (text(&""), text(&"HIERARCHY")),
        BvhProblem::Utf16 => (text(&"UTF-16"), text(&"UTF-8 or Latin-1")),
        _ => (None, None),
    };
    Found { line: Some(error.position.line), found, expected }
}

/// A `ValueError`.
pub fn value_error(message: impl ToString) -> PyErr {
    PyValueError::new_err(message.to_string())
}
