//! Knee pops: a knee whose angular acceleration is far above the captured one.

use super::runs::runs;
use super::sliding_window::{frames_in, sliding_max};
use super::{Event, EventPoint, LegPair};
use crate::acceleration::angular_accelerations;
use crate::statistics::largest;
use surefoot_core::math::PI;

/// Angular acceleration that is always allowed, in rad/s²: 1,500 °/s².
const ACCELERATION: f64 = 1500.0 / 180.0 * PI;
/// Allowed multiple of the captured acceleration.
const TIMES: f64 = 2.0;
/// The time to either side within which the captured acceleration counts, in seconds.
const WINDOW: f64 = 0.25;

/// The pops of a leg's knee.
pub(crate) fn knee_pops(leg: &LegPair) -> Vec<Event> {
    let captured = angular_accelerations(&leg.before.knee_angles(), leg.fps);
    let captured = sliding_max(&captured, frames_in(WINDOW, leg.fps));
    let accelerations = angular_accelerations(&leg.after.knee_angles(), leg.fps);
    let pops = |index: usize| accelerations[index] > ACCELERATION + TIMES * captured[index];
    let found = runs(accelerations.len(), pops);
    found
        .into_iter()
        .filter_map(|at| {
            let amount = largest(accelerations[at.clone()].iter().copied())?;
            // The first acceleration is that of the second frame.
            Some(leg.event(EventPoint::Knee, at.start + 1..at.end + 1, amount))
        })
        .collect()
}
