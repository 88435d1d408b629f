//! Goals files: positions and orientations that joints meet at keyframes, as JSON.
//!
//! Lengths are metres in the axes of the motion file, angles degrees. `read.rs` parses a file and
//! checks everything that does not depend on the motion; `fit.rs` resolves it for a motion.

mod error;
mod fit;
mod read;

pub use error::{GoalPosition, GoalsError};
pub use fit::{Goal, Limit, RelativeTo};

use surefoot_core::{Quat, Vec3};

/// The supported version.
pub const VERSION: &str = "goals/1";

/// A parsed goals file, with joints given by name.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalsFile {
    entries: Vec<Entry>,
    limits: Vec<LimitEntry>,
}

impl GoalsFile {
    /// The number of goals.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the file has no goals.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The paths of other motions that goals are relative to, each once, in the file's order.
    pub fn motions(&self) -> Vec<&str> {
        let mut motions: Vec<&str> = Vec::new();
        for entry in &self.entries {
            let motion = entry.relative_to.as_ref().and_then(|relative| relative.motion.as_deref());
            motions.extend(motion.filter(|motion| !motions.contains(motion)));
        }
        motions
    }
}

/// One goal in the file's axes.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    at: GoalPosition,
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
    /// The end of the joint's bone.
    End,
}

/// The reference frame of a goal: a joint of this or another motion.
#[derive(Clone, Debug, PartialEq)]
struct Relative {
    joint: String,
    motion: Option<String>,
}

/// Limits of a joint's rotation, in degrees.
#[derive(Clone, Debug, PartialEq)]
struct LimitEntry {
    at: GoalPosition,
    joint: String,
    min: Vec3,
    max: Vec3,
}
