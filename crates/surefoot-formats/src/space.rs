//! From a file's unit and axes to metres and Y up, and back.
//!
//! The axes are only swapped and negated, never turned by an angle: a rotation's parts change
//! places and nothing is rounded. Lengths are multiplied by the unit once.

use surefoot_core::UpAxis;
use surefoot_core::{JointPoint, Leg, Plane, Quat, Vec3};

/// The unit and the up axis of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    /// Metres in one of the file's units; finite and above zero.
    pub unit_m: f64,
    /// The file's axis that points up.
    pub up: UpAxis,
}

impl Space {
    /// Metres and Y up: nothing to convert.
    pub const METRES_Y_UP: Self = Self { unit_m: 1.0, up: UpAxis { axis: 1, negative: false } };

    /// A direction in the file's axes, in ours.
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

    /// A direction in our axes, in the file's.
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

    /// A place or offset of the file, in metres and our axes.
    pub fn position_from_file(&self, v: Vec3) -> Vec3 {
        self.direction_from_file(v) * self.unit_m
    }

    /// A place or offset of ours, in the file's unit and axes.
    pub fn position_to_file(&self, v: Vec3) -> Vec3 {
        self.direction_to_file(v) / self.unit_m
    }

    /// A rotation of the file, in our axes.
    pub fn rotation_from_file(&self, q: Quat) -> Quat {
        let turned = self.direction_from_file(Vec3::new(q.x, q.y, q.z));
        Quat::from_xyzw(turned.x, turned.y, turned.z, q.w)
    }

    /// A rotation of ours, in the file's axes.
    pub fn rotation_to_file(&self, q: Quat) -> Quat {
        let turned = self.direction_to_file(Vec3::new(q.x, q.y, q.z));
        Quat::from_xyzw(turned.x, turned.y, turned.z, q.w)
    }

    /// A plane in metres and the file's axes, in ours.
    pub fn plane_from_file(&self, plane: Plane) -> Plane {
        Plane { normal: self.direction_from_file(plane.normal), offset: plane.offset }
    }

    /// Legs whose points are in the file's unit and axes, in metres and ours.
    pub fn legs_from_file(&self, legs: &[Leg]) -> Vec<Leg> {
        let leg = |leg: &Leg| Leg {
            heel: self.point_from_file(leg.heel),
            ball: self.point_from_file(leg.ball),
            toe: self.point_from_file(leg.toe),
            ..leg.clone()
        };
        legs.iter().map(leg).collect()
    }

    /// A point on a joint, in metres and our axes.
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
    fn the_files_up_becomes_y() {
        for space in spaces() {
            assert_eq!(space.direction_from_file(space.up.direction()), Vec3::Y, "{}", space.up.as_str());
        }
    }

    #[test]
    fn in_and_out_again_is_where_it_was() {
        let v = Vec3::new(1.0, -2.0, 3.5);
        for space in spaces() {
            assert_eq!(space.direction_to_file(space.direction_from_file(v)), v);
            assert_eq!(space.position_to_file(space.position_from_file(v)), v);
        }
    }

    #[test]
    fn turning_first_or_converting_first_is_the_same() {
        let (v, q) = (
            Vec3::new(1.0, -2.0, 3.5),
            axis_rotation(0, 0.3) * axis_rotation(2, 1.1) * axis_rotation(1, -0.7),
        );
        for space in spaces() {
            let one = space.direction_from_file(q * v);
            let other = space.rotation_from_file(q) * space.direction_from_file(v);
            assert!((one - other).length() < 1e-14, "{}", space.up.as_str());
            assert_eq!(space.rotation_to_file(space.rotation_from_file(q)), q);
        }
    }
}
