//! A turn about up and a move along the ground: where one motion is put so that it meets another.

use surefoot_core::math::{sincos, sqrt};
use surefoot_core::{Motion, Plane, Pose, Quat, Skeleton, Vec3};

/// A turn about the up axis, then a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The turn.
    pub turn: Quat,
    /// The move, in metres.
    pub shift: Vec3,
}

impl Placement {
    /// Where things are.
    pub const STAYS: Self = Self { turn: Quat::IDENTITY, shift: Vec3::ZERO };

    /// Where a point comes to be.
    pub fn place(&self, point: Vec3) -> Vec3 {
        if *self == Self::STAYS { point } else { self.turn * point + self.shift }
    }

    /// Where a pose comes to be: its roots are moved, all else hangs from them.
    pub fn pose(&self, pose: &Pose, skeleton: &Skeleton) -> Pose {
        let mut pose = pose.clone();
        if *self == Self::STAYS {
            return pose;
        }
        for root in skeleton.ids().filter(|&joint| skeleton.parent(joint).is_none()) {
            let root = root.index();
            pose.offsets[root] = self.place(pose.offsets[root]);
            pose.rotations[root] = self.turn * pose.rotations[root];
        }
        pose
    }

    /// Where a motion comes to be.
    pub fn motion(&self, motion: &Motion) -> Motion {
        let poses = motion.poses.iter().map(|pose| self.pose(pose, &motion.skeleton)).collect();
        Motion { poses, ..motion.clone() }
    }

    /// From one floor onto another: what stands on the first stands on the second, turned no more than
    /// that takes.
    pub fn onto(from: &Plane, to: &Plane) -> Self {
        if from == to {
            return Self::STAYS;
        }
        let turn = (upright(to.normal).conjugate() * upright(from.normal)).normalize();
        Self { turn, shift: to.normal * (to.offset - from.offset) }
    }

    /// This one, and then another.
    pub fn then(&self, next: &Self) -> Self {
        Self { turn: (next.turn * self.turn).normalize(), shift: next.place(self.shift) }
    }

    /// Back again.
    pub fn inverse(&self) -> Self {
        let turn = self.turn.conjugate();
        Self { turn, shift: -(turn * self.shift) }
    }

    /// This one so many times over; backwards where negative.
    pub fn times(&self, count: isize) -> Self {
        let step = if count < 0 { self.inverse() } else { *self };
        (0..count.unsigned_abs()).fold(Self::STAYS, |placed, _| placed.then(&step))
    }

    /// How far it turns, in radians, from 0 to π.
    pub fn angle(&self) -> f64 {
        crate::mix::log(self.turn).length()
    }

    /// A turn about `up` by `angle` and a move along the ground, both as seen with `up` upright.
    pub(crate) fn about(upright: Quat, angle: f64, x: f64, z: f64) -> Self {
        let (sin, cos) = sincos(angle * 0.5);
        let back = upright.conjugate();
        let turn = (back * Quat::from_xyzw(0.0, sin, 0.0, cos) * upright).normalize();
        Self { turn, shift: back * Vec3::new(x, 0.0, z) }
    }
}

/// The turn that puts `up` upright: nothing where it is.
pub(crate) fn upright(up: Vec3) -> Quat {
    // Half way between up and Y, as a turn: (1 + up·Y, up × Y). A floor is never upside down.
    let cross = up.cross(Vec3::Y);
    let turn = Quat::from_xyzw(cross.x, cross.y, cross.z, 1.0 + up.y);
    let length = sqrt(turn.length_squared());
    if cross == Vec3::ZERO || length < 1e-9 { Quat::IDENTITY } else { turn / length }
}
