//! Why a clip cannot be cleaned.

use core::fmt;

use crate::stream::frame_windows::{LONGEST_WINDOW, MOST_FPS};
use crate::validation::PoseError;

/// Why a clip cannot be cleaned.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SetupError {
    /// The frame rate is not above 0 and at most 10,000 frames per second.
    FrameRate(f64),
    /// The setting of this name is negative or NaN.
    InvalidSetting(&'static str, f64),
    /// The window of this name is not from 0 to 10 seconds long.
    InvalidWindow(&'static str, f64),
    /// The normal of the floor is not of unit length, or its offset is not finite.
    InvalidFloor,
    /// A pose is rejected.
    Pose(PoseError),
    /// Hip, knee and ankle of a leg are not ancestors of one another.
    NotALeg {
        /// Name of the leg.
        side: String,
    },
    /// A foot point is neither on the ankle nor on a joint below it.
    PointNotOnFoot {
        /// Name of the leg.
        side: String,
        /// `heel`, `ball` or `toe`.
        point: &'static str,
    },
    /// A leg has no shape, or one whose directions are not of unit length.
    InvalidLegShape {
        /// Name of the leg.
        side: String,
    },
    /// Thigh or shin of a leg has no length.
    ZeroLengthBone {
        /// Name of the leg.
        side: String,
    },
    /// The legs are below different roots.
    SeveralRoots,
    /// A stream by [`Method::Support`](crate::Method::Support) in its published form, which needs the whole motion.
    WholeMotion,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FrameRate(fps) => {
                write!(f, "{fps} frames per second, expected more than 0 and up to {MOST_FPS}")
            }
            Self::InvalidSetting(name, value) => write!(f, "{name} is {value}, expected a number from 0 up"),
            Self::InvalidWindow(name, value) => {
                write!(f, "{name} is {value} seconds, expected 0 to {LONGEST_WINDOW}")
            }
            Self::InvalidFloor => {
                write!(f, "the floor's normal is not of unit length or its offset is not finite")
            }
            Self::Pose(error) => error.fmt(f),
            Self::PointNotOnFoot { side, point } => {
                write!(f, "the {point} of the {side} leg is neither on its ankle nor on a joint below it")
            }
            Self::NotALeg { side } => {
                write!(f, "the {side} leg: the knee is not below the hip or the ankle not below the knee")
            }
            Self::InvalidLegShape { side } => {
                write!(f, "the knee axis or sole normal of the {side} leg is not of unit length")
            }
            Self::ZeroLengthBone { side } => {
                write!(f, "the thigh or shin of the {side} leg is shorter than a thousandth of a millimetre")
            }
            Self::SeveralRoots => write!(f, "the legs are below different roots, expected one root"),
            Self::WholeMotion => write!(
                f,
                "the method `support` in its published form needs the whole motion, which a stream does not have"
            ),
        }
    }
}

impl core::error::Error for SetupError {}

impl From<PoseError> for SetupError {
    fn from(error: PoseError) -> Self {
        Self::Pose(error)
    }
}
