//! What can be wrong with a C3D file, and where.

use core::fmt;

/// A C3D file that cannot be read. Places are in bytes from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum C3dError {
    /// Not even a header.
    Short {
        /// The file's length.
        found: usize,
    },
    /// It does not begin as C3D files do.
    Key {
        /// The second byte.
        found: u8,
    },
    /// The parameters are said to be where the file has ended.
    NoParameters {
        /// Where they are said to begin.
        at: usize,
    },
    /// No computer that C3D files come from.
    Processor {
        /// Where it stands.
        at: usize,
        /// The byte.
        found: u8,
    },
    /// The file ends inside a parameter or a group.
    Cut {
        /// Where the parameter begins.
        at: usize,
        /// Its name, as far as it is there.
        name: String,
        /// How many bytes are missing.
        missing: usize,
    },
    /// A parameter that points back at itself.
    Next {
        /// Where the parameter begins.
        at: usize,
        /// Its name.
        name: String,
        /// How far on the next one is said to be.
        found: u16,
    },
    /// A parameter of no known type.
    Type {
        /// Where the parameter begins.
        at: usize,
        /// Its name.
        name: String,
        /// The type.
        found: i8,
    },
    /// No frame rate.
    Rate {
        /// What stands there.
        found: f64,
    },
    /// The last frame comes before the first.
    Frames {
        /// The first.
        first: u64,
        /// The last.
        last: u64,
    },
    /// An event at no time.
    Time {
        /// Which event, from 0.
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
            Self::Short { found } => {
                write!(f, "the file ends after {found} bytes, expected a header of 512")
            }
            Self::Key { found } => {
                write!(f, "byte 1: found {found}, expected 80: this is not a C3D file")
            }
            Self::NoParameters { at } => {
                write!(f, "byte {at}: the file has ended, expected its parameters here")
            }
            Self::Processor { at, found } => {
                write!(f, "byte {at}: found processor {found}, expected 84 (Intel), 85 (DEC) or 86 (SGI)")
            }
            Self::Cut { at, name, missing } => {
                write!(f, "byte {at}: the file ends inside parameter {name:?}, expected {missing} bytes more")
            }
            Self::Next { at, name, found } => {
                write!(
                    f,
                    "byte {at}: after parameter {name:?} the next is said to be {found} bytes on, \
                     expected a place behind it"
                )
            }
            Self::Type { at, name, found } => {
                write!(f, "byte {at}: parameter {name:?} has type {found}, expected -1, 1, 2 or 4")
            }
            Self::Rate { found } => write!(f, "byte 20: the frame rate is {found}, expected one above 0"),
            Self::Frames { first, last } => {
                write!(f, "byte 6: the first frame is {first} and the last {last}, expected them in order")
            }
            Self::Time { event, label, found } => {
                write!(f, "event {event}, {label:?}, is at {found} s, expected a time")
            }
        }
    }
}

impl core::error::Error for C3dError {}
