//! Motion streams: poses with held foot points, frame by frame, for programs that run live.
//!
//! A stream is a header, frames and an end, in metres, Y up. It has two encodings: a JSON value
//! per line (`ndjson.rs`) or binary records of fixed size (`binary.rs`). The header is JSON in
//! both (`header.rs`). Clean frames are written in the encoding of the input.
//!
//! `read.rs` reads bytes as they arrive and keeps one record at a time, `check.rs` validates
//! numbers, and `write.rs` appends complete records to a buffer.

mod error;
mod check;
mod header;
mod ndjson;
mod binary;
mod read;
mod write;

pub use error::{StreamError, StreamPosition, StreamProblem};
pub use header::{Header, Lookahead, SettingValue, StreamLeg, StreamSettings};
pub use read::{Reader, Record};
pub use write::{write_end, write_frame, write_header};

use serde::{Deserialize, Serialize};
use surefoot_core::{Hold, PlantKind, Pose, Skeleton, Vec3};

/// The supported version.
pub const VERSION: &str = "stream/1";

/// Most bytes of a header or end. A header of a thousand joints takes a twentieth of it.
pub const LONGEST_HEADER: usize = 4 << 20;

pub use crate::source::MOST_JOINTS;

/// The encoding of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// A JSON value per line.
    Ndjson,
    /// Binary records of fixed size.
    Binary,
}

/// The skeleton and legs of a stream's frames, which determine the size of a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The skeleton.
    pub skeleton: Skeleton,
    /// The name of each leg, in order.
    pub sides: Vec<String>,
    /// Whether binary frames have room for toe tips, holds, strengths and labels of skate. JSON frames always have.
    pub holds: bool,
}

/// One frame of a stream.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The frame number: one more than that of the frame before.
    pub number: usize,
    /// The pose, in metres, Y up.
    pub pose: Pose,
    /// For each leg the plants that hold its heel, its ball and its toe tip in this frame.
    pub held: Vec<[Option<HeldPoint>; 3]>,
}

/// A foot point held by a plant in one frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldPoint {
    /// The number of the plant, from 1. The same number in the next frame continues the plant.
    pub plant: u32,
    /// The spot at which the point is held; `None` lets the cleaner choose it.
    pub spot: Option<Vec3>,
    /// Which coordinates are held, and how strongly.
    pub hold: Hold,
    /// Whether the foot stands or slides as captured, if that is labelled.
    pub kind: Option<PlantKind>,
}

/// The end record of a stream.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// The number of frames.
    pub frames: usize,
    /// The number of plants.
    #[serde(default)]
    pub plants: usize,
    /// Plants that could not be held exactly, and similar notes.
    #[serde(default)]
    pub notes: Vec<EndNote>,
    /// The number of further notes that were left out.
    #[serde(default)]
    pub notes_left_out: usize,
}

/// A note about a plant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndNote {
    /// The kind: `out_of_reach`, `wrong_size`, `not_held`, `off_floor` or `moving_ground`.
    pub kind: String,
    /// The leg; empty for notes about the whole body.
    pub foot: String,
    /// The first frame concerned.
    pub first: usize,
    /// A distance in metres, for notes about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_m: Option<f64>,
    /// The note as a sentence.
    pub text: String,
}
