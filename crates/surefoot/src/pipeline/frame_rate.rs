//! Changes the frame rate that a file states.

use core::fmt;

use surefoot_formats::bvh::{Bvh, BvhError};
use surefoot_formats::{Space, WriteError};

/// Why the frame rate of a file could not be changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum FrameRateError {
    /// The file cannot be written.
    Write(WriteError),
    /// The written file cannot be read back.
    ReadBack(Box<BvhError>),
    /// The file has no line that states the frame time.
    NoFrameTime,
}

impl fmt::Display for FrameRateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(error) => error.fmt(f),
            Self::ReadBack(error) => error.fmt(f),
            Self::NoFrameTime => write!(f, "it has no `Frame Time` line for the rate"),
        }
    }
}

impl std::error::Error for FrameRateError {}

/// The same file with another frame time, and nothing else changed.
pub fn with_frame_rate(bvh: &Bvh, fps: f64) -> Result<Bvh, FrameRateError> {
    let mut motion = bvh.motion(&Space::METRES_Y_UP);
    motion.fps = fps;
    let text = bvh.write(&motion, &Space::METRES_Y_UP).map_err(FrameRateError::Write)?;
    let written = Bvh::read(text).map_err(|error| FrameRateError::ReadBack(Box::new(error)))?;
    // Nine decimals of a second do not hold every rate to the bit.
    let is_stated = (written.rate().value / fps - 1.0).abs() < 1e-4;
    if is_stated { Ok(written) } else { Err(FrameRateError::NoFrameTime) }
}
