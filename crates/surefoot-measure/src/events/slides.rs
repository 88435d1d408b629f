//! New slides: a foot point that stands in the capture and moves further now.

use super::ground::{GroundedPoint, speeds};
use super::runs::{merge, runs};
use super::sliding_window::frames_in;
use super::{Event, LegPair};
use crate::statistics::largest;
use core::ops::Range;

/// Height above the ground below which a captured point stands, in metres.
const LOW: f64 = 0.03;
/// Speed below which a captured point stands, in metres per second.
const SLOW: f64 = 0.15;
/// Fewest frames of a stand. Fewer are the turning point of a swing.
const STAND_FRAMES: usize = 4;
/// The time over which the movements are compared, in seconds.
const WINDOW: f64 = 0.2;
/// How much further the point must move to be seen sliding, in metres.
const FURTHER: f64 = 0.012;

/// The slides of a leg's foot points.
pub(crate) fn new_slides(leg: &LegPair) -> Vec<Event> {
    leg.points.iter().flat_map(|point| of_point(point, leg)).collect()
}

fn of_point(point: &GroundedPoint, leg: &LegPair) -> Vec<Event> {
    let speeds = speeds(point.before, leg.fps);
    let stands = |frame: usize| point.clearance_before(frame) < LOW && speeds[frame] < SLOW;
    let stands = runs(point.before.len(), stands).into_iter().filter(|run| run.len() >= STAND_FRAMES);
    stands.flat_map(|stand| during_stand(point, &stand, leg)).collect()
}

/// The slides during a stand: the windows in which the point moves further, with overlapping windows merged.
fn during_stand(point: &GroundedPoint, stand: &Range<usize>, leg: &LegPair) -> Vec<Event> {
    let length = frames_in(WINDOW, leg.fps);
    // The last frame of a window; at the end of the stand the windows are shorter.
    let last = |from: usize| (from + length).min(stand.end - 1);
    let further = |from: usize| {
        point.along_floor(point.after[last(from)] - point.after[from])
            - point.along_floor(point.before[last(from)] - point.before[from])
    };
    let windows = stand.clone().filter(|&from| further(from) > FURTHER);
    let slides = merge(windows.map(|from| from..last(from) + 1));
    let event = |frames: Range<usize>| {
        let amount = largest(frames.clone().map(further))?;
        Some(leg.event(point.point, frames, amount))
    };
    slides.into_iter().filter_map(event).collect()
}
