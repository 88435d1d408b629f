//! Foot contact detection: when each heel and ball is planted.
//!
//! [`detect`] takes a motion and returns its footplants, which a person can edit. It decides when a
//! foot is down and never moves it; holding the plants is the task of the solver.
//!
//! ```
//! use surefoot_contact::{Settings, detect};
//! use surefoot_sample::{Recipe, make};
//!
//! let walk = make(&Recipe::default())?;
//! let plants = detect(&walk.motion, &walk.legs, Some(&walk.floor), &Settings::default());
//! assert_eq!(plants.plants.len(), walk.plants.plants.len());
//! # Ok::<(), surefoot_sample::SampleError>(())
//! ```
//!
//! The methods are [`learned`] (the default), [`threshold`], and three from the literature:
//! [`zero_crossing`], [`knn`] and [`svm`].

pub mod learned;
pub mod threshold;
pub mod zero_crossing;
pub mod knn;
pub mod svm;
pub mod features;
pub mod examples;

mod confidence;
mod exact_rest;
mod ground_flow;
mod ground_velocity;
mod leg_length;
mod lifted;
mod overrides;
mod settings;
mod signal;
mod stances;
mod tracks;

pub use ground_velocity::{ground_speed_change, ground_velocity, relative_to_ground};
pub use overrides::{ContactOverride, apply_overrides};
pub use settings::{Edges, Method, Settings};

use surefoot_core::{Floor, Footplants, Leg, Motion};

/// Finds when each heel and ball is planted.
///
/// The motion and the points of the legs are in metres, Y up. The floor is a hint: feet may stand on
/// stairs and boxes above it. Without one, a level floor through the lowest foot positions is used.
pub fn detect(motion: &Motion, legs: &[Leg], floor: Option<&Floor>, settings: &Settings) -> Footplants {
    match settings.method {
        Method::Learned => learned::detect(&learned::Model::shipped(), motion, legs, floor, settings),
        Method::Threshold => threshold::detect(motion, legs, floor, settings),
        Method::ZeroCrossing => zero_crossing::detect(motion, legs, floor, settings),
        Method::Knn => knn::detect(motion, legs, floor, &knn::Model::shipped(), settings),
        Method::Svm => svm::detect(motion, legs, floor, &svm::Model::shipped(), settings).plants,
    }
}
