//! Rigid transforms of points, poses and whole motions.

use crate::floor::Plane;
use crate::math::{Quat, Vec3, atan2, sincos, sqrt};
use crate::motion::Motion;
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// A rotation followed by a translation, in world space.
///
/// Joining clips, closing loops and putting a motion on another floor all move whole bodies this way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidTransform {
    /// Applied first.
    pub rotation: Quat,
    /// Applied second, in metres.
    pub translation: Vec3,
}

impl RigidTransform {
    /// The identity, which changes no bit of a position or rotation.
    pub const IDENTITY: Self = Self { rotation: Quat::IDENTITY, translation: Vec3::ZERO };

    /// The transformed point.
    pub fn point(&self, point: Vec3) -> Vec3 {
        if *self == Self::IDENTITY { point } else { self.rotation * point + self.translation }
    }

    /// The transformed pose. Only root joints change: all others are relative to their parents.
    pub fn pose(&self, pose: &Pose, skeleton: &Skeleton) -> Pose {
        let mut pose = pose.clone();
        if *self == Self::IDENTITY {
            return pose;
        }
        for root in skeleton.ids().filter(|&joint| skeleton.parent(joint).is_none()) {
            let root = root.index();
            pose.offsets[root] = self.point(pose.offsets[root]);
            pose.rotations[root] = self.rotation * pose.rotations[root];
        }
        pose
    }

    /// The transformed motion.
    pub fn motion(&self, motion: &Motion) -> Motion {
        let poses = motion.poses.iter().map(|pose| self.pose(pose, &motion.skeleton)).collect();
        Motion { poses, skeleton: motion.skeleton.clone(), fps: motion.fps }
    }

    /// The transform with the smallest rotation that takes one floor plane to another.
    pub fn between_floors(from: &Plane, to: &Plane) -> Self {
        if from == to {
            return Self::IDENTITY;
        }
        let rotation = (to_upright(to.normal).conjugate() * to_upright(from.normal)).normalize();
        Self { rotation, translation: to.normal * (to.offset - from.offset) }
    }

    /// This transform followed by `next`.
    pub fn then(&self, next: &Self) -> Self {
        Self {
            rotation: (next.rotation * self.rotation).normalize(),
            translation: next.point(self.translation),
        }
    }

    /// The transform that undoes this one.
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// This transform applied `count` times; its inverse where `count` is negative.
    pub fn repeated(&self, count: isize) -> Self {
        let step = if count < 0 { self.inverse() } else { *self };
        (0..count.unsigned_abs()).fold(Self::IDENTITY, |sum, _| sum.then(&step))
    }

    /// The angle of the rotation, in radians, from 0 to π.
    pub fn angle(&self) -> f64 {
        let rotation = if self.rotation.w < 0.0 { -self.rotation } else { self.rotation };
        let axis = Vec3::new(rotation.x, rotation.y, rotation.z);
        let length = sqrt(axis.length_squared());
        // Below this length the sine of the half angle equals the half angle to the last bit.
        if length < 1e-12 { 2.0 * length } else { 2.0 * atan2(length, rotation.w) }
    }

    /// A rotation by `angle` radians about the up axis and a translation along the ground.
    ///
    /// `upright` is [`to_upright`] of the up axis; `x` and `z` are metres along the ground after it.
    pub fn along_ground(upright: Quat, angle: f64, x: f64, z: f64) -> Self {
        let (sin, cos) = sincos(angle * 0.5);
        let inverse = upright.conjugate();
        let rotation = (inverse * Quat::from_xyzw(0.0, sin, 0.0, cos) * upright).normalize();
        Self { rotation, translation: inverse * Vec3::new(x, 0.0, z) }
    }
}

/// The smallest rotation that takes `up` to the Y axis.
pub fn to_upright(up: Vec3) -> Quat {
    // The quaternion (up × Y, 1 + up·Y) has half the angle between the two. A floor's normal never points down.
    let cross = up.cross(Vec3::Y);
    let rotation = Quat::from_xyzw(cross.x, cross.y, cross.z, 1.0 + up.y);
    let length = sqrt(rotation.length_squared());
    if cross == Vec3::ZERO || length < 1e-9 { Quat::IDENTITY } else { rotation / length }
}
