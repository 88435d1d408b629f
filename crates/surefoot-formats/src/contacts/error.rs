//! Errors of reading foot contact labels.

use core::fmt;

/// Error of reading foot contact labels. Lines count from 1, frames from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactsError {
    /// No column is called like `left_contact`.
    NoFeet {
        /// The columns of the table.
        found: String,
    },
    /// Two columns with the same name.
    DuplicateColumn {
        /// The name.
        name: String,
    },
    /// A row with too few or too many cells.
    RowLength {
        /// The line.
        line: usize,
        /// Its number of cells.
        found: usize,
        /// The number of columns.
        expected: usize,
    },
    /// A row whose `frame` is not its position in the table.
    Frame {
        /// The line.
        line: usize,
        /// The frame in the row.
        found: String,
        /// The position of the row.
        expected: usize,
    },
    /// A cell with an invalid value.
    Cell {
        /// The line.
        line: usize,
        /// The name of the column.
        column: String,
        /// The value.
        found: String,
        /// The values that are possible.
        expected: &'static str,
    },
    /// The table has another number of rows than the motion has frames.
    Frames {
        /// Rows of the table.
        found: usize,
        /// Frames of the motion.
        motion: usize,
    },
}

impl fmt::Display for ContactsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFeet { found } => {
                write!(f, "line 1: found the columns {found}, expected one such as left_contact")
            }
            Self::DuplicateColumn { name } => {
                write!(f, "line 1: found two columns {name}, expected one")
            }
            Self::RowLength { line, found, expected } => {
                write!(f, "line {line}: found {found} cells, expected {expected}, one per column")
            }
            Self::Frame { line, found, expected } => {
                write!(f, "line {line}: frame is {found:?}, expected {expected}: one row per frame, in order")
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
