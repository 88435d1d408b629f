//! Smooth curves of time: rises, sums of rises, glides and the soft minimum.
//!
//! Value, slope and second derivative are continuous everywhere, and a curve is exactly level
//! outside its own interval. A foot that stands still therefore stands exactly still, and knees
//! that follow from these curves never pop.

use surefoot_core::math::{exp, ln, pow};

/// From 0 to 1 as `time` goes from `from` to `to`; level before and after.
pub(crate) fn rise(time: f64, from: f64, to: f64) -> f64 {
    least_jerk(((time - from) / (to - from)).clamp(0.0, 1.0))
}

/// As [`rise`], but slow to begin: half is done at `0.5^(1 / lateness)` of the time.
pub(crate) fn late_rise(time: f64, from: f64, to: f64, lateness: f64) -> f64 {
    let u = ((time - from) / (to - from)).clamp(0.0, 1.0);
    least_jerk(pow(u, lateness))
}

/// From 0 to 1; slope and second derivative are 0 at both ends.
fn least_jerk(u: f64) -> f64 {
    u * u * u * (u * (u * 6.0 - 15.0) + 10.0)
}

/// From 0 to 1 as `u` goes from 0 to 1, at one speed but for the shares `start` and `stop`.
///
/// A hand or foot on its way: it gathers speed, travels and slows down. With both shares at 0.5
/// its greatest speed is 2, with both at 0.3 it is 1.43.
pub(crate) fn glide(u: f64, start: f64, stop: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    // The integral of `rise` from 0 to w.
    let area = |w: f64| w * w * w * w * (w * (w - 3.0) + 2.5);
    let speeding = start * area((u / start).min(1.0));
    let cruising = (u - start).max(0.0);
    let slowed = (u - 1.0 + stop).max(0.0) - stop * (0.5 - area(((1.0 - u) / stop).min(1.0)));
    (speeding + cruising - slowed) / (1.0 - 0.5 * (start + stop))
}

/// A little less than the least of `values`, and smooth where another becomes the least.
///
/// Two equal values give `ln 2 / sharpness` less than either.
pub(crate) fn soft_min(values: impl Iterator<Item = f64> + Clone, sharpness: f64) -> f64 {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let sum: f64 = values.map(|v| exp(sharpness * (least - v))).sum();
    least - ln(sum) / sharpness
}

/// A value that changes by rises, which may overlap.
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
    /// A curve that has this value until it is told to change.
    pub fn starting_at(start: f64) -> Self {
        Self { start, changes: Vec::new() }
    }

    /// The same curve, changed by `by` between two times.
    pub fn change(mut self, from: f64, to: f64, by: f64) -> Self {
        self.changes.push(Change { from, to, by });
        self
    }

    /// Its value at `time`.
    pub fn at(&self, time: f64) -> f64 {
        let changed = |c: &Change| c.by * rise(time, c.from, c.to);
        self.start + self.changes.iter().map(changed).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glide_goes_from_nought_to_one_at_the_speed_it_says() {
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
    fn the_soft_minimum_is_never_more_than_the_least() {
        let values = [1.0, 1.2, 0.98];
        let soft = soft_min(values.iter().copied(), 60.0);
        assert!(soft < 0.98 && soft > 0.96);
    }

    #[test]
    fn a_curve_is_exactly_level_before_and_after_its_changes() {
        let curve = Curve::starting_at(2.0).change(1.0, 2.0, 3.0);
        assert_eq!(curve.at(1.0), 2.0);
        assert_eq!(curve.at(2.0), 5.0);
    }
}
