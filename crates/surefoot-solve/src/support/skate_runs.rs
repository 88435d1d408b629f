//! Finds the skate runs of a motion, and the feet that support the body before and after each.
//!
//! A run extends from S, the last frame before it that does not skate, to T, the first one after it, or to the ends of
//! the clip. One run has one change of support: from some feet to others, directly or by way of all of them. A long skate
//! over many steps is cut into such runs, each cut in the middle of the frames in which the same feet are planted.

use surefoot_core::FrameRange;

use super::captured_motion::CapturedMotion;
use super::labels::{LegSet, SupportLabel, planted_legs};

/// Differences in height below this are rounding, in metres.
const HEIGHT_ROUNDING: f64 = 1e-9;

/// A skate run with one change of support.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SkateRun {
    /// S: the first frame, which does not skate: it stays as captured, with planted feet on their spots.
    pub first: usize,
    /// T: the last frame, which does not skate either.
    pub last: usize,
    /// K: the frame at which the support changes.
    pub change: usize,
    /// The legs that support the body at S.
    pub before: LegSet,
    /// The legs that support the body at T.
    pub after: LegSet,
}

impl SkateRun {
    /// Whether a leg begins to support the body in this run.
    pub fn begins_support(&self, leg: usize) -> bool {
        self.after.contains(leg) && !self.before.contains(leg)
    }

    /// Whether a leg ceases to support the body in this run.
    pub fn ends_support(&self, leg: usize) -> bool {
        self.before.contains(leg) && !self.after.contains(leg)
    }
}

/// The skate runs of a motion, in order.
pub(super) fn find(captured: &CapturedMotion, labels: &[SupportLabel]) -> Vec<SkateRun> {
    let mut runs = Vec::new();
    let mut frame = 0;
    let is_skate = |at: usize| labels[at] == SupportLabel::Skate;
    while let Some(first) = (frame..captured.frames).find(|&at| is_skate(at)) {
        let end = (first..captured.frames).find(|&at| !is_skate(at)).unwrap_or(captured.frames);
        cut(captured, first.saturating_sub(1), end.min(captured.frames - 1), &mut runs);
        frame = end;
    }
    runs
}

/// Cuts a skate from S to T into runs with one change of support each.
fn cut(captured: &CapturedMotion, first: usize, last: usize, runs: &mut Vec<SkateRun>) {
    let mut supports: Vec<(LegSet, FrameRange)> = Vec::new();
    for frame in first..=last {
        let legs = planted_legs(captured, frame);
        match supports.last_mut() {
            Some((before, range)) if *before == legs => range.end = frame + 1,
            _ => supports.push((legs, frame..frame + 1)),
        }
    }
    let mut start = first;
    for around in supports.windows(3) {
        let [(before, _), (now, range), (after, _)] = around else { continue };
        // From one foot to another by way of both is one change.
        let is_transition =
            *now == *before | *after && !before.is_subset(*after) && !after.is_subset(*before);
        let middle = range.start + (range.len() - 1) / 2;
        if !is_transition {
            runs.push(run(captured, start, middle));
            start = middle;
        }
    }
    runs.push(run(captured, start, last));
}

fn run(captured: &CapturedMotion, first: usize, last: usize) -> SkateRun {
    let (before, after) = (planted_legs(captured, first), planted_legs(captured, last));
    SkateRun { first, last, change: support_change(captured, first, last, before, after), before, after }
}

/// K: the first frame at which the heels of the supporting legs differ least in height.
fn support_change(
    captured: &CapturedMotion,
    first: usize,
    last: usize,
    before: LegSet,
    after: LegSet,
) -> usize {
    let legs = before | after;
    let height_difference = |frame: usize| {
        let supporting = (0..captured.setup.legs.len()).filter(|&leg| legs.contains(leg));
        let heights = supporting.map(|leg| captured.height(captured.leg(frame, leg).points.heel));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), height| {
            (low.min(height), high.max(height))
        });
        high - low
    };
    // At the ends of the clip a run may have no frame in between.
    let candidates = first + 1..last.max(first + 2).min(captured.frames);
    let least = candidates.clone().map(height_difference).fold(f64::INFINITY, f64::min);
    candidates.into_iter().find(|&frame| height_difference(frame) <= least + HEIGHT_ROUNDING).unwrap_or(first)
}
