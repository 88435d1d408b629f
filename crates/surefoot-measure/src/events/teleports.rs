//! Teleports: a foot point that jumps near the ground.

use super::ground::{GroundedPoint, step_speeds};
use super::runs::runs;
use super::sliding_window::{frames_in, sliding_max};
use super::{Event, LegPair};
use crate::statistics::largest;

/// Height above the ground below which a jump counts, in metres. Higher up, a swing hides it.
const LOW: f64 = 0.05;
/// Speed that is always allowed, in metres per second.
const SPEED: f64 = 0.3;
/// Allowed multiple of the captured speed.
const TIMES: f64 = 2.0;
/// The time to either side within which the captured speed counts, in seconds.
const WINDOW: f64 = 0.1;

/// The teleports of a leg's foot points.
pub(crate) fn teleports(leg: &LegPair) -> Vec<Event> {
    leg.points.iter().flat_map(|point| of_point(point, leg)).collect()
}

fn of_point(point: &GroundedPoint, leg: &LegPair) -> Vec<Event> {
    let captured = sliding_max(&step_speeds(point.before, leg.fps), frames_in(WINDOW, leg.fps));
    let speeds = step_speeds(point.after, leg.fps);
    let jumps = |step: usize| {
        let lowest = f64::min(point.clearance_after(step), point.clearance_after(step + 1));
        lowest < LOW && speeds[step] > SPEED + TIMES * captured[step]
    };
    let found = runs(speeds.len(), jumps).into_iter();
    found
        .filter_map(|steps| {
            let amount = largest(speeds[steps.clone()].iter().copied())?;
            Some(leg.event(point.point, steps.start..steps.end + 1, amount))
        })
        .collect()
}
