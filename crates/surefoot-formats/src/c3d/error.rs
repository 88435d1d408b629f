//! Errors of reading a C3D file.

use core::fmt;

/// Error of reading a C3D file. Positions are in bytes from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum C3dError {
    /// The file is shorter than a header.
    TooShort {
        /// The length of the file, in bytes.
        found: usize,
    },
    /// The second byte is not the one of a C3D file.
    WrongKey {
        /// The second byte.
        found: u8,
    },
    /// The header places the parameters beyond the end of the file.
    NoParameters {
        /// The first byte of the parameters according to the header.
        at: usize,
    },
    /// An unknown processor type.
    UnknownProcessor {
        /// Position of the processor type.
        at: usize,
        /// The byte.
        found: u8,
    },
    /// The file ends inside a parameter or a group.
    Truncated {
        /// First byte of the parameter.
        at: usize,
        /// Its name, as far as the file contains it.
        name: String,
        /// How many bytes are missing.
        missing: usize,
    },
    /// A parameter that overlaps the next one.
    Overlap {
        /// First byte of the parameter.
        at: usize,
        /// Its name.
        name: String,
        /// The stated distance to the next parameter, in bytes.
        found: u16,
    },
    /// An unknown parameter type.
    UnknownType {
        /// First byte of the parameter.
        at: usize,
        /// Its name.
        name: String,
        /// The type.
        found: i8,
    },
    /// A frame rate that is not above zero.
    FrameRate {
        /// The frame rate.
        found: f64,
    },
    /// The last frame is before the first.
    Frames {
        /// The first frame.
        first: u64,
        /// The last frame.
        last: u64,
    },
    /// An event whose time is not finite.
    EventTime {
        /// The number of the event, from 0.
        event: usize,
        /// Its label.
        label: String,
        /// Its time, in seconds.
        found: f64,
    },
}

impl fmt::Display for C3dError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { found } => {
                write!(f, "the file ends after {found} bytes, expected a header of 512")
            }
            Self::WrongKey { found } => {
                write!(f, "byte 1: found {found}, expected 80: this is not a C3D file")
            }
            Self::NoParameters { at } => {
                write!(f, "byte {at}: the file ends before its parameters, which the header places here")
            }
            Self::UnknownProcessor { at, found } => {
                write!(f, "byte {at}: found processor {found}, expected 84 (Intel), 85 (DEC) or 86 (SGI)")
            }
            Self::Truncated { at, name, missing } => {
                write!(f, "byte {at}: the file ends inside parameter {name:?}, expected {missing} more bytes")
            }
            Self::Overlap { at, name, found } => {
                write!(
                    f,
                    "byte {at}: parameter {name:?} places the next one {found} bytes ahead, \
                     expected a position after its own end"
                )
            }
            Self::UnknownType { at, name, found } => {
                write!(f, "byte {at}: parameter {name:?} has type {found}, expected -1, 1, 2 or 4")
            }
            Self::FrameRate { found } => {
                write!(f, "byte 20: the frame rate is {found}, expected a number above 0")
            }
            Self::Frames { first, last } => {
                write!(f, "byte 6: the first frame is {first}, expected one up to the last, {last}")
            }
            Self::EventTime { event, label, found } => {
                write!(f, "event {event} ({label:?}) is at {found} s, expected a finite time")
            }
        }
    }
}

impl core::error::Error for C3dError {}
