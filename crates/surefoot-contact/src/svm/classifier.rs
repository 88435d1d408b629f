//! One multi-class support vector machine.
//!
//! As in LIBSVM: a Gaussian kernel, one binary decision for each pair of labels, and the label that
//! wins most of them.

use super::{Label, Scratch};
use crate::examples::{ExampleSet, FeatureScaling, ModelError, Reader, Writer};
use crate::features::{FeatureSpec, LegPair, View};
use surefoot_core::math::exp;

/// A multi-class support vector machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Classifier {
    features: FeatureSpec,
    /// The kernel is `exp(-gamma · distance²)`.
    gamma: f32,
    scaling: FeatureScaling,
    /// The labels, in the order of their numbers.
    labels: Vec<Label>,
    /// Number of support vectors of each label; they are stored in that order.
    counts: Vec<usize>,
    vectors: ExampleSet,
    /// For each rival label, the weight of every support vector in the decision against it.
    weights: Vec<f32>,
    /// The offset of each decision, by pair of labels.
    offsets: Vec<f32>,
}

/// The support vectors of a classifier and their weights.
#[derive(Clone, Debug)]
pub struct SupportVectors {
    /// The labels that are distinguished, in the order of their numbers.
    pub labels: Vec<Label>,
    /// Number of support vectors of each label.
    pub counts: Vec<usize>,
    /// Standardised feature vectors, one after the other, those of the first label first.
    pub vectors: Vec<f32>,
    /// For each support vector its weight against every other label, in order.
    pub weights: Vec<Vec<f32>>,
    /// The value that is subtracted from each decision, by pair of labels.
    pub offsets: Vec<f32>,
}

/// The binary decisions of a classifier for one frame.
pub struct Decision<'a> {
    labels: &'a [Label],
    /// By pair of labels: positive for the first of the two.
    margins: Vec<f64>,
}

impl Classifier {
    /// A classifier of the given support vectors. Panics if their lengths do not match.
    pub fn new(features: FeatureSpec, gamma: f32, scaling: FeatureScaling, support: SupportVectors) -> Self {
        let SupportVectors { labels, counts, vectors, weights, offsets } = support;
        let (classes, count) = (labels.len(), counts.iter().sum::<usize>());
        assert!(classes > 1 && counts.len() == classes && vectors.len() == count * features.count());
        assert!(weights.len() == count && weights.iter().all(|own| own.len() == classes - 1));
        assert_eq!(offsets.len(), classes * (classes - 1) / 2);
        let column = |rival: usize| weights.iter().map(move |own| own[rival]);
        let weights = (0..classes - 1).flat_map(column).collect();
        let vectors = ExampleSet::new(&vectors, features.count());
        Self { features, gamma, scaling, labels, counts, vectors, weights, offsets }
    }

    /// The labels that are distinguished.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Number of support vectors.
    pub fn vector_count(&self) -> usize {
        self.vectors.count()
    }

    /// Classifies a frame.
    pub fn classify(&self, pair: &LegPair, frame: usize, scratch: &mut Scratch) -> Decision<'_> {
        let mut vector = core::mem::take(&mut scratch.vector);
        pair.feature_vector(frame, self.features, View::AsIs, &mut vector);
        let decision = self.classify_vector(&mut vector, scratch);
        scratch.vector = vector;
        decision
    }

    /// Classifies a feature vector, which is standardised in place.
    pub fn classify_vector(&self, vector: &mut [f32], scratch: &mut Scratch) -> Decision<'_> {
        self.scaling.apply(vector);
        self.vectors.squared_distances(vector, &mut scratch.distances);
        for distance in &mut scratch.distances {
            *distance = exp(f64::from(-self.gamma * *distance)) as f32;
        }
        let kernels = &scratch.distances;
        let mut margins = Vec::with_capacity(self.offsets.len());
        for first in 0..self.labels.len() {
            for second in first + 1..self.labels.len() {
                let offset = f64::from(self.offsets[margins.len()]);
                let sums =
                    self.weighted_sum(first, second, kernels) + self.weighted_sum(second, first, kernels);
                margins.push(sums - offset);
            }
        }
        Decision { labels: &self.labels, margins }
    }

    /// The sum of the kernels of one label's support vectors, weighted against a rival label.
    fn weighted_sum(&self, label: usize, rival: usize, kernels: &[f32]) -> f64 {
        let start: usize = self.counts[..label].iter().sum();
        let own = start..start + self.counts[label];
        let row = if rival < label { rival } else { rival - 1 };
        let count = self.vectors.count();
        let weights = &self.weights[row * count..(row + 1) * count][own.clone()];
        weights.iter().zip(&kernels[own]).map(|(weight, kernel)| f64::from(weight * kernel)).sum()
    }

    pub(super) fn read(reader: &mut Reader) -> Result<Self, ModelError> {
        let features = reader.feature_spec()?;
        let gamma = reader.float("gamma")?;
        let at = reader.at();
        let labels = read_labels(reader)?;
        let mut counts = Vec::with_capacity(labels.len());
        for _ in &labels {
            counts.push(reader.count()?);
        }
        let count = counts.iter().fold(0usize, |sum, count| sum.saturating_add(*count));
        if count > u32::MAX as usize {
            let (found, expected) = (count.to_string(), "at most 4294967295");
            return Err(ModelError::Value { at, what: "the number of support vectors", found, expected });
        }
        let scaling = reader.scaling(features.count())?;
        let weights = reader.floats(count.saturating_mul(labels.len() - 1), "a weight")?;
        let offsets = reader.floats(labels.len() * (labels.len() - 1) / 2, "an offset")?;
        let quantised = reader.quantised(count.saturating_mul(features.count()))?;
        let vectors = ExampleSet::from_quantised(count, quantised);
        Ok(Self { features, gamma, scaling, labels, counts, vectors, weights, offsets })
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.feature_spec(self.features);
        writer.floats(&[self.gamma]);
        writer.bytes.push(self.labels.len() as u8);
        writer.bytes.extend(self.labels.iter().map(|&label| label as u8));
        self.counts.iter().for_each(|&count| writer.count(count));
        writer.scaling(&self.scaling);
        writer.floats(&self.weights);
        writer.floats(&self.offsets);
        writer.quantised(&self.vectors.quantised);
    }
}

/// Reads at least two labels, each once and in order.
fn read_labels(reader: &mut Reader) -> Result<Vec<Label>, ModelError> {
    let at = reader.at();
    let count = usize::from(reader.byte()?);
    let numbers = reader.bytes(count)?;
    let labels: Vec<Label> =
        numbers.iter().filter_map(|&label| Label::ALL.get(usize::from(label)).copied()).collect();
    let is_sorted = labels.windows(2).all(|pair| pair[0] < pair[1]);
    if labels.len() != count || count < 2 || !is_sorted {
        let expected = "two to five labels, each once and in order";
        return Err(ModelError::Value {
            at,
            what: "the list of labels",
            found: format!("{numbers:?}"),
            expected,
        });
    }
    Ok(labels)
}

impl Decision<'_> {
    /// The label that wins most decisions; among equals the one with the larger margins.
    pub fn label(&self) -> Label {
        self.best(&|_| true)
    }

    /// The best label apart from skate: which feet are down.
    pub fn feet(&self) -> Label {
        self.best(&|label| label != Label::Skate)
    }

    fn best(&self, is_allowed: &dyn Fn(Label) -> bool) -> Label {
        let mut best = (Label::None, f64::NEG_INFINITY);
        for (number, &label) in self.labels.iter().enumerate() {
            let rivals =
                || (0..self.labels.len()).filter(|&rival| rival != number && is_allowed(self.labels[rival]));
            let wins = rivals().filter(|&rival| self.margin(number, rival) > 0.0).count() as f64;
            // The margins break ties: compressed, they count for less than one decision.
            let margins: f64 = rivals().map(|rival| self.margin(number, rival)).sum();
            let rank = wins + 0.5 * margins / (1.0 + margins.abs());
            if is_allowed(label) && rank > best.1 {
                best = (label, rank);
            }
        }
        best.0
    }

    /// Returns a confidence that each foot is down, from 0 to 1, left first; the foot is down from 0.5 on.
    ///
    /// It is a sigmoid of the smallest margin over the labels that differ in that foot: a ranking, not
    /// a calibrated probability.
    pub fn confidences(&self) -> [f64; 2] {
        let feet = self.feet();
        let winner = self.labels.iter().position(|&label| label == feet).unwrap_or(0);
        [0, 1].map(|foot| {
            let is_down = feet.is_down(foot).unwrap_or(false);
            let differs = |rival: &usize| self.labels[*rival].is_down(foot) == Some(!is_down);
            let rivals = (0..self.labels.len()).filter(differs);
            // Without a rival the margin is infinite, and the clamp makes the confidence nearly 1.
            let margin = rivals.map(|rival| self.margin(winner, rival)).fold(f64::INFINITY, f64::min);
            let confidence = 1.0 / (1.0 + exp(-2.0 * margin.clamp(0.0, 20.0)));
            if is_down { confidence } else { 1.0 - confidence.max(0.5 + 1e-9) }
        })
    }

    /// The margin between two labels, given by index; positive for the first.
    fn margin(&self, one: usize, other: usize) -> f64 {
        let (first, second) = (one.min(other), one.max(other));
        let classes = self.labels.len();
        let at = first * (2 * classes - first - 1) / 2 + second - first - 1;
        if one < other { self.margins[at] } else { -self.margins[at] }
    }
}
