//! Why a file could not be loaded, cleaned or written.

use core::fmt;
use std::path::PathBuf;

use surefoot_edit::PairError;
use surefoot_edit::root_convention::NoRootBone;
use surefoot_formats::WriteError;
use surefoot_formats::plants::PlantsError;
use surefoot_formats::source::ReadError;
use surefoot_measure::MeasureError;
use surefoot_solve::CleanError;

use super::contact_events::EventsError;
use super::motion_file::NoLegs;

/// Why a file could not be loaded, cleaned or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// The reason given by the operating system.
        error: std::io::Error,
    },
    /// The content of a motion file is wrong.
    Read {
        /// The file's name.
        name: String,
        /// The place and what was expected there.
        error: ReadError,
    },
    /// A plants file is wrong or does not fit the motion.
    Plants {
        /// The file's name.
        name: String,
        /// What is wrong.
        error: PlantsError,
    },
    /// The events of a C3D file cannot be used.
    Events {
        /// The file's name.
        name: String,
        /// What is wrong.
        error: EventsError,
    },
    /// No legs were found, so that nothing can be planted.
    NoLegs(NoLegs),
    /// The end of a motion cannot be made to meet its start.
    Loop(PairError),
    /// A motion without plants has no speed over the ground to remove.
    NoGroundSpeed,
    /// The rig has no root bone for the convention of a game engine.
    NoRootBone(NoRootBone),
    /// The clip cannot be cleaned.
    Clean(CleanError),
    /// The clean motion cannot be written in the format of its file.
    Write(WriteError),
    /// The written file cannot be read back.
    ReadBack(ReadError),
    /// The written file cannot be measured.
    Measure(MeasureError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Read { name, error } => write!(f, "{name}: {error}"),
            Self::Plants { name, error } => write!(f, "{name}: {error}"),
            Self::Events { name, error: EventsError::Fit(error) } => {
                write!(f, "{name} does not fit: {error}")
            }
            Self::Events { name, error } => write!(f, "{name}: {error}"),
            Self::NoLegs(error) => error.fmt(f),
            Self::Loop(error) => error.fmt(f),
            Self::NoGroundSpeed => {
                write!(f, "there are no plants, and so no speed over the ground to remove")
            }
            Self::NoRootBone(error) => error.fmt(f),
            Self::Clean(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::ReadBack(error) => write!(f, "the written file cannot be read back: {error}"),
            Self::Measure(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}
