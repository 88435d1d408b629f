//! Planes.

use crate::math::Vec3;

/// The points `p` with `normal · p = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// The unit normal, pointing up.
    pub normal: Vec3,
    /// The distance of the plane from the origin along the normal, in metres.
    pub offset: f64,
}

impl Plane {
    /// A level plane at this height.
    pub fn level(height: f64) -> Self {
        Self { normal: Vec3::Y, offset: height }
    }

    /// The plane through a point with this normal.
    pub fn through(point: Vec3, normal: Vec3) -> Self {
        Self { normal, offset: normal.dot(point) }
    }

    /// The plane perpendicular to `up` that intersects this one vertically above or below `position`.
    ///
    /// For a plane parallel to `up`, like a wall, the result passes through `position` itself.
    pub fn level_at(&self, position: Vec3, up: Vec3) -> Self {
        let slope = self.normal.dot(up);
        // Steeper than 89.9° the plane is a wall, which has no height under a position.
        let down = if slope.abs() > 1e-3 { self.above(position) / slope } else { 0.0 };
        Self { normal: up, offset: up.dot(position) - down }
    }

    /// Distance of a point from the plane along the normal; negative below.
    #[inline]
    pub fn above(&self, point: Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// The point of the plane nearest to `point`.
    #[inline]
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        point - self.normal * self.above(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_plane_intersects_the_tilted_one_below_the_position() {
        let tilted = Plane { normal: Vec3::new(0.0, 0.8, 0.6), offset: 0.4 };
        let level = tilted.level_at(Vec3::new(7.0, 3.0, 1.0), Vec3::Y);
        assert_eq!(level.normal, Vec3::Y);
        assert!((tilted.above(Vec3::new(7.0, level.offset, 1.0))).abs() < 1e-12);
        let wall = Plane { normal: Vec3::X, offset: 2.0 };
        assert_eq!(wall.level_at(Vec3::new(7.0, 3.0, 1.0), Vec3::Y), Plane::level(3.0));
    }

    #[test]
    fn the_nearest_floor_point_is_on_the_floor() {
        let floor = Plane { normal: Vec3::new(0.1, 1.0, -0.2).normalize(), offset: 0.3 };
        let nearest = floor.nearest(Vec3::new(3.0, 2.0, 1.0));
        assert!(floor.above(nearest).abs() < 1e-15);
    }
}
