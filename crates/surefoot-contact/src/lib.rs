//! When is each heel and ball down?
//!
//! From a motion to its footplants. Decides when a foot is down and never moves it; what comes
//! out is what a person can edit.
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

pub mod features;
mod ground;
pub mod knn;
pub mod learned;
pub mod points;
mod settings;
pub mod speed_height;
mod stance;
pub mod svm;
pub mod zero_crossing;

pub use ground::{ground_changes, moving_ground, over_ground};
pub use settings::{Edges, Method, Settings};
pub use stance::{Overrides, put_right};

use surefoot_core::{Floor, Footplants, Leg, Motion};

/// Finds when each heel and ball is down.
///
/// The motion is in metres, Y up, and so are the points of the legs. The floor is a help, not a
/// law: stairs and boxes stand on it. Without one the lowest places of the feet are taken for it.
pub fn detect(motion: &Motion, legs: &[Leg], floor: Option<&Floor>, settings: &Settings) -> Footplants {
    match settings.method {
        Method::Learned => learned::detect(&learned::Model::shipped(), motion, legs, floor, settings),
        Method::SpeedHeight => speed_height::detect(motion, legs, floor, settings),
        Method::Knn => knn::detect(motion, legs, floor, &knn::Model::shipped(), settings),
        Method::Svm => svm::detect(motion, legs, floor, &svm::Model::shipped(), settings).plants,
        Method::ZeroCrossing => zero_crossing::detect(motion, legs, floor, settings),
    }
}
