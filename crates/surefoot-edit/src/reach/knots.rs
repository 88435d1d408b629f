//! Knots of the curves between keyframes.
//!
//! There are knots at keyframes, where the value is given, at auxiliary frames between them, and at
//! the ends. With a fade, each interval of frames around keyframes has its own curve, which starts
//! and ends with the captured values.

use super::settings::{Form, Settings};
use surefoot_core::math::floor;

/// A knot of a curve. Value and slope are free unless held; free ones are fitted to the velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Knot {
    pub frame: usize,
    pub holds_value: bool,
    pub holds_slope: bool,
}

/// The frames of one curve, both ends included, and whether it fades from and to the capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub first: usize,
    pub last: usize,
    fades_in: bool,
    fades_out: bool,
}

/// The intervals around keyframes, in order; `keys` is not empty and in order.
pub(super) fn intervals(keys: &[usize], first: usize, last: usize, fade: Option<usize>) -> Vec<Interval> {
    let Some(fade) = fade else {
        return vec![Interval { first, last, fades_in: false, fades_out: false }];
    };
    let mut intervals: Vec<Interval> = Vec::new();
    for &key in keys {
        let fades_in = key >= first + fade;
        let fades_out = key + fade <= last;
        let from = if fades_in { key - fade } else { first };
        let to = if fades_out { key + fade } else { last };
        match intervals.last_mut().filter(|before| before.last > from) {
            Some(before) => (before.last, before.fades_out) = (to, fades_out),
            None => intervals.push(Interval { first: from, last: to, fades_in, fades_out }),
        }
    }
    intervals
}

/// Frames from one auxiliary knot to the next.
pub(super) fn stride(settings: &Settings, fps: f64) -> usize {
    // With a knot at every frame, the published form would have no free value.
    (floor(settings.spacing * fps + 0.5) as usize).max(2)
}

/// A fade in frames.
pub(super) fn fade_frames(seconds: f64, fps: f64) -> usize {
    (floor(seconds * fps + 0.5) as usize).max(1)
}

/// The knots of one interval.
///
/// The published form has no knot next to a keyframe. The displacement form has denser knots near
/// keyframes, where its curvature is largest.
pub(super) fn knots(interval: &Interval, keys: &[usize], stride: usize, form: Form) -> Vec<Knot> {
    let Interval { first, last, fades_in, fades_out } = *interval;
    let within = |key: &&usize| (first..=last).contains(*key);
    let (mut is_key, mut is_knot) = (vec![false; last - first + 1], vec![false; last - first + 1]);
    is_knot.iter_mut().step_by(stride).for_each(|is_knot| *is_knot = true);
    // A knot one frame before the end would leave the end undetermined.
    if last - first > 1 {
        is_knot[last - first - 1] = false;
    }
    for key in keys.iter().filter(within).map(|key| key - first) {
        is_key[key] = true;
        let near = |far: usize| [key.checked_sub(far), Some(key + far)].into_iter().flatten();
        match form {
            Form::Paper => near(1).for_each(|at| set(&mut is_knot, at, false)),
            Form::Displacement => {
                let dense =
                    core::iter::successors(Some(1), |far| Some(far * 2)).take_while(|&far| far < stride);
                dense.flat_map(near).for_each(|at| set(&mut is_knot, at, true));
            }
        }
    }
    let knot = |frame: usize| {
        let is_key = is_key[frame - first];
        let holds_end = (frame == first && fades_in) || (frame == last && fades_out);
        let is_end = frame == first || frame == last;
        let holds_slope = holds_end || (form == Form::Paper && !is_key);
        let knot = Knot { frame, holds_value: is_key || holds_end, holds_slope };
        (is_key || is_end || is_knot[frame - first]).then_some(knot)
    };
    (first..=last).filter_map(knot).collect()
}

fn set(list: &mut [bool], at: usize, value: bool) {
    if let Some(entry) = list.get_mut(at) {
        *entry = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(knots: &[Knot]) -> Vec<usize> {
        knots.iter().map(|knot| knot.frame).collect()
    }

    #[test]
    fn the_published_form_has_every_other_frame_except_next_to_keyframes() {
        let interval = intervals(&[5, 12], 0, 16, None)[0];
        let knots = knots(&interval, &[5, 12], 2, Form::Paper);
        assert_eq!(frames(&knots), [0, 2, 5, 8, 10, 12, 14, 16]);
        let held: Vec<usize> = knots.iter().filter(|knot| knot.holds_value).map(|knot| knot.frame).collect();
        assert_eq!(held, [5, 12]);
        assert!(knots.iter().all(|knot| knot.holds_value != knot.holds_slope));
    }

    #[test]
    fn the_displacement_form_has_denser_knots_near_keyframes() {
        let interval = intervals(&[20], 0, 48, None)[0];
        let knots = knots(&interval, &[20], 8, Form::Displacement);
        assert_eq!(frames(&knots), [0, 8, 16, 18, 19, 20, 21, 22, 24, 32, 40, 48]);
        assert!(knots.iter().all(|knot| !knot.holds_slope && knot.holds_value == (knot.frame == 20)));
    }

    #[test]
    fn every_frame_may_be_a_keyframe() {
        let keys = [0, 1, 2, 3];
        let interval = intervals(&keys, 0, 3, None)[0];
        assert_eq!(frames(&knots(&interval, &keys, 2, Form::Paper)), keys);
    }

    #[test]
    fn stretches_that_touch_are_one_and_stop_at_the_ends() {
        let found = intervals(&[3, 20, 24, 90], 0, 95, Some(5));
        let spans: Vec<_> = found.iter().map(|s| (s.first, s.last, s.fades_in, s.fades_out)).collect();
        assert_eq!(spans, [(0, 8, false, true), (15, 29, true, true), (85, 95, true, true)]);
    }
}
