//! Goals: what must be where at which frame, as a file that people and programs write.
//!
//! JSON; book/src/formats/goals-paths.md shows all of it. Lengths are metres in the motion file's own axes, angles
//! degrees. `read.rs` asks whether it makes sense by itself, `fit.rs` whether it fits a motion.

mod error;
mod fit;
mod read;

pub use error::{At, GoalsError};
pub use fit::{Goal, Limit, RelativeTo};

use surefoot_core::{Quat, Vec3};

/// The version this reads.
pub const VERSION: &str = "goals/1";

/// A goals file, whose joints are names as yet.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalsFile {
    entries: Vec<Entry>,
    limits: Vec<LimitEntry>,
}

impl GoalsFile {
    /// How many goals there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no goal.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The other motions it names, each once, in the file's order, as it names them.
    pub fn motions(&self) -> Vec<&str> {
        let mut motions: Vec<&str> = Vec::new();
        for entry in &self.entries {
            let motion = entry.relative_to.as_ref().and_then(|relative| relative.motion.as_deref());
            motions.extend(motion.filter(|motion| !motions.contains(motion)));
        }
        motions
    }
}

/// One goal as the file has it, in the file's axes.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    at: At,
    frame: usize,
    joint: String,
    point: Point,
    position: Option<Vec3>,
    shift: Option<Vec3>,
    orientation: Option<Quat>,
    relative_to: Option<Relative>,
    chain_from: Option<String>,
}

/// A point on a joint.
#[derive(Clone, Debug, PartialEq)]
enum Point {
    Offset(Vec3),
    /// Where the bone ends.
    End,
}

/// What a goal is relative to.
#[derive(Clone, Debug, PartialEq)]
struct Relative {
    joint: String,
    motion: Option<String>,
}

/// How far a joint may turn, in degrees.
#[derive(Clone, Debug, PartialEq)]
struct LimitEntry {
    at: At,
    joint: String,
    min: Vec3,
    max: Vec3,
}
