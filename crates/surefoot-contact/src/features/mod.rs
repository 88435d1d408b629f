//! What the methods that learn from examples look at: numbers that describe a moment of a pair of
//! legs.
//!
//! Lengths are in legs and times in seconds, places are seen from the body, which faces ahead, and
//! heights are above the ground under it: unit, size, place and facing make no difference. `pair.rs`
//! says where everything is, `set.rs` which of it is asked for, `vector.rs` makes numbers of it.

mod pair;
mod set;
mod vector;

pub use pair::Pair;
pub use set::Features;
pub use vector::{View, Window};
