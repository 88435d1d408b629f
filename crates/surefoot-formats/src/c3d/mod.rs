//! C3D: when a gait lab says each foot came down and left.
//!
//! A C3D file holds markers, force plates and what people noted. surefoot takes the notes: foot
//! strikes and foot offs, with the rate and the first frame that put them in time. The markers
//! are left alone, however many megabytes they are.
//!
//! `numbers.rs` reads words and floats as three kinds of computer wrote them, `parameters.rs`
//! walks the parameter section, `events.rs` makes events of it, `stances.rs` puts them on the
//! frames of a motion.

mod error;
mod events;
mod numbers;
mod parameters;
mod stances;

pub use error::C3dError;
pub use events::{Event, EventKind, Side};
pub use stances::{C3dFitError, FootInterval, FootIntervals, foot_intervals};

use numbers::{Numbers, Processor};
use parameters::Parameters;

/// The events of a C3D file, and what puts them in time.
#[derive(Clone, Debug, PartialEq)]
pub struct C3d {
    /// Frames of markers per second.
    pub rate: f64,
    /// The number of its first frame. The recording began at frame 1, at 0 s, and what came
    /// before the first was cut off.
    pub first_frame: u64,
    /// How many frames there are.
    pub frames: u64,
    /// What people noted, in the order of time.
    pub events: Vec<Event>,
}

/// What the second byte of a C3D file is, and the second of its parameter section.
const KEY: u8 = 0x50;
/// Files come in blocks of so many bytes.
const BLOCK: usize = 512;

/// Whether these bytes begin as a C3D file does.
pub fn is_c3d(bytes: &[u8]) -> bool {
    bytes.len() >= BLOCK && bytes[1] == KEY && bytes[0] > 0 && bytes[0] < b' '
}

impl C3d {
    /// Reads the events of a C3D file.
    pub fn read(bytes: &[u8]) -> Result<Self, C3dError> {
        if bytes.len() < BLOCK {
            return Err(C3dError::Short { found: bytes.len() });
        }
        if bytes[1] != KEY {
            return Err(C3dError::Key { found: bytes[1] });
        }
        // Old programs leave the number out; the parameters then follow the header.
        let section = (usize::from(bytes[0]).max(2) - 1) * BLOCK;
        let head = bytes.get(section..section + 4).ok_or(C3dError::NoParameters { at: section })?;
        let numbers = Numbers { bytes, processor: Processor::of(head[3], bytes, section + 3)? };
        let parameters = Parameters::read(&numbers, section + 4)?;
        let rate = rate(&numbers, &parameters)?;
        let (first_frame, frames) = frames(&numbers, &parameters)?;
        let events = events::read(&numbers, &parameters)?;
        Ok(Self { rate, first_frame, frames, events })
    }

    /// When its first frame was, in seconds of the events' own time.
    pub fn start(&self) -> f64 {
        self.first_frame.saturating_sub(1) as f64 / self.rate
    }

    /// How long it lasts, in seconds: each frame for its part.
    pub fn seconds(&self) -> f64 {
        self.frames as f64 / self.rate
    }
}

/// The header's places, in bytes: frames first and last, and the rate.
const FIRST: usize = 6;
const LAST: usize = 8;
const RATE: usize = 20;

/// The parameter's rate; the header's where there is none.
fn rate(numbers: &Numbers, parameters: &Parameters) -> Result<f64, C3dError> {
    let said = parameters.find("POINT", "RATE").and_then(|rate| rate.numbers(numbers).next());
    let is_rate = |rate: &f64| rate.is_finite() && *rate > 0.0;
    let header = numbers.float(RATE).unwrap_or(0.0);
    said.filter(is_rate).or(Some(header).filter(is_rate)).ok_or(C3dError::Rate { found: header })
}

/// The first frame, and how many there are.
///
/// The header has 16 bits for each; the trial's fields have 32, in two words, the lower first.
fn frames(numbers: &Numbers, parameters: &Parameters) -> Result<(u64, u64), C3dError> {
    let (first, last) = (numbers.word(FIRST).unwrap_or(0), numbers.word(LAST).unwrap_or(0));
    let field = |name| {
        let words: Vec<f64> = parameters.find("TRIAL", name)?.numbers(numbers).take(2).collect();
        let word = |at: usize| words.get(at).map(|&word| (word as i64).rem_euclid(1 << 16) as u64);
        Some(word(0)? + (word(1).unwrap_or(0) << 16))
    };
    let trial = field("ACTUAL_START_FIELD").zip(field("ACTUAL_END_FIELD"));
    // Programs that cut a file forget one or the other: the trial's count only if they agree.
    let agrees = |&(start, end): &(u64, u64)| start & 0xffff == u64::from(first) && end >= start;
    let (first, last) = trial.filter(agrees).unwrap_or((u64::from(first), u64::from(last)));
    if last < first {
        return Err(C3dError::Frames { first, last });
    }
    Ok((first, last - first + 1))
}
