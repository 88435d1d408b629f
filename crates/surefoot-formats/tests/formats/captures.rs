//! The captured BVH files.

use std::path::PathBuf;

/// Every captured BVH file; none, with a message, where the captures are not installed.
pub fn all() -> Vec<PathBuf> {
    let folders = ["bvh", "labelled"];
    folders.into_iter().flat_map(|folder| surefoot_testdata::files(folder, ".bvh")).collect()
}
