//! Why a stream could not be set up, cleaned or converted.

use core::fmt;

use surefoot_formats::WriteError;
use surefoot_formats::stream::StreamError;
use surefoot_solve::{PoseError, SetupError};

use crate::printable;

/// Why the header of a stream is not enough to clean it.
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamSetupError {
    /// The header lacks a field.
    Missing {
        /// The field.
        field: &'static str,
        /// What it contains.
        expected: &'static str,
    },
    /// The header states joints, although the skeleton comes from a file.
    JointsGivenTwice,
    /// No legs were found in the skeleton.
    NoLegs {
        /// The chains of joints that came closest, best first.
        candidates: Vec<String>,
    },
    /// The settings look at whole plants, and the header does not state the length of the longest one.
    NoLongestPlant,
    /// The settings look so far ahead that this many joints would be kept.
    TooFarAhead {
        /// Joints times frames in the look-ahead window.
        joints: f64,
        /// The largest allowed number.
        limit: f64,
    },
    /// The cleaner cannot be set up.
    Solver(SetupError),
}

impl fmt::Display for StreamSetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { field, expected } => {
                write!(f, "header: \"{field}\" is missing, expected {expected}")
            }
            Self::JointsGivenTwice => {
                write!(f, "header: \"joints\" are given, but the skeleton comes from a file")
            }
            Self::NoLegs { .. } => write!(f, "header: no legs were found in the skeleton"),
            Self::NoLongestPlant => {
                write!(f, "header: \"longest_plant\" is missing, but these settings look at whole plants")
            }
            Self::TooFarAhead { joints, limit } => write!(
                f,
                "header: looking ahead with these settings keeps {joints:.0} joints in memory, \
                 expected no more than {limit:.0}"
            ),
            Self::Solver(error) => write!(f, "cannot clean this stream: {error}"),
        }
    }
}

impl std::error::Error for StreamSetupError {}

/// Why the cleaning of a stream ended early.
#[derive(Debug)]
#[non_exhaustive]
pub enum CleanStreamError {
    /// The stream cannot be set up. Nothing was written.
    Setup(StreamSetupError),
    /// The input is wrong. All frames before were cleaned and written, but no end record.
    Input(StreamError),
    /// The ground has moved too far since frame 0. All frames before were cleaned and written, but no end record.
    GroundTooFar {
        /// The number of the frame.
        frame: usize,
    },
    /// A pose cannot be cleaned. All frames before were cleaned and written, but no end record.
    Pose(PoseError),
    /// The output cannot be written.
    Output {
        /// The last frame that was written.
        last: Option<usize>,
        /// The reason given by the operating system.
        error: std::io::Error,
    },
}

impl fmt::Display for CleanStreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup(error) => error.fmt(f),
            Self::Input(error) => f.write_str(&printable(&error.to_string())),
            Self::GroundTooFar { frame } => {
                write!(
                    f,
                    "frame {frame}: the ground has moved by more than 1e9 metres since frame 0, expected less"
                )
            }
            Self::Pose(error) => error.fmt(f),
            Self::Output { last: None, error } => {
                write!(f, "cannot write before the first frame: {error}")
            }
            Self::Output { last: Some(frame), error } => {
                write!(f, "cannot write after frame {frame}: {error}")
            }
        }
    }
}

impl std::error::Error for CleanStreamError {}

/// Why a file could not be converted to a stream, or a stream to a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamFileError {
    /// The floor is not a plane, which is all that a header can state.
    Floor,
    /// The header is not enough.
    Setup(StreamSetupError),
    /// The stream is wrong.
    Read(StreamError),
    /// The header lacks this field.
    Missing(&'static str),
    /// There is no end record after this many frames.
    NoEnd(usize),
    /// The joints are not those of the file of this name.
    OtherJoints(String),
    /// The stream begins after the end of the file that it is written into.
    BeginsLate {
        /// The number of the first frame.
        first: usize,
        /// The number of frames of the file.
        frames: usize,
        /// The file's name.
        name: String,
    },
    /// The motion cannot be written as a BVH file.
    Write(WriteError),
}

impl fmt::Display for StreamFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Floor => write!(f, "the header of a stream can only state a plane as floor"),
            Self::Setup(error) => error.fmt(f),
            Self::Read(error) => f.write_str(&printable(&error.to_string())),
            Self::Missing(field) => write!(f, "header: \"{field}\" is missing"),
            Self::NoEnd(frames) => {
                write!(f, "there is no end record after {frames} frames: the stream may be cut off")
            }
            Self::OtherJoints(name) => write!(f, "its joints are not those of {}", printable(name)),
            Self::BeginsLate { first, frames, name } => {
                write!(f, "it begins at frame {first}, but {} has {frames} frames", printable(name))
            }
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StreamFileError {}
