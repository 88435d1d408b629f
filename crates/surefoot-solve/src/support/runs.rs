//! Where does a motion skate, and who carries the body before and after?
//!
//! A run goes from S, the last frame before it that does not skate, to T, the first one after it. The
//! clip's ends are ends of runs too. One run has one change of support: from some feet to others, by way
//! of all of them or not. A long skate over many steps is cut into such runs, each cut in the middle of
//! the frames in which the same feet are planted.

use surefoot_core::FrameRange;

use super::body::Body;
use super::label::{LegSet, SupportLabel, planted};
use crate::settings::Form;

/// A skating run with one change of support.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Run {
    /// S: its beginning, in which it is as captured or as its plants have it.
    pub first: usize,
    /// T: likewise its end.
    pub last: usize,
    /// K: the frame at which the support changes.
    pub change: usize,
    /// Who carries at S, and at T.
    pub before: LegSet,
    pub after: LegSet,
}

impl Run {
    /// Whether a leg begins to carry in it.
    pub fn takes_on(&self, leg: usize) -> bool {
        self.after.contains(leg) && !self.before.contains(leg)
    }

    /// Whether a leg ceases to carry in it.
    pub fn lets_go(&self, leg: usize) -> bool {
        self.before.contains(leg) && !self.after.contains(leg)
    }
}

/// The runs of a motion, in order.
pub(super) fn runs(body: &Body, labels: &[SupportLabel]) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut frame = 0;
    while let Some(first) = (frame..body.frames).find(|&at| labels[at] == SupportLabel::Skate) {
        let end = (first..body.frames).find(|&at| labels[at] != SupportLabel::Skate).unwrap_or(body.frames);
        cut(body, first.saturating_sub(1), end.min(body.frames - 1), &mut runs);
        frame = end;
    }
    runs
}

/// Cuts a skate from S to T into runs with one change of support each.
fn cut(body: &Body, first: usize, last: usize, runs: &mut Vec<Run>) {
    let mut same: Vec<(LegSet, FrameRange)> = Vec::new();
    for frame in first..=last {
        let legs = planted(body, frame);
        match same.last_mut() {
            Some((before, range)) if *before == legs => range.end = frame + 1,
            _ => same.push((legs, frame..frame + 1)),
        }
    }
    let mut start = first;
    for around in same.windows(3) {
        let [(before, _), (now, range), (after, _)] = around else { continue };
        // From one foot to another by way of both is one change.
        let is_on_the_way = *now == *before | *after && !before.are_in(*after) && !after.are_in(*before);
        let middle = range.start + (range.len() - 1) / 2;
        if !is_on_the_way {
            runs.push(run(body, start, middle));
            start = middle;
        }
    }
    runs.push(run(body, start, last));
}

fn run(body: &Body, first: usize, last: usize) -> Run {
    let (before, after) = (planted(body, first), planted(body, last));
    Run { first, last, change: change(body, first, last, before, after), before, after }
}

/// Heels that are as near in height as this, in metres, are as near as can be: the rest is rounding.
const AS_NEAR: f64 = 1e-9;

/// K: the first frame at which the heels of the legs that carry are nearest in height.
///
/// As published it is sought in the whole run. The plants tell more: the support changes while they do,
/// and a foot that is made to arrive before, or to leave after, is thrown. So it is sought there.
fn change(body: &Body, first: usize, last: usize, before: LegSet, after: LegSet) -> usize {
    let legs = before | after;
    let apart = |frame: usize| {
        let heels = (0..body.setup.legs.len()).filter(|&leg| legs.contains(leg));
        let heights = heels.map(|leg| body.height(body.seen(frame, leg).points[0]));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), height| {
            (low.min(height), high.max(height))
        });
        high - low
    };
    let between = match body.setup.settings.form {
        // At the clip's ends a run may have nothing in between.
        Form::Paper => first + 1..last.max(first + 2).min(body.frames),
        Form::Improved => {
            let begins = (first..=last).find(|&frame| planted(body, frame) != before).unwrap_or(first);
            let ends = (first..=last).rev().find(|&frame| planted(body, frame) != after).unwrap_or(last);
            begins.min(ends)..begins.max(ends) + 1
        }
    };
    let nearest = between.clone().map(apart).fold(f64::INFINITY, f64::min);
    between.into_iter().find(|&frame| apart(frame) <= nearest + AS_NEAR).unwrap_or(first)
}
