//! The results of cleaning and of edits, as values that can be written as JSON.

use serde::Serialize;
use surefoot_measure::Figures;

use super::finish::EditedFile;
use super::summary::EditSummary;
use crate::{MotionFile, PlantCost, PlantsSource, parse};

/// The names of the files that were written.
#[derive(Clone, Debug, Default, Serialize)]
pub struct WrittenFiles {
    /// The motion. `None` if nothing was written.
    pub output: Option<String>,
    /// The plants that were held.
    pub plants_file: Option<String>,
    /// The report.
    pub report: Option<String>,
}

/// A cleaned file: the value that `clean --json` prints. The figures follow.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct CleanValue<'a> {
    /// The name of the motion file.
    pub motion: &'a str,
    /// The method. `None` where the feet were left as they are.
    pub method: Option<&'static str>,
    /// The files that were written.
    #[serde(flatten)]
    pub files: WrittenFiles,
    /// Whether the plants were detected.
    pub plants_detected: bool,
    /// Notes about the motion and the result.
    pub notes: &'a [String],
    /// Warnings about the motion file.
    pub warnings: &'a [String],
    /// A line for each limit that is not met.
    pub limits_missed: &'a [String],
    /// The costs of all plants, for a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<Vec<PlantCost<'a>>>,
    /// The figures of the written file and of the motion before.
    #[serde(flatten)]
    pub figures: &'a Figures,
}

/// An edit: the value that `--json` prints. The figures follow.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct EditValue<'a, D> {
    /// The name of the edit.
    pub command: &'static str,
    /// The names of the motion files.
    pub motions: Vec<&'a str>,
    /// The files that were written.
    #[serde(flatten)]
    pub files: WrittenFiles,
    /// Whether the result was cleaned.
    pub cleaned: bool,
    /// Whether plants were detected.
    pub plants_detected: bool,
    /// Sentences that describe the edit.
    pub about: &'a [String],
    /// The same as numbers.
    pub edit: &'a D,
    /// Notes about the motions and the result.
    pub notes: &'a [String],
    /// Warnings about the motion files.
    pub warnings: &'a [String],
    /// A line for each limit that is not met.
    pub limits_missed: &'a [String],
    /// The largest change of a knee's angular speed by cleaning, in radians per second.
    pub knee_speed_added_max_rad_per_s: Option<f64>,
    /// The figures of the motions before the edit; those beside them are before and after cleaning.
    pub source_figures: &'a [Figures],
    /// The figures of the written file and of the edit before it was cleaned.
    #[serde(flatten)]
    pub figures: &'a Figures,
}

impl EditedFile<'_> {
    /// The result of cleaning a file. The costs of plants can be added.
    pub fn clean_value<'a>(
        &'a self,
        source: &'a MotionFile,
        files: WrittenFiles,
        warnings: &'a [String],
        limits_missed: &'a [String],
    ) -> CleanValue<'a> {
        CleanValue {
            motion: &source.name,
            method: self.method.map(parse::method_name),
            files,
            plants_detected: source.plants_source == PlantsSource::Detected,
            notes: &self.notes,
            warnings,
            limits_missed,
            budget: None,
            figures: &self.file.figures,
        }
    }
}

impl<D> EditSummary<'_, D> {
    /// The result of the edit.
    pub fn value<'a>(
        &'a self,
        files: WrittenFiles,
        warnings: &'a [String],
        limits_missed: &'a [String],
    ) -> EditValue<'a, D> {
        let Self { sources, edited, description, source_figures } = self;
        EditValue {
            command: description.command,
            motions: sources.iter().map(|source| source.name.as_str()).collect(),
            files,
            cleaned: edited.method.is_some(),
            plants_detected: sources.iter().any(|source| source.plants_source == PlantsSource::Detected),
            about: &description.about,
            edit: &description.details,
            notes: &edited.notes,
            warnings,
            limits_missed,
            knee_speed_added_max_rad_per_s: edited.knee_speed_added,
            source_figures,
            figures: &edited.file.figures,
        }
    }
}
