//! Trains one multi-class classifier: a binary problem for each pair of labels over one kernel matrix.

use super::Task;
use super::smo::{self, KernelMatrix};
use crate::error::FitError;
use crate::frame_examples::{FrameExample, FrameExamples};
use surefoot_contact::examples::{ExampleSet, FeatureScaling};
use surefoot_contact::features::{FeatureSpec, View};
use surefoot_contact::svm::{Classifier, Label, SupportVectors};
use surefoot_core::math::exp;

/// Trains one classifier.
pub(super) fn fit_classifier(
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
    let gamma = task.kernel_factor() / features.count() as f32;
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

/// An example, unchanged or mirrored, with the label of that view.
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
