//! What is refused at the door: poses that do not fit the skeleton, and numbers that are none.

use core::fmt;

use surefoot_core::{JointId, Pose, Quat, Vec3};

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
    let offsets: Vec3 = pose.offsets.iter().sum();
    let [mut x, mut y, mut z, mut w] = [0.0; 4];
    for turn in &pose.rotations {
        (x, y, z, w) = (x + turn.x, y + turn.y, z + turn.z, w + turn.w);
    }
    if offsets.is_finite() && Quat::from_xyzw(x, y, z, w).is_finite() {
        return Ok(());
    }
    let is_bad = |index: &usize| !(pose.offsets[*index].is_finite() && pose.rotations[*index].is_finite());
    match (0..joints).find(is_bad) {
        Some(joint) => Err(PoseError::NotFinite { frame, joint: JointId(joint as u32) }),
        None => Ok(()),
    }
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
