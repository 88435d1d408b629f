//! Smooth curves of time: rises, sums of rises, glides and the smooth minimum.
//!
//! Value, slope and second derivative are continuous, and a curve is exactly constant outside its
//! interval. So a foot that stands is exactly still, and knees that follow from these curves do not pop.

use surefoot_core::math::{exp, ln, pow};

/// Rises from 0 to 1 as `time` goes from `from` to `to`; constant before and after.
pub(crate) fn rise(time: f64, from: f64, to: f64) -> f64 {
    minimum_jerk(((time - from) / (to - from)).clamp(0.0, 1.0))
}

/// Rises like [`rise`] with a slow start: half is reached at `0.5^(1 / lateness)` of the time.
pub(crate) fn late_rise(time: f64, from: f64, to: f64, lateness: f64) -> f64 {
    let u = ((time - from) / (to - from)).clamp(0.0, 1.0);
    minimum_jerk(pow(u, lateness))
}

/// The minimum-jerk polynomial from 0 to 1; slope and second derivative are 0 at both ends.
fn minimum_jerk(u: f64) -> f64 {
    u * u * u * (u * (u * 6.0 - 15.0) + 10.0)
}

/// Goes from 0 to 1 as `u` goes from 0 to 1: accelerates over the fraction `start`, then has constant
/// speed, and decelerates over the fraction `stop`.
///
/// With both fractions at 0.5 the largest speed is 2, with both at 0.3 it is 1.43.
pub(crate) fn glide(u: f64, start: f64, stop: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    // The integral of the minimum-jerk polynomial from 0 to w.
    let area = |w: f64| w * w * w * w * (w * (w - 3.0) + 2.5);
    let accelerating = start * area((u / start).min(1.0));
    let cruising = (u - start).max(0.0);
    let braking = (u - 1.0 + stop).max(0.0) - stop * (0.5 - area(((1.0 - u) / stop).min(1.0)));
    (accelerating + cruising - braking) / (1.0 - 0.5 * (start + stop))
}

/// A smooth lower bound of the minimum of `values`.
///
/// Two equal values give `ln 2 / sharpness` less than either.
pub(crate) fn smooth_min(values: impl Iterator<Item = f64> + Clone, sharpness: f64) -> f64 {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let sum: f64 = values.map(|v| exp(sharpness * (least - v))).sum();
    least - ln(sum) / sharpness
}

/// A value that changes by rises, which may overlap in time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    start: f64,
    changes: Vec<Change>,
}

#[derive(Clone, Debug)]
struct Change {
    from: f64,
    to: f64,
    by: f64,
}

impl Curve {
    /// A constant curve.
    pub fn constant(value: f64) -> Self {
        Self { start: value, changes: Vec::new() }
    }

    /// The curve with an additional change by `by` between two times.
    pub fn change(mut self, from: f64, to: f64, by: f64) -> Self {
        self.changes.push(Change { from, to, by });
        self
    }

    /// The value at `time`.
    pub fn at(&self, time: f64) -> f64 {
        let changed = |c: &Change| c.by * rise(time, c.from, c.to);
        self.start + self.changes.iter().map(changed).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glide_is_monotonic_and_has_the_stated_speed() {
        assert_eq!(glide(0.0, 0.3, 0.3), 0.0);
        assert!((glide(1.0, 0.3, 0.4) - 1.0).abs() < 1e-15);
        let middle = (glide(0.51, 0.3, 0.3) - glide(0.49, 0.3, 0.3)) / 0.02;
        assert!((middle - 1.0 / 0.7).abs() < 1e-12);
        for (start, stop) in [(0.3, 0.4), (0.5, 0.5), (0.2, 0.6)] {
            for i in 1..1000 {
                let u = i as f64 / 1000.0;
                assert!(glide(u, start, stop) > glide(u - 1e-3, start, stop));
                assert!(glide(u, start, stop) - glide(u - 1e-3, start, stop) < 2.01e-3);
            }
        }
    }

    #[test]
    fn the_smooth_minimum_is_below_the_minimum() {
        let values = [1.0, 1.2, 0.98];
        let smooth = smooth_min(values.iter().copied(), 60.0);
        assert!(smooth < 0.98 && smooth > 0.96);
    }

    #[test]
    fn a_curve_is_exactly_constant_before_and_after_its_changes() {
        let curve = Curve::constant(2.0).change(1.0, 2.0, 3.0);
        assert_eq!(curve.at(1.0), 2.0);
        assert_eq!(curve.at(2.0), 5.0);
    }
}
