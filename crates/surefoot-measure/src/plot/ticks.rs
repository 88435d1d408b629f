//! Ticks of an axis at round values.

use surefoot_core::math::{floor, pow};

/// The ticks of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticks {
    /// Values in ascending order.
    pub at: Vec<f64>,
    /// The distance between two ticks.
    pub step: f64,
}

/// Ticks at multiples of 1, 2 or 5 times a power of ten within a range, at most `most`.
pub(crate) fn ticks(from: f64, to: f64, most: usize) -> Ticks {
    // An empty range, or one with NaN, has no ticks.
    if !(to - from).is_finite() || to <= from {
        return Ticks { at: Vec::new(), step: 1.0 };
    }
    let step = nice_step((to - from) / most.max(1) as f64);
    // A small margin, so that rounding does not drop the last tick.
    let (first, last) = ((from / step - 1e-6).ceil() as i64, (to / step + 1e-6).floor() as i64);
    Ticks { at: (first..=last).map(|n| n as f64 * step).collect(), step }
}

/// The least of 1, 2 or 5 times a power of ten that is not below `least`.
fn nice_step(least: f64) -> f64 {
    let power = pow(10.0, floor(surefoot_core::math::ln(least) / core::f64::consts::LN_10));
    let times = [1.0, 2.0, 5.0].into_iter().find(|times| times * power >= least * (1.0 - 1e-9));
    times.unwrap_or(10.0) * power
}

impl Ticks {
    /// The text of a tick, with the decimals that the step needs.
    pub fn label(&self, value: f64) -> String {
        let decimals = (0..6).find(|&n| {
            let scaled = self.step * pow(10.0, f64::from(n));
            (scaled - scaled.round()).abs() < 1e-6 * scaled
        });
        // Avoid a negative zero.
        let value = if value.abs() < self.step * 1e-6 { 0.0 } else { value };
        format!("{value:.*}", decimals.unwrap_or(6) as usize).replace('-', "−")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        assert_eq!(ticks(0.0, 6.0, 7).at, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(ticks(-0.7, 21.0, 5).at, [0.0, 5.0, 10.0, 15.0, 20.0]);
        assert_eq!(ticks(0.0, 0.3, 3).at.len(), 4);
        assert!(ticks(1.0, 1.0, 5).at.is_empty());
        assert!(ticks(0.0, f64::INFINITY, 5).at.is_empty());
    }

    #[test]
    fn a_tick_has_the_decimals_of_its_step() {
        let labels = |from, to, most| {
            let ticks = ticks(from, to, most);
            ticks.at.iter().map(|&value| ticks.label(value)).collect::<Vec<_>>()
        };
        assert_eq!(labels(-0.5, 0.5, 2), ["−0.5", "0.0", "0.5"]);
        assert_eq!(labels(0.0, 20.0, 2), ["0", "10", "20"]);
        assert_eq!(labels(0.0, 0.04, 2), ["0.00", "0.02", "0.04"]);
    }
}
