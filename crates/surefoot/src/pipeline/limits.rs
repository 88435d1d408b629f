//! Limits on the figures of a written file.

use surefoot_measure::Figures;

/// Limits on the figures of a written file. A limit of `None` is always met.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Largest drift: distance of a planted point from where its plant began, in metres.
    pub max_drift: Option<f64>,
    /// Largest change of the length of a thigh or shin, as a fraction.
    pub max_stretch: Option<f64>,
    /// Largest depth of a heel, ball or toe tip below the floor, in metres.
    pub max_penetration: Option<f64>,
    /// Largest growth of the knee acceleration, as a multiple of the captured one.
    ///
    /// Compares the 99th percentile over all frames and legs.
    pub max_knee: Option<f64>,
}

impl Limits {
    /// These limits; where one is not set, that of `other`.
    pub fn or(self, other: Self) -> Self {
        Self {
            max_drift: self.max_drift.or(other.max_drift),
            max_stretch: self.max_stretch.or(other.max_stretch),
            max_penetration: self.max_penetration.or(other.max_penetration),
            max_knee: self.max_knee.or(other.max_knee),
        }
    }

    /// A line for each limit that is not met, with the flag that sets it and the amount by which it is missed.
    pub fn missed(&self, figures: &Figures) -> Vec<String> {
        let after = &figures.after;
        let before = figures.before.as_ref();
        let knee = before.and_then(|before| before.knee_acceleration_p99_rad_per_s2);
        // A knee that did not move before has no ratio.
        let knee = after.knee_acceleration_p99_rad_per_s2.zip(knee.filter(|&knee| knee > 1e-9));
        let checks = [
            ("--max-drift", "the largest drift", self.max_drift, after.drift_max_m, MILLIMETRES),
            ("--max-stretch", "the largest stretch", self.max_stretch, after.stretch_max, PERCENT),
            (
                "--max-penetration",
                "the largest depth below the floor",
                self.max_penetration,
                after.penetration_max_m,
                MILLIMETRES,
            ),
            (
                "--max-knee",
                "the knee acceleration",
                self.max_knee,
                knee.map(|(after, before)| after / before),
                TIMES,
            ),
        ];
        let missed = checks.into_iter().filter_map(|(flag, what, limit, found, unit)| {
            let (limit, found) = (limit?, found?);
            (found > limit + ROUNDING).then(|| {
                let [found, limit, by] = [found, limit, found - limit].map(|value| value_text(value, unit));
                format!("{flag}: {what} is {found}, {by} more than the limit of {limit}")
            })
        });
        missed.collect()
    }
}

/// An excess of up to this, in metres or as a fraction, is rounding in the file.
///
/// Six decimals of a CMU unit are 6e-8 m. Bones at exactly the limit of 3 % are read back as up
/// to 3.000005 %.
const ROUNDING: f64 = 1e-7;

/// The name of a unit, and the number of them in one SI unit.
type DisplayUnit = (&'static str, f64);
const MILLIMETRES: DisplayUnit = (" mm", 1e3);
const PERCENT: DisplayUnit = (" %", 1e2);
const TIMES: DisplayUnit = (" times the captured one", 1.0);

/// A value with enough digits to tell it from a limit close to it.
fn value_text(value: f64, (word, scale): DisplayUnit) -> String {
    let value = value * scale;
    let decimals = match value.abs() {
        size if size >= 100.0 => 1,
        size if size >= 1.0 => 3,
        _ => 6,
    };
    let text = format!("{value:.decimals$}");
    format!("{}{word}", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_measure::MotionFigures;

    fn figures(drift: f64, stretch: f64) -> Figures {
        let after = MotionFigures {
            drift_max_m: Some(drift),
            stretch_max: Some(stretch),
            ..MotionFigures::default()
        };
        Figures { after, ..Figures::default() }
    }

    #[test]
    fn a_missed_limit_names_the_flag_and_the_excess() {
        let limits = Limits { max_drift: Some(1e-5), max_stretch: Some(0.02), ..Limits::default() };
        assert!(limits.missed(&figures(1e-5, 0.020_000_05)).is_empty());
        assert_eq!(
            limits.missed(&figures(0.0003, 0.025)),
            [
                "--max-drift: the largest drift is 0.3 mm, 0.29 mm more than the limit of 0.01 mm",
                "--max-stretch: the largest stretch is 2.5 %, 0.5 % more than the limit of 2 %",
            ]
        );
    }

    #[test]
    fn a_figure_that_could_not_be_measured_misses_no_limit() {
        let limits = Limits { max_drift: Some(0.0), max_knee: Some(0.0), ..Limits::default() };
        assert!(limits.missed(&Figures::default()).is_empty());
    }
}
