//! How far is every pose of one motion from every pose of another?
//!
//! After Kovar, Gleicher and Pighin (2002): the joints of the frames around each, as clouds of
//! points; the second turned about up and moved along the ground so that they lie together best, which
//! is a closed form; and what is left between them, in metres (root mean square).
//!
//! All terms of that form are sums over the frames of the window, each of what two frames have in
//! common. Going down a diagonal of the map the window gains one pair of frames and loses one, so
//! that it costs the same however long it is.
//!
//! | file | question |
//! |---|---|
//! | `cloud.rs` | where are the joints, and how much does each count? |
//! | `map.rs` | how far is each pair of frames apart? |
//! | `minima.rs` | where is the map lowest? |

mod cloud;
mod map;
mod minima;

pub use cloud::weights_by_bone;
pub use map::{Map, Settings, distance_at, map};
pub(crate) use map::{apart, cloud_of, fit};
pub(crate) use minima::refine;
pub use minima::{Crossing, minima};
