//! The path of the body over the ground, which feet and pelvis follow.

use crate::curves::Curve;
use surefoot_core::math::{Vec3, sincos};

/// Time between the precomputed positions, in seconds. The rest is integrated from the position
/// before; with this step the error is below 1e-14 m.
const STEP: f64 = 0.01;

/// A path over the ground as a function of time, at rest before 0 and after its end.
#[derive(Clone, Debug)]
pub(crate) struct RootPath {
    heading: Curve,
    speed: Curve,
    seconds: f64,
    /// The position after each `STEP`.
    positions: Vec<Vec3>,
}

impl RootPath {
    /// A path from the origin with a `heading` in radians from Z towards X and a `speed` in metres
    /// per second.
    pub fn new(heading: Curve, speed: Curve, seconds: f64) -> Self {
        let mut path = Self { heading, speed, seconds, positions: vec![Vec3::ZERO] };
        let mut position = Vec3::ZERO;
        for k in 0..(seconds / STEP) as usize + 1 {
            position += path.travel(k as f64 * STEP, STEP);
            path.positions.push(position);
        }
        path
    }

    /// The direction at `time`, in radians from Z towards X.
    pub fn heading(&self, time: f64) -> f64 {
        self.heading.at(time)
    }

    /// The speed at `time`, in metres per second.
    pub fn speed(&self, time: f64) -> f64 {
        self.speed.at(time)
    }

    /// The position at `time`, at height 0.
    pub fn position(&self, time: f64) -> Vec3 {
        let time = time.clamp(0.0, self.seconds);
        let before = (time / STEP) as usize;
        let since = time - before as f64 * STEP;
        self.positions[before] + self.travel(before as f64 * STEP, since)
    }

    /// The displacement over a short time, by Gauss–Legendre quadrature with three points.
    fn travel(&self, from: f64, duration: f64) -> Vec3 {
        // Half the distance between the outer points: √(3/5) / 2.
        const OUTER: f64 = 0.387_298_334_620_741_7;
        let velocity = |fraction: f64| {
            let time = from + duration * fraction;
            let (sin, cos) = sincos(self.heading.at(time));
            Vec3::new(sin, 0.0, cos) * self.speed.at(time)
        };
        let sides = velocity(0.5 - OUTER) + velocity(0.5 + OUTER);
        (sides * 5.0 + velocity(0.5) * 8.0) * (duration / 18.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math::PI;

    #[test]
    fn the_length_of_a_straight_path_is_the_integral_of_its_speed() {
        let speed = Curve::constant(0.0).change(1.0, 2.0, 1.5);
        let path = RootPath::new(Curve::constant(PI / 2.0), speed, 4.0);
        assert!((path.position(4.0) - Vec3::X * 3.75).length() < 1e-12);
        assert_eq!(path.position(9.0), path.position(4.0));
    }
}
