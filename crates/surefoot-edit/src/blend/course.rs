//! Which frames make each new one?

use super::registration::Registration;
use super::weight::Weight;

/// What one frame of a blended motion is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The frame of the first motion, between two of them as a rule.
    pub first: f64,
    /// The frame of the second.
    pub second: f64,
    /// How much of the second.
    pub weight: f64,
}

/// Nearer than this to a whole frame is that frame.
const WHOLE: f64 = 1e-9;

/// The frames, one after the other: time goes on by a frame as both motions' frames do, each by its
/// weight. At weight 0 they are the first motion's, at weight 1 the second's.
pub(super) fn steps(registration: &Registration, weight: &Weight, fps: f64) -> Vec<Step> {
    let whole = |frame: f64| if (frame - frame.round()).abs() < WHOLE { frame.round() } else { frame };
    let mut steps = Vec::new();
    let mut sum = 0.0;
    loop {
        let share = weight.at(steps.len() as f64 / fps);
        let (first, second) = registration.at(sum);
        steps.push(Step { first: whole(first), second: whole(second), weight: share });
        match on(registration, sum, share) {
            Some(next) => sum = next,
            None => return steps,
        }
    }
}

/// The sum of frames one frame's time later; none past the end.
fn on(registration: &Registration, mut sum: f64, share: f64) -> Option<f64> {
    let time = |at: f64| {
        let (first, second) = registration.at(at);
        (1.0 - share) * first + share * second
    };
    let wanted = time(sum) + 1.0;
    loop {
        let knot = ((sum + WHOLE).floor() + 1.0).min(registration.end());
        let (from, to) = (time(sum), time(knot));
        if to >= wanted - WHOLE {
            // Time goes on along every piece of the curve, which has slopes above 0.
            return Some((sum + (knot - sum) * (wanted - from) / (to - from)).min(registration.end()));
        }
        if knot >= registration.end() {
            return None;
        }
        sum = knot;
    }
}
