//! Errors of reading arrays.

use core::fmt;

use crate::zip::ZipError;

/// Why a file of arrays could not be read: the array, what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArraysError(pub(super) String);

impl ArraysError {
    /// The same problem, with the name of the array.
    pub(super) fn in_array(self, name: &str) -> Self {
        Self(format!("array {name:?}: {}", self.0))
    }
}

impl fmt::Display for ArraysError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<ZipError> for ArraysError {
    fn from(error: ZipError) -> Self {
        Self(error.0)
    }
}

impl core::error::Error for ArraysError {}
