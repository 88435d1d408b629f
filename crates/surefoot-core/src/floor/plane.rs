//! A floor that is one plane, level or tilted.

use crate::math::Vec3;

/// A plane: every point `p` with `normal · p = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Which way is up from it; unit length.
    pub normal: Vec3,
    /// How far along the normal it lies, in metres.
    pub offset: f64,
}

impl Plane {
    /// A level plane at this height.
    pub fn level(height: f64) -> Self {
        Self { normal: Vec3::Y, offset: height }
    }

    /// The plane through a point.
    pub fn through(point: Vec3, normal: Vec3) -> Self {
        Self { normal, offset: normal.dot(point) }
    }

    /// The level plane, square to `up`, that meets this one straight above or below `place`.
    ///
    /// A floor that runs along `up`, as a wall does, meets it at the place itself.
    pub fn level_at(&self, place: Vec3, up: Vec3) -> Self {
        let slope = self.normal.dot(up);
        // Steeper than 89.9°, a floor is a wall and has no height under a place.
        let down = if slope.abs() > 1e-3 { self.above(place) / slope } else { 0.0 };
        Self { normal: up, offset: up.dot(place) - down }
    }

    /// How far above the plane a point is; below is negative.
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
    fn a_level_floor_meets_a_tilted_one_below_the_place() {
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
