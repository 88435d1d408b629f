//! The flags that limit the figures of a written file.

use clap::Args;
use surefoot::{FolderSettings, Limits, parse};
use surefoot_measure::Figures;

use crate::problem::CommandError;

/// Limits on the figures of the written file. A limit that is not met makes the exit code 1.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Limits (the exit code is 1 if one is not met)")]
pub struct LimitOptions {
    /// Largest allowed drift: distance of a planted point from its given spot, or else from where its plant
    /// began, e.g. 0.01mm
    /// [default: no limit]
    #[arg(long, value_name = "LENGTH", value_parser = parse::length)]
    max_drift: Option<f64>,

    /// Largest allowed change of the length of a thigh or shin, e.g. 2% [default: no limit]
    #[arg(long, value_name = "SHARE", value_parser = parse::share)]
    max_stretch: Option<f64>,

    /// Largest allowed depth of a heel, ball or toe tip below the floor, e.g. 1mm [default: no limit]
    #[arg(long, value_name = "LENGTH", value_parser = parse::length)]
    max_penetration: Option<f64>,

    /// Largest allowed growth of the knee acceleration, e.g. 1.2 for 1.2 times the captured one
    ///
    /// Compares the 99th percentile over all frames and legs. [default: no limit]
    #[arg(long, value_name = "TIMES", value_parser = parse::ratio)]
    max_knee: Option<f64>,

    /// Most new slides: feet that stand in the motion before and slide in the motion after
    /// [default: no limit]
    #[arg(long, value_name = "COUNT")]
    max_new_slides: Option<usize>,

    /// Most teleports: jumps of a foot near the ground [default: no limit]
    #[arg(long, value_name = "COUNT")]
    max_teleports: Option<usize>,

    /// Most knee pops: jerks of a knee [default: no limit]
    #[arg(long, value_name = "COUNT")]
    max_knee_pops: Option<usize>,

    /// Most scrapes: swings that come closer to the ground than before [default: no limit]
    #[arg(long, value_name = "COUNT")]
    max_scrapes: Option<usize>,

    /// Most frames with a heel, ball or toe over 1 mm below the floor [default: no limit]
    #[arg(long, value_name = "COUNT")]
    max_below_floor_frames: Option<usize>,

    /// Most frames with a heel, ball or toe over 1 mm deeper below the floor than before [default: no limit]
    #[arg(long, value_name = "COUNT")]
    max_deeper_frames: Option<usize>,

    /// Most joints with other channels than in the file before [default: no limit]
    #[arg(long, value_name = "COUNT")]
    max_channels_changed: Option<usize>,
}

impl LimitOptions {
    /// A line for each limit that is not met: those of the flags, then of `surefoot.toml`.
    pub fn missed(&self, settings: &FolderSettings, figures: &Figures) -> Vec<String> {
        self.limits().or(settings.limits).missed(figures)
    }

    fn limits(&self) -> Limits {
        Limits {
            max_drift: self.max_drift,
            max_stretch: self.max_stretch,
            max_penetration: self.max_penetration,
            max_knee: self.max_knee,
            max_new_slides: self.max_new_slides,
            max_teleports: self.max_teleports,
            max_knee_pops: self.max_knee_pops,
            max_scrapes: self.max_scrapes,
            max_below_floor_frames: self.max_below_floor_frames,
            max_deeper_frames: self.max_deeper_frames,
            max_channels_changed: self.max_channels_changed,
        }
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
