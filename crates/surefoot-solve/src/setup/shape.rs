//! Properties of a leg that only the poses show: knee axis, toe axis and sole normal.

use surefoot_core::{Clip, Leg, Vec3};

use super::leg::Chains;
use super::{SetupError, check_floor};
use crate::kinematics::knee_hinge::Hinge;
use crate::kinematics::{sole_normal, toe_axis};
use crate::validation::check_pose;

/// Knee axis and sole normal of a leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegShape {
    /// Hinge axis of the knee, of unit length, in the space of the parent of the knee. A positive rotation bends the
    /// knee.
    pub knee_axis: Vec3,
    /// Upward normal of the sole, of unit length, in the space of the ankle.
    pub sole_normal: Vec3,
    /// Hinge axis of the toes, of unit length, in the space of their parent. `None`: across the foot.
    pub toe_axis: Option<Vec3>,
}

/// The knee axis and sole normal of each leg, estimated from the poses of the performance.
///
/// A few poses are enough; without any, the rest pose is used.
pub fn leg_shapes(clip: &Clip) -> Result<Vec<LegShape>, SetupError> {
    let (skeleton, poses) = (&clip.motion.skeleton, clip.performance_poses());
    for (frame, pose) in poses.iter().enumerate() {
        check_pose(pose, frame, skeleton.len())?;
    }
    check_floor(clip)?;
    let shape = |leg: &Leg| {
        Chains::new(skeleton, leg)?;
        Ok(LegShape {
            knee_axis: Hinge::estimate(skeleton, leg, poses).axis,
            sole_normal: sole_normal::estimate(skeleton, leg, poses, clip.floor.as_ref()),
            toe_axis: toe_axis::estimate(leg, poses),
        })
    };
    clip.legs.iter().map(shape).collect()
}
