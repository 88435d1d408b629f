//! Gradient boosting with logistic loss: each tree is fitted to the residuals of the trees before it.

use crate::training_set::TrainingSet;
use crate::tree::{BinnedRows, Gradient, grow_tree};
use surefoot_contact::learned::{CalibrationCurve, FeatureRow, Model};
use surefoot_core::math::{exp, ln};
use surefoot_sample::Random;

/// The settings of gradient boosting.
#[derive(Clone, Copy, Debug)]
pub struct BoostingSettings {
    /// Number of trees. More fit more closely and take longer to evaluate.
    pub trees: usize,
    /// Factor of each tree's values. A smaller rate needs more trees.
    pub learning_rate: f64,
    /// Added to the sum of second derivatives of a leaf: a leaf of that weight has half its value.
    pub regularisation: f64,
    /// Fraction of the features that a tree may use.
    pub feature_fraction: f64,
    /// Fraction of the rows that a tree is fitted to.
    pub row_fraction: f64,
    /// Seeds the draws.
    pub seed: u64,
}

impl Default for BoostingSettings {
    fn default() -> Self {
        Self {
            trees: 240,
            learning_rate: 0.08,
            regularisation: 8.0,
            feature_fraction: 0.2,
            row_fraction: 0.5,
            seed: 1,
        }
    }
}

/// Leaf values are rounded to multiples of the inverse of this. The sum of 240 trees changes by less
/// than a thousandth, and a compressed model is 6 kB smaller.
const LEAF_STEPS: f32 = 16_384.0;

/// Smallest second derivative of a row: that of a score of ±14, where the loss is flat.
const MIN_CURVATURE: f64 = 1e-6;

/// Fits trees to a training set, on top of an existing model if one is given. Its score calibration is
/// the logistic function, which is not yet calibrated on other motions.
pub fn boost(set: &TrainingSet, from: Option<&Model>, settings: &BoostingSettings) -> Model {
    let binned = BinnedRows::new(set);
    let mut model = from.cloned().unwrap_or_else(|| Model { base: log_odds(set), ..Model::default() });
    let existing = model.trees.len();
    let score =
        |row: &FeatureRow| model.base + model.trees.iter().map(|tree| tree.evaluate(row)).sum::<f32>();
    let mut scores: Vec<f32> = set.rows.iter().map(score).collect();
    let mut random = Random::new(settings.seed, 77);
    for _ in 0..settings.trees {
        let gradient = |row: usize| gradient(scores[row], set.down[row], set.weights[row]);
        let gradients: Vec<Gradient> = (0..binned.rows).map(gradient).collect();
        let tree = grow_tree(&binned, &gradients, settings, &mut random);
        for (score, row) in scores.iter_mut().zip(&set.rows) {
            *score += tree.evaluate(row);
        }
        model.trees.push(tree);
    }
    for leaf in model.trees[existing..].iter_mut().flat_map(|tree| &mut tree.leaves) {
        *leaf = (*leaf * LEAF_STEPS).round() / LEAF_STEPS;
    }
    // Evaluation stops at a decided score, so the new trees come first to be able to correct the old ones.
    model.trees.rotate_left(existing);
    model.score_calibration = logistic_curve();
    model
}

/// The logarithm of the odds that a foot is down.
fn log_odds(set: &TrainingSet) -> f32 {
    let total: f64 = set.weights.iter().map(|&weight| f64::from(weight)).sum();
    let down: f64 =
        set.down.iter().zip(&set.weights).filter(|(down, _)| **down).map(|(_, &w)| f64::from(w)).sum();
    ln((down + 1.0) / (total - down + 1.0)) as f32
}

fn gradient(score: f32, down: bool, weight: f32) -> Gradient {
    let probability = 1.0 / (1.0 + exp(-f64::from(score)));
    let weight = f64::from(weight);
    Gradient {
        residual: weight * (f64::from(u8::from(down)) - probability),
        curvature: weight * (probability * (1.0 - probability)).max(MIN_CURVATURE),
    }
}

/// The logistic function from -8 to 8.
fn logistic_curve() -> CalibrationCurve {
    (-16..=16).map(|k| (k as f32 * 0.5, (1.0 / (1.0 + exp(-f64::from(k) * 0.5))) as f32)).collect()
}
