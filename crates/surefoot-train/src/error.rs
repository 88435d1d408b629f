//! Why a model cannot be fitted.

use core::fmt;

/// Why a model cannot be fitted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FitError {
    /// Too few frames are labelled.
    TooFew {
        /// Number of labelled frames.
        found: usize,
        /// Number of frames that are needed.
        expected: usize,
    },
    /// All feet are down, or all are up.
    OneClass {
        /// Whether they are down.
        down: bool,
    },
    /// In no frame are both feet labelled.
    NoLabels,
    /// All frames have the same label.
    OneLabel {
        /// The label.
        label: &'static str,
        /// The labels that were to be distinguished.
        among: &'static str,
    },
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { found, expected } => {
                write!(f, "found {found} labelled frames, expected at least {expected}")
            }
            Self::OneClass { down } => {
                let state = if *down { "down" } else { "up" };
                write!(f, "every labelled foot is {state}, expected some feet down and some up")
            }
            Self::NoLabels => write!(f, "there is no frame in which both feet are labelled"),
            Self::OneLabel { label, among } => {
                write!(f, "every frame is labelled {label:?}, expected at least two of {among}")
            }
        }
    }
}

impl core::error::Error for FitError {}
