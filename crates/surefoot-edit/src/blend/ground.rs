//! Position and heading of the body on the ground.

use surefoot_core::math::{atan2, nearest_equivalent_angle, sincos};
use surefoot_core::{Motion, Pose, Quat, Skeleton};

use crate::interpolate::interpolate;
use surefoot_core::RigidTransform;

/// Position on the ground, in metres, and heading, in radians, with Y up.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroundPose {
    x: f64,
    z: f64,
    heading: f64,
}

impl GroundPose {
    /// The displacement to `next` in the axes of this heading: sideways, forwards and rotation.
    pub fn to(&self, next: &Self) -> Self {
        let (sin, cos) = sincos(self.heading);
        let (x, z) = (next.x - self.x, next.z - self.z);
        Self {
            x: cos * x - sin * z,
            z: sin * x + cos * z,
            heading: nearest_equivalent_angle(next.heading - self.heading, 0.0),
        }
    }

    /// Linear interpolation; the heading takes the shorter way.
    pub fn between(&self, other: &Self, share: f64) -> Self {
        let to = |from: f64, to: f64| if share >= 1.0 { to } else { from + (to - from) * share };
        let heading = nearest_equivalent_angle(other.heading, self.heading);
        Self { x: to(self.x, other.x), z: to(self.z, other.z), heading: to(self.heading, heading) }
    }
}

/// Advances by the interpolated displacements of both motions.
pub(super) fn advance(from: GroundPose, first: GroundPose, second: GroundPose, share: f64) -> GroundPose {
    let step = first.between(&second, share);
    let (sin, cos) = sincos(from.heading);
    GroundPose {
        x: from.x + cos * step.x + sin * step.z,
        z: from.z - sin * step.x + cos * step.z,
        heading: from.heading + step.heading,
    }
}

/// Converts poses to ground poses: the root joint and the rotation that makes up vertical.
pub(super) struct Ground {
    root: usize,
    upright: Quat,
}

impl Ground {
    pub fn new(skeleton: &Skeleton, upright: Quat) -> Self {
        let root = skeleton.ids().find(|&joint| skeleton.parent(joint).is_none());
        Self { root: root.map_or(0, |root| root.index()), upright }
    }

    /// The ground pose below the root; its heading is the twist of the root about up.
    pub fn ground_pose(&self, pose: &Pose) -> GroundPose {
        let position = self.upright * pose.offsets[self.root];
        let rotation = self.upright * pose.rotations[self.root];
        // An upside-down root has no heading: atan2(0, 0) gives 0.
        GroundPose { x: position.x, z: position.z, heading: 2.0 * atan2(rotation.y, rotation.w) }
    }

    /// The transform from the origin to a ground pose.
    pub fn placement(&self, pose: &GroundPose) -> RigidTransform {
        RigidTransform::along_ground(self.upright, pose.heading, pose.x, pose.z)
    }
}

/// The pose at a fractional frame; exact at integer frames.
pub(super) fn sample(motion: &Motion, frame: f64) -> Pose {
    let last = motion.frames() - 1;
    let below = (frame.max(0.0) as usize).min(last);
    let share = frame - below as f64;
    if share <= 0.0 || below == last {
        return motion.poses[below].clone();
    }
    interpolate(&motion.poses[below], &motion.poses[below + 1], share)
}
