//! Errors of reading a stream.

use core::fmt;

use surefoot_core::SkeletonError;

use super::VERSION;

/// The position of a record in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamPosition {
    /// The line, from 1; `None` in the binary encoding.
    pub line: Option<usize>,
    /// The first byte of the record, from 0.
    pub byte: u64,
    /// The frame that was expected; `None` for the header.
    pub frame: Option<usize>,
}

/// Error of reading a stream.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StreamError {
    /// Where the problem is.
    pub at: StreamPosition,
    /// What the problem is.
    pub problem: StreamProblem,
}

/// What is wrong with a stream. Lines and columns count from 1; frames, joints and bytes from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum StreamProblem {
    /// The input could not be read.
    Read(String),
    /// The input is empty.
    Empty,
    /// The input does not start like a stream.
    NotAStream {
        /// Its first bytes.
        found: String,
    },
    /// A stream of another version.
    Version {
        /// The version; `None` if it is missing.
        found: Option<String>,
    },
    /// Invalid JSON, or JSON of another structure.
    Json {
        /// The column in the line.
        column: usize,
        /// The message of the JSON parser.
        problem: String,
    },
    /// A field that is missing or has a wrong value.
    Field {
        /// The name of the field.
        field: &'static str,
        /// Its value; `None` if it is missing.
        found: Option<String>,
        /// The values that are possible.
        expected: &'static str,
    },
    /// The joints do not form a skeleton.
    Skeleton(SkeletonError),
    /// More joints than a stream may have.
    TooManyJoints {
        /// The number of joints.
        found: usize,
    },
    /// A leg with a joint that the skeleton does not have.
    UnknownJoint {
        /// The leg.
        side: String,
        /// The name of the joint.
        found: String,
        /// Similar names of the skeleton, most similar first.
        similar: Vec<String>,
    },
    /// Two legs with the same name.
    DuplicateSide {
        /// The name.
        side: String,
    },
    /// A record that is too long.
    TooLong {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The input ends inside a record.
    Truncated {
        /// The number of bytes of the record.
        found: usize,
        /// The number of bytes it should have; `None` for a line.
        expected: Option<usize>,
    },
    /// A frame with more or fewer rotations than the skeleton has joints.
    Rotations {
        /// The number of rotations.
        found: usize,
        /// The number of joints.
        expected: usize,
    },
    /// A rotation that is not a unit quaternion.
    Rotation {
        /// The joint.
        joint: usize,
        /// The length of the quaternion.
        length: f64,
    },
    /// A position that is not finite or out of range.
    Position {
        /// What is at the position: `root`, `joint 3`, `the spot of the left heel`.
        what: String,
        /// The position.
        found: [f64; 3],
    },
    /// An offset for a joint that the skeleton does not have.
    OffsetOfUnknownJoint {
        /// The number of the joint.
        found: f64,
        /// The number of joints.
        joints: usize,
    },
    /// A frame whose number does not follow that of the frame before.
    FrameNumber {
        /// The number of the frame.
        found: u64,
        /// The number expected.
        expected: usize,
    },
    /// A frame without the field `held`.
    NoHeld,
    /// A held foot that the layout does not have.
    UnknownFoot {
        /// The name of the foot.
        found: String,
        /// The feet of the layout.
        feet: Vec<String>,
    },
    /// A strength outside 0 to 1.
    Strength {
        /// The point.
        point: String,
        /// The strength.
        found: f64,
    },
    /// Undefined flags of a held point.
    UnknownFlags {
        /// The largest known value.
        most: u32,
        /// The flags.
        found: u32,
    },
    /// A binary record with an unknown tag.
    UnknownTag {
        /// The tag.
        found: String,
    },
    /// A binary frame of the wrong size.
    FrameSize {
        /// The stated size, in bytes.
        found: u32,
        /// The size that the joints and legs of the header take, in bytes.
        expected: usize,
    },
    /// A record after the end.
    AfterEnd,
    /// The end states another number of frames than were read.
    EndCount {
        /// The stated number.
        found: usize,
        /// The number of frames read.
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
            Self::Read(cause) => write!(f, "cannot read the input: {cause}"),
            Self::Empty => write!(f, "the input is empty, expected {HEADER}"),
            Self::NotAStream { found } => write!(f, "found {found:?}, expected {HEADER}"),
            Self::Version { found: None } => {
                write!(f, "\"surefoot\" is missing, expected \"{VERSION}\"")
            }
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
                write!(f, "found {found} joints, expected at most {}", super::MOST_JOINTS)
            }
            Self::UnknownJoint { side, found, similar } => unknown_joint(f, side, found, similar),
            Self::DuplicateSide { side } => {
                write!(f, "found a second leg called {side:?}, expected different sides")
            }
            Self::TooLong { limit } => write!(f, "the record is too long, expected at most {limit} bytes"),
            Self::Truncated { found, expected: None } => {
                write!(f, "the input ends inside this record, after {found} bytes")
            }
            Self::Truncated { found, expected: Some(expected) } => {
                write!(f, "the input ends inside this record, after {found} of {expected} bytes")
            }
            Self::Rotations { found, expected } => {
                write!(f, "found {found} rotations, expected {expected}, one per joint")
            }
            Self::Rotation { joint, length } => write!(
                f,
                "the rotation of joint {joint} has the length {length}, expected 1 (in the order x, y, z, w)"
            ),
            Self::Position { what, found: [x, y, z] } => {
                let farthest = super::check::FARTHEST;
                write!(f, "{what} is at [{x}, {y}, {z}], expected metres within {farthest:e}")
            }
            Self::OffsetOfUnknownJoint { found, joints } => {
                let last = joints.saturating_sub(1);
                write!(f, "found an offset of joint {found}, but the joints are 0 to {last}")
            }
            Self::FrameNumber { found, expected } => {
                write!(f, "the frame number is {found}, expected {expected}")
            }
            Self::NoHeld => {
                write!(f, "\"held\" is missing, expected the feet that are held, or {{}} for none")
            }
            Self::UnknownFoot { found, feet } => {
                write!(f, "found the foot {found:?} in \"held\", expected {}", feet.join(" or "))
            }
            Self::UnknownFlags { found, most } => {
                let or = if *most == 1 { "or" } else { "to" };
                write!(f, "a held point has the flags {found:#x}, expected 0 {or} {most}")
            }
            Self::Strength { point, found } => {
                write!(f, "{point} is held with a strength of {found}, expected 0 to 1")
            }
            Self::UnknownTag { found } => write!(f, "found the tag {found:?}, expected FRAM or END_"),
            Self::FrameSize { found, expected } => write!(
                f,
                "the stated size is {found} bytes, expected {expected} for the joints and legs of the header"
            ),
            Self::AfterEnd => write!(f, "found a record after the end, expected none"),
            Self::EndCount { found, expected } => {
                write!(f, "the end states {found} frames, but {expected} were read")
            }
        }
    }
}

/// The start of a stream, for errors.
const HEADER: &str = "a header: a line of JSON, or SUREFOOT in the binary encoding";

fn unknown_joint(f: &mut fmt::Formatter<'_>, side: &str, found: &str, similar: &[String]) -> fmt::Result {
    write!(f, "the {side} leg names the joint {found:?}, which the skeleton does not have")?;
    let similar: Vec<String> = similar.iter().map(|name| format!("{name:?}")).collect();
    if similar.is_empty() { Ok(()) } else { write!(f, "; similar: {}", similar.join(", ")) }
}

impl core::error::Error for StreamError {}

impl From<SkeletonError> for StreamProblem {
    fn from(error: SkeletonError) -> Self {
        Self::Skeleton(error)
    }
}
