//! Why a file is no floor.

use core::fmt;

use surefoot_core::floor::SurfaceError;

/// Why a file cannot be read as a floor. Lines count from 1.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FloorError {
    /// Something else than what must stand here.
    Expected {
        /// Where.
        line: usize,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// The file ends too early.
    Ends {
        /// Where.
        line: usize,
        /// What was still expected.
        expected: String,
    },
    /// A place of the grid that the table does not have, or has twice.
    Grid {
        /// The line of the second; none where one is missing.
        line: Option<usize>,
        /// The place along the two axes of the ground, in the file's numbers.
        at: (f64, f64),
    },
    /// A table whose places are not as far apart as others of it.
    Uneven {
        /// The axis.
        axis: String,
        /// Two neighbours that are not as far apart as the first two.
        between: (f64, f64),
        /// How far apart the first two are.
        step: f64,
    },
    /// Numbers that make no floor.
    Surface(SurfaceError),
}

impl fmt::Display for FloorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected { line, found, expected } => {
                write!(f, "line {line}: found {found:?}, expected {expected}")
            }
            Self::Ends { line, expected } => write!(f, "line {line}: the file ends, expected {expected}"),
            Self::Grid { line: Some(line), at } => {
                write!(f, "line {line}: the place {}, {} is there twice", at.0, at.1)
            }
            Self::Grid { line: None, at } => {
                write!(f, "the place {}, {} is missing: every row needs every column", at.0, at.1)
            }
            Self::Uneven { axis, between, step } => write!(
                f,
                "the places along {axis} are not evenly spaced: {} and {} are neighbours, but the first two \
                 are {step} apart",
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

/// A word of a file to show: as much of it as fits.
pub(super) fn shown(word: &[u8]) -> String {
    /// Letters of it.
    const MOST: usize = 40;
    let text: String = String::from_utf8_lossy(&word[..word.len().min(4 * MOST)]).into_owned();
    if text.chars().count() <= MOST { text } else { text.chars().take(MOST - 1).chain(['…']).collect() }
}
