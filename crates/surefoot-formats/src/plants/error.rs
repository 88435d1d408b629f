//! Errors of reading a plants file or applying it to a motion.

use core::fmt;

use crate::json;

/// The position of a plant in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlantPosition {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// Its index in the list, from 0.
    pub plant: usize,
}

impl fmt::Display for PlantPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: plant {}", self.line, self.plant)
    }
}

/// Error of reading a plants file or applying it to a motion.
///
/// Lines count from 1; plants and frames from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlantsError {
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
        /// The plant; `None` for a field of the file.
        at: Option<PlantPosition>,
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
        at: PlantPosition,
        /// Its value.
        found: String,
    },
    /// A point that is neither heel nor ball.
    UnknownPoint {
        /// The plant.
        at: PlantPosition,
        /// The point in the file.
        found: String,
    },
    /// A foot that the motion does not have.
    UnknownFoot {
        /// The plant.
        at: PlantPosition,
        /// The foot in the file.
        found: String,
        /// The feet of the motion.
        feet: Vec<String>,
    },
    /// A plant that ends before it begins.
    FirstAfterLast {
        /// The plant.
        at: PlantPosition,
        /// Its first frame.
        first: usize,
        /// Its last frame.
        last: usize,
    },
    /// A plant that ends after the motion.
    FrameOutOfRange {
        /// The plant.
        at: PlantPosition,
        /// Its last frame.
        last: usize,
        /// The number of frames.
        frames: usize,
    },
    /// Two plants of the same point with a frame in common.
    Overlap {
        /// The later of the two in the file.
        at: PlantPosition,
        /// The other.
        other: PlantPosition,
        /// Their foot.
        foot: String,
        /// Their point: `heel` or `ball`.
        point: &'static str,
        /// The first frame that both contain.
        frame: usize,
    },
    /// A confidence that is not from 0 to 1.
    Confidence {
        /// The plant.
        at: PlantPosition,
        /// The confidence.
        found: f64,
    },
    /// A file that is longer than that of a motion of this length can be.
    TooLong {
        /// The length of the file, in bytes.
        found: usize,
        /// The longest length, in bytes.
        most: usize,
    },
    /// An array of labels that cannot be used.
    Labels {
        /// The sentence that says why.
        problem: String,
    },
    /// The file is for a motion with another number of frames.
    Frames {
        /// The number of frames in the file.
        found: usize,
        /// The number of frames of the motion.
        motion: usize,
    },
    /// The file is for a motion with another frame rate.
    Fps {
        /// The rate in the file.
        found: f64,
        /// The rate of the motion.
        motion: f64,
    },
    /// A table without column names.
    NoHeader {
        /// The columns of a table for this motion.
        expected: Vec<String>,
    },
    /// An unknown column, or the second of the same name.
    Column {
        /// The name of the column.
        found: String,
        /// The columns of a table for this motion.
        expected: Vec<String>,
    },
    /// A table without one of the columns.
    MissingColumn {
        /// The name of the column.
        name: String,
    },
    /// A row of a table with too few or too many cells.
    RowLength {
        /// The line.
        line: usize,
        /// Its number of cells.
        found: usize,
        /// The number of columns.
        expected: usize,
    },
    /// A cell that is not a number, or out of range.
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
    /// A velocity of the ground that differs from that of the first row.
    GroundChanges {
        /// The line.
        line: usize,
        /// The name of the column.
        column: String,
        /// The velocity on this line, in metres per second.
        found: f64,
        /// The velocity of the first row.
        before: f64,
    },
}

impl fmt::Display for PlantsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson { line, column, problem } => {
                write!(f, "line {line}, column {column}: not JSON: {problem}")
            }
            Self::Version { found: None } => {
                write!(f, "\"surefoot\" is missing, expected \"{}\": not a plants file", super::VERSION)
            }
            Self::Version { found: Some(found) } => {
                write!(f, "\"surefoot\" is {found}, expected \"{}\"", super::VERSION)
            }
            Self::Field { at, field, found, expected } => {
                json::write_field_error(f, at, field, found, expected)
            }
            Self::NotAnObject { at, found } => write!(f, "{at} is {found}, expected fields in braces"),
            Self::UnknownPoint { at, found } => {
                write!(
                    f,
                    "{at} has the point {found:?}, expected heel, ball or toe of a foot, or palm of a hand"
                )
            }
            Self::UnknownFoot { at, found, feet } => {
                write!(f, "{at} has the foot {found:?}, expected {}", feet.join(" or "))
            }
            Self::FirstAfterLast { at, first, last } => {
                write!(f, "{at} begins at frame {first}, expected one up to its last frame, {last}")
            }
            Self::FrameOutOfRange { at, last, frames } => {
                write!(f, "{at} ends at frame {last}, but {}", json::frame_numbers(*frames))
            }
            Self::Overlap { at, other, foot, point, frame } => write!(
                f,
                "{at} and plant {} on line {} both hold the {foot} {point} at frame {frame}, \
                 expected plants of one point not to overlap",
                other.plant, other.line
            ),
            Self::Confidence { at, found } => {
                write!(f, "{at} has a confidence of {found}, expected 0 to 1")
            }
            Self::TooLong { found, most } => {
                let megabytes = |bytes: usize| bytes as f64 / 1e6;
                let (found, most) = (megabytes(*found), megabytes(*most));
                write!(
                    f,
                    "the file has {found:.1} MB, expected at most {most:.1} MB for a motion of this length"
                )
            }
            Self::Labels { problem } => f.write_str(problem),
            Self::Frames { found, motion } => {
                write!(f, "the plants are for {found} frames, but the motion has {motion}")
            }
            Self::Fps { found, motion } => {
                write!(f, "the plants are for {found} frames per second, but the motion has {motion}")
            }
            Self::NoHeader { expected } => {
                write!(f, "line 1: found no column names, expected {}", expected.join(","))
            }
            Self::Column { found, expected } => {
                write!(f, "line 1: found the column {found:?}, expected {}, each once", expected.join(","))
            }
            Self::MissingColumn { name } => write!(f, "line 1: the column {name} is missing"),
            Self::RowLength { line, found, expected } => {
                write!(f, "line {line}: found {found} cells, expected {expected}, one per column")
            }
            Self::Cell { line, column, found, expected } => {
                write!(f, "line {line}: {column} is {found:?}, expected {expected}")
            }
            Self::GroundChanges { line, column, found, before } => {
                write!(f, "line {line}: {column} is {found}, expected {before} as in the first row")
            }
        }
    }
}

impl core::error::Error for PlantsError {}
