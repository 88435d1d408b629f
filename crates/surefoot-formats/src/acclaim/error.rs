//! Errors of reading an Acclaim pair, with the position in the text.

use core::fmt;

use crate::bvh::TextPosition;

/// Error of reading an Acclaim pair.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AcclaimError {
    /// The position in the motion file; `None` if the skeleton file is wrong or missing.
    pub position: Option<TextPosition>,
    /// What the problem is. That of the skeleton file starts with its line.
    pub problem: String,
}

impl AcclaimError {
    /// A problem at a byte of the motion file.
    pub(super) fn in_motion(text: &[u8], at: usize, problem: String) -> Self {
        Self { position: Some(TextPosition::of(text, at)), problem }
    }

    /// A problem at a byte of the skeleton file.
    pub(super) fn in_skeleton(text: &[u8], at: usize, problem: String) -> Self {
        let line = TextPosition::of(text, at).line;
        Self { position: None, problem: format!("the .asf file, line {line}: {problem}") }
    }
}

impl fmt::Display for AcclaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.position {
            Some(at) => write!(f, "line {}, column {}: {}", at.line, at.column, self.problem),
            None => f.write_str(&self.problem),
        }
    }
}

impl core::error::Error for AcclaimError {}
