//! Errors of reading a glTF file, with the place in it.

use core::fmt;

/// Error of reading a glTF file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GltfError {
    /// Where: `animation 0 "Walk", node 4 "Hips", rotation, key 12`.
    pub at: String,
    /// What was found there.
    pub found: String,
    /// What was expected.
    pub expected: String,
}

impl GltfError {
    pub(super) fn new(at: impl fmt::Display, found: impl fmt::Display, expected: impl fmt::Display) -> Self {
        Self { at: at.to_string(), found: found.to_string(), expected: expected.to_string() }
    }
}

impl fmt::Display for GltfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: found {}, expected {}", self.at, self.found, self.expected)
    }
}

impl core::error::Error for GltfError {}

/// A name as part of a place: ` "Hips"`, or nothing for an object without a name.
pub(super) fn quoted(name: &Option<String>) -> String {
    name.as_ref().map_or_else(String::new, |name| format!(" {:?}", crate::json::shorten(name)))
}
