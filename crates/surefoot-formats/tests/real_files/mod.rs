//! Every real BVH file that the tests know of.

use std::path::PathBuf;

/// Every BVH file of the data; none, and a word about it, where there is no data.
pub fn all() -> Vec<PathBuf> {
    let folders = ["bvh", "labelled"];
    folders.into_iter().flat_map(|folder| surefoot_testdata::files(folder, ".bvh")).collect()
}
