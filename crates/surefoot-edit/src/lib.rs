//! Edits of captured motion.
//!
//! [`reach()`](reach::reach) makes hands, feet and any other point of a body meet their goals at
//! keyframes, and keeps the feel of the motion between them. Metres, seconds, radians, Y up.
//! Nothing here opens a file.

pub mod reach;
