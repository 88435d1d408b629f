//! The flags that limit the figures of a written file.

use clap::Args;
use surefoot::{FolderSettings, Limits, parse};
use surefoot_measure::Figures;

use crate::problem::CommandError;

/// Limits on the figures of the written file. A limit that is not met makes the exit code 1.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Limits (the exit code is 1 if one is not met)")]
pub struct LimitOptions {
    /// Largest allowed drift: distance of a planted point from where its plant began, as 0.01mm
    /// [default: no limit]
    #[arg(long, value_name = "LENGTH", value_parser = parse::length)]
    max_drift: Option<f64>,

    /// Largest allowed change of the length of a thigh or shin, as 2% [default: no limit]
    #[arg(long, value_name = "SHARE", value_parser = parse::share)]
    max_stretch: Option<f64>,

    /// Largest allowed depth of a heel, ball or toe tip below the floor, as 1mm [default: no limit]
    #[arg(long, value_name = "LENGTH", value_parser = parse::length)]
    max_penetration: Option<f64>,

    /// Largest allowed growth of the knee acceleration, as 1.2 for 1.2 times the captured one
    ///
    /// Compares the 99th percentile over all frames and legs. [default: no limit]
    #[arg(long, value_name = "TIMES", value_parser = parse::ratio)]
    max_knee: Option<f64>,
}

impl LimitOptions {
    /// A line for each limit that is not met: those of the flags, then of `surefoot.toml`.
    pub fn missed(&self, settings: &FolderSettings, figures: &Figures) -> Vec<String> {
        let Self { max_drift, max_stretch, max_penetration, max_knee } = *self;
        Limits { max_drift, max_stretch, max_penetration, max_knee }.or(settings.limits).missed(figures)
    }
}

/// Returns an error if a limit is not met.
///
/// `printed` is the result of printing to stdout. A reader that closed stdout does not hide a limit that is not met.
pub fn check(printed: Result<(), CommandError>, missed: Vec<String>) -> Result<(), CommandError> {
    match printed {
        Ok(()) | Err(CommandError::PipeClosed) if !missed.is_empty() => {
            Err(CommandError::LimitsMissed(missed))
        }
        printed => printed,
    }
}
