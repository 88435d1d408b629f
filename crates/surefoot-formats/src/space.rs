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
    pub fn turn_in(&self, v: Vec3) -> Vec3 {
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
    pub fn turn_out(&self, v: Vec3) -> Vec3 {
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
    pub fn place_in(&self, v: Vec3) -> Vec3 {
        self.turn_in(v) * self.unit_m
    }

    /// A place or offset of ours, in the file's unit and axes.
    pub fn place_out(&self, v: Vec3) -> Vec3 {
        self.turn_out(v) / self.unit_m
    }

    /// A rotation of the file, in our axes.
    pub fn rotation_in(&self, q: Quat) -> Quat {
        let turned = self.turn_in(Vec3::new(q.x, q.y, q.z));
        Quat::from_xyzw(turned.x, turned.y, turned.z, q.w)
    }

    /// A rotation of ours, in the file's axes.
    pub fn rotation_out(&self, q: Quat) -> Quat {
        let turned = self.turn_out(Vec3::new(q.x, q.y, q.z));
        Quat::from_xyzw(turned.x, turned.y, turned.z, q.w)
    }

    /// A plane in metres and the file's axes, in ours.
    pub fn plane_in(&self, plane: Plane) -> Plane {
        Plane { normal: self.turn_in(plane.normal), offset: plane.offset }
    }

    /// Legs whose points are in the file's unit and axes, in metres and ours.
    pub fn legs_in(&self, legs: &[Leg]) -> Vec<Leg> {
        let leg = |leg: &Leg| Leg {
            heel: self.point_in(leg.heel),
            ball: self.point_in(leg.ball),
            toe: self.point_in(leg.toe),
            ..leg.clone()
        };
        legs.iter().map(leg).collect()
    }

    /// A point on a joint, in metres and our axes.
    pub fn point_in(&self, point: JointPoint) -> JointPoint {
        JointPoint { joint: point.joint, offset: self.place_in(point.offset) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math::turn_about;

    fn spaces() -> impl Iterator<Item = Space> {
        ["x", "-x", "y", "-y", "z", "-z"]
            .into_iter()
            .map(|word| Space { unit_m: 0.5, up: UpAxis::from_name(word).unwrap() })
    }

    #[test]
    fn the_files_up_becomes_y() {
        for space in spaces() {
            assert_eq!(space.turn_in(space.up.direction()), Vec3::Y, "{}", space.up.as_str());
        }
    }

    #[test]
    fn in_and_out_again_is_where_it_was() {
        let v = Vec3::new(1.0, -2.0, 3.5);
        for space in spaces() {
            assert_eq!(space.turn_out(space.turn_in(v)), v);
            assert_eq!(space.place_out(space.place_in(v)), v);
        }
    }

    #[test]
    fn turning_first_or_converting_first_is_the_same() {
        let (v, q) =
            (Vec3::new(1.0, -2.0, 3.5), turn_about(0, 0.3) * turn_about(2, 1.1) * turn_about(1, -0.7));
        for space in spaces() {
            let one = space.turn_in(q * v);
            let other = space.rotation_in(q) * space.turn_in(v);
            assert!((one - other).length() < 1e-14, "{}", space.up.as_str());
            assert_eq!(space.rotation_out(space.rotation_in(q)), q);
        }
    }
}
