//! Converts between a file's unit and axes and surefoot's metres, Y up.
//!
//! Axes are only swapped and negated, never rotated by an angle, so a rotation's components change
//! places without rounding. Lengths are multiplied or divided by the unit once.

use surefoot_core::UpAxis;
use surefoot_core::{Joint, JointPoint, Leg, Plane, Pose, Quat, Skeleton, Vec3};

/// The units that a user may state, in metres. Beyond them the products of lengths are not finite.
pub const UNIT_RANGE: core::ops::RangeInclusive<f64> = 1e-30..=1e30;

/// The unit and the up axis of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    /// Metres per unit of the file; finite and above zero.
    pub unit_m: f64,
    /// The file's axis that points up.
    pub up: UpAxis,
}

impl Space {
    /// Metres and Y up: the identity conversion.
    pub const METRES_Y_UP: Self = Self { unit_m: 1.0, up: UpAxis { axis: 1, negative: false } };

    /// The file's two axes that are not up, in alphabetical order: x and z where y is up.
    pub fn ground_axes(&self) -> [usize; 2] {
        match self.up.axis {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        }
    }

    /// Converts a direction, or a length in metres, from the file's axes to Y up.
    pub fn direction_from_file(&self, v: Vec3) -> Vec3 {
        match (self.up.axis, self.up.negative) {
            (0, false) => Vec3::new(-v.y, v.x, v.z),
            (0, true) => Vec3::new(v.y, -v.x, v.z),
            (2, false) => Vec3::new(v.x, v.z, -v.y),
            (2, true) => Vec3::new(v.x, -v.z, v.y),
            (_, true) => Vec3::new(v.x, -v.y, -v.z),
            (_, false) => v,
        }
    }

    /// Converts a direction, or a length in metres, from Y up to the file's axes.
    pub fn direction_to_file(&self, v: Vec3) -> Vec3 {
        match (self.up.axis, self.up.negative) {
            (0, false) => Vec3::new(v.y, -v.x, v.z),
            (0, true) => Vec3::new(-v.y, v.x, v.z),
            (2, false) => Vec3::new(v.x, -v.z, v.y),
            (2, true) => Vec3::new(v.x, v.z, -v.y),
            (_, true) => Vec3::new(v.x, -v.y, -v.z),
            (_, false) => v,
        }
    }

    /// Converts a position or offset from the file's unit and axes to metres, Y up.
    pub fn position_from_file(&self, v: Vec3) -> Vec3 {
        self.direction_from_file(v) * self.unit_m
    }

    /// Converts a position or offset from metres, Y up to the file's unit and axes.
    pub fn position_to_file(&self, v: Vec3) -> Vec3 {
        self.direction_to_file(v) / self.unit_m
    }

    /// Converts a rotation from the file's axes to Y up.
    pub fn rotation_from_file(&self, q: Quat) -> Quat {
        let axis = self.direction_from_file(Vec3::new(q.x, q.y, q.z));
        Quat::from_xyzw(axis.x, axis.y, axis.z, q.w)
    }

    /// Converts a rotation from Y up to the file's axes.
    pub fn rotation_to_file(&self, q: Quat) -> Quat {
        let axis = self.direction_to_file(Vec3::new(q.x, q.y, q.z));
        Quat::from_xyzw(axis.x, axis.y, axis.z, q.w)
    }

    /// Converts a plane from the file's axes to Y up. Its offset is in metres on both sides.
    pub fn plane_from_file(&self, plane: Plane) -> Plane {
        Plane { normal: self.direction_from_file(plane.normal), offset: plane.offset }
    }

    /// Converts a pose from the file's unit and axes to metres, Y up.
    pub fn pose_from_file(&self, mut pose: Pose) -> Pose {
        self.convert_from_file(&mut pose);
        pose
    }

    /// Converts a pose in place from the file's unit and axes to metres, Y up.
    pub fn convert_from_file(&self, pose: &mut Pose) {
        pose.offsets.iter_mut().for_each(|offset| *offset = self.position_from_file(*offset));
        pose.rotations.iter_mut().for_each(|rotation| *rotation = self.rotation_from_file(*rotation));
    }

    /// Converts a pose from metres, Y up to the file's unit and axes. Joints that are as in `captured`, a pose in the
    /// file's unit and axes, keep its numbers, which converting twice could round.
    pub fn pose_to_file(&self, pose: &Pose, captured: &Pose) -> Pose {
        let offset = |(new, old): (&Vec3, &Vec3)| match self.position_from_file(*old) == *new {
            true => *old,
            false => self.position_to_file(*new),
        };
        let rotation = |(new, old): (&Quat, &Quat)| match self.rotation_from_file(*old) == *new {
            true => *old,
            false => self.rotation_to_file(*new),
        };
        Pose {
            offsets: pose.offsets.iter().zip(&captured.offsets).map(offset).collect(),
            rotations: pose.rotations.iter().zip(&captured.rotations).map(rotation).collect(),
        }
    }

    /// Converts the offsets of a skeleton from the file's unit and axes to metres, Y up.
    pub fn skeleton_from_file(&self, skeleton: &Skeleton) -> Skeleton {
        let joints = skeleton.joints().iter().map(|joint| Joint {
            offset: self.position_from_file(joint.offset),
            end: joint.end.map(|end| self.position_from_file(end)),
            ..joint.clone()
        });
        // Fails only if an offset overflows: such a body has no size that could be cleaned.
        Skeleton::new(joints.collect()).unwrap_or_default()
    }

    /// Converts the foot points of legs from the file's unit and axes to metres, Y up.
    pub fn legs_from_file(&self, legs: &[Leg]) -> Vec<Leg> {
        let leg = |leg: &Leg| Leg {
            heel: self.point_from_file(leg.heel),
            ball: self.point_from_file(leg.ball),
            toe: self.point_from_file(leg.toe),
            ..leg.clone()
        };
        legs.iter().map(leg).collect()
    }

    /// Converts a point on a joint from the file's unit and axes to metres, Y up.
    pub fn point_from_file(&self, point: JointPoint) -> JointPoint {
        JointPoint { joint: point.joint, offset: self.position_from_file(point.offset) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math::axis_rotation;

    fn spaces() -> impl Iterator<Item = Space> {
        ["x", "-x", "y", "-y", "z", "-z"]
            .into_iter()
            .map(|word| Space { unit_m: 0.5, up: UpAxis::from_name(word).unwrap() })
    }

    #[test]
    fn the_up_axis_of_the_file_becomes_y() {
        for space in spaces() {
            assert_eq!(space.direction_from_file(space.up.direction()), Vec3::Y, "{}", space.up.as_str());
        }
    }

    #[test]
    fn converting_to_the_file_inverts_converting_from_it() {
        let v = Vec3::new(1.0, -2.0, 3.5);
        for space in spaces() {
            assert_eq!(space.direction_to_file(space.direction_from_file(v)), v);
            assert_eq!(space.position_to_file(space.position_from_file(v)), v);
        }
    }

    #[test]
    fn rotation_and_conversion_commute() {
        let v = Vec3::new(1.0, -2.0, 3.5);
        let q = axis_rotation(0, 0.3) * axis_rotation(2, 1.1) * axis_rotation(1, -0.7);
        for space in spaces() {
            let rotated_first = space.direction_from_file(q * v);
            let converted_first = space.rotation_from_file(q) * space.direction_from_file(v);
            assert!((rotated_first - converted_first).length() < 1e-14, "{}", space.up.as_str());
            assert_eq!(space.rotation_to_file(space.rotation_from_file(q)), q);
        }
    }
}
