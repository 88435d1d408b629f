//! Errors of reading a floor.

use core::fmt;

use surefoot_core::floor::SurfaceError;

/// Error of reading a floor. Lines count from 1.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FloorError {
    /// An unexpected word or number.
    Unexpected {
        /// The line.
        line: usize,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// The file ends too early.
    Truncated {
        /// The last line.
        line: usize,
        /// What was still expected.
        expected: String,
    },
    /// A grid point that the table lacks, or lists twice.
    GridPoint {
        /// The line of the second; `None` if the point is missing.
        line: Option<usize>,
        /// The point along the two ground axes, in the file's numbers.
        at: (f64, f64),
    },
    /// A table whose grid points are not evenly spaced.
    Uneven {
        /// The axis.
        axis: String,
        /// Two neighbours with another distance than the first two.
        between: (f64, f64),
        /// Distance of the first two.
        step: f64,
    },
    /// The heights or triangles do not form a surface.
    Surface(SurfaceError),
}

impl fmt::Display for FloorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected { line, found, expected } => {
                write!(f, "line {line}: found {found:?}, expected {expected}")
            }
            Self::Truncated { line, expected } => {
                write!(f, "line {line}: the file ends, expected {expected}")
            }
            Self::GridPoint { line: Some(line), at } => {
                write!(f, "line {line}: found the grid point {}, {} again, expected it once", at.0, at.1)
            }
            Self::GridPoint { line: None, at } => {
                write!(f, "the grid point {}, {} is missing, expected a line for every point", at.0, at.1)
            }
            Self::Uneven { axis, between, step } => write!(
                f,
                "the grid points along {axis} are not evenly spaced: found neighbours at {} and {}, \
                 expected a distance of {step} as between the first two",
                between.0, between.1
            ),
            Self::Surface(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for FloorError {}

impl From<SurfaceError> for FloorError {
    fn from(error: SurfaceError) -> Self {
        Self::Surface(error)
    }
}

/// The start of a word, for an error.
pub(super) fn shown(word: &[u8]) -> String {
    /// Characters shown.
    const MOST: usize = 40;
    let text: String = String::from_utf8_lossy(&word[..word.len().min(4 * MOST)]).into_owned();
    if text.chars().count() <= MOST { text } else { text.chars().take(MOST - 1).chain(['…']).collect() }
}
