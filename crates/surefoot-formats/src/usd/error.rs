//! Errors of reading a USD file, with the place in it.

use core::fmt;

/// Characters of a part of an error: prims of a damaged file can have paths of any length.
const LONGEST: usize = 300;

/// Error of reading a USD file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UsdError {
    /// Where: `walk.usda, line 12` or `/Root/Skel/Anim.rotations, time code 4`.
    pub at: String,
    /// What was found there.
    pub found: String,
    /// What was expected.
    pub expected: String,
}

impl UsdError {
    pub(super) fn new(at: impl fmt::Display, found: impl fmt::Display, expected: impl fmt::Display) -> Self {
        Self {
            at: cut(&at.to_string()),
            found: cut(&found.to_string()),
            expected: cut(&expected.to_string()),
        }
    }

    /// The same error in a layer of this name, or at another outer place.
    pub(super) fn within(mut self, place: &str) -> Self {
        self.at = format!("{}, {}", cut(place), self.at);
        self
    }
}

/// A text without what is beyond [`LONGEST`].
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

impl fmt::Display for UsdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: found {}, expected {}", self.at, self.found, self.expected)
    }
}

impl core::error::Error for UsdError {}
