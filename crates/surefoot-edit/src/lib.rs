//! Edits of captured motion.
//!
//! - [`reach()`](reach::reach) moves hands, feet or any other point of a body to goals at keyframes
//!   and preserves the captured velocities between them.
//! - [`retarget()`](retarget::retarget) transfers a motion to another body.
//! - [`follow()`](follow::follow) moves a motion to another path over the ground.
//! - [`in_place`](in_place::in_place) removes root motion, [`root_motion`](in_place::root_motion)
//!   restores it.
//! - [`join()`](join::join) makes a transition from one motion to another at similar poses.
//! - [`blend()`](blend::blend) interpolates two motions.
//! - [`looping`] finds a cycle in a motion and closes it into a loop.
//! - [`resample()`](resample::resample) gives a clip another frame rate.
//! - [`root_convention`] puts the root bone where a game engine expects it.
//! - [`glitches`] are frames in which a capture jumps away and comes back.
//! - [`body_root`] tells the body of a rig from a root that is not part of it.
//!
//! The last three compare poses with a [distance map](distance). Every edit except `reach` leaves
//! planted feet skating, so call [`surefoot_solve::clean`] on its result. This crate never opens a
//! file. Units are metres, seconds and radians; Y is up.

mod knee_speed;
mod edit_result;
mod pair;
mod landings;
mod interpolate;
pub mod reach;
pub mod retarget;
pub mod follow;
pub mod in_place;
pub mod distance;
pub mod join;
pub mod blend;
pub mod looping;
pub mod body_root;
pub mod glitches;
pub mod root_convention;
pub mod resample;

pub use edit_result::EditResult;
pub use knee_speed::knee_speed_added;
pub use pair::PairError;
