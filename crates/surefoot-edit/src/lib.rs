//! Edits of captured motion.
//!
//! [`reach()`](reach::reach) makes hands, feet and any other point of a body meet their goals at
//! keyframes, and keeps the feel of the motion between them. [`retarget()`](retarget::retarget)
//! puts a motion on another body, [`follow()`](follow::follow) on another path.
//! [`in_place`](in_place::in_place) and its opposite convert what a treadmill does.
//! [`join()`](join::join) goes from one motion over into another where they are most alike,
//! [`blend()`](blend::blend) makes one that is partly the one and partly the other, and [`looped`]
//! makes a motion's end meet its start; these three look at a [map of distances](distance). All
//! edits of a whole motion leave planted feet to skate and end in a clean, which holds them:
//! [`surefoot_solve::clean`].
//! Metres, seconds, radians, Y up. Nothing here opens a file.

mod knee_speed;
mod edited;
mod pair;
mod mix;
pub mod reach;
pub mod retarget;
pub mod follow;
pub mod in_place;
pub mod distance;
pub mod join;
pub mod blend;
pub mod looped;

pub use edited::Edited;
pub use knee_speed::knee_speed_added;
pub use pair::PairError;
