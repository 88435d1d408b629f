//! A stream: poses one by one, and who is held at each, for programs that talk while they run.
//!
//! A header, then frames, then an end. Two forms say the same: a JSON value a line (`ndjson.rs`), or
//! bytes of fixed size (`binary.rs`); the header is JSON in both (`header.rs`). What comes out of a
//! cleaner has the form of what goes in. All of it is in metres, Y up; `book/src/formats/stream.md` shows it.
//!
//! `read.rs` takes bytes as they come and never keeps more than one frame; `check.rs` says which
//! numbers can be meant; `write.rs` makes whole records, so that nobody ever sends half of one.

mod error;
mod check;
mod header;
mod ndjson;
mod binary;
mod read;
mod write;

pub use error::{At, StreamError, StreamProblem};
pub use header::{Header, Lookahead, Preset, StreamLeg, StreamRoll, StreamSettings};
pub use read::{Reader, Record};
pub use write::{write_end, write_frame, write_header};

use serde::{Deserialize, Serialize};
use surefoot_core::{Pose, Skeleton, Vec3};

/// The version this reads and writes.
pub const VERSION: &str = "stream/1";

/// The longest header or end, in bytes. A body of a thousand joints takes a twentieth of it.
pub const LONGEST_HEADER: usize = 4 << 20;

/// The most joints. No body comes near it; more would be all memory.
pub const MOST_JOINTS: usize = 10_000;

/// How a stream is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// A JSON value a line.
    Ndjson,
    /// Bytes of fixed size.
    Binary,
}

/// What the frames of a stream are of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The body.
    pub skeleton: Skeleton,
    /// What each leg is called, in order.
    pub sides: Vec<String>,
}

/// One frame of a stream.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Its number: one more than the one before.
    pub number: usize,
    /// The pose, in metres, Y up.
    pub pose: Pose,
    /// Who is held, leg by leg: heel, ball.
    pub held: Vec<[Option<HeldPoint>; 2]>,
}

/// A point that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldPoint {
    /// By which plant: the same number as in the frame before if it goes on, never 0.
    pub plant: u32,
    /// Where it stands, if that is given rather than found.
    pub spot: Option<Vec3>,
}

/// How a stream ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// How many frames there were.
    pub frames: usize,
    /// How many plants were held.
    #[serde(default)]
    pub plants: usize,
    /// What a person should know.
    #[serde(default)]
    pub notes: Vec<EndNote>,
    /// How many notes more there would be.
    #[serde(default)]
    pub notes_left_out: usize,
}

/// Something that a person should know of a plant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndNote {
    /// What: `out_of_reach`, `wrong_size`, `not_held`, `off_floor`.
    pub kind: String,
    /// Which leg.
    pub foot: String,
    /// The first frame it is about.
    pub first: usize,
    /// How far, in metres, where it is about a distance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_m: Option<f64>,
    /// The same as a sentence.
    pub text: String,
}
