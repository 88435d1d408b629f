//! Where is the body going? The path over the ground that feet and pelvis follow.

use crate::curves::Curve;
use surefoot_core::math::{Vec3, sincos};

/// Seconds between the places that are worked out in advance.
///
/// The rest is integrated from the nearest one before; at this step the error is below 1e-14 m.
const STEP: f64 = 0.01;

/// A path over the ground as a function of time, at rest before 0 and after its last second.
#[derive(Clone, Debug)]
pub(crate) struct Guide {
    heading: Curve,
    speed: Curve,
    seconds: f64,
    /// Where it is after every STEP.
    places: Vec<Vec3>,
}

impl Guide {
    /// The path that starts at the origin and goes with this `heading` (radians from Z towards X)
    /// and this `speed` (metres per second).
    pub fn new(heading: Curve, speed: Curve, seconds: f64) -> Self {
        let mut guide = Self { heading, speed, seconds, places: vec![Vec3::ZERO] };
        let mut place = Vec3::ZERO;
        for k in 0..(seconds / STEP) as usize + 1 {
            place += guide.travel(k as f64 * STEP, STEP);
            guide.places.push(place);
        }
        guide
    }

    /// Its direction at `time`, in radians from Z towards X.
    pub fn heading(&self, time: f64) -> f64 {
        self.heading.at(time)
    }

    /// Its speed at `time`, in metres per second.
    pub fn speed(&self, time: f64) -> f64 {
        self.speed.at(time)
    }

    /// Where it is at `time`, at height 0.
    pub fn place(&self, time: f64) -> Vec3 {
        let time = time.clamp(0.0, self.seconds);
        let before = (time / STEP) as usize;
        let since = time - before as f64 * STEP;
        self.places[before] + self.travel(before as f64 * STEP, since)
    }

    /// How far it goes in a short while: Gauss and Legendre's rule with three points.
    fn travel(&self, from: f64, duration: f64) -> Vec3 {
        // Half the distance between the outer points of the rule: √(3/5) / 2.
        const OUTER: f64 = 0.387_298_334_620_741_7;
        let velocity = |share: f64| {
            let time = from + duration * share;
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
    fn a_straight_path_is_as_long_as_its_speed_says() {
        let speed = Curve::starting_at(0.0).change(1.0, 2.0, 1.5);
        let guide = Guide::new(Curve::starting_at(PI / 2.0), speed, 4.0);
        assert!((guide.place(4.0) - Vec3::X * 3.75).length() < 1e-12);
        assert_eq!(guide.place(9.0), guide.place(4.0));
    }
}
