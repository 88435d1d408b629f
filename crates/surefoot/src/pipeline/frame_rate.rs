//! Files at another frame rate: resampled, or with another rate stated for the same frames.

use core::fmt;

use surefoot_core::{Clip, Motion};
use surefoot_edit::resample::{ResampleError, resample};
use surefoot_formats::bvh::{Bvh, BvhError};
use surefoot_formats::source::{TooLarge, most_frames_of_edit};
use surefoot_formats::{Space, WriteError};
use surefoot_infer::{Overrides, infer};

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
    /// The motion would take too much memory for the size of its file.
    TooLarge(TooLarge),
    /// The motion cannot be resampled.
    Resample(ResampleError),
}

impl fmt::Display for FrameRateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(error) => error.fmt(f),
            Self::ReadBack(error) => error.fmt(f),
            Self::TooLarge(error) => error.fmt(f),
            Self::Resample(error) => error.fmt(f),
            Self::NoFrameTime => write!(f, "it has no `Frame Time` line for the rate"),
        }
    }
}

impl std::error::Error for FrameRateError {}

/// The same file with another frame time, and nothing else changed.
pub fn with_frame_rate(bvh: &Bvh, fps: f64) -> Result<Bvh, FrameRateError> {
    let mut motion = motion_of(bvh)?;
    motion.fps = fps;
    written_at(bvh, &motion)
}

/// The same file resampled to another frame rate. A T-pose at frame 0 stays there.
pub fn resampled(bvh: &Bvh, fps: f64) -> Result<Bvh, FrameRateError> {
    let inference = infer(&bvh.excerpt(), &Overrides::default());
    let first_frame = usize::from(inference.inserted_t_pose.value);
    let most = most_frames_of_edit(bvh.skeleton().len(), bvh.frames(), bvh.text().len());
    let found = bvh.frames() as f64 * fps / bvh.rate().value;
    if found > most as f64 {
        return Err(FrameRateError::Resample(ResampleError::TooManyFrames { found, most }));
    }
    let clip = Clip { motion: motion_of(bvh)?, first_frame, ..Clip::default() };
    written_at(bvh, &resample(&clip, fps).map_err(FrameRateError::Resample)?.motion)
}

fn motion_of(bvh: &Bvh) -> Result<Motion, FrameRateError> {
    TooLarge::check(bvh.skeleton().len(), bvh.frames(), bvh.text().len())
        .map_err(FrameRateError::TooLarge)?;
    Ok(bvh.motion(&Space::METRES_Y_UP))
}

/// A copy of a file with this motion, at its rate.
fn written_at(bvh: &Bvh, motion: &Motion) -> Result<Bvh, FrameRateError> {
    let fps = motion.fps;
    let text = bvh.write(motion, &Space::METRES_Y_UP).map_err(FrameRateError::Write)?;
    let written = Bvh::read(text).map_err(|error| FrameRateError::ReadBack(Box::new(error)))?;
    // Nine decimals of a second do not hold every rate to the bit.
    let is_stated = (written.rate().value / fps - 1.0).abs() < 1e-4;
    if is_stated { Ok(written) } else { Err(FrameRateError::NoFrameTime) }
}
