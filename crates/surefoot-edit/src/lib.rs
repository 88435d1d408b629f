//! Edits of captured motion.
//!
//! [`reach()`](reach::reach) makes hands, feet and any other point of a body meet their goals at
//! keyframes, and keeps the feel of the motion between them. [`retarget()`](retarget::retarget)
//! puts a motion on another body, [`follow()`](follow::follow) on another path. These and all
//! edits of a whole motion leave planted feet to skate and end in [`Take::cleaned`], which holds
//! them. [`in_place`](in_place::in_place) and its opposite convert what a treadmill does.
//! Metres, seconds, radians, Y up. Nothing here opens a file.

mod take;
mod knee_speed;
pub mod reach;
pub mod retarget;
pub mod follow;
pub mod in_place;

pub use knee_speed::knee_speed_added;
pub use take::Take;
