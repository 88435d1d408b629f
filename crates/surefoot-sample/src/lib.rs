//! Motions made from nothing, with their true plants.
//!
//! A body walks, turns, runs, jumps, climbs, sneaks or stands; when each heel and ball is down is
//! known exactly, because the motion is made from that. Damaged the way captures are damaged, it
//! skates, and the true plants stay known. A motion is a function of time that is then sampled,
//! so it is the same at every frame rate; the same recipe gives the same bits everywhere.
//!
//! ```
//! use surefoot_sample::{Kind, Recipe, Skate, make};
//!
//! let recipe = Recipe { kind: Kind::Turn, skate: Some(Skate::Scale(1.1)), ..Recipe::default() };
//! let sample = make(&recipe)?;
//! assert_eq!(sample.motion.fps, 60.0);
//! assert_eq!(sample.legs[0].side, "left");
//! # Ok::<(), surefoot_sample::SampleError>(())
//! ```

mod curves;
mod noise;
mod bodies;
mod guide;
mod ground;
mod feet;
mod gaits;
mod plan;
mod legs;
mod person;
mod four_legs;
mod kinds;
mod skate;
mod recipe;
mod clip;
mod make;

pub use make::{Sample, make};
pub use noise::{Random, Wander};
pub use recipe::{Body, Kind, Recipe, SampleError, Skate};
pub use skate::{damage, pose_between};
