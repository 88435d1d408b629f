//! One motion goes over into another, where they are most alike.
//!
//! | file | question |
//! |---|---|
//! | `crossings.rs` | where are they most alike, and where must the second be put? |
//! | `mod.rs` | what does the motion look like in between? |
//! | `plants.rs` | who is held, there and on either side? |
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

pub(crate) use plants::least;

pub use crossings::{crossing_at, crossings, crossings_of};

use surefoot_core::math::fade;
use surefoot_core::{Footplants, Leg, Motion};

use crate::distance::{self, Crossing};
use crate::edited::{Edited, resting};
use crate::mix::mix;
use crate::pair::{self, PairError};

/// How motions are joined.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How they are compared.
    pub map: distance::Settings,
    /// How long the one fades into the other, in seconds. Default 1/3.
    pub fade: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { map: distance::Settings::default(), fade: 1.0 / 3.0 }
    }
}

/// The first motion up to a crossing and the second from there on, faded into each other around it.
///
/// The plants of both are kept; one that is held on both sides of the crossing becomes one plant
/// if both stand at one place, and else each lets go in time for the foot to get from one to the
/// other.
pub fn join(
    (first, first_plants): (&Motion, &Footplants),
    (second, second_plants): (&Motion, &Footplants),
    legs: &[Leg],
    crossing: &Crossing,
    settings: &Settings,
) -> Result<Edited, PairError> {
    pair::check(first, second)?;
    let (from, to) = (crossing.from.min(first.frames()), crossing.to.min(second.frames() - 1));
    let half = (0.5 * settings.fade * first.fps).round().clamp(0.0, 1e6) as usize;
    let is_end = from == first.frames();
    let back = if is_end { 0 } else { half.min(from).min(to) };
    let on = if is_end { 0 } else { half.min(first.frames() - 1 - from).min(second.frames() - 1 - to) };
    let zone = from - back..if is_end { from } else { from + on + 1 };
    let skeleton = &first.skeleton;
    let placed = |frame: usize| crossing.placed.pose(&second.poses[frame], skeleton);
    let mut poses = first.poses[..zone.start].to_vec();
    for frame in zone.clone() {
        let share = 1.0 - fade((frame - zone.start + 1) as f64 / (zone.len() + 1) as f64);
        poses.push(mix(&first.poses[frame], &placed(frame + to - from), share));
    }
    poses.extend((zone.end + to - from..second.frames()).map(placed));
    let motion = Motion { poses, ..first.clone() };
    let mut plants = plants::merge(first, first_plants, second, second_plants, legs, crossing, &zone);
    let rest = plants.plants.into_iter().filter_map(|plant| resting(&motion, legs, plant, &zone));
    plants.plants = rest.collect();
    Ok(Edited { motion, plants, changed: zone })
}
