//! New slides: a foot point that stands in the capture and moves further now.

use super::ground::{GroundedPoint, speeds};
use super::runs::runs;
use super::sliding_window::frames_in;
use super::{Event, LegPair};
use crate::statistics::largest;
use core::ops::Range;

/// Height above the ground below which a captured point stands, in metres.
const LOW: f64 = 0.03;
/// Speed below which it stands, in metres per second.
const SLOW: f64 = 0.15;
/// Fewest frames of a stand. Fewer are the turning point of a swing.
const STAND_FRAMES: usize = 4;
/// The time over which the movements are compared, in seconds.
const WINDOW: f64 = 0.2;
/// How much further the point must move to be seen sliding, in metres.
const FURTHER: f64 = 0.012;

/// The slides of a leg's foot points; one for each stand in the capture.
pub(crate) fn new_slides(leg: &LegPair) -> Vec<Event> {
    leg.points.iter().flat_map(|point| of_point(point, leg)).collect()
}

fn of_point(point: &GroundedPoint, leg: &LegPair) -> Vec<Event> {
    let speeds = speeds(point.before, leg.fps);
    let stands = |frame: usize| point.clearance_before(frame) < LOW && speeds[frame] < SLOW;
    let stands = runs(point.before.len(), stands).into_iter().filter(|run| run.len() >= STAND_FRAMES);
    stands.filter_map(|stand| slide(point, stand, leg)).collect()
}

/// The slide during a stand, over the frames that begin or end a window in which the point moves further.
fn slide(point: &GroundedPoint, stand: Range<usize>, leg: &LegPair) -> Option<Event> {
    let window = frames_in(WINDOW, leg.fps);
    let further = |from: usize| {
        let to = (from + window).min(stand.end - 1);
        point.along_floor(point.after[to] - point.after[from])
            - point.along_floor(point.before[to] - point.before[from])
    };
    let slides = |from: &usize| further(*from) > FURTHER;
    let first = stand.clone().find(slides)?;
    let last = stand.clone().rev().find(slides)?;
    let amount = largest(stand.clone().map(further))?;
    let frames = first..(last + window).min(stand.end - 1) + 1;
    Some(leg.event(point.point, frames, amount))
}
