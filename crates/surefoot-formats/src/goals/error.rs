//! What can be wrong with a goals file, and where.

use core::fmt;

/// Which goal of a file, or which limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The line it begins on, from 1.
    pub line: usize,
    /// `goal` or `limit`.
    pub what: &'static str,
    /// Its number, from 0.
    pub number: usize,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {} {}", self.line, self.what, self.number)
    }
}

/// Why a goals file cannot be read, or does not fit its motion.
///
/// Lines count from 1; goals and frames from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GoalsError {
    /// The text is not JSON.
    NotJson {
        /// The line.
        line: usize,
        /// The character on that line, from 1.
        column: usize,
        /// What the JSON reader says of it.
        problem: String,
    },
    /// It is JSON, but no goals file, or one of another version.
    Version {
        /// What stands under `surefoot`; `None` where nothing does.
        found: Option<String>,
    },
    /// A field that is missing or holds the wrong sort of value.
    Field {
        /// The goal it belongs to; `None` for the file's own.
        at: Option<At>,
        /// The field.
        field: &'static str,
        /// What it holds; `None` where it is missing.
        found: Option<String>,
        /// What it should hold.
        expected: &'static str,
    },
    /// Something in the list that is no goal.
    NotAGoal {
        /// Its place.
        at: At,
        /// What stands there.
        found: String,
    },
    /// A field whose name is nearly one that is known.
    Misspelt {
        /// The goal.
        at: At,
        /// The name.
        found: String,
        /// The name that it is near to.
        meant: &'static str,
    },
    /// A goal without a position, a shift or an orientation.
    Nothing {
        /// The goal.
        at: At,
    },
    /// A goal with two fields that exclude each other.
    Both {
        /// The goal.
        at: At,
        /// The one.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
    /// A limit whose least is more than its most.
    MinAboveMax {
        /// The limit.
        at: At,
        /// The axis: `x`, `y` or `z`.
        axis: &'static str,
    },
    /// A joint that the motion does not have.
    UnknownJoint {
        /// The goal.
        at: At,
        /// What it says.
        found: String,
        /// Names that are near to it.
        near: Vec<String>,
        /// The other motion that it should be a joint of; `None` for the motion itself.
        motion: Option<String>,
    },
    /// The end of a bone that has none.
    NoEnd {
        /// The goal.
        at: At,
        /// The joint.
        joint: String,
    },
    /// A goal at a frame that the motion does not have.
    Outside {
        /// The goal.
        at: At,
        /// Its frame.
        frame: usize,
        /// How many there are.
        frames: usize,
    },
}

impl fmt::Display for GoalsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson { line, column, problem } => {
                write!(f, "line {line}, column {column}: not JSON: {problem}")
            }
            Self::Version { found: None } => {
                write!(f, "not a goals file: it does not say \"surefoot\": \"{}\"", super::VERSION)
            }
            Self::Version { found: Some(found) } => {
                write!(f, "\"surefoot\" is {found}, expected \"{}\"", super::VERSION)
            }
            Self::Field { at, field, found, expected } => {
                match at {
                    Some(at) => write!(f, "{at}: ")?,
                    None => write!(f, "the file: ")?,
                }
                match found {
                    Some(found) => write!(f, "\"{field}\" is {found}, expected {expected}"),
                    None => write!(f, "\"{field}\" is missing, expected {expected}"),
                }
            }
            Self::NotAGoal { at, found } => write!(f, "{at} is {found}, expected fields in braces"),
            Self::Misspelt { at, found, meant } => {
                write!(f, "{at} has a field \"{found}\", which is not known; is \"{meant}\" meant?")
            }
            Self::Nothing { at } => {
                write!(f, "{at} asks for nothing, expected \"position\", \"shift\" or \"orientation\"")
            }
            Self::Both { at, one, other } => {
                write!(f, "{at} has both \"{one}\" and \"{other}\", expected one of them")
            }
            Self::MinAboveMax { at, axis } => write!(f, "{at}: \"min\" is above \"max\" for {axis}"),
            Self::UnknownJoint { at, found, near, motion } => {
                let place = motion.as_deref().unwrap_or("the motion");
                write!(f, "{at} names the joint {found:?}, which {place} does not have")?;
                if near.is_empty() { Ok(()) } else { write!(f, "; near to it are {}", near.join(", ")) }
            }
            Self::NoEnd { at, joint } => {
                write!(f, "{at} is for the end of {joint}, but the file says of no end there")
            }
            Self::Outside { at, frame, frames } => {
                write!(f, "{at} is at frame {frame}, but ")?;
                match frames {
                    0 => write!(f, "there are no frames"),
                    1 => write!(f, "the only frame is 0"),
                    _ => write!(f, "the frames are 0 to {}", frames - 1),
                }
            }
        }
    }
}

impl core::error::Error for GoalsError {}
