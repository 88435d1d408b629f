//! What can be wrong with a plants file, and where.

use core::fmt;

/// Which plant of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// The line it begins on, from 1.
    pub line: usize,
    /// Its number, from 0.
    pub plant: usize,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: plant {}", self.line, self.plant)
    }
}

/// Why a plants file cannot be read, or does not fit its motion.
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
        /// What the JSON reader says of it.
        problem: String,
    },
    /// It is JSON, but no plants file, or one of another version.
    Version {
        /// What stands under `surefoot`; `None` where nothing does.
        found: Option<String>,
    },
    /// A field that is missing or holds the wrong sort of value.
    Field {
        /// The plant it belongs to; `None` for the file's own.
        at: Option<At>,
        /// The field.
        field: &'static str,
        /// What it holds; `None` where it is missing.
        found: Option<String>,
        /// What it should hold.
        expected: &'static str,
    },
    /// Something in the list that is no plant.
    NotAPlant {
        /// Its place.
        at: At,
        /// What stands there.
        found: String,
    },
    /// A point that is neither heel nor ball.
    UnknownPoint {
        /// The plant.
        at: At,
        /// What it says.
        found: String,
    },
    /// A foot that the motion does not have.
    UnknownFoot {
        /// The plant.
        at: At,
        /// What it says.
        found: String,
        /// The feet there are.
        feet: Vec<String>,
    },
    /// A plant that ends before it begins.
    FirstAfterLast {
        /// The plant.
        at: At,
        /// Its first frame.
        first: usize,
        /// Its last.
        last: usize,
    },
    /// A plant that goes on after the motion has ended.
    Outside {
        /// The plant.
        at: At,
        /// Its last frame.
        last: usize,
        /// How many frames there are.
        frames: usize,
    },
    /// Two plants that hold one point at once.
    Overlap {
        /// The later of the two.
        at: At,
        /// The other.
        other: At,
        /// Their foot.
        foot: String,
        /// Their point: `heel` or `ball`.
        point: &'static str,
        /// The first frame that both hold.
        frame: usize,
    },
    /// A confidence that is not from 0 to 1.
    Confidence {
        /// The plant.
        at: At,
        /// What it says.
        found: f64,
    },
    /// The file is for a motion of another length.
    Frames {
        /// The frames the file speaks of.
        found: usize,
        /// The motion's.
        motion: usize,
    },
    /// The file is for a motion of another frame rate.
    Fps {
        /// The rate the file speaks of.
        found: f64,
        /// The motion's.
        motion: f64,
    },
    /// A table without a line of names.
    NoHeader {
        /// The columns it should have.
        expected: Vec<String>,
    },
    /// A table with a column that is no point of a foot, or is there twice.
    Column {
        /// The column's name.
        found: String,
        /// The columns it should have.
        expected: Vec<String>,
    },
    /// A table without one of its columns.
    MissingColumn {
        /// Its name.
        name: String,
    },
    /// A row of a table with too few or too many cells.
    RowLength {
        /// The line.
        line: usize,
        /// Its cells.
        found: usize,
        /// The columns.
        expected: usize,
    },
    /// A cell that is not a number from 0 to 1.
    Cell {
        /// The line.
        line: usize,
        /// The column's name.
        column: String,
        /// What it holds.
        found: String,
    },
}

impl fmt::Display for PlantsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson { line, column, problem } => {
                write!(f, "line {line}, column {column}: not JSON: {problem}")
            }
            Self::Version { found: None } => {
                write!(f, "not a plants file: it does not say \"surefoot\": \"{}\"", super::VERSION)
            }
            Self::Version { found: Some(found) } => {
                write!(f, "\"surefoot\" is {found}, expected \"{}\"", super::VERSION)
            }
            Self::Field { at, field, found, expected } => field_problem(f, *at, field, found, expected),
            Self::NotAPlant { at, found } => write!(f, "{at} is {found}, expected fields in braces"),
            Self::UnknownPoint { at, found } => {
                write!(f, "{at} holds the point {found:?}, expected heel or ball")
            }
            Self::UnknownFoot { at, found, feet } => {
                write!(f, "{at} holds the foot {found:?}, but the feet are {}", feet.join(", "))
            }
            Self::FirstAfterLast { at, first, last } => {
                write!(f, "{at} begins at frame {first}, after its last frame, {last}")
            }
            Self::Outside { at, last, frames } => {
                write!(f, "{at} holds frame {last}, but {}", frames_there_are(*frames))
            }
            Self::Overlap { at, other, foot, point, frame } => write!(
                f,
                "{at} holds the {foot} {point} at frame {frame}, as plant {} on line {} does already",
                other.plant, other.line
            ),
            Self::Confidence { at, found } => {
                write!(f, "{at} has a confidence of {found}, expected 0 to 1")
            }
            Self::Frames { found, motion } => {
                write!(f, "the plants are for {found} frames, but the motion has {motion}")
            }
            Self::Fps { found, motion } => {
                write!(f, "the plants are for {found} frames per second, but the motion has {motion}")
            }
            Self::NoHeader { expected } => {
                write!(f, "line 1: no column names, expected {}", expected.join(","))
            }
            Self::Column { found, expected } => {
                write!(f, "line 1: column {found:?} is not expected here, the columns are ")?;
                write!(f, "{}, each once", expected.join(","))
            }
            Self::MissingColumn { name } => write!(f, "line 1: no column {name}"),
            Self::RowLength { line, found, expected } => {
                write!(f, "line {line}: {found} cells, but there are {expected} columns")
            }
            Self::Cell { line, column, found } => {
                write!(f, "line {line}: {column} is {found:?}, expected a number from 0 to 1")
            }
        }
    }
}

fn field_problem(
    f: &mut fmt::Formatter<'_>,
    at: Option<At>,
    field: &str,
    found: &Option<String>,
    expected: &str,
) -> fmt::Result {
    match at {
        Some(at) => write!(f, "{at}: ")?,
        None => write!(f, "the file: ")?,
    }
    match found {
        Some(found) => write!(f, "\"{field}\" is {found}, expected {expected}"),
        None => write!(f, "\"{field}\" is missing, expected {expected}"),
    }
}

fn frames_there_are(frames: usize) -> String {
    match frames {
        0 => "there are no frames".into(),
        1 => "the only frame is 0".into(),
        _ => format!("the frames are 0 to {}", frames - 1),
    }
}

impl core::error::Error for PlantsError {}
