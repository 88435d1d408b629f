//! Errors of reading a goals file or applying it to a motion.

use core::fmt;

use crate::json;

/// The position of a goal or limit in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GoalPosition {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// `goal` or `limit`.
    pub kind: &'static str,
    /// Its index in the list, from 0.
    pub number: usize,
}

impl fmt::Display for GoalPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {} {}", self.line, self.kind, self.number)
    }
}

/// Error of reading a goals file or applying it to a motion.
///
/// Lines count from 1; goals and frames from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GoalsError {
    /// The file is longer than a goals file may be.
    TooLong {
        /// The sentence that states both lengths.
        problem: String,
    },
    /// The text is not JSON.
    NotJson {
        /// The line.
        line: usize,
        /// The character on that line, from 1.
        column: usize,
        /// The message of the JSON parser.
        problem: String,
    },
    /// JSON of another kind or version.
    Version {
        /// The value of `surefoot`; `None` if it is missing.
        found: Option<String>,
    },
    /// A field that is missing or has a wrong value.
    Field {
        /// The goal or limit; `None` for a field of the file.
        at: Option<GoalPosition>,
        /// The name of the field.
        field: &'static str,
        /// Its value; `None` if it is missing.
        found: Option<String>,
        /// The values that are possible.
        expected: &'static str,
    },
    /// An element of the list that is not an object.
    NotAnObject {
        /// Its position.
        at: GoalPosition,
        /// Its value.
        found: String,
    },
    /// An unknown field whose name resembles a known one.
    MisspeltField {
        /// The goal or limit.
        at: GoalPosition,
        /// The name of the field.
        found: String,
        /// The known name.
        similar: &'static str,
    },
    /// A line of a CSV table that cannot be used.
    Table {
        /// The line.
        line: usize,
        /// What is there; empty for nothing.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// A goal at frames that its path does not cover.
    OutsidePath {
        /// The goal.
        at: GoalPosition,
        /// Its first and last frame.
        frames: (usize, usize),
        /// The first and last frame of the path.
        path: (f64, f64),
    },
    /// A goal that follows a file whose content was not added.
    NoPath {
        /// The goal.
        at: GoalPosition,
        /// The file.
        file: String,
    },
    /// More goals than can be solved.
    TooMany {
        /// The goal with which there are too many.
        at: GoalPosition,
        /// The largest number of goals, counted by frame.
        most: usize,
    },
    /// A goal without a position, a shift or an orientation.
    NoTarget {
        /// The goal.
        at: GoalPosition,
    },
    /// A goal with two fields that exclude each other.
    ConflictingFields {
        /// The goal.
        at: GoalPosition,
        /// One field.
        one: &'static str,
        /// The other field.
        other: &'static str,
    },
    /// A limit whose `min` is larger than its `max`.
    MinAboveMax {
        /// The limit.
        at: GoalPosition,
        /// The axis: `x`, `y` or `z`.
        axis: &'static str,
    },
    /// A joint that the motion does not have.
    UnknownJoint {
        /// The goal or limit.
        at: GoalPosition,
        /// The name in the file.
        found: String,
        /// Similar names that exist, most similar first.
        similar: Vec<String>,
        /// The other motion whose joint was named; `None` for the motion itself.
        motion: Option<String>,
    },
    /// A goal for the end of a bone at a joint without an end.
    NoBoneEnd {
        /// The goal.
        at: GoalPosition,
        /// The joint.
        joint: String,
    },
    /// A goal at a frame beyond the end of the motion.
    FrameOutOfRange {
        /// The goal.
        at: GoalPosition,
        /// Its frame.
        frame: usize,
        /// The number of frames.
        frames: usize,
    },
}

impl fmt::Display for GoalsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { problem } => f.write_str(problem),
            Self::NotJson { line, column, problem } => {
                write!(f, "line {line}, column {column}: not JSON: {problem}")
            }
            Self::Version { found: None } => {
                write!(f, "\"surefoot\" is missing, expected \"{}\": not a goals file", super::VERSION)
            }
            Self::Version { found: Some(found) } => {
                write!(f, "\"surefoot\" is {found}, expected \"{}\"", super::VERSION)
            }
            Self::Field { at, field, found, expected } => {
                json::write_field_error(f, at, field, found, expected)
            }
            Self::NotAnObject { at, found } => write!(f, "{at} is {found}, expected fields in braces"),
            Self::MisspeltField { at, found, similar } => {
                write!(f, "{at} has an unknown field \"{found}\", expected \"{similar}\"")
            }
            Self::Table { line, found, expected } => {
                let found = if found.is_empty() { "nothing" } else { found };
                write!(f, "line {line}: found {found}, expected {expected}")
            }
            Self::OutsidePath { at, frames: (first, last), path: (start, end) } => {
                write!(f, "{at} is at frames {first} to {last}, but its path covers {start} to {end}")
            }
            Self::NoPath { at, file } => write!(f, "{at} follows {file:?}, which was not loaded"),
            Self::TooMany { at, most } => {
                write!(f, "{at}: there are more than {most} goals, where each frame of a goal counts")
            }
            Self::NoTarget { at } => {
                write!(f, "{at} has no target, expected \"position\", \"shift\", \"path\" or \"orientation\"")
            }
            Self::ConflictingFields { at, one, other } => {
                write!(f, "{at} has both \"{one}\" and \"{other}\", expected one of them")
            }
            Self::MinAboveMax { at, axis } => {
                write!(f, "{at}: \"min\" is above \"max\" for {axis}, expected at most \"max\"")
            }
            Self::UnknownJoint { at, found, similar, motion } => {
                let motion = motion.as_deref().unwrap_or("the motion");
                write!(f, "{at} names the joint {found:?}, which {motion} does not have")?;
                if similar.is_empty() { Ok(()) } else { write!(f, "; similar: {}", similar.join(", ")) }
            }
            Self::NoBoneEnd { at, joint } => {
                write!(f, "{at} is for the end of {joint}, but the motion file has no End Site there")
            }
            Self::FrameOutOfRange { at, frame, frames } => {
                write!(f, "{at} is at frame {frame}, but {}", json::frame_numbers(*frames))
            }
        }
    }
}

impl core::error::Error for GoalsError {}
