//! Checks the poses and spots that are pushed, so that the phases see only finite numbers.

use core::fmt;

use surefoot_core::{JointId, Pose, Vec3};

use crate::plants::ActivePlants;
use crate::setup::Setup;

/// Why a pose or a spot is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PoseError {
    /// The pose has more or fewer joints than the skeleton.
    JointCount {
        /// The frame.
        frame: usize,
        /// Number of joints in the pose.
        found: usize,
        /// Number of joints in the skeleton.
        expected: usize,
    },
    /// The offset or rotation of a joint is NaN or infinite.
    NotFinite {
        /// The frame.
        frame: usize,
        /// The joint.
        joint: JointId,
    },
    /// The strength of a plant is not a number from 0 to 1.
    Strength {
        /// The frame.
        frame: usize,
        /// Index of the leg.
        leg: usize,
    },
    /// The spot given for a plant is NaN or infinite.
    SpotNotFinite {
        /// The frame.
        frame: usize,
        /// Index of the leg.
        leg: usize,
    },
}

impl fmt::Display for PoseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::JointCount { frame, found, expected } => {
                write!(f, "frame {frame} has {found} joints, but the skeleton has {expected}")
            }
            Self::NotFinite { frame, joint } => {
                write!(
                    f,
                    "frame {frame}: the offset or rotation of joint {} is not finite, expected numbers",
                    joint.0
                )
            }
            Self::Strength { frame, leg } => {
                write!(f, "frame {frame}: the strength of a plant of leg {leg} is not a number from 0 to 1")
            }
            Self::SpotNotFinite { frame, leg } => {
                write!(f, "frame {frame}: the spot given for leg {leg} is not finite, expected numbers")
            }
        }
    }
}

impl core::error::Error for PoseError {}

/// Checks the joint count and the offsets of a pose; returns whether its bones differ from the
/// skeleton's.
///
/// Rotations are not checked: the window does that while it copies them.
pub(crate) fn check_offsets(pose: &Pose, frame: usize, setup: &Setup) -> Result<bool, PoseError> {
    let joints = setup.offsets.len();
    check_joint_count(pose, frame, joints)?;
    let root = pose.offsets.get(setup.root.index()).unwrap_or(&Vec3::ZERO);
    let has_own_offsets = has_own_offsets(pose, setup);
    // Offsets that are bit-identical to the skeleton's are finite.
    if has_own_offsets || !root.is_finite() {
        check_pose(pose, frame, joints)?;
    }
    Ok(has_own_offsets)
}

/// Whether any joint other than the root has another offset than in the skeleton, compared bitwise.
pub(crate) fn has_own_offsets(pose: &Pose, setup: &Setup) -> bool {
    let root = setup.root.index();
    let differs = |pose: Option<&[Vec3]>, skeleton: Option<&[Vec3]>| {
        let bits = |offsets| bytemuck::cast_slice::<Vec3, u64>(offsets);
        pose.map(bits) != skeleton.map(bits)
    };
    (root > 0 && differs(pose.offsets.get(..root), setup.offsets.get(..root)))
        || differs(pose.offsets.get(root + 1..), setup.offsets.get(root + 1..))
}

fn check_joint_count(pose: &Pose, frame: usize, joints: usize) -> Result<(), PoseError> {
    match [pose.offsets.len(), pose.rotations.len()].into_iter().find(|found| *found != joints) {
        Some(found) => Err(PoseError::JointCount { frame, found, expected: joints }),
        None => Ok(()),
    }
}

/// Checks the joint count, offsets and rotations of a pose.
pub(crate) fn check_pose(pose: &Pose, frame: usize, joints: usize) -> Result<(), PoseError> {
    check_joint_count(pose, frame, joints)?;
    let is_bad = |index: &usize| !(pose.offsets[*index].is_finite() && pose.rotations[*index].is_finite());
    match (0..joints).find(is_bad) {
        Some(joint) => Err(PoseError::NotFinite { frame, joint: JointId(joint as u32) }),
        None => Ok(()),
    }
}

/// Checks that the spots given for a frame are finite, and the strengths from 0 to 1.
pub(crate) fn check_spots(plants: &[ActivePlants], frame: usize) -> Result<(), PoseError> {
    let is_bad = |foot: &ActivePlants| {
        [&foot.heel, &foot.ball, &foot.toe].into_iter().flatten().any(|plant| !is_finite(plant.spot))
    };
    let is_too_strong = |foot: &ActivePlants| {
        let plants = [&foot.heel, &foot.ball, &foot.toe].into_iter().flatten();
        plants.into_iter().any(|plant| !(0.0..=1.0).contains(&plant.hold.strength))
    };
    if let Some(leg) = plants.iter().position(is_bad) {
        return Err(PoseError::SpotNotFinite { frame, leg });
    }
    match plants.iter().position(is_too_strong) {
        Some(leg) => Err(PoseError::Strength { frame, leg }),
        None => Ok(()),
    }
}

fn is_finite(spot: Option<Vec3>) -> bool {
    spot.is_none_or(Vec3::is_finite)
}
