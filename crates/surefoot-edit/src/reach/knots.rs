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
///
/// The published form has none next to a keyframe. The displacement has them there, denser the
/// nearer, since that is where it bends.
pub(super) fn knots(stretch: &Stretch, keys: &[usize], stride: usize, form: Form) -> Vec<Knot> {
    let Stretch { first, last, fades_in, fades_out } = *stretch;
    let within = |key: &&usize| (first..=last).contains(*key);
    let (mut is_key, mut is_knot) = (vec![false; last - first + 1], vec![false; last - first + 1]);
    is_knot.iter_mut().step_by(stride).for_each(|is_knot| *is_knot = true);
    // An end that is one frame from a knot would leave nothing in between to choose it by.
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
    fn every_other_frame_but_next_to_a_keyframe() {
        let stretch = stretches(&[5, 12], 0, 16, None)[0];
        let knots = knots(&stretch, &[5, 12], 2, Form::Paper);
        assert_eq!(frames(&knots), [0, 2, 5, 8, 10, 12, 14, 16]);
        let held: Vec<usize> = knots.iter().filter(|knot| knot.holds_value).map(|knot| knot.frame).collect();
        assert_eq!(held, [5, 12]);
        assert!(knots.iter().all(|knot| knot.holds_value != knot.holds_slope));
    }

    #[test]
    fn a_displacement_has_more_knots_near_its_keyframes() {
        let stretch = stretches(&[20], 0, 48, None)[0];
        let knots = knots(&stretch, &[20], 8, Form::Displacement);
        assert_eq!(frames(&knots), [0, 8, 16, 18, 19, 20, 21, 22, 24, 32, 40, 48]);
        assert!(knots.iter().all(|knot| !knot.holds_slope && knot.holds_value == (knot.frame == 20)));
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
