//! Removes footskate: detects when each heel and ball is planted, and holds it in place.
//!
//! ```no_run
//! use surefoot::{MotionFile, Settings};
//!
//! let mut walk = MotionFile::load("walk.bvh")?;
//! let clean = walk.clean(&Settings::default())?;
//! println!("{}", clean.figures.table());
//! clean.save("walk.clean.bvh")?;
//! # Ok::<(), surefoot::Error>(())
//! ```
//!
//! This is what the command `surefoot clean walk.bvh` does, with the same defaults and the same bytes:
//!
//! 1. [`MotionFile::load`] reads the file and infers its legs, unit, up axis and floor. [`LoadOptions`]
//!    override the inference.
//! 2. [`MotionFile::detect_plants`] finds when each heel and ball is planted, and whether the ground moves.
//!    [`MotionFile::set_plants`] and [`MotionFile::read_plants`] take plants from elsewhere.
//! 3. [`solve::clean`] holds the plants of the [`Clip`].
//! 4. [`finish`] writes the clean clip into a copy of the file, reads the bytes back and measures them.
//!
//! [`MotionFile::clean`] runs steps 2 to 4. A motion that does not come from a file is a [`Clip`] of your own for
//! [`solve::clean`] and [`measure::measure`]:
//!
//! ```
//! use surefoot::sample::{Recipe, Skate, make};
//! use surefoot::{Settings, measure::measure, solve};
//!
//! let walk = make(&Recipe { skate: Some(Skate::Scale(1.1)), ..Recipe::default() })?.into_clip();
//! let clean = solve::clean(&walk, &Settings::default())?;
//! let figures = measure(&clean.clip, Some(&walk.motion))?;
//! assert!(figures.before.unwrap().drift_max_m > Some(0.01));
//! assert!(figures.after.drift_max_m < Some(1e-9));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Frames that arrive one at a time go through [`solve::Cleaner`], with a fixed latency and without allocation;
//! [`mod@stream`] reads and writes them. [`edit_files`] edits whole files: another body, another path, a loop, a blend.
//!
//! # Features
//!
//! Each module except [`core`] is a feature of the same name, and `pipeline` is all of the above: [`MotionFile`] and
//! the modules it needs. The default is `pipeline` and `sample`; `train` fits and scores detectors. With
//! `default-features = false` a program compiles only what it uses; `solve` alone holds given plants, `formats` alone
//! reads and writes files:
//!
//! ```text
#![doc = include_str!("../dependencies.txt")]
//! ```

#[cfg(feature = "pipeline")]
mod pipeline;

#[cfg(feature = "pipeline")]
pub mod edit_files;
#[cfg(all(feature = "formats", feature = "train"))]
pub mod labelled;
#[cfg(feature = "pipeline")]
pub mod stream;

#[cfg(feature = "pipeline")]
pub use pipeline::*;

pub mod text;
mod text_place;

pub use text::printable;
pub use text_place::TextPlace;

pub use surefoot_core::{Clip, Floor, Footplants, Leg, Motion, Plant, Pose, Skeleton};
#[cfg(feature = "solve")]
pub use surefoot_solve::Settings;

#[cfg(feature = "contact")]
pub use surefoot_contact as contact;
pub use surefoot_core as core;
pub use surefoot_core::glam;
#[cfg(feature = "edit")]
pub use surefoot_edit as edit;
#[cfg(feature = "formats")]
pub use surefoot_formats as formats;
#[cfg(feature = "infer")]
pub use surefoot_infer as infer;
#[cfg(feature = "measure")]
pub use surefoot_measure as measure;
#[cfg(feature = "sample")]
pub use surefoot_sample as sample;
#[cfg(feature = "solve")]
pub use surefoot_solve as solve;
#[cfg(feature = "train")]
pub use surefoot_train as train;

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
