//! Trains support vector machines on labelled frames.
//!
//! `smo` solves the binary problem between two classes; here every pair of labels gets one, over a
//! shared kernel matrix. Each frame is used as it is and mirrored. `tables` reproduces the tables of
//! the thesis.

mod smo;
mod tables;

pub use tables::{Cell, Column, FeatureRow, Tables, ThesisCell, WindowRow, tables};

use crate::error::FitError;
use crate::frame_examples::{DrawCount, FrameExample, FrameExamples, draw};
use crate::labelled_motion::LabelledMotion;
use smo::KernelMatrix;
use surefoot_contact::examples::{ExampleSet, FeatureScaling};
use surefoot_contact::features::{FeatureSet, FeatureSpec, View, Window};
use surefoot_contact::svm::{Classifier, KindModel, Label, Model, SupportVectors};
use surefoot_core::math::exp;

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

/// What a classifier distinguishes.
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

/// An example as it is or mirrored, with the label of that view.
#[derive(Clone, Copy)]
pub(crate) struct LabelledView {
    pub label: Label,
    example: FrameExample,
    view: View,
}

/// Both views of each example that has a label.
pub(crate) fn both_views(
    examples: &[FrameExample],
    label: impl Fn(&FrameExample) -> Option<Label>,
) -> impl Iterator<Item = LabelledView> {
    let views = move |example: &FrameExample| {
        let label = label(example)?;
        Some([
            LabelledView { label, example: *example, view: View::AsIs },
            LabelledView { label: label.mirrored(), example: *example, view: View::Mirrored },
        ])
    };
    examples.iter().filter_map(views).flatten()
}

/// Trains one classifier.
fn fit_classifier(
    examples: &FrameExamples,
    drawn: &[FrameExample],
    task: Task,
    features: FeatureSpec,
    cost: f64,
) -> Result<Classifier, FitError> {
    let mut views: Vec<LabelledView> = both_views(drawn, |example| task.label(example)).collect();
    // Sorted by label: the vectors of a label are stored together, and ties go to the first label.
    views.sort_by_key(|view| view.label);
    let mut labels: Vec<Label> = views.iter().map(|view| view.label).collect();
    labels.dedup();
    match labels.as_slice() {
        [] => return Err(FitError::NoLabels),
        [only] => {
            let among = "left, right, both, none, skate";
            return Err(FitError::OneLabel { label: only.as_str(), among });
        }
        _ => {}
    }
    let (scaling, vectors) = standardised(examples, &views, features);
    let gamma = 1.0 / features.count() as f32;
    let kernels = gaussian_kernels(&vectors, gamma);
    let class = |label: Label| (0..views.len()).filter(|&at| views[at].label == label).collect();
    let classes: Vec<Vec<usize>> = labels.iter().map(|&label| class(label)).collect();
    let decisions = PairwiseWeights::solve(&kernels, &classes, cost);
    let support = decisions.support_vectors(labels, &classes, &vectors);
    Ok(Classifier::new(features, gamma, scaling, support))
}

/// The matrix `exp(-gamma · distance²)` of all pairs of vectors.
fn gaussian_kernels(vectors: &ExampleSet, gamma: f32) -> KernelMatrix {
    let mut vector = Vec::new();
    KernelMatrix::new(vectors.count(), |index, row| {
        vectors.example(index, &mut vector);
        vectors.squared_distances(&vector, row);
        row.iter_mut().for_each(|distance| *distance = exp(f64::from(-gamma * *distance)) as f32);
    })
}

/// The weights of all vectors in the decisions between all pairs of classes.
struct PairwiseWeights {
    /// By vector, then rival class.
    weights: Vec<Vec<f32>>,
    /// By pair of classes.
    offsets: Vec<f32>,
}

impl PairwiseWeights {
    fn solve(kernels: &KernelMatrix, classes: &[Vec<usize>], cost: f64) -> Self {
        let vectors = classes.iter().map(Vec::len).sum();
        let mut weights = vec![vec![0.0f32; classes.len() - 1]; vectors];
        let mut offsets = Vec::new();
        for first in 0..classes.len() {
            for second in first + 1..classes.len() {
                let boundary = smo::separate(kernels, &classes[first], &classes[second], cost);
                let of_first = classes[first].iter().map(|&at| (at, second - 1));
                let of_second = classes[second].iter().map(|&at| (at, first));
                for ((at, rival), weight) in of_first.chain(of_second).zip(&boundary.weights) {
                    weights[at][rival] = *weight as f32;
                }
                offsets.push(boundary.offset as f32);
            }
        }
        Self { weights, offsets }
    }

    /// Keeps the vectors that have a weight in any decision.
    fn support_vectors(
        self,
        labels: Vec<Label>,
        classes: &[Vec<usize>],
        vectors: &ExampleSet,
    ) -> SupportVectors {
        let is_support = |at: &usize| self.weights[*at].iter().any(|&weight| weight != 0.0);
        let counts = classes.iter().map(|class| class.iter().copied().filter(is_support).count()).collect();
        let kept: Vec<usize> = (0..self.weights.len()).filter(is_support).collect();
        let mut kept_vectors = Vec::new();
        let mut vector = Vec::new();
        for &at in &kept {
            vectors.example(at, &mut vector);
            kept_vectors.extend(&vector);
        }
        let weights = kept.iter().map(|&at| self.weights[at].clone()).collect();
        SupportVectors { labels, counts, vectors: kept_vectors, weights, offsets: self.offsets }
    }
}

/// Measures the scaling of the feature vectors, and returns them standardised and quantised as a model
/// stores them.
pub(crate) fn standardised(
    examples: &FrameExamples,
    views: &[LabelledView],
    features: FeatureSpec,
) -> (FeatureScaling, ExampleSet) {
    let count = features.count();
    let mut vectors = Vec::with_capacity(views.len() * count);
    let mut vector = Vec::new();
    for LabelledView { example, view, .. } in views {
        examples.feature_vector(example, features, *view, &mut vector);
        vectors.extend(&vector);
    }
    let scaling = FeatureScaling::fit(&vectors, count);
    vectors.chunks_exact_mut(count).for_each(|vector| scaling.apply(vector));
    let quantised = ExampleSet::new(&vectors, count);
    (scaling, quantised)
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
