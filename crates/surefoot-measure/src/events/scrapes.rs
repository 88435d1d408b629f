//! Scrapes: a swinging foot that comes closer to the ground than captured.

use super::ground::{GroundedPoint, speeds};
use super::runs::runs;
use super::{Event, EventPoint, LegPair};
use core::ops::Range;

/// Speed of heel and ball above which a captured foot swings, in metres per second.
const SWING_SPEED: f64 = 0.3;
/// Shortest swing, in seconds.
const SHORTEST_SWING: f64 = 0.15;
/// Clearance below which a viewer sees the foot touch the ground, in metres.
const CLEARANCE: f64 = 0.025;
/// Least loss of clearance, in metres: less is within the noise of a capture.
const LOSS: f64 = 0.005;

/// The scrapes of a foot; at most one for each swing.
pub(crate) fn scrapes(leg: &LegPair) -> Vec<Event> {
    let [heel, ball] = [&leg.before.heel, &leg.before.ball].map(|path| speeds(path, leg.fps));
    let swings = runs(heel.len(), |frame| heel[frame] > SWING_SPEED && ball[frame] > SWING_SPEED);
    let long = swings.into_iter().filter(|swing| swing.len() as f64 >= SHORTEST_SWING * leg.fps);
    // In the first and last quarter of a swing the foot is near the ground in the capture, too.
    let middle = long.map(|swing| swing.start + swing.len() / 4..swing.end - swing.len() / 4);
    middle.filter_map(|frames| scrape(leg, frames)).collect()
}

/// The scrape in the middle of a swing, if the lowest foot point there is lower than captured.
///
/// The frames of the scrape are those in which the foot has lost too much of its captured clearance.
fn scrape(leg: &LegPair, middle: Range<usize>) -> Option<Event> {
    let captured = lowest(leg, &middle, |point, frame| point.clearance_before(frame))?;
    let now = lowest(leg, &middle, |point, frame| point.clearance_after(frame))?;
    // A foot that only tilts has another lowest point above other ground, without being lower in the room.
    let height = |of: fn(&GroundedPoint, usize) -> f64| lowest(leg, &middle, of).map(|lowest| lowest.value);
    let lowered = height(|point, frame| point.height_before[frame])?
        - height(|point, frame| point.height_after[frame])?;
    let loss = captured.value - now.value;
    if now.value >= CLEARANCE || loss <= LOSS || lowered <= LOSS {
        return None;
    }
    let scrapes = |frame: &usize| {
        let clearances = leg.points.iter().map(|point| point.clearance_after(*frame));
        clearances.fold(f64::INFINITY, f64::min) < f64::min(CLEARANCE, captured.value - LOSS)
    };
    let (first, last) = (middle.clone().find(scrapes)?, middle.rev().find(scrapes)?);
    Some(leg.event(now.point, first..last + 1, loss))
}

/// The lowest value of any foot point in any of some frames.
struct Lowest {
    point: EventPoint,
    value: f64,
}

/// `None` without frames.
fn lowest(leg: &LegPair, frames: &Range<usize>, of: fn(&GroundedPoint, usize) -> f64) -> Option<Lowest> {
    let values = leg.points.iter().flat_map(|point| {
        frames.clone().map(move |frame| Lowest { point: point.point, value: of(point, frame) })
    });
    values.min_by(|a, b| a.value.total_cmp(&b.value))
}
