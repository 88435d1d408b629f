//! How high is the floor under a foot?

use crate::feet::Footprint;
use surefoot_core::math::floor;

/// The floor of a sample: level, or a flight of stairs across the path that goes along Z.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ground {
    /// All at height 0.
    Level,
    /// Level, then steps up, then level again.
    Stairs(Stairs),
}

/// A flight of stairs. Metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stairs {
    /// Where the middle of the first step is, along Z.
    pub first: f64,
    /// How deep each step is.
    pub tread: f64,
    /// How much higher than the last.
    pub riser: f64,
    /// How many there are; the last is as deep as one likes.
    pub count: f64,
}

impl Ground {
    /// The print moved to where a foot can stand: to the middle of a step, away from its edge.
    pub fn settle(&self, mut print: Footprint) -> Footprint {
        if let Self::Stairs(stairs) = self {
            let along = (print.spot.z - stairs.first) / stairs.tread;
            let step = floor(along + 0.5).min(stairs.count - 1.0);
            if step < 0.0 {
                print.spot.z = print.spot.z.min(stairs.first - 1.15 * stairs.tread);
            } else {
                let top = if step == stairs.count - 1.0 { along } else { step };
                print.spot.z = stairs.first + top.max(step) * stairs.tread;
                print.spot.y = (step + 1.0) * stairs.riser;
            }
        }
        print
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::Vec3;

    #[test]
    fn a_foot_stands_in_the_middle_of_its_step() {
        let stairs = Ground::Stairs(Stairs { first: 1.0, tread: 0.5, riser: 0.2, count: 3.0 });
        let settled = |z: f64| {
            let spot = Vec3::new(0.1, 0.0, z);
            let print = stairs.settle(Footprint { spot, yaw: 0.0 });
            (print.spot.z, print.spot.y)
        };
        assert_eq!(settled(0.0), (0.0, 0.0));
        assert_eq!(settled(0.7), (1.0 - 1.15 * 0.5, 0.0));
        assert_eq!(settled(0.8), (1.0, 0.2));
        assert_eq!(settled(1.6), (1.5, 0.4));
        assert_eq!(settled(1.9), (2.0, 3.0 * 0.2));
        assert_eq!(settled(4.0), (4.0, 3.0 * 0.2));
    }
}
