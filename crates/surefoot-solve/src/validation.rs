//! What is refused at the door: poses that do not fit the skeleton, and numbers that are none.

use core::fmt;

use surefoot_core::{JointId, Pose, Vec3};

use crate::cleaner::Held;
use crate::setup::Setup;

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

/// Refuses a pose that does not fit the skeleton, or whose joints are at no finite numbers; its turns are not
/// looked at. Gives back whether it has offsets of its own.
pub(crate) fn check(pose: &Pose, frame: usize, setup: &Setup) -> Result<bool, PoseError> {
    let joints = setup.offsets.len();
    check_joints(pose, frame, joints)?;
    let root = pose.offsets.get(setup.root.index()).unwrap_or(&Vec3::ZERO);
    let is_moved = is_moved(pose, setup);
    if is_moved || !root.is_finite() {
        check_pose(pose, frame, joints)?;
    }
    Ok(is_moved)
}

/// Whether joints of a pose that fits the skeleton, other than the root, are not where the skeleton has them,
/// to the bit.
pub(crate) fn is_moved(pose: &Pose, setup: &Setup) -> bool {
    let root = setup.root.index();
    let is_other = |found: Option<&[Vec3]>, drawn: Option<&[Vec3]>| {
        let bits = |offsets| bytemuck::cast_slice::<Vec3, u64>(offsets);
        found.map(bits) != drawn.map(bits)
    };
    (root > 0 && is_other(pose.offsets.get(..root), setup.offsets.get(..root)))
        || is_other(pose.offsets.get(root + 1..), setup.offsets.get(root + 1..))
}

fn check_joints(pose: &Pose, frame: usize, joints: usize) -> Result<(), PoseError> {
    match [pose.offsets.len(), pose.rotations.len()].into_iter().find(|found| *found != joints) {
        Some(found) => Err(PoseError::Joints { frame, found, expected: joints }),
        None => Ok(()),
    }
}

/// Refuses a pose that does not fit a skeleton of so many joints, or is not all finite numbers.
pub(crate) fn check_pose(pose: &Pose, frame: usize, joints: usize) -> Result<(), PoseError> {
    check_joints(pose, frame, joints)?;
    let is_bad = |index: &usize| !(pose.offsets[*index].is_finite() && pose.rotations[*index].is_finite());
    match (0..joints).find(is_bad) {
        Some(joint) => Err(PoseError::NotFinite { frame, joint: JointId(joint as u32) }),
        None => Ok(()),
    }
}

/// Refuses a given spot that is not a finite number.
pub(crate) fn check_spots(held: &[Held], frame: usize) -> Result<(), PoseError> {
    let is_bad =
        |held: &Held| [&held.heel, &held.ball].into_iter().flatten().any(|hold| !is_finite(hold.spot));
    match held.iter().position(is_bad) {
        Some(leg) => Err(PoseError::Spot { frame, leg }),
        None => Ok(()),
    }
}

fn is_finite(spot: Option<Vec3>) -> bool {
    spot.is_none_or(Vec3::is_finite)
}
