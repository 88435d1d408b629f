//! Pairs of source frames for each frame of a blended motion.

use super::registration::Registration;
use super::weight::Weight;

/// The two source frames of one blended frame, and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FramePair {
    /// Frame of the first motion, usually fractional.
    pub first: f64,
    /// Frame of the second motion.
    pub second: f64,
    /// Weight of the second motion.
    pub weight: f64,
}

/// Distance from an integer below which a frame counts as that integer. It removes rounding, so that
/// weights 0 and 1 reproduce the sources exactly.
const WHOLE_FRAME: f64 = 1e-9;

/// The frame pairs of the blended motion, in order.
///
/// Each step advances the weighted mean of both frame numbers by one. At weight 0 the result has the
/// frames of the first motion, at weight 1 those of the second.
pub(super) fn frame_pairs(registration: &Registration, weight: &Weight, fps: f64) -> Vec<FramePair> {
    let whole = |frame: f64| if (frame - frame.round()).abs() < WHOLE_FRAME { frame.round() } else { frame };
    let mut pairs = Vec::new();
    let mut sum = 0.0;
    loop {
        let share = weight.at(pairs.len() as f64 / fps);
        let (first, second) = registration.at(sum);
        pairs.push(FramePair { first: whole(first), second: whole(second), weight: share });
        match next_sum(registration, sum, share) {
            Some(next) => sum = next,
            None => return pairs,
        }
    }
}

/// The sum of frame numbers one blended frame later; `None` past the end.
fn next_sum(registration: &Registration, mut sum: f64, share: f64) -> Option<f64> {
    let time = |at: f64| {
        let (first, second) = registration.at(at);
        (1.0 - share) * first + share * second
    };
    let target = time(sum) + 1.0;
    loop {
        let knot = ((sum + WHOLE_FRAME).floor() + 1.0).min(registration.end());
        let (from, to) = (time(sum), time(knot));
        if to >= target - WHOLE_FRAME {
            // `to > from`, since the curve is strictly monotonic in both motions.
            return Some((sum + (knot - sum) * (target - from) / (to - from)).min(registration.end()));
        }
        if knot >= registration.end() {
            return None;
        }
        sum = knot;
    }
}
