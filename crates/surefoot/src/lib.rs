//! Planted feet stay put.
//!
//! A file is read, what it does not say is found out, planted feet are found and held, and the
//! file is written with only what changed printed anew:
//!
//! ```
//! use surefoot::core::Floor;
//! use surefoot::infer::{Overrides, infer};
//! use surefoot::formats::{Space, bvh::{Bvh, from_motion}};
//! use surefoot::sample::{Recipe, Skate, make};
//! use surefoot::{contact, solve};
//!
//! let walk = make(&Recipe { skate: Some(Skate::Scale(1.1)), ..Recipe::default() })?;
//! let bvh = Bvh::read(from_motion(&walk.motion, &Space::METRES_Y_UP)?)?; // or your own bytes
//! let found = infer(&bvh.excerpt(), &Overrides::default()); // legs, unit, up axis, floor
//! let space = Space { unit_m: found.unit_m.value, up: found.up.value };
//! let motion = bvh.motion(&space); // in metres, Y up
//! let floor = found.floor.map(|floor| floor.value);
//! let floor = floor.map(|plane| Floor::from(space.plane_from_file(plane)));
//! let legs = found.legs.map_or_else(|_| Vec::new(), |legs| space.legs_from_file(&legs.value));
//! let plants = contact::detect(&motion, &legs, floor.as_ref(), &contact::Settings::default());
//! let scene = solve::Scene { skeleton: motion.skeleton.clone(), fps: motion.fps, legs, floor };
//! let (clean, _) = solve::clean(&motion, &scene, &plants, &solve::Settings::default())?;
//! let bytes = bvh.write(&clean, &space)?;
//! # let after = Bvh::read(bytes)?.motion(&space);
//! # let floor = scene.floor.unwrap();
//! # let measured = surefoot::measure::Scene::new(&scene.legs, &plants, &floor);
//! # let figures = surefoot::measure::measure(&after, Some(&motion), &measured)?;
//! # assert!(figures.before.unwrap().drift_max_m.unwrap() > 0.01);
//! # assert!(figures.after.drift_max_m.unwrap() < 1e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use surefoot_contact as contact;
pub use surefoot_core as core;
pub use surefoot_edit as edit;
pub use surefoot_formats as formats;
pub use surefoot_infer as infer;
pub use surefoot_measure as measure;
pub use surefoot_sample as sample;
pub use surefoot_solve as solve;

/// The code in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
