//! Loops: finding a cycle in a motion and closing it.
//!
//! [`cycles`] finds frames between which a motion repeats itself: whole strides where the body walks, and never a rest
//! pose or a still stretch. [`close`] eases the end of such a
//! cycle into its start, and [`seam`] measures the discontinuity that is left. Plants may continue
//! across the seam. [`close_loop`] does all of this for a whole clip.
//!
//! A loop may travel: each period starts where the previous one ended, with the rotation it had
//! there.

mod cycle;
mod exclusions;
mod strides;
mod close;
mod seam;
mod plants;
mod whole_clip;

pub use close::{ClosedLoop, close, restart_at_quietest_frame};
pub use cycle::{Cycle, MAX_CYCLE_DISTANCE, cycle_at, cycles, whole_motion_loop};
pub use seam::{RoughestJoint, Seam, seam};
pub use strides::strides_within;
pub use whole_clip::{MAX_LOOP_GAP, close_loop, detect_loop, settings_for, with_loop};

use crate::distance;
use surefoot_core::math::PI;

/// Settings for finding and closing loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Comparison of poses.
    pub map: distance::Settings,
    /// The shortest and the longest cycle, in seconds. Default 0.4 and no upper limit.
    pub length: (f64, f64),
    /// Length of the blend window on each side of the seam, in seconds; at most half a period.
    /// Default: 1/3 s for ends that are up to 3 cm apart, longer in proportion, at most 1 s.
    pub ease: Option<f64>,
    /// The frame at which the loop starts. Default: the quietest.
    pub start: LoopStart,
    /// Largest turn of a cycle that is taken for a deviation from straight ahead, in radians. Default 5°.
    ///
    /// A captured straight walk turns by one to four degrees in a stride. Repeated, that is a circle.
    pub max_straight_turn: f64,
}

/// The shortest and the longest blend window at a seam, in seconds. With a shorter one the seam shows; with a longer one
/// little of the captured motion is left.
const EASE: (f64, f64) = (1.0 / 3.0, 1.0);

/// How fast the ends of a cycle are brought together, in metres per second. Planted feet have to stay while the body
/// closes the gap: at twice the speed, knees of captured loops pop and feet jump.
const CLOSING_SPEED: f64 = 0.09;

impl Settings {
    /// The blend window on each side of the seam of a cycle, in seconds.
    pub fn ease_of(&self, cycle: &Cycle) -> f64 {
        self.ease.unwrap_or_else(|| (cycle.distance / CLOSING_SPEED).clamp(EASE.0, EASE.1))
    }
}

/// The frame at which a loop starts. The choice does not change the motion, only the position of
/// the seam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopStart {
    /// The first frame of the cycle.
    First,
    /// The frame with the least speed and acceleration, where a seam is least visible.
    Quietest,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            map: distance::Settings::default(),
            length: (0.4, f64::INFINITY),
            ease: None,
            start: LoopStart::Quietest,
            max_straight_turn: 5.0 * PI / 180.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::RigidTransform;

    #[test]
    fn ends_that_are_farther_apart_are_closed_over_a_longer_time() {
        let cycle = |distance| Cycle { first: 0, last: 100, travel: RigidTransform::IDENTITY, distance };
        let eases = [0.0, 0.03, 0.06, 0.5].map(|distance| Settings::default().ease_of(&cycle(distance)));
        let expected = [1.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];
        assert!(
            eases.iter().zip(expected).all(|(ease, expected)| (ease - expected).abs() < 1e-9),
            "{eases:?}"
        );
        let given = Settings { ease: Some(0.2), ..Settings::default() };
        assert_eq!(given.ease_of(&cycle(0.5)), 0.2);
    }
}
