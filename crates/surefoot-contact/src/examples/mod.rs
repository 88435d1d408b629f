//! Sets of example feature vectors, for the methods that compare a frame with examples.
//!
//! Features are standardised, so that distances weigh all of them alike, and stored as 16-bit
//! integers. `model_file` reads and writes the parts of model files.

mod model_file;

pub use model_file::ModelError;
pub(crate) use model_file::{Reader, Writer};

use surefoot_core::math::{floor, sqrt};

/// Standardises features: subtracts the mean and divides by the standard deviation of the examples.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureScaling {
    pub(crate) means: Vec<f32>,
    pub(crate) deviations: Vec<f32>,
}

/// Standardised features are clamped to this many standard deviations; there are no examples beyond.
const MAX_DEVIATIONS: f32 = 8.0;
/// Smallest standard deviation, in leg lengths, radians and so on. Where all examples stand alike, a
/// stance that is a centimetre wider must still be close to them.
const MIN_DEVIATION: f64 = 0.05;
/// Quantisation steps per standard deviation; ±8 deviations fit into 16 bits.
const STEPS: f32 = 4_000.0;

impl FeatureScaling {
    /// Computes mean and standard deviation of each feature of some examples, which are stored one after the other.
    pub fn fit(examples: &[f32], features: usize) -> Self {
        let count = (examples.len() / features.max(1)).max(1) as f64;
        let column = |at: usize| examples.iter().skip(at).step_by(features).map(|&value| f64::from(value));
        let mean = |at: usize| column(at).sum::<f64>() / count;
        let means: Vec<f64> = (0..features).map(mean).collect();
        let deviation = |at: usize| {
            let squares = column(at).map(|value| (value - means[at]) * (value - means[at])).sum::<f64>();
            sqrt(squares / count).max(MIN_DEVIATION)
        };
        let deviations = (0..features).map(|at| deviation(at) as f32).collect();
        Self { means: means.iter().map(|&mean| mean as f32).collect(), deviations }
    }

    /// Standardises a feature vector in place.
    pub fn apply(&self, vector: &mut [f32]) {
        for ((value, mean), deviation) in vector.iter_mut().zip(&self.means).zip(&self.deviations) {
            // A file may contain a deviation of 0; that feature is ignored.
            let scaled = if *deviation > 0.0 { (*value - mean) / deviation } else { 0.0 };
            *value = scaled.clamp(-MAX_DEVIATIONS, MAX_DEVIATIONS);
        }
    }
}

/// Standardised examples, stored feature by feature, so that the distances to all examples are
/// computed side by side in SIMD lanes.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleSet {
    pub(crate) count: usize,
    /// Feature by feature: the first feature of all examples, then the second feature, and so on.
    pub(crate) quantised: Vec<i16>,
    /// The quantised features converted back to numbers.
    values: Vec<f32>,
}

impl ExampleSet {
    /// Quantises standardised examples of `features` numbers each, stored one after the other.
    pub fn new(examples: &[f32], features: usize) -> Self {
        let count = examples.len() / features.max(1);
        // The cast saturates.
        let quantise = |&value: &f32| floor(f64::from(value * STEPS) + 0.5) as i16;
        let column = |feature: usize| examples.iter().skip(feature).step_by(features.max(1)).map(quantise);
        Self::from_quantised(count, (0..features).flat_map(column).collect())
    }

    pub(crate) fn from_quantised(count: usize, quantised: Vec<i16>) -> Self {
        let values = quantised.iter().map(|&step| f32::from(step) / STEPS).collect();
        Self { count, quantised, values }
    }

    /// Number of examples.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Replaces `vector` by an example.
    pub fn example(&self, index: usize, vector: &mut Vec<f32>) {
        vector.clear();
        vector.extend(self.values.iter().skip(index).step_by(self.count.max(1)));
    }

    /// Replaces `distances` by the squared distance of each example from a standardised vector.
    pub fn squared_distances(&self, vector: &[f32], distances: &mut Vec<f32>) {
        distances.clear();
        distances.resize(self.count, 0.0);
        if self.count == 0 {
            return;
        }
        for (feature, column) in vector.iter().zip(self.values.chunks_exact(self.count)) {
            for (distance, value) in distances.iter_mut().zip(column) {
                let difference = feature - value;
                *distance += difference * difference;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standardised_features_have_mean_zero_and_deviation_one() {
        let mut examples = vec![1.0, 5.0, 3.0, 5.0, 5.0, 5.0];
        let scaling = FeatureScaling::fit(&examples, 2);
        examples.chunks_mut(2).for_each(|example| scaling.apply(example));
        // A constant feature becomes 0.
        assert!(examples.iter().skip(1).step_by(2).all(|&value| value == 0.0));
        assert!((examples[4] - 1.2247).abs() < 1e-4 && examples[2] == 0.0);
    }

    #[test]
    fn distances_are_those_of_the_quantised_examples() {
        let examples = ExampleSet::new(&[0.0, 1.0, 3.0, 5.0], 2);
        let mut distances = Vec::new();
        examples.squared_distances(&[0.0, 1.0], &mut distances);
        assert_eq!(distances, [0.0, 25.0]);
    }
}
