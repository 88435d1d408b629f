//! Trains support vector machines on labelled frames.
//!
//! `classifier` trains one multi-class machine, on each frame and its mirror image, and `smo` solves its
//! binary problems. `tables` reproduces the tables of the thesis.

mod classifier;
mod data_table;
mod smo;
mod tables;
mod tables_text;

pub(crate) use classifier::{LabelledView, both_views, standardised};
pub use data_table::DataRow;
pub use tables::{Cell, Column, FeatureRow, TableRows, Tables, ThesisCell, WindowRow, tables};
pub use tables_text::TableCell;

use crate::error::FitError;
use crate::frame_examples::{DrawCount, FrameExample, FrameExamples, draw};
use crate::labelled_motion::LabelledMotion;
use classifier::fit_classifier;
use surefoot_contact::features::{FeatureSet, FeatureSpec, Window};
use surefoot_contact::svm::{KindModel, Label, Model};

/// How labels are distributed over classifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelScheme {
    /// One classifier for all five labels.
    FiveLabels,
    /// One classifier for the feet that are down and one for skate.
    PlantAndSkate,
}

/// The settings of the support vector machines.
#[derive(Clone, Debug, PartialEq)]
pub struct SvmSettings {
    /// [`LabelScheme::PlantAndSkate`] by default.
    pub labels: LabelScheme,
    /// The features for locomotion: by default A and B split at three times, the smallest set among
    /// the most accurate.
    pub locomotion: FeatureSpec,
    /// The features for other motions: by default B split and C. Positions do not help where every
    /// body sits and jumps in its own way.
    pub other: FeatureSpec,
    /// The most frames that each classifier is trained on, each also mirrored. 900 by default.
    pub max_frames: usize,
    /// The penalty C of misclassified frames. 10 by default: higher follows single frames, lower is smoother.
    pub cost: f64,
    /// Draws the damage and the frames.
    pub seed: u64,
}

impl Default for SvmSettings {
    fn default() -> Self {
        let three_times = |set: FeatureSet| FeatureSpec { set, window: Window::ALL[1] };
        Self {
            labels: LabelScheme::PlantAndSkate,
            locomotion: three_times(FeatureSet::A.with(FeatureSet::B_SPLIT)),
            other: three_times(FeatureSet::B_SPLIT.with(FeatureSet::C)),
            max_frames: 900,
            cost: 10.0,
            seed: 1,
        }
    }
}

/// Trains a model with a part for locomotion and a part for other motions.
///
/// Where the labels suffice for only one of the two, it classifies all motions.
pub fn fit_svm(all: &[&LabelledMotion], settings: &SvmSettings) -> Result<Model, FitError> {
    let examples = FrameExamples::new(all, settings.seed);
    let part = |locomotion: bool, features: FeatureSpec| {
        let is_used = |example: &FrameExample| {
            examples.locomotion[example.motion] == locomotion || examples.jumps[example.motion]
        };
        fit_part(&examples, &is_used, features, settings)
    };
    let locomotion = part(true, settings.locomotion);
    let other = part(false, settings.other);
    match (locomotion, other) {
        (Ok(locomotion), Ok(other)) => {
            let min_stride_speed = locomotion_threshold(&examples, |_| true) as f32;
            Ok(Model::new(locomotion, Some(other), min_stride_speed))
        }
        (Ok(only), Err(_)) | (Err(FitError::NoLabels), Ok(only)) => Ok(Model::new(only, None, 0.0)),
        (Err(FitError::NoLabels), Err(error)) | (Err(error), _) => Err(error),
    }
}

/// The labels that a classifier distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// All five labels.
    FiveLabels,
    /// The feet that are down.
    Feet,
    /// Skate or none.
    Skate,
}

impl Task {
    /// The label of an example, if known.
    fn label(self, example: &FrameExample) -> Option<Label> {
        match self {
            Self::FiveLabels => example.five_labels(),
            Self::Feet => example.feet_label(),
            Self::Skate => example.skate_label(),
        }
    }

    /// The factor of the kernel's exponent, times the number of features.
    ///
    /// LIBSVM's default is 1. Five labels in one classifier need a wider kernel to recognise the skate of people that they
    /// were not trained on: in locomotion by person, features a+b-split, 87 % with 1, 95 % with 0.3. Skate with a classifier
    /// of its own does not: with 1 it is right in 96.6 % of skating frames and 98.7 % of the others, with 0.3 in 96.3 and
    /// 97.6 %, both by person, means over five draws of the damage.
    fn kernel_factor(self) -> f32 {
        match self {
            Self::FiveLabels => 0.3,
            Self::Feet | Self::Skate => 1.0,
        }
    }

    /// The number of examples to draw. A tenth is reserved for each label; half for skate and half for
    /// none, because skate is rare.
    fn draw_count(self, max: usize) -> DrawCount {
        let fraction = match self {
            Self::FiveLabels | Self::Feet => 10,
            Self::Skate => 2,
        };
        DrawCount { max, min_per_label: max / fraction }
    }
}

fn fit_part(
    examples: &FrameExamples,
    is_used: &dyn Fn(&FrameExample) -> bool,
    features: FeatureSpec,
    settings: &SvmSettings,
) -> Result<KindModel, FitError> {
    let fit = |task: Task, set: FeatureSet| {
        let used = examples.frames.iter().filter(|example| is_used(example));
        let drawn =
            draw(used, |example| task.label(example), task.draw_count(settings.max_frames), settings.seed);
        fit_classifier(examples, &drawn, task, FeatureSpec { set, ..features }, settings.cost)
    };
    match settings.labels {
        LabelScheme::FiveLabels => Ok(KindModel::FiveLabels(fit(Task::FiveLabels, features.set)?)),
        LabelScheme::PlantAndSkate => Ok(KindModel::PlantAndSkate {
            plant: fit(Task::Feet, features.set.only(FeatureSet::B_UP))?,
            skate: fit(Task::Skate, features.set.only(FeatureSet::B_LEVEL))?,
        }),
    }
}

/// Returns the stride speed that best separates locomotion from other motions, both weighted alike.
fn locomotion_threshold(examples: &FrameExamples, is_used: impl Fn(&FrameExample) -> bool) -> f64 {
    let speed_and_kind =
        |example: &FrameExample| (examples.stride_speed(example), examples.locomotion[example.motion]);
    let mut all: Vec<(f64, bool)> =
        examples.frames.iter().filter(|example| is_used(example)).map(speed_and_kind).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let locomotion = all.iter().filter(|(_, is_locomotion)| *is_locomotion).count().max(1) as f64;
    let other = (all.len() as f64 - locomotion).max(1.0);
    // Raising the threshold past a frame makes it right if it is another motion and wrong if it is locomotion.
    let (mut gain, mut best) = (0.0, (0.0, 0.0));
    for (speed, is_locomotion) in all {
        gain += if is_locomotion { -1.0 / locomotion } else { 1.0 / other };
        if gain > best.0 {
            best = (gain, speed);
        }
    }
    best.1
}
