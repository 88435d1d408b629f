//! Planted feet stay put.
//!
//! Today: BVH files read and written without harm, what a file does not say found out, and
//! motions made from nothing. Finding out when a foot is down and holding it there come next.
//!
//! ```
//! use surefoot::core::understand::{Given, understand};
//! use surefoot::formats::{Space, bvh::{Bvh, from_motion}};
//! use surefoot::sample::{Recipe, make};
//!
//! let walk = make(&Recipe::default())?;
//! let bvh = Bvh::read(from_motion(&walk.motion, &Space::METRES_Y_UP)?)?;
//! let found = understand(&bvh.excerpt(), &Given::default());
//! let space = Space { unit_m: found.unit_m.value, up: found.up.value };
//! let motion = bvh.motion(&space);
//! assert_eq!(motion.frames(), walk.motion.frames());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use surefoot_contact as contact;
pub use surefoot_core as core;
pub use surefoot_formats as formats;
pub use surefoot_measure as measure;
pub use surefoot_sample as sample;
pub use surefoot_solve as solve;

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
