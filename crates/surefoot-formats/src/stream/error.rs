//! What can be wrong with a stream, and where.

use core::fmt;

use surefoot_core::SkeletonError;

use super::VERSION;

/// Where in a stream: the record, by line or byte, and the frame it holds or should hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// The line, from 1; `None` in the binary form.
    pub line: Option<usize>,
    /// The first byte of the record, from 0.
    pub byte: u64,
    /// The frame; `None` for the header.
    pub frame: Option<usize>,
}

/// Why a stream cannot be read on.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamError {
    /// Where.
    pub at: At,
    /// What.
    pub problem: StreamProblem,
}

/// What is wrong. Lines and columns count from 1; frames, joints and bytes from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StreamProblem {
    /// The system could not read on.
    Read(String),
    /// No byte came at all.
    Empty,
    /// It begins like no stream.
    NotAStream {
        /// How it begins.
        found: String,
    },
    /// A stream, but of no version or another.
    Version {
        /// What it says; `None` where it says nothing.
        found: Option<String>,
    },
    /// Not JSON, or not the JSON that was expected.
    Json {
        /// Where on the line.
        column: usize,
        /// What the JSON reader says.
        problem: String,
    },
    /// A value that is missing or cannot be meant.
    Field {
        /// The field.
        field: &'static str,
        /// What it holds; `None` where it is missing.
        found: Option<String>,
        /// What it should hold.
        expected: &'static str,
    },
    /// The joints make no skeleton.
    Skeleton(SkeletonError),
    /// More joints than a stream may have.
    TooManyJoints {
        /// How many it has.
        found: usize,
    },
    /// A leg names a joint that is not there.
    NoSuchJoint {
        /// The leg.
        side: String,
        /// The name it gives.
        found: String,
        /// Names like it.
        near: Vec<String>,
    },
    /// Two legs have one name.
    SameSide {
        /// The name.
        side: String,
    },
    /// A record is longer than it may be.
    TooLong {
        /// The most bytes it may have.
        limit: usize,
    },
    /// The input ends in the midst of a record.
    Cut {
        /// How many bytes of it came.
        found: usize,
        /// How many it should have; `None` in a line.
        expected: Option<usize>,
    },
    /// A frame has more or fewer rotations than the skeleton has joints.
    Rotations {
        /// How many it has.
        found: usize,
        /// How many there are joints.
        expected: usize,
    },
    /// A joint is turned by a quaternion that is no rotation.
    Turn {
        /// The joint.
        joint: usize,
        /// Its length, which is not 1.
        length: f64,
    },
    /// A place that is not a finite number of metres, or is beyond all size.
    Place {
        /// Of what: `root`, `joint 3`, `the spot of the left heel`.
        of: String,
        /// What was found.
        found: [f64; 3],
    },
    /// An offset of a joint that is not there.
    OffsetOf {
        /// The number given.
        found: f64,
        /// How many joints there are.
        joints: usize,
    },
    /// A frame out of its order.
    Number {
        /// The number it has.
        found: u64,
        /// The number it should have.
        expected: usize,
    },
    /// A frame does not say who is held.
    NoHeld,
    /// Held is a foot that is not there.
    UnknownFoot {
        /// The foot named.
        found: String,
        /// The feet there are.
        feet: Vec<String>,
    },
    /// A flag of a held point that has no meaning yet.
    Flags {
        /// What was found.
        found: u32,
    },
    /// A record of a kind that is not known.
    Tag {
        /// Its first four bytes.
        found: String,
    },
    /// A frame of another size.
    Size {
        /// The size it states.
        found: u32,
        /// What the joints and legs of the header need.
        expected: usize,
    },
    /// Something comes after the end.
    AfterEnd,
    /// The end speaks of another number of frames.
    EndCount {
        /// What it says.
        found: usize,
        /// How many there were.
        expected: usize,
    },
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at.line {
            Some(line) => write!(f, "line {line}: ")?,
            None => write!(f, "byte {}: ", self.at.byte)?,
        }
        match self.at.frame {
            Some(frame) => write!(f, "frame {frame}: {}", self.problem),
            None => write!(f, "header: {}", self.problem),
        }
    }
}

impl fmt::Display for StreamProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(why) => write!(f, "cannot read on: {why}"),
            Self::Empty => write!(f, "nothing came, expected {EXPECTED}"),
            Self::NotAStream { found } => write!(f, "begins with {found:?}, expected {EXPECTED}"),
            Self::Version { found: None } => write!(f, "does not say \"surefoot\": \"{VERSION}\""),
            Self::Version { found: Some(found) } => {
                write!(f, "\"surefoot\" is {found}, expected \"{VERSION}\"")
            }
            Self::Json { column, problem } => write!(f, "column {column}: {problem}"),
            Self::Field { field, found: Some(found), expected } => {
                write!(f, "\"{field}\" is {found}, expected {expected}")
            }
            Self::Field { field, found: None, expected } => {
                write!(f, "\"{field}\" is missing, expected {expected}")
            }
            Self::Skeleton(error) => error.fmt(f),
            Self::TooManyJoints { found } => {
                write!(f, "{found} joints, expected no more than {}", super::MOST_JOINTS)
            }
            Self::NoSuchJoint { side, found, near } => no_such_joint(f, side, found, near),
            Self::SameSide { side } => write!(f, "a second leg is called {side:?}"),
            Self::TooLong { limit } => write!(f, "longer than {limit} bytes, which is more than it may be"),
            Self::Cut { found, expected: None } => {
                write!(f, "the input ends in the midst of it, after {found} bytes")
            }
            Self::Cut { found, expected: Some(expected) } => {
                write!(f, "the input ends in the midst of it, after {found} of {expected} bytes")
            }
            Self::Rotations { found, expected } => {
                write!(f, "{found} rotations, but the skeleton has {expected} joints")
            }
            Self::Turn { joint, length } => write!(
                f,
                "joint {joint} is turned by a quaternion of length {length}, expected 1 (its order is x, y, z, w)"
            ),
            Self::Place { of, found: [x, y, z] } => {
                write!(f, "{of} is at [{x}, {y}, {z}], expected metres within {:e}", super::check::FARTHEST)
            }
            Self::OffsetOf { found, joints } => {
                write!(f, "an offset of joint {found}, but the joints are 0 to {}", joints.saturating_sub(1))
            }
            Self::Number { found, expected } => write!(f, "its number is {found}, expected {expected}"),
            Self::NoHeld => write!(
                f,
                "does not say who is held, expected \"held\" with the feet that are, or {{}} where none is; \
                 `surefoot stream --detect` finds it out"
            ),
            Self::UnknownFoot { found, feet } => {
                write!(f, "held is the foot {found:?}, but the feet are {}", feet.join(", "))
            }
            Self::Flags { found } => write!(f, "a held point has the flags {found:#x}, expected 0 or 1"),
            Self::Tag { found } => write!(f, "begins with {found:?}, expected FRAM or END_"),
            Self::Size { found, expected } => {
                write!(f, "states a size of {found} bytes, but the header's joints and legs need {expected}")
            }
            Self::AfterEnd => write!(f, "comes after the end"),
            Self::EndCount { found, expected } => {
                write!(f, "the end speaks of {found} frames, but there were {expected}")
            }
        }
    }
}

const EXPECTED: &str = "a header: a line of JSON, or the binary form's SUREFOOT";

fn no_such_joint(f: &mut fmt::Formatter<'_>, side: &str, found: &str, near: &[String]) -> fmt::Result {
    write!(f, "the {side} leg names a joint {found:?}, which the skeleton does not have")?;
    let near: Vec<String> = near.iter().map(|name| format!("{name:?}")).collect();
    if near.is_empty() { Ok(()) } else { write!(f, "; is it {}?", near.join(" or ")) }
}

impl core::error::Error for StreamError {}

impl From<SkeletonError> for StreamProblem {
    fn from(error: SkeletonError) -> Self {
        Self::Skeleton(error)
    }
}

/// How much of something wrong an error shows, in characters.
const SHOWN: usize = 40;

/// Its first characters.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
