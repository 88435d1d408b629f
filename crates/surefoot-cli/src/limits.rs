//! Limits that a user asks for, and by how much they are missed.

use clap::Args;
use surefoot_measure::Figures;

use crate::parse;
use crate::problem::CommandError;

/// What must hold of the file as written, or the exit code is 1.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq)]
#[command(next_help_heading = "Limits; one that is not met makes the exit code 1")]
pub struct Limits {
    /// The farthest a planted point may get from where its plant began, as 0.01mm [default: none]
    #[arg(long, value_name = "LENGTH", value_parser = parse::length)]
    pub max_drift: Option<f64>,

    /// The most that a thigh or shin may change its length, as 2% [default: none]
    #[arg(long, value_name = "SHARE", value_parser = parse::share)]
    pub max_stretch: Option<f64>,

    /// The deepest any heel, ball or toe tip may be below the floor, as 1mm [default: none]
    #[arg(long, value_name = "LENGTH", value_parser = parse::length)]
    pub max_penetration: Option<f64>,

    /// The most that the knees' acceleration may grow, as 1.2 times the captured one
    ///
    /// Of all frames the 99th percentile. [default: none]
    #[arg(long, value_name = "TIMES", value_parser = parse::ratio)]
    pub max_knee: Option<f64>,
}

impl Limits {
    /// These, and the other's where these say nothing.
    pub fn or(self, other: Self) -> Self {
        Self {
            max_drift: self.max_drift.or(other.max_drift),
            max_stretch: self.max_stretch.or(other.max_stretch),
            max_penetration: self.max_penetration.or(other.max_penetration),
            max_knee: self.max_knee.or(other.max_knee),
        }
    }

    /// A line for each limit that is not met: which, and by how much.
    pub fn missed(&self, figures: &Figures) -> Vec<String> {
        let after = &figures.after;
        let before = figures.before.as_ref();
        let knee = before.and_then(|before| before.knee_acceleration_p99_rad_per_s2);
        // A knee that did not move before has no ratio; any pop is then a change without measure.
        let knee = after.knee_acceleration_p99_rad_per_s2.zip(knee.filter(|&knee| knee > 1e-9));
        let checks = [
            ("--max-drift", "the largest drift", self.max_drift, after.drift_max_m, MILLIMETRES),
            ("--max-stretch", "the largest stretch", self.max_stretch, after.stretch_max, PERCENT),
            (
                "--max-penetration",
                "the deepest below the floor",
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
                let [found, limit, by] = [found, limit, found - limit].map(|value| say(value, unit));
                format!("{flag}: {what} is {found}, {by} more than the {limit} asked for")
            })
        });
        missed.collect()
    }

    /// Stops with the limits that are not met, if any.
    pub fn check(&self, figures: &Figures) -> Result<(), CommandError> {
        let missed = self.missed(figures);
        if missed.is_empty() { Ok(()) } else { Err(CommandError::LimitsMissed(missed)) }
    }
}

/// Past a limit by no more than this, in metres or as a share, is rounding in the file.
///
/// Six decimals of a CMU unit are 6e-8 m. Bones at exactly the limit of 3 % are read back as up
/// to 3.000005 %.
const ROUNDING: f64 = 1e-7;

/// A unit's word, and how many of it make one.
type Shown = (&'static str, f64);
const MILLIMETRES: Shown = (" mm", 1e3);
const PERCENT: Shown = (" %", 1e2);
const TIMES: Shown = (" times the captured one", 1.0);

/// A value with as many digits as tell it from a limit near it.
fn say(value: f64, (word, scale): Shown) -> String {
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
    use surefoot_measure::Measured;

    fn figures(drift: f64, stretch: f64) -> Figures {
        let after = Measured { drift_max_m: Some(drift), stretch_max: Some(stretch), ..Measured::default() };
        Figures { after, ..Figures::default() }
    }

    #[test]
    fn a_missed_limit_says_which_and_by_how_much() {
        let limits = Limits { max_drift: Some(1e-5), max_stretch: Some(0.02), ..Limits::default() };
        assert!(limits.missed(&figures(1e-5, 0.020_000_05)).is_empty());
        assert_eq!(
            limits.missed(&figures(0.0003, 0.025)),
            [
                "--max-drift: the largest drift is 0.3 mm, 0.29 mm more than the 0.01 mm asked for",
                "--max-stretch: the largest stretch is 2.5 %, 0.5 % more than the 2 % asked for",
            ]
        );
    }

    #[test]
    fn a_figure_that_cannot_be_had_misses_no_limit() {
        let limits = Limits { max_drift: Some(0.0), max_knee: Some(0.0), ..Limits::default() };
        assert!(limits.missed(&Figures::default()).is_empty());
    }
}
