//! What is refused at the door: poses that do not fit the skeleton, and numbers that are none.

use core::fmt;

use surefoot_core::{JointId, Pose, Vec3};

use crate::cleaner::Held;

/// Why a pose cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PoseError {
    /// It has more or fewer joints than the skeleton.
    Joints {
        /// Which frame.
        frame: usize,
        /// How many it has.
        found: usize,
        /// How many the skeleton has.
        expected: usize,
    },
    /// A joint's offset or rotation is not a finite number.
    NotFinite {
        /// Which frame.
        frame: usize,
        /// Which joint.
        joint: JointId,
    },
    /// The spot given for a plant is not a finite number.
    Spot {
        /// Which frame.
        frame: usize,
        /// Which leg.
        leg: usize,
    },
}

impl fmt::Display for PoseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joints { frame, found, expected } => {
                write!(f, "frame {frame} has {found} joints, but the skeleton has {expected}")
            }
            Self::NotFinite { frame, joint } => {
                write!(f, "frame {frame}: joint {} is at no finite number", joint.0)
            }
            Self::Spot { frame, leg } => {
                write!(f, "frame {frame}: the spot given for leg {leg} is no finite number")
            }
        }
    }
}

impl core::error::Error for PoseError {}

/// Refuses a pose that does not fit a skeleton of so many joints, or is not all finite numbers.
pub(crate) fn check_pose(pose: &Pose, frame: usize, joints: usize) -> Result<(), PoseError> {
    for found in [pose.offsets.len(), pose.rotations.len()] {
        if found != joints {
            return Err(PoseError::Joints { frame, found, expected: joints });
        }
    }
    // A sum with a number that is none is none: the joints are looked at one by one only if so.
    if is_sum_finite(pose) {
        return Ok(());
    }
    let is_bad = |index: &usize| !(pose.offsets[*index].is_finite() && pose.rotations[*index].is_finite());
    match (0..joints).find(is_bad) {
        Some(joint) => Err(PoseError::NotFinite { frame, joint: JointId(joint as u32) }),
        None => Ok(()),
    }
}

/// Whether all numbers of a pose, added up, are finite.
fn is_sum_finite(pose: &Pose) -> bool {
    let [mut places, mut turns] = [Vec3::ZERO, Vec3::ZERO];
    let mut ws = 0.0;
    for (place, turn) in pose.offsets.iter().zip(&pose.rotations) {
        places += *place;
        turns += Vec3::new(turn.x, turn.y, turn.z);
        ws += turn.w;
    }
    places.is_finite() && turns.is_finite() && ws.is_finite()
}

/// Refuses a given spot that is not a finite number.
pub(crate) fn check_spots(held: &[Held], frame: usize) -> Result<(), PoseError> {
    let is_bad = |held: &Held| held.points().into_iter().flatten().any(|hold| !is_finite(hold.spot));
    match held.iter().position(is_bad) {
        Some(leg) => Err(PoseError::Spot { frame, leg }),
        None => Ok(()),
    }
}

fn is_finite(spot: Option<Vec3>) -> bool {
    spot.is_none_or(Vec3::is_finite)
}
