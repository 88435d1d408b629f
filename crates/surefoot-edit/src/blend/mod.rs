//! Interpolation of two motions with a constant or time-varying weight.
//!
//! The motions are first aligned in time ([`Registration`]): the landings of the same foot are paired where both
//! motions have the same steps, otherwise dynamic time warping through their distance map pairs each frame of one with a
//! frame of the other. Along that curve poses are interpolated
//! joint by joint. The displacement of the body over the ground is interpolated per frame and then
//! accumulated, so that the blended path bends between both paths instead of sliding sideways.
//! Afterwards the root height is corrected and the plants of both motions are merged. Weight 0 gives
//! the first motion, weight 1 the second.

mod registration;
mod weight;
mod frame_pairs;
mod gait;
mod ground;
mod height;
mod plants;

pub use crate::landings::count_steps;
pub use frame_pairs::FramePair;
pub use gait::paired_steps;
pub use registration::{PoseDistance, Registration};
pub use weight::{Weight, WeightError};

use core::fmt;

use surefoot_core::{Footplants, Leg, Motion};

use crate::body_root::BodyRoot;
use crate::distance;
use crate::edit_result::{EditResult, RestTest, floor_level};
use crate::interpolate::interpolate;
use crate::pair::{self, PairError};
use ground::{Ground, GroundPose, sample};
use surefoot_core::rigid_transform::to_upright;

/// Settings for blending.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Comparison of poses for the time alignment.
    pub map: distance::Settings,
    /// Largest ratio of playback speeds in the time alignment, at least 1. Default 3.
    pub most_slope: usize,
    /// Half the window over which the time alignment is smoothed, in seconds. Default 0.1.
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
    /// The motions have different skeletons or frame rates.
    Pair(PairError),
    /// The weight is invalid.
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

/// A blended motion and its time alignment.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendResult {
    /// The motion and its plants, not yet cleaned.
    pub edit: EditResult,
    /// The time alignment of both motions.
    pub registration: Registration,
    /// Distance of the aligned poses.
    pub distance: PoseDistance,
    /// For every blended frame its two source frames and its weight.
    pub frames: Vec<FramePair>,
    /// Whether the motions were aligned by the landings of their feet, and not by their poses.
    pub paired_by_steps: bool,
}

/// Blends two motions of one body.
pub fn blend(
    (first, first_plants): (&Motion, &Footplants),
    (second, second_plants): (&Motion, &Footplants),
    legs: &[Leg],
    weight: &Weight,
    settings: &Settings,
) -> Result<BlendResult, BlendError> {
    weight.check()?;
    // The legs are joints of both skeletons only if the joints are the same.
    pair::check_joints(first, second)?;
    if let (Some(body), Some(other)) = (BodyRoot::of(first, legs), BodyRoot::of(second, legs)) {
        let (a, b) = (body.gather(first), other.gather(second));
        let mut result = blend((&a, first_plants), (&b, second_plants), legs, weight, settings)?;
        result.edit.motion = body.scatter(result.edit.motion);
        return Ok(result);
    }
    pair::check(first, second)?;
    let map = distance::map(first, second, &settings.map)?;
    let landings = gait::paired_landings([first_plants, second_plants], first.fps);
    let (registration, paired_by_steps) =
        Registration::new(&map, first, second, landings.as_deref(), settings);
    let distance = registration.distance(&map);
    let pairs = frame_pairs::frame_pairs(&registration, weight, first.fps);
    let all = |share: f64| pairs.iter().all(|pair| pair.weight == share);
    let edit = if all(0.0) {
        EditResult { motion: first.clone(), plants: first_plants.clone(), changed: 0..0 }
    } else if all(1.0) {
        EditResult { motion: second.clone(), plants: second_plants.clone(), changed: 0..0 }
    } else {
        let mut poses = poses(first, second, &pairs, settings);
        height::correct(&mut poses, [first, second], legs, &pairs, settings);
        let (changed, motion) = (0..poses.len(), Motion { poses, ..first.clone() });
        let plants = plants::merge(first_plants, second_plants, legs, &pairs, &motion);
        let floor = floor_level([(first, first_plants), (second, second_plants)], legs, settings.map.up);
        let rest = RestTest { motion: &motion, legs, changed: &changed, floor };
        let plants = rest.held(plants);
        EditResult { motion, plants, changed }
    };
    Ok(BlendResult { edit, registration, distance, frames: pairs, paired_by_steps })
}

fn poses(
    first: &Motion,
    second: &Motion,
    pairs: &[FramePair],
    settings: &Settings,
) -> Vec<surefoot_core::Pose> {
    let ground = Ground::new(&first.skeleton, to_upright(settings.map.up));
    let mut current = None;
    let mut before: Option<[GroundPose; 2]> = None;
    let mut poses = Vec::with_capacity(pairs.len());
    for pair in pairs {
        let [a, b] = [sample(first, pair.first), sample(second, pair.second)];
        let sources = [ground.ground_pose(&a), ground.ground_pose(&b)];
        let now = match (current, before) {
            (Some(current), Some(before)) => {
                ground::advance(current, before[0].to(&sources[0]), before[1].to(&sources[1]), pair.weight)
            }
            _ => sources[0].between(&sources[1], pair.weight),
        };
        let local = |pose, at: &GroundPose| ground.placement(at).inverse().pose(pose, &first.skeleton);
        let blended = interpolate(&local(&a, &sources[0]), &local(&b, &sources[1]), pair.weight);
        poses.push(ground.placement(&now).pose(&blended, &first.skeleton));
        (current, before) = (Some(now), Some(sources));
    }
    poses
}
