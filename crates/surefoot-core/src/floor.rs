//! The floor that feet stand on.

use crate::math::Vec3;

/// A plane: every point `p` with `normal · p = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floor {
    /// Which way is up from it; unit length.
    pub normal: Vec3,
    /// How far along the normal it lies, in metres.
    pub offset: f64,
}

impl Floor {
    /// A level floor at this height.
    pub fn level(height: f64) -> Self {
        Self { normal: Vec3::Y, offset: height }
    }

    /// How far above the floor a point is; below is negative.
    pub fn above(&self, point: Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// The floor point nearest to `point`.
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        point - self.normal * self.above(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_floor_point_is_on_the_floor() {
        let floor = Floor { normal: Vec3::new(0.1, 1.0, -0.2).normalize(), offset: 0.3 };
        let nearest = floor.nearest(Vec3::new(3.0, 2.0, 1.0));
        assert!(floor.above(nearest).abs() < 1e-15);
    }
}
