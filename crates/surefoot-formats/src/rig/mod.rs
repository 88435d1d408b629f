//! The rig file: what a motion is about, written down so that a person can put it right.
//!
//! TOML. [`write()`] puts down all that was found, with a word on each; [`read()`] takes as much of it
//! as is there, and the rest is found out anew. Joints go by name; the second of two joints that
//! share a name is `Name#2`, and `#7` is the joint number 7, counted from 0.

pub(crate) mod names;
mod read;
mod write;

pub use read::{RigError, read, skeleton_path};
pub use write::write;

/// The joint that a name means, as in a rig file; else the names that are near to it.
pub fn find_joint(
    skeleton: &surefoot_core::Skeleton,
    name: &str,
) -> Result<surefoot_core::JointId, Vec<String>> {
    let labels = names::Labels::new(skeleton);
    labels.joint(name).ok_or_else(|| labels.nearest(name))
}
