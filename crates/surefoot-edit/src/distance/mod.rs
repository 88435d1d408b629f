//! Distances between all poses of two motions.
//!
//! After Kovar, Gleicher and Pighin (2002): the joint positions of a window of frames around each
//! pose form a point cloud. The second cloud is rotated about the vertical axis and moved along the
//! ground to fit the first, which has a closed form; the distance is the remaining root mean square
//! in metres.
//!
//! All terms of that closed form are sums over pairs of frames in the window. From one cell to the
//! next along a diagonal of the map, the window gains one pair and loses one, so the cost does not
//! depend on the length of the window.

mod cloud;
mod map;
mod minima;

pub use cloud::{weights_by_bone, weights_of_body};
pub use map::{Map, Settings, distance_at, map};
pub(crate) use map::{cloud_distance, cloud_of, fit};
pub(crate) use minima::refine;
pub use minima::{Crossing, minima};
