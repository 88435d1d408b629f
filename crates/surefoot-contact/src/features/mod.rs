//! Feature vectors for the methods that learn from examples, `knn` and `svm`: numbers that describe
//! a pair of legs at one frame.
//!
//! Lengths are in leg lengths and times in seconds. Positions are relative to the body, which faces
//! forward, and heights to the ground under it, so unit, size, position and facing make no
//! difference. `leg_pair` computes positions and their derivatives, `feature_set` selects some of them,
//! and `feature_vector` assembles the numbers.

mod feature_set;
mod feature_vector;
mod leg_pair;

pub use feature_set::FeatureSet;
pub use feature_vector::{FeatureSpec, View, Window};
pub use leg_pair::LegPair;
