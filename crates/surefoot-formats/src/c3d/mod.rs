//! C3D: foot strikes and foot offs from a gait lab.
//!
//! A C3D file contains markers, force plates and marked events. surefoot reads the events, and the
//! rate and first frame that relate them to a motion. Markers are skipped.
//!
//! `numbers.rs` decodes integers and floats of three processor types, `parameters.rs` reads the
//! parameter section, `events.rs` extracts events from it, `intervals.rs` converts them to frames
//! of a motion.

mod error;
mod events;
mod numbers;
mod intervals;
mod parameters;

pub use error::C3dError;
pub use events::{Event, EventKind, Side};
pub use intervals::{C3dFitError, FootInterval, FootIntervals, foot_intervals};

use numbers::{Numbers, Processor};
use parameters::Parameters;

/// The events of a C3D file and the frames that it covers.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct C3d {
    /// Marker frames per second.
    pub rate: f64,
    /// The number of the first frame. The recording starts with frame 1 at 0 s; a file that was
    /// trimmed starts later.
    pub first_frame: u64,
    /// The number of frames.
    pub frames: u64,
    /// The events, in order of time.
    pub events: Vec<Event>,
}

/// The second byte of every C3D file.
const KEY: u8 = 0x50;
/// Size of a block, in bytes. The header is one block, and positions are given in blocks.
const BLOCK: usize = 512;

/// Whether `bytes` start like a C3D file.
pub fn is_c3d(bytes: &[u8]) -> bool {
    bytes.len() >= BLOCK && bytes[1] == KEY && bytes[0] > 0 && bytes[0] < b' '
}

impl C3d {
    /// Reads the events of a C3D file.
    pub fn read(bytes: &[u8]) -> Result<Self, C3dError> {
        if bytes.len() < BLOCK {
            return Err(C3dError::TooShort { found: bytes.len() });
        }
        if bytes[1] != KEY {
            return Err(C3dError::WrongKey { found: bytes[1] });
        }
        // Old programs leave the block number at 0; the parameters then follow the header.
        let section = (usize::from(bytes[0]).max(2) - 1) * BLOCK;
        let head = bytes.get(section..section + 4).ok_or(C3dError::NoParameters { at: section })?;
        let numbers = Numbers { bytes, processor: Processor::of(head[3], bytes, section + 3)? };
        let parameters = Parameters::read(&numbers, section + 4)?;
        let rate = rate(&numbers, &parameters)?;
        let (first_frame, frames) = frames(&numbers, &parameters)?;
        let events = events::read(&numbers, &parameters)?;
        Ok(Self { rate, first_frame, frames, events })
    }

    /// The time of the first frame in seconds since the start of the recording.
    pub fn start(&self) -> f64 {
        self.first_frame.saturating_sub(1) as f64 / self.rate
    }

    /// The duration in seconds, counting every frame.
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / self.rate
    }
}

/// Header position of the first frame, in bytes.
const FIRST: usize = 6;
/// Header position of the last frame.
const LAST: usize = 8;
/// Header position of the frame rate.
const RATE: usize = 20;

/// The rate of the parameter `POINT:RATE`, else that of the header.
fn rate(numbers: &Numbers, parameters: &Parameters) -> Result<f64, C3dError> {
    let parameter = parameters.find("POINT", "RATE").and_then(|rate| rate.numbers(numbers).next());
    let is_rate = |rate: &f64| rate.is_finite() && *rate > 0.0;
    let header = numbers.float(RATE).unwrap_or(0.0);
    parameter.filter(is_rate).or(Some(header).filter(is_rate)).ok_or(C3dError::FrameRate { found: header })
}

/// The first frame and the number of frames.
///
/// The header has 16 bits for each; the `TRIAL` fields have 32 in two words, the lower first.
fn frames(numbers: &Numbers, parameters: &Parameters) -> Result<(u64, u64), C3dError> {
    let (first, last) = (numbers.word(FIRST).unwrap_or(0), numbers.word(LAST).unwrap_or(0));
    let field = |name| {
        let words: Vec<f64> = parameters.find("TRIAL", name)?.numbers(numbers).take(2).collect();
        let word = |at: usize| words.get(at).map(|&word| (word as i64).rem_euclid(1 << 16) as u64);
        Some(word(0)? + (word(1).unwrap_or(0) << 16))
    };
    let trial = field("ACTUAL_START_FIELD").zip(field("ACTUAL_END_FIELD"));
    // Programs that trim a file may update only one of them: the fields are used if they agree.
    let agrees = |&(start, end): &(u64, u64)| start & 0xffff == u64::from(first) && end >= start;
    let (first, last) = trial.filter(agrees).unwrap_or((u64::from(first), u64::from(last)));
    if last < first {
        return Err(C3dError::Frames { first, last });
    }
    Ok((first, last - first + 1))
}
