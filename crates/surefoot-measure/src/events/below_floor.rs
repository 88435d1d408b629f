//! Foot points below the floor, and those deeper than captured.

use super::runs::runs;
use super::{Event, EventPoint};
use crate::context::Context;
use crate::paths::Paths;
use crate::statistics::largest;

/// Depth above which a point is visibly below the floor, in metres; also the least difference of two depths.
const DEPTH: f64 = 1e-3;

/// Runs of frames in which a heel, ball or toe is below the floor, with the largest depth.
pub(crate) fn below_floor(paths: &Paths, context: &Context) -> Vec<Event> {
    find(paths, context, |_, _, _, depth| depth)
}

/// Runs of frames in which a point is below the floor and deeper than captured, with the largest difference.
pub(crate) fn deeper(before: &Paths, after: &Paths, context: &Context) -> Vec<Event> {
    find(after, context, |leg, point, frame, depth| {
        let captured = -context.floor.above(point.path(&before.legs[leg])[frame]);
        // A point that was above the floor is deeper by its depth below the floor.
        depth - captured.max(0.0)
    })
}

/// Runs of frames in which a point is below the floor and `amount` of leg, point, frame and depth is visible.
fn find(
    paths: &Paths,
    context: &Context,
    amount: impl Fn(usize, EventPoint, usize, f64) -> f64,
) -> Vec<Event> {
    let mut events = Vec::new();
    for (leg, path) in paths.legs.iter().enumerate() {
        for point in EventPoint::FOOT {
            let depth = |at| -context.floor.above(at);
            let amounts: Vec<Option<f64>> = point
                .path(path)
                .iter()
                .enumerate()
                .map(|(frame, &at)| {
                    Some(depth(at))
                        .filter(|&depth| depth > DEPTH)
                        .map(|depth| amount(leg, point, frame, depth))
                })
                .map(|amount| amount.filter(|&amount| amount > DEPTH))
                .collect();
            for run in runs(amounts.len(), |frame| amounts[frame].is_some()) {
                let Some(amount) = largest(amounts[run.clone()].iter().flatten().copied()) else { continue };
                events.push(Event {
                    foot: context.legs[leg].side.clone(),
                    point,
                    first: run.start + context.first_frame,
                    last: run.end - 1 + context.first_frame,
                    amount,
                    cause: None,
                });
            }
        }
    }
    events
}
