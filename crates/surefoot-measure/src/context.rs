//! The legs, plants, floor and frames that figures and plots refer to.

use std::borrow::Cow;

use surefoot_core::{Clip, Floor, Footplants, Leg, Motion};

/// The parts of a clip that hold for the motion before and after alike.
#[derive(Clone, Debug)]
pub(crate) struct Context<'a> {
    /// The legs.
    pub legs: &'a [Leg],
    /// The plants. Frames that the motion does not have count as not planted.
    pub plants: &'a Footplants,
    /// The floor of the clip, or else a level one at the lowest foot point.
    pub floor: Cow<'a, Floor>,
    /// The first frame that counts. The jump from an inserted T-pose into the performance would be the largest of
    /// all accelerations.
    pub first_frame: usize,
}

impl<'a> Context<'a> {
    pub fn of(clip: &'a Clip, before: Option<&Motion>) -> Self {
        let floor = match &clip.floor {
            Some(floor) => Cow::Borrowed(floor),
            None => Cow::Owned(clip.floor_below(before.unwrap_or(&clip.motion))),
        };
        Self { legs: &clip.legs, plants: &clip.plants, floor, first_frame: clip.first_frame }
    }
}

impl Context<'_> {
    /// The number of legs, which come before the arms.
    pub fn feet(&self) -> usize {
        Leg::without_arms(self.legs).len()
    }
}

/// Why a motion cannot be measured or compared.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeasureError {
    /// The skeletons have different joints or parents.
    OtherSkeleton {
        /// Joints before.
        before: usize,
        /// Joints after.
        after: usize,
    },
    /// The numbers of frames differ.
    OtherFrames {
        /// Frames before.
        before: usize,
        /// Frames after.
        after: usize,
    },
    /// The frame rates differ.
    OtherRate {
        /// Frames per second before.
        before: f64,
        /// Frames per second after.
        after: f64,
    },
    /// A leg has a joint outside the skeleton.
    NoSuchJoint {
        /// The leg's name.
        side: String,
        /// The joint index.
        joint: usize,
        /// Number of joints.
        joints: usize,
    },
    /// A plant has a leg index out of range.
    NoSuchLeg {
        /// The leg index.
        leg: usize,
        /// Number of legs.
        legs: usize,
    },
}

impl core::fmt::Display for MeasureError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::OtherSkeleton { before, after } if before == after => {
                write!(f, "the joints of the skeletons before and after have different parents")
            }
            Self::OtherSkeleton { before, after } => {
                write!(f, "the skeleton before has {before} joints, but the one after has {after}")
            }
            Self::OtherFrames { before, after } => {
                write!(f, "the motion before has {before} frames, but the one after has {after}")
            }
            Self::OtherRate { before, after } => {
                write!(f, "the motion before has {before} frames per second, but the one after has {after}")
            }
            Self::NoSuchJoint { side, joint, joints } => {
                write!(f, "the {side} leg has joint {joint}, but the skeleton has {joints} joints")
            }
            Self::NoSuchLeg { leg, legs } => {
                write!(f, "a plant has leg {leg}, but there are {legs} legs")
            }
        }
    }
}

impl core::error::Error for MeasureError {}

/// Largest relative difference of equal frame rates.
///
/// BVH files give 1/120 s as 0.008333 or 0.00833333, which are 4e-5 apart.
const SAME_RATE: f64 = 1e-4;

/// Checks that legs and plants fit the motion, and that the two motions are comparable.
pub(crate) fn check(after: &Motion, before: Option<&Motion>, context: &Context) -> Result<(), MeasureError> {
    let joints = after.skeleton.len();
    for leg in context.legs {
        let named = [leg.hip, leg.knee, leg.ankle, leg.heel.joint, leg.ball.joint, leg.toe.joint];
        if let Some(missing) = named.iter().find(|joint| joint.index() >= joints) {
            return Err(MeasureError::NoSuchJoint { side: leg.side.clone(), joint: missing.index(), joints });
        }
    }
    let legs = context.legs.len();
    if let Some(plant) = context.plants.plants.iter().find(|plant| plant.leg >= legs) {
        return Err(MeasureError::NoSuchLeg { leg: plant.leg, legs });
    }
    before.map_or(Ok(()), |before| check_pair(before, after))
}

fn check_pair(before: &Motion, after: &Motion) -> Result<(), MeasureError> {
    let parents = |motion: &Motion| motion.skeleton.joints().iter().map(|j| j.parent).collect::<Vec<_>>();
    if parents(before) != parents(after) {
        let (before, after) = (before.skeleton.len(), after.skeleton.len());
        return Err(MeasureError::OtherSkeleton { before, after });
    }
    if before.frames() != after.frames() {
        return Err(MeasureError::OtherFrames { before: before.frames(), after: after.frames() });
    }
    if (before.fps - after.fps).abs() > SAME_RATE * after.fps {
        return Err(MeasureError::OtherRate { before: before.fps, after: after.fps });
    }
    Ok(())
}
