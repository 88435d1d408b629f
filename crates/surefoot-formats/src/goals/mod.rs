//! Goals files: positions and orientations that joints meet at keyframes, as JSON or CSV.
//!
//! Lengths are metres in the axes of the motion file, angles degrees. `read.rs` parses a JSON file and
//! `csv.rs` a table; both check everything that does not depend on the motion. `path.rs` are curves that
//! goals follow over many frames. `fit.rs` resolves all of it for a motion.

mod error;
mod table;
mod path;
mod read;
mod csv;
mod fit;

pub use error::{GoalPosition, GoalsError};
pub use fit::{Goal, Limit, MAX_GOALS, RelativeTo};
pub use path::GoalPath;

use surefoot_core::{Quat, Vec3};

/// The supported version.
pub const VERSION: &str = "goals/1";

/// A parsed goals file, with joints given by name.
#[derive(Clone, Debug, PartialEq)]
pub struct GoalsFile {
    entries: Vec<Entry>,
    limits: Vec<LimitEntry>,
    /// The paths that were loaded, by their names in the file.
    paths: Vec<(String, GoalPath)>,
}

impl GoalsFile {
    /// The number of goals. One that lasts for several frames counts once.
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

    /// The CSV files of paths that goals follow, each once, in the file's order. [`add_path`](Self::add_path) adds their
    /// content.
    pub fn path_files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = Vec::new();
        for entry in &self.entries {
            if let Some(PathSource::File(file)) = &entry.path
                && !files.contains(&file.as_str())
            {
                files.push(file);
            }
        }
        files
    }

    /// Adds the path of a CSV file.
    pub fn add_path(&mut self, file: &str, path: GoalPath) {
        self.paths.push((file.to_owned(), path));
    }
}

/// One goal in the file's axes.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    at: GoalPosition,
    /// The first and the last frame; `None` for those of the path.
    frames: Option<(usize, usize)>,
    joint: String,
    point: Point,
    path: Option<PathSource>,
    position: Option<Vec3>,
    shift: Option<Vec3>,
    orientation: Option<Quat>,
    relative_to: Option<Relative>,
    chain_from: Option<String>,
}

/// The curve that a goal follows.
#[derive(Clone, Debug, PartialEq)]
enum PathSource {
    Points(GoalPath),
    /// A CSV file.
    File(String),
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
