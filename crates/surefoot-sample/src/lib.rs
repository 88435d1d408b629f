//! Generated motions with their true plants.
//!
//! A body walks, turns, runs, jumps, climbs, sneaks or stands, or does something that is hard for a
//! detector ([`Kind::HARD`]), or uses its hands ([`Kind::HANDS`]), or the front of its
//! feet ([`Kind::TOES`]). The motion is built from its footsteps, so the plants of each heel and ball
//! are known exactly. Optional damage, of the kinds that captures have, makes the feet skate and keeps the
//! true plants. A motion is a function of time that is
//! sampled afterwards, so it is the same at every frame rate; the same recipe gives the same bits on
//! every machine.
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

mod recipe;
mod clip;
mod sample;
mod actor;
mod curves;
mod random;
mod bodies;
mod gaits;
mod root_path;
mod ground;
mod feet;
mod step_plan;
mod motions;
mod leg_ik;
mod person;
mod quadruped;
mod on_hands;
mod on_toes;
mod damage;
mod carriage;
mod rigs;

pub use damage::{damage, pose_between};
pub use random::{Random, SmoothNoise};
pub use recipe::{Body, Kind, Recipe, SampleError, Skate};
pub use sample::{Sample, make, walk};
