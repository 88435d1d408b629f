//! Cubic Hermite spline through the keyframes, fitted to the captured velocity.
//!
//! Each segment is a cubic given by value and slope at both knots, so the slope is continuous. Free
//! values and slopes minimise a least-squares objective:
//!
//! - published form: Σ over frames of (P′ − J′)², where J is the captured angle;
//! - displacement form: ∫ d′² + ease²·∫ d″², where d is added to the captured rotation. The first
//!   term alone would give straight lines with corners at the keyframes. The second rounds the
//!   corners over about the time `ease`, or less where close keyframes would make the curve overshoot.
//!
//! Only neighbouring knots are coupled, so the normal equations are banded and the cost is linear in
//! frames. They are factored once for all angles with the same keyframes. Time is in frames.

use super::banded::Banded;
use super::eases::eases;
use super::knots::Knot;
use surefoot_core::Vec3;

/// The least-squares objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Objective {
    /// Difference from the captured velocity at every frame.
    Velocity,
    /// Velocity and acceleration of the displacement; the value is `ease` in frames.
    Stillness(f64),
}

/// Knots and their factored normal equations.
#[derive(Clone, Debug)]
pub(super) struct Spline {
    pub knots: Vec<Knot>,
    aim: Objective,
    /// `ease` of each segment, in frames.
    eases: Vec<f64>,
    /// For each knot the indices of its value and slope among the unknowns; `None` if held.
    unknown: Vec<[Option<usize>; 2]>,
    count: usize,
    factor: Banded,
}

/// Values and slopes of a curve at its knots.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    pub values: Vec<Vec3>,
    /// Per frame.
    pub slopes: Vec<Vec3>,
}

type EndWeights = [f64; 4];

impl Spline {
    pub fn new(knots: Vec<Knot>, aim: Objective) -> Self {
        let mut count = 0;
        let mut next = |is_held: bool| {
            let unknown = (!is_held).then_some(count);
            count += usize::from(!is_held);
            unknown
        };
        let unknown: Vec<_> =
            knots.iter().map(|knot| [next(knot.holds_value), next(knot.holds_slope)]).collect();
        let eases = eases(&knots, aim);
        let mut spline = Self { knots, aim, eases, unknown, count, factor: Banded::new(count) };
        for k in 0..spline.segments() {
            let (squares, unknown) = (spline.squares(k), spline.unknown_of(k));
            for (i, row) in unknown.iter().enumerate() {
                for (j, column) in unknown.iter().enumerate() {
                    if let (Some(row), Some(column)) = (row, column) {
                        spline.factor.add(*row, *column, squares[i][j]);
                    }
                }
            }
        }
        spline.factor.factor();
        spline
    }

    /// Solves for the free values and slopes of a curve.
    ///
    /// `velocities` are the captured velocities per frame from the first knot on; only the velocity
    /// objective uses them.
    pub fn solve(&self, curve: &mut Curve, velocities: &[Vec3]) {
        let mut right = vec![Vec3::ZERO; self.count];
        for k in 0..self.segments() {
            let (squares, pulls, unknown) = (self.squares(k), self.pulls(k, velocities), self.unknown_of(k));
            let known = self.ends(curve, k);
            for (i, row) in unknown.iter().enumerate() {
                let Some(row) = row else { continue };
                right[*row] += pulls[i];
                for j in (0..4).filter(|&j| unknown[j].is_none()) {
                    right[*row] -= known[j] * squares[i][j];
                }
            }
        }
        self.factor.solve(&mut right);
        for (k, [value, slope]) in self.unknown.iter().enumerate() {
            if let Some(value) = value {
                curve.values[k] = right[*value];
            }
            if let Some(slope) = slope {
                curve.slopes[k] = right[*slope];
            }
        }
    }

    /// Passes the value of the curve at every frame to `each`.
    pub fn sample(&self, curve: &Curve, mut each: impl FnMut(usize, Vec3)) {
        for k in 0..self.segments() {
            let (length, ends) = (self.length(k), self.ends(curve, k));
            // a + b·s + c·s² + d·s³, s in frames.
            let rise = (ends[2] - ends[0]) / length;
            let c = (rise * 3.0 - ends[1] * 2.0 - ends[3]) / length;
            let d = (ends[1] + ends[3] - rise * 2.0) / (length * length);
            for frame in self.knots[k].frame..self.knots[k + 1].frame {
                let s = (frame - self.knots[k].frame) as f64;
                each(frame, ends[0] + (ends[1] + (c + d * s) * s) * s);
            }
        }
        if let (Some(knot), Some(value)) = (self.knots.last(), curve.values.last()) {
            each(knot.frame, *value);
        }
    }

    /// The largest difference between the slopes on both sides of a knot, per frame.
    pub fn largest_step(&self, curve: &Curve) -> f64 {
        let slope = |k: usize, at: f64| {
            let (weights, ends) = (rates(at, self.length(k)), self.ends(curve, k));
            (0..4).map(|i| ends[i] * weights[i]).sum::<Vec3>()
        };
        let step = |k: usize| (slope(k - 1, 1.0) - slope(k, 0.0)).abs().max_element();
        (1..self.segments()).map(step).fold(0.0, f64::max)
    }

    /// The objective, summed over all three angles.
    #[cfg(test)]
    pub fn objective(&self, curve: &Curve, velocities: &[Vec3]) -> f64 {
        let segment = |k: usize| {
            let (squares, ends) = (self.squares(k), self.ends(curve, k));
            let mut sum = 0.0;
            for i in 0..4 {
                sum -= 2.0 * self.pulls(k, velocities)[i].dot(ends[i]);
                sum += (0..4).map(|j| squares[i][j] * ends[i].dot(ends[j])).sum::<f64>();
            }
            sum + self.velocities(k, velocities).map(|(_, velocity)| velocity.length_squared()).sum::<f64>()
        };
        (0..self.segments()).map(segment).sum()
    }

    fn segments(&self) -> usize {
        self.knots.len().saturating_sub(1)
    }

    fn length(&self, k: usize) -> f64 {
        (self.knots[k + 1].frame - self.knots[k].frame) as f64
    }

    fn unknown_of(&self, k: usize) -> [Option<usize>; 4] {
        let [one, two] = [self.unknown[k], self.unknown[k + 1]];
        [one[0], one[1], two[0], two[1]]
    }

    /// Value and slope at both ends of a segment.
    fn ends(&self, curve: &Curve, k: usize) -> [Vec3; 4] {
        [curve.values[k], curve.slopes[k], curve.values[k + 1], curve.slopes[k + 1]]
    }

    /// The quadratic form of the objective in the end values of a segment.
    fn squares(&self, k: usize) -> [EndWeights; 4] {
        let h = self.length(k);
        match self.aim {
            Objective::Velocity => {
                let mut squares = [[0.0; 4]; 4];
                for (weights, _) in self.velocities(k, &[]) {
                    for i in 0..4 {
                        (0..4).for_each(|j| squares[i][j] += weights[i] * weights[j]);
                    }
                }
                squares
            }
            Objective::Stillness(_) => {
                let ease = self.eases[k];
                let (first, second) = (1.0 / (30.0 * h), ease * ease / (h * h * h));
                let slope = [
                    [36.0, 3.0 * h, -36.0, 3.0 * h],
                    [3.0 * h, 4.0 * h * h, -3.0 * h, -h * h],
                    [-36.0, -3.0 * h, 36.0, -3.0 * h],
                    [3.0 * h, -h * h, -3.0 * h, 4.0 * h * h],
                ];
                let bend = [
                    [12.0, 6.0 * h, -12.0, 6.0 * h],
                    [6.0 * h, 4.0 * h * h, -6.0 * h, 2.0 * h * h],
                    [-12.0, -6.0 * h, 12.0, -6.0 * h],
                    [6.0 * h, 2.0 * h * h, -6.0 * h, 4.0 * h * h],
                ];
                core::array::from_fn(|i| core::array::from_fn(|j| slope[i][j] * first + bend[i][j] * second))
            }
        }
    }

    /// The linear term of the objective, from the captured velocities.
    fn pulls(&self, k: usize, velocities: &[Vec3]) -> [Vec3; 4] {
        let mut pulls = [Vec3::ZERO; 4];
        if self.aim == Objective::Velocity {
            for (weights, velocity) in self.velocities(k, velocities) {
                (0..4).for_each(|i| pulls[i] += velocity * weights[i]);
            }
        }
        pulls
    }

    /// The samples of a segment's velocity: the weights of its ends, and the captured velocity there.
    ///
    /// A frame belongs to the segment that starts at it. A segment of one frame is also sampled at its
    /// middle, since its start alone does not determine the difference of its ends.
    fn velocities<'v>(
        &self,
        k: usize,
        captured: &'v [Vec3],
    ) -> impl Iterator<Item = (EndWeights, Vec3)> + use<'v> {
        let h = self.length(k);
        let first = self.knots[k].frame - self.knots[0].frame;
        let frames = self.knots[k + 1].frame - self.knots[k].frame;
        let velocity = move |n: usize| captured.get(first + n).copied().unwrap_or_default();
        let is_last = k + 1 == self.segments();
        let is_compared = self.aim == Objective::Velocity;
        let at_frames = (0..frames + usize::from(is_last)).map(move |n| (n as f64 / h, velocity(n)));
        let middle = (frames == 1).then(|| (0.5, (velocity(0) + velocity(1)) * 0.5));
        let all = at_frames.chain(middle).filter(move |_| is_compared);
        all.map(move |(at, velocity)| (rates(at, h), velocity))
    }
}

/// Weights of value and slope at both ends in the slope at `at`, from 0 to 1, of a segment.
fn rates(at: f64, length: f64) -> EndWeights {
    let bump = 6.0 * at * (1.0 - at) / length;
    [-bump, (3.0 * at - 4.0) * at + 1.0, bump, (3.0 * at - 2.0) * at]
}

#[cfg(test)]
mod tests {
    use super::super::knots::{intervals, knots};
    use super::super::settings::Form;
    use super::*;
    use surefoot_core::math::sin;

    const LAST: usize = 60;

    fn captured() -> Vec<Vec3> {
        (0..=LAST)
            .map(|n| Vec3::new(sin(n as f64 * 0.2), 0.3 * sin(n as f64 * 0.07), 0.01 * n as f64))
            .collect()
    }

    fn velocities(values: &[Vec3]) -> Vec<Vec3> {
        super::super::curves::velocities(values)
    }

    /// Solved curves for these keys.
    fn solved(
        keys: &[(usize, Vec3)],
        form: Form,
        stride: usize,
        fade: Option<usize>,
    ) -> Vec<(Spline, Curve, Vec<Vec3>)> {
        let captured = captured();
        let all = velocities(&captured);
        let frames: Vec<usize> = keys.iter().map(|key| key.0).collect();
        let interval = |interval: &super::super::knots::Interval| {
            let knots = knots(interval, &frames, stride, form);
            let aim = if form == Form::Paper { Objective::Velocity } else { Objective::Stillness(3.0) };
            let base = |frame: usize| if form == Form::Paper { captured[frame] } else { Vec3::ZERO };
            let added = |frame| keys.iter().find(|key| key.0 == frame).map_or(Vec3::ZERO, |key| key.1);
            let mut curve = Curve {
                values: knots.iter().map(|knot| base(knot.frame) + added(knot.frame)).collect(),
                slopes: knots
                    .iter()
                    .map(|knot| if form == Form::Paper { all[knot.frame] } else { Vec3::ZERO })
                    .collect(),
            };
            let from = all[interval.first..].to_vec();
            let spline = Spline::new(knots, aim);
            spline.solve(&mut curve, &from);
            (spline, curve, from)
        };
        intervals(&frames, 0, LAST, fade).iter().map(interval).collect()
    }

    fn check(keys: &[(usize, Vec3)], stride: usize, fade: Option<usize>) {
        for form in [Form::Paper, Form::Displacement] {
            for (spline, curve, velocities) in solved(keys, form, stride, fade) {
                let least = spline.objective(&curve, &velocities);
                assert!(least.is_finite());
                for (k, knot) in spline.knots.iter().enumerate() {
                    for by in [Vec3::X * 1e-3, Vec3::Y * -1e-3, Vec3::ONE * 1e-4] {
                        let mut other = curve.clone();
                        other.values[k] += by;
                        assert!(
                            knot.holds_value || spline.objective(&other, &velocities) > least,
                            "{form:?} {keys:?} {knot:?}"
                        );
                        let mut other = curve.clone();
                        other.slopes[k] += by;
                        assert!(
                            knot.holds_slope || spline.objective(&other, &velocities) > least,
                            "{form:?} {keys:?} {knot:?}"
                        );
                    }
                }
                assert!(spline.largest_step(&curve) < 1e-12);
            }
        }
    }

    const UP: Vec3 = Vec3::new(0.2, -0.1, 0.05);

    #[test]
    fn changing_any_free_knot_increases_the_objective() {
        check(&[(13, UP), (29, -UP), (43, UP)], 2, None);
        check(&[(13, UP), (29, -UP), (43, UP)], 8, None);
        check(&[(30, UP)], 4, Some(10));
        check(&[(13, UP), (45, -UP)], 4, Some(10));
    }

    #[test]
    fn solutions_are_minimal_for_adjacent_keyframes_and_keyframes_at_the_ends() {
        check(&[(20, UP), (21, -UP), (22, UP)], 2, None);
        check(&[(0, UP), (LAST, -UP)], 4, None);
        check(&[(1, UP), (LAST - 1, -UP)], 4, None);
        let every: Vec<(usize, Vec3)> = (0..=LAST).map(|frame| (frame, UP * (frame % 3) as f64)).collect();
        check(&every, 2, None);
    }

    #[test]
    fn zero_keys_give_a_zero_curve() {
        for (spline, curve, _) in solved(&[(20, Vec3::ZERO)], Form::Displacement, 4, None) {
            spline.sample(&curve, |_, value| assert_eq!(value, Vec3::ZERO));
        }
    }

    #[test]
    fn a_single_keyframe_shifts_the_whole_curve() {
        // A constant shift preserves the captured velocity exactly.
        for (spline, curve, _) in solved(&[(20, UP)], Form::Displacement, 4, None) {
            spline.sample(&curve, |frame, value| assert!((value - UP).length() < 1e-9, "{frame} {value}"));
        }
    }

    #[test]
    fn close_keyframes_cause_little_overshoot() {
        for (spline, curve, _) in solved(&[(20, UP), (22, -UP), (40, UP)], Form::Displacement, 4, None) {
            spline.sample(&curve, |frame, value| {
                assert!(value.x.abs() < 1.5 * UP.x, "{frame} {value}");
            });
        }
    }

    #[test]
    fn the_sampled_curve_goes_through_its_knots() {
        for form in [Form::Paper, Form::Displacement] {
            for (spline, curve, _) in solved(&[(20, UP), (33, -UP)], form, 4, None) {
                let mut seen = Vec::new();
                spline.sample(&curve, |frame, value| seen.push((frame, value)));
                assert_eq!(seen.len(), LAST + 1);
                for (knot, value) in spline.knots.iter().zip(&curve.values) {
                    assert_eq!(seen[knot.frame].0, knot.frame);
                    assert!((seen[knot.frame].1 - *value).length() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn the_published_form_reproduces_a_parabola() {
        // With exact slopes and unchanged keys the published form is exact.
        let values: Vec<Vec3> = (0..=LAST).map(|n| Vec3::splat((n * n) as f64 * 1e-3)).collect();
        let all = velocities(&values);
        let knots = knots(&intervals(&[20], 0, LAST, None)[0], &[20], 4, Form::Paper);
        let exact = |frame: usize| Vec3::splat(2e-3 * frame as f64);
        let mut curve = Curve {
            values: knots.iter().map(|knot| values[knot.frame]).collect(),
            slopes: knots.iter().map(|knot| exact(knot.frame)).collect(),
        };
        let spline = Spline::new(knots, Objective::Velocity);
        let all: Vec<Vec3> = (0..all.len()).map(exact).collect();
        spline.solve(&mut curve, &all);
        spline.sample(&curve, |frame, value| assert!((value - values[frame]).length() < 1e-10));
    }
}
