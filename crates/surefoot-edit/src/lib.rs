//! Edits of captured motion.
//!
//! [`reach()`](reach::reach) makes hands, feet and any other point of a body meet their goals at
//! keyframes, and keeps the feel of the motion between them. [`join()`](join::join) goes from one
//! motion over into another where they are most alike, [`blend()`](blend::blend) makes one that is
//! partly the one and partly the other, and [`looped`] makes a motion's end meet its start. All
//! three look at a [map of distances](distance) and end in a clean. Metres, seconds, radians, Y up.
//! Nothing here opens a file.

pub mod reach;
pub mod distance;
pub mod join;
pub mod blend;
pub mod looped;
mod edited;
mod pair;
mod mix;

pub use edited::Edited;
pub use pair::PairError;
