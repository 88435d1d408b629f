//! What can be wrong with labels, and where.

use core::fmt;

/// Why labels cannot be read, or do not fit their motion. Lines count from 1, frames from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactsError {
    /// No column tells of a foot.
    NoFeet {
        /// The columns there are.
        found: String,
    },
    /// A column that is there twice.
    Twice {
        /// Its name.
        name: String,
    },
    /// A row with too few or too many cells.
    RowLength {
        /// The line.
        line: usize,
        /// Its cells.
        found: usize,
        /// The columns.
        expected: usize,
    },
    /// A row that names another frame than its own.
    Frame {
        /// The line.
        line: usize,
        /// What it names.
        found: String,
        /// Its own.
        expected: usize,
    },
    /// A cell that holds something else than it should.
    Cell {
        /// The line.
        line: usize,
        /// The column's name.
        column: String,
        /// What it holds.
        found: String,
        /// What it should hold.
        expected: &'static str,
    },
    /// The labels are for a motion of another length.
    Frames {
        /// Their rows.
        found: usize,
        /// The motion's frames.
        motion: usize,
    },
}

impl fmt::Display for ContactsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFeet { found } => {
                write!(f, "line 1: no column of a foot, such as left_contact, among {found}")
            }
            Self::Twice { name } => write!(f, "line 1: {name} is there twice"),
            Self::RowLength { line, found, expected } => {
                write!(f, "line {line}: {found} cells, but there are {expected} columns")
            }
            Self::Frame { line, found, expected } => {
                write!(f, "line {line}: frame is {found:?}, expected {expected}: one row a frame, in order")
            }
            Self::Cell { line, column, found, expected } => {
                write!(f, "line {line}: {column} is {found:?}, expected {expected}")
            }
            Self::Frames { found, motion } => {
                let frames = if *found == 1 { "frame" } else { "frames" };
                write!(f, "the labels are for {found} {frames}, but the motion has {motion}")
            }
        }
    }
}

impl core::error::Error for ContactsError {}
