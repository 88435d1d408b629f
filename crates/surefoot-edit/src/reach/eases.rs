//! The time over which the added velocity changes in each segment of a displacement curve.

use super::knots::Knot;
use super::spline::Objective;

/// Largest `ease` as a share of the gap between two keyframes.
///
/// Less makes corners, more lets the curve overshoot between close keyframes.
const SHARE_OF_GAP: f64 = 0.25;

/// The `ease` of each segment, limited by the narrower gap at the nearest keyframe.
pub(super) fn eases(knots: &[Knot], aim: Objective) -> Vec<f64> {
    let Objective::Stillness(ease) = aim else {
        return Vec::new();
    };
    let keys: Vec<usize> = knots.iter().filter(|knot| knot.holds_value).map(|knot| knot.frame).collect();
    let gap = |n: usize| {
        let before = n.checked_sub(1).map(|before| keys[n] - keys[before]);
        let after = keys.get(n + 1).map(|after| after - keys[n]);
        before.into_iter().chain(after).min()
    };
    let mut nearest = 0;
    let segment = |pair: &[Knot]| {
        let middle = (pair[0].frame + pair[1].frame) / 2;
        let far = |n: usize| keys.get(n).map(|key| key.abs_diff(middle));
        while far(nearest + 1).is_some_and(|next| Some(next) <= far(nearest)) {
            nearest += 1;
        }
        let gap = keys.get(nearest).and_then(|_| gap(nearest));
        gap.map_or(ease, |gap| ease.min(SHARE_OF_GAP * gap as f64))
    };
    knots.windows(2).map(segment).collect()
}
