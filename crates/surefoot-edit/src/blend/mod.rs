//! A motion that is partly one and partly another.
//!
//! Both are brought into step first: a curve through the map of distances says which frame of the one
//! goes with which of the other. Along it poses are mixed joint by joint, and so are the steps of
//! the body over the ground, which are then added up: the path is neither's, and it does not
//! slide sideways where both go on. At weight 0 it is the first motion, at weight 1 the second.
//!
//! | file | question |
//! |---|---|
//! | `registration.rs` | which frame goes with which? |
//! | `weight.rs` | how much of the second, when? |
//! | `course.rs` | which frames make each new one? |
//! | `ground.rs` | where does the body stand, and which way does it face? |
//! | `height.rs` | how high is the body over its feet? |
//! | `plants.rs` | who is held? |

mod registration;
mod weight;
mod course;
mod ground;
mod height;
mod plants;

pub use course::Step;
pub use plants::steps_taken;
pub use registration::{Apart, Registration};
pub use weight::{Weight, WeightError};

use core::fmt;

use surefoot_core::{Footplants, Leg, Motion};

use crate::distance;
use crate::edited::{Edited, resting};
use crate::mix::mix;
use crate::pair::{self, PairError};
use ground::{Ground, Stand, sample};
use surefoot_core::rigid_transform::to_upright;

/// How motions are blended.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How they are compared, to bring them into step.
    pub map: distance::Settings,
    /// The most that one may be sped up against the other, as a ratio from 1. Default 3.
    pub most_slope: usize,
    /// Half the time over which the curve that brings them into step is smoothed, in seconds. Default 0.1.
    pub smooth: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { map: distance::Settings::default(), most_slope: 3, smooth: 0.1 }
    }
}

/// Why two motions cannot be blended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BlendError {
    /// They do not fit each other.
    Pair(PairError),
    /// The weight is none.
    Weight(WeightError),
}

impl fmt::Display for BlendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pair(error) => error.fmt(f),
            Self::Weight(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for BlendError {}

impl From<PairError> for BlendError {
    fn from(error: PairError) -> Self {
        Self::Pair(error)
    }
}

impl From<WeightError> for BlendError {
    fn from(error: WeightError) -> Self {
        Self::Weight(error)
    }
}

/// A blended motion, and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Blended {
    /// The motion and its plants, to be cleaned.
    pub edited: Edited,
    /// Which frame of one motion goes with which of the other.
    pub registration: Registration,
    /// How far apart they stay.
    pub apart: Apart,
    /// For every frame, which frames it is made of, and how much of the second.
    pub steps: Vec<Step>,
}

/// Blends two motions of one body.
pub fn blend(
    (first, first_plants): (&Motion, &Footplants),
    (second, second_plants): (&Motion, &Footplants),
    legs: &[Leg],
    weight: &Weight,
    settings: &Settings,
) -> Result<Blended, BlendError> {
    weight.check()?;
    pair::check(first, second)?;
    let map = distance::map(first, second, &settings.map)?;
    let registration = Registration::new(&map, first, second, settings);
    let apart = registration.apart(&map);
    let steps = course::steps(&registration, weight, first.fps);
    let all = |share: f64| steps.iter().all(|step| step.weight == share);
    let edited = if all(0.0) {
        Edited { motion: first.clone(), plants: first_plants.clone(), changed: 0..0 }
    } else if all(1.0) {
        Edited { motion: second.clone(), plants: second_plants.clone(), changed: 0..0 }
    } else {
        let mut poses = poses(first, second, &steps, settings);
        height::keep(&mut poses, [first, second], legs, &steps, settings);
        let (changed, motion) = (0..poses.len(), Motion { poses, ..first.clone() });
        let mut plants = plants::merge(first_plants, second_plants, legs, &steps);
        let rest = plants.plants.into_iter().filter_map(|plant| resting(&motion, legs, plant, &changed));
        plants.plants = rest.collect();
        Edited { motion, plants, changed }
    };
    Ok(Blended { edited, registration, apart, steps })
}

fn poses(first: &Motion, second: &Motion, steps: &[Step], settings: &Settings) -> Vec<surefoot_core::Pose> {
    let ground = Ground::new(&first.skeleton, to_upright(settings.map.up));
    let mut stand = None;
    let mut before: Option<[Stand; 2]> = None;
    let mut poses = Vec::with_capacity(steps.len());
    for step in steps {
        let [a, b] = [sample(first, step.first), sample(second, step.second)];
        let stands = [ground.stand(&a), ground.stand(&b)];
        let now = match (stand, before) {
            (Some(stand), Some(before)) => {
                ground::walk(stand, before[0].to(&stands[0]), before[1].to(&stands[1]), step.weight)
            }
            _ => stands[0].between(&stands[1], step.weight),
        };
        let local = |pose, at: &Stand| ground.placement(at).inverse().pose(pose, &first.skeleton);
        let mixed = mix(&local(&a, &stands[0]), &local(&b, &stands[1]), step.weight);
        poses.push(ground.placement(&now).pose(&mixed, &first.skeleton));
        (stand, before) = (Some(now), Some(stands));
    }
    poses
}
