//! A transition from one motion to another at similar poses.
//!
//! [`crossings`] finds the pairs of frames at which both motions are most alike and the transform
//! that aligns the second with the first. [`join`] then crossfades them over a blend window around
//! the chosen pair and merges their plants.
//!
//! ```
//! use surefoot_core::Clip;
//! use surefoot_edit::join::{Settings, crossings, join};
//! use surefoot_sample::{Recipe, make};
//! use surefoot_solve::clean;
//!
//! let walk = make(&Recipe::default())?;
//! let other = make(&Recipe { seed: 7, ..Recipe::default() })?;
//! let best = crossings(&walk.motion, &other.motion, &Settings::default(), 1)?[0];
//! let edited =
//!     join((&walk.motion, &walk.plants), (&other.motion, &other.plants), &walk.legs, &best, &Settings::default())?;
//! let joined = Clip { motion: edited.motion, plants: edited.plants, ..walk.into_clip() };
//! let clean = clean(&joined, &Default::default())?.clip;
//! assert_eq!(clean.motion.frames(), best.from + other.motion.frames() - best.to);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod crossings;
mod plants;

pub(crate) use plants::lower_confidence;

pub use crossings::{crossing_at, crossings, crossings_of};

use surefoot_core::math::fade;
use surefoot_core::{Footplants, Leg, Motion};

use crate::body_root::BodyRoot;
use crate::distance::{self, Crossing};
use crate::edit_result::{EditResult, RestTest, floor_level};
use crate::interpolate::interpolate;
use crate::pair::{self, PairError};

/// Settings for joining motions.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Comparison of poses.
    pub map: distance::Settings,
    /// Length of the blend window, in seconds. Default 1/3.
    pub fade: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { map: distance::Settings::default(), fade: 1.0 / 3.0 }
    }
}

/// Joins the first motion up to a crossing with the second from there on, crossfaded around it.
///
/// The plants of both are kept. If a point is planted on both sides of the crossing, both plants
/// become one where their positions agree; otherwise each is shortened to leave time for a swing.
pub fn join(
    (first, first_plants): (&Motion, &Footplants),
    (second, second_plants): (&Motion, &Footplants),
    legs: &[Leg],
    crossing: &Crossing,
    settings: &Settings,
) -> Result<EditResult, PairError> {
    // The legs are joints of both skeletons only if the joints are the same.
    pair::check_joints(first, second)?;
    if let (Some(body), Some(other)) = (BodyRoot::of(first, legs), BodyRoot::of(second, legs)) {
        let (a, b) = (body.gather(first), other.gather(second));
        let mut edit = join((&a, first_plants), (&b, second_plants), legs, crossing, settings)?;
        edit.motion = body.scatter(edit.motion);
        return Ok(edit);
    }
    pair::check(first, second)?;
    pair::check_time("cross-fade", settings.fade)?;
    let (from, to) = (crossing.from.min(first.frames()), crossing.to.min(second.frames() - 1));
    let half = (0.5 * settings.fade * first.fps).round().clamp(0.0, 1e6) as usize;
    let is_end = from == first.frames();
    let back = if is_end { 0 } else { half.min(from).min(to) };
    let on = if is_end { 0 } else { half.min(first.frames() - 1 - from).min(second.frames() - 1 - to) };
    let window = from - back..if is_end { from } else { from + on + 1 };
    let skeleton = &first.skeleton;
    let aligned = |frame: usize| crossing.transform.pose(&second.poses[frame], skeleton);
    let mut poses = first.poses[..window.start].to_vec();
    for frame in window.clone() {
        let share = 1.0 - fade((frame - window.start + 1) as f64 / (window.len() + 1) as f64);
        poses.push(interpolate(&first.poses[frame], &aligned(frame + to - from), share));
    }
    poses.extend((window.end + to - from..second.frames()).map(aligned));
    let motion = Motion { poses, ..first.clone() };
    let plants = plants::merge(first, first_plants, second, second_plants, legs, crossing, &window);
    let floor = floor_level([(first, first_plants), (second, second_plants)], legs, settings.map.up);
    let rest = RestTest { motion: &motion, legs, changed: &window, floor };
    let plants = rest.held(plants);
    Ok(EditResult { motion, plants, changed: window })
}
