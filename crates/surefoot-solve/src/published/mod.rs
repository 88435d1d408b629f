//! The last two phases of the method as published: corrections fade in joint angles, then free feet are lifted.
//!
//! The improved form leads free feet in space instead, before the root is decided: see `phases::swing` and
//! `phases::clearance`.

pub(crate) mod blend;
pub(crate) mod lift;
