//! Rig files: legs, foot points, arms, unit, up axis and floor of a motion, as TOML for people to edit.
//!
//! [`write()`] writes everything that was inferred, with confidence and reason as comments.
//! [`read()`] accepts any subset; what is left out is inferred. Joints are given by name; the
//! second of two joints with the same name is `Name#2`, and `#7` is joint 7, counted from 0.

mod fields;
pub(crate) mod labels;
mod read;
mod write;

pub use read::{RigError, read, skeleton_path};
pub use write::{write, write_with_arms};

/// Finds a joint by its label, as in a rig file. The error lists similar labels.
pub fn find_joint(
    skeleton: &surefoot_core::Skeleton,
    name: &str,
) -> Result<surefoot_core::JointId, Vec<String>> {
    let labels = labels::Labels::new(skeleton);
    labels.joint(name).ok_or_else(|| labels.similar(name))
}
