//! Where may the curves between keyframes bend?
//!
//! At keyframes, where the value is known; at auxiliary frames between them; and at the ends. With
//! a fade, a stretch of frames around the keyframes has curves of its own, which begin and end as
//! the capture is there.

use super::settings::{Form, Settings};
use surefoot_core::math::floor;

/// A frame at which a curve bends. Whatever is not held is chosen for the likest velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Knot {
    pub frame: usize,
    pub holds_value: bool,
    pub holds_slope: bool,
}

/// Frames from one to another, both included, that a curve runs over, and whether it begins and
/// ends as the capture is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub first: usize,
    pub last: usize,
    fades_in: bool,
    fades_out: bool,
}

/// The stretches around keyframes, in order; `keys` is not empty and in order.
pub(super) fn stretches(keys: &[usize], first: usize, last: usize, fade: Option<usize>) -> Vec<Stretch> {
    let Some(fade) = fade else {
        return vec![Stretch { first, last, fades_in: false, fades_out: false }];
    };
    let mut stretches: Vec<Stretch> = Vec::new();
    for &key in keys {
        let fades_in = key >= first + fade;
        let fades_out = key + fade <= last;
        let from = if fades_in { key - fade } else { first };
        let to = if fades_out { key + fade } else { last };
        match stretches.last_mut().filter(|before| before.last > from) {
            Some(before) => (before.last, before.fades_out) = (to, fades_out),
            None => stretches.push(Stretch { first: from, last: to, fades_in, fades_out }),
        }
    }
    stretches
}

/// How many frames there are from one auxiliary frame to the next.
pub(super) fn stride(settings: &Settings, fps: f64) -> usize {
    // At every frame the published form would have its slope given everywhere and no choice left.
    (floor(settings.spacing * fps + 0.5) as usize).max(2)
}

/// The fade in frames.
pub(super) fn fade(settings: &Settings, fps: f64) -> Option<usize> {
    settings.fade.map(|fade| (floor(fade * fps + 0.5) as usize).max(1))
}

/// The knots of one stretch.
pub(super) fn knots(stretch: &Stretch, keys: &[usize], stride: usize, form: Form) -> Vec<Knot> {
    let Stretch { first, last, fades_in, fades_out } = *stretch;
    let auxiliary = |frame| Knot { frame, holds_value: false, holds_slope: form == Form::Paper };
    let mut knots = Vec::new();
    let mut frame = first;
    let mut keys =
        keys.iter().copied().skip_while(|&key| key < first).take_while(|&key| key <= last).peekable();
    while frame <= last {
        while keys.next_if(|&key| key < frame).is_some() {}
        let is_key = keys.peek() == Some(&frame);
        let holds_end = (frame == first && fades_in) || (frame == last && fades_out);
        let is_end = frame == first || frame == last;
        let near_key = keys.peek() == Some(&(frame + 1))
            || knots.last().is_some_and(|before: &Knot| before.holds_value && before.frame + 1 == frame);
        if is_key {
            knots.push(Knot { frame, holds_value: true, holds_slope: holds_end });
        } else if holds_end {
            knots.push(Knot { frame, holds_value: true, holds_slope: true });
        } else if is_end || ((frame - first).is_multiple_of(stride) && !near_key && frame + 1 < last) {
            knots.push(auxiliary(frame));
        }
        frame += 1;
    }
    knots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(knots: &[Knot]) -> Vec<usize> {
        knots.iter().map(|knot| knot.frame).collect()
    }

    #[test]
    fn every_other_frame_but_next_to_a_keyframe() {
        let stretch = stretches(&[5, 12], 0, 16, None)[0];
        let knots = knots(&stretch, &[5, 12], 2, Form::Paper);
        assert_eq!(frames(&knots), [0, 2, 5, 8, 10, 12, 14, 16]);
        let held: Vec<usize> = knots.iter().filter(|knot| knot.holds_value).map(|knot| knot.frame).collect();
        assert_eq!(held, [5, 12]);
        assert!(knots.iter().all(|knot| knot.holds_value != knot.holds_slope));
    }

    #[test]
    fn keyframes_at_both_ends_and_on_every_frame() {
        let keys = [0, 1, 2, 3];
        let stretch = stretches(&keys, 0, 3, None)[0];
        assert_eq!(frames(&knots(&stretch, &keys, 2, Form::Paper)), keys);
    }

    #[test]
    fn stretches_that_touch_are_one_and_stop_at_the_ends() {
        let found = stretches(&[3, 20, 24, 90], 0, 95, Some(5));
        let spans: Vec<_> = found.iter().map(|s| (s.first, s.last, s.fades_in, s.fades_out)).collect();
        assert_eq!(spans, [(0, 8, false, true), (15, 29, true, true), (85, 95, true, true)]);
    }
}
