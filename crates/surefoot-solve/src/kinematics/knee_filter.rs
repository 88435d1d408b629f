//! Within phase 4: what is the slow part of what a knee is asked for?
//!
//! A line fitted to the bends and twists of the frames around, in the same stance. A line, so that it holds at the
//! edges of the stance too, where there are frames on one side.

use core::ops::Range;

use surefoot_core::Vec3;
use wide::f64x2;

use crate::setup::Setup;
use crate::stream::window::Window;

/// The slow part of the bend and twist asked for at a frame.
pub(crate) fn slow(window: &Window, setup: &Setup, frame: usize, leg: usize) -> [f64; 2] {
    let range = &window.around(5, frame, setup.frames.knee.frames);
    let last = range.end - 1;
    let (spell, ahead) = (window.spell(frame, leg), window.spell(last, leg));
    let is_held_throughout = spell.held_for() > frame - range.start && ahead.held_for() > last - frame;
    let weights = &setup.knee.weights;
    if !is_held_throughout || range.len() != weights.len() {
        return at_edge(window, setup, frame, leg, range);
    }
    // In the midst of a stance, with as many frames on either side, the line's slope does not
    // matter: it is the mean.
    let bends = window.bends(leg, range.clone());
    // One sum would have to wait for itself at every frame.
    let mut sums = [f64x2::ZERO; 4];
    let ((fours, rest), (weights_of_fours, weights_of_rest)) =
        (bends.as_chunks::<4>(), weights.as_chunks::<4>());
    for (bends, weights) in fours.iter().zip(weights_of_fours) {
        for n in 0..4 {
            sums[n] += bends[n] * weights[n][0];
        }
    }
    for (bend, [weight, _]) in rest.iter().zip(weights_of_rest) {
        sums[0] += *bend * *weight;
    }
    let sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    sum.to_array().map(|sum| sum / setup.knee.sums[weights.len()][0])
}

/// The same where not all frames around are of this stance.
#[inline(never)]
fn at_edge(window: &Window, setup: &Setup, frame: usize, leg: usize, range: &Range<usize>) -> [f64; 2] {
    let start = range.start.max(frame + 1 - window.spell(frame, leg).held_for());
    let last = range.end - 1;
    let end = match window.spell(last, leg).held_for() > last - frame {
        true => range.end,
        false => (frame..last).find(|&at| !window.is_held(at, leg)).unwrap_or(last),
    };
    // Another stance may be in view.
    let is_before = start > range.start && window.spell(start - 1, leg).held_until(start - 1) > range.start;
    let is_after = end < range.end && window.spell(last, leg).held_until(last) > end;
    if is_before || is_after {
        return over_gaps(window, setup, frame, leg, range);
    }
    let knee = &setup.knee;
    let (first, last) = (start + setup.frames.knee.frames - frame, end + setup.frames.knee.frames - frame);
    let mut sums = [f64x2::ZERO; 2];
    for (bend, [weight, along]) in window.bends(leg, start..end).iter().zip(&knee.weights[first..last]) {
        sums = [sums[0] + *weight * *bend, sums[1] + *along * *bend];
    }
    let [s0, s1, s2] = core::array::from_fn(|n| knee.sums[last][n] - knee.sums[first][n]);
    line(sums, [s0, s1, s2 + level(window, setup, frame, leg)])
}

/// The same over frames of which some are free: over a gap this short one stance hands the knee to the
/// next, and what they ask of it may differ more than it should turn in that time.
#[cold]
#[inline(never)]
fn over_gaps(window: &Window, setup: &Setup, frame: usize, leg: usize, range: &Range<usize>) -> [f64; 2] {
    let (mut sums, mut s) = ([f64x2::ZERO; 2], [0.0; 3]);
    let weights = &setup.knee.weights[range.start + setup.frames.knee.frames - frame..];
    let bends = window.bends(leg, range.clone());
    for ((at, bend), [weight, along]) in range.clone().zip(bends).zip(weights) {
        if window.is_held(at, leg) {
            sums = [sums[0] + *weight * *bend, sums[1] + *along * *bend];
            let ([weight, _], [along, _]) = (weight.to_array(), along.to_array());
            s = [s[0] + weight, s[1] + along, s[2] + along * (at as f64 - frame as f64)];
        }
    }
    line(sums, s)
}

/// How level a line is kept that goes through frames on one side: this share of what a full window has to say of its slope.
///
/// Without it, what a stance asks more and more of its knee makes a steep line at its edge, and beyond the edge the knee must
/// start or stop as fast. At twice as much bones reach their limit, and knees then make up for it at once.
const LEVEL: f64 = 0.5;

/// The bend at which half of that is left, in radians: a knee that is bent more makes so much reach with every degree that the
/// bones would have to stretch far for what it does not do.
const LEVEL_TO: f64 = 0.3;

/// How much a slope weighs against that of the frames that ask for it, when they are on one side.
///
/// All the bend of a nearly straight knee makes little reach, and bones have that to spare, unless they are stretched.
fn level(window: &Window, setup: &Setup, frame: usize, leg: usize) -> f64 {
    let stance = window.stance(frame, leg);
    let reach = (stance.way - window.root(frame).unwrap_or(Vec3::ZERO)).length();
    // A leg of no length reaches nothing.
    let stretched = (reach / stance.bones.longest().max(1e-9) - 1.0).max(0.0) / setup.settings.stretch_limit;
    let spare = (1.0 - stretched * stretched).max(0.0);
    let bent = (stance.bones.bend + window.bends(leg, frame..frame + 1)[0].to_array()[0]) / LEVEL_TO;
    let full = setup.knee.sums[setup.knee.weights.len()][2];
    LEVEL * full * spare / (1.0 + bent * bent)
}

/// Where the line lies whose weighted sums these are: of the values and of them times where they are; of one, of where
/// they are and of the square of that.
fn line([values, along]: [f64x2; 2], [s0, s1, s2]: [f64; 3]) -> [f64; 2] {
    let spread = s0 * s2 - s1 * s1;
    let (values, along) = (values.to_array(), along.to_array());
    // One frame makes no line.
    core::array::from_fn(|n| match spread < 1e-9 {
        true => values[n] / s0,
        false => (values[n] * s2 - along[n] * s1) / spread,
    })
}
