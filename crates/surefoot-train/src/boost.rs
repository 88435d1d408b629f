//! Boosted trees from rows: logistic loss.
//!
//! Each tree is fitted to what those before it left over; `grow` grows one.

use crate::grow::{Binned, Left, grow};
use surefoot_contact::learned::{FeatureRow, Model};
use surefoot_core::math::{exp, ln};
use surefoot_sample::Random;

/// Rows, each with whether the foot is down and how much it counts.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The rows.
    pub rows: Vec<FeatureRow>,
    /// Whether the foot is down.
    pub down: Vec<bool>,
    /// How much each counts.
    pub weights: Vec<f32>,
}

/// How trees are fitted.
#[derive(Clone, Copy, Debug)]
pub struct Boosting {
    /// How many. More fit closer and take longer to ask.
    pub trees: usize,
    /// How much of each is believed. Less needs more trees.
    pub rate: f64,
    /// How much a leaf must weigh to be believed by half.
    pub shrink: f64,
    /// The share of features and of rows that a tree may look at.
    pub features: f64,
    /// The share of rows.
    pub rows: f64,
    /// Seeds the draws.
    pub seed: u64,
}

impl Default for Boosting {
    fn default() -> Self {
        Self { trees: 240, rate: 0.08, shrink: 8.0, features: 0.2, rows: 0.5, seed: 1 }
    }
}

/// Leaves are whole multiples of one over this: the sum of 240 is off by some ten-thousandths, and a page
/// that a model is loaded with is lighter by 6 kB.
const STEPS: f32 = 16_384.0;

/// Fits trees to a table, on top of a model where there is one; probabilities are still the
/// plain ones of the loss.
pub fn boost(table: &Table, from: Option<&Model>, how: &Boosting) -> Model {
    let binned = Binned::new(table);
    let weight: f64 = table.weights.iter().map(|&weight| f64::from(weight)).sum();
    let yes: f64 =
        table.down.iter().zip(&table.weights).filter(|(down, _)| **down).map(|(_, &w)| f64::from(w)).sum();
    let base = ln((yes + 1.0) / (weight - yes + 1.0)) as f32;
    let mut model = from.cloned().unwrap_or(Model { base, ..Model::default() });
    let before = model.trees.len();
    let all = |row: &FeatureRow| model.base + model.trees.iter().map(|tree| tree.evaluate(row)).sum::<f32>();
    let mut scores: Vec<f32> = table.rows.iter().map(all).collect();
    let mut random = Random::new(how.seed, 77);
    for _ in 0..how.trees {
        let left: Vec<Left> =
            (0..binned.rows).map(|row| left(scores[row], table.down[row], table.weights[row])).collect();
        let tree = grow(&binned, &left, how, &mut random);
        for (score, row) in scores.iter_mut().zip(&table.rows) {
            *score += tree.evaluate(row);
        }
        model.trees.push(tree);
    }
    for leaf in model.trees[before..].iter_mut().flat_map(|tree| &mut tree.leaves) {
        *leaf = (*leaf * STEPS).round() / STEPS;
    }
    // What was added is asked first, or a model that is sure and wrong would not get to it.
    model.trees.rotate_left(before);
    model.score_calibration = logistic();
    model
}

fn left(score: f32, down: bool, weight: f32) -> Left {
    let sure = 1.0 / (1.0 + exp(-f64::from(score)));
    let weight = f64::from(weight);
    Left {
        over: weight * (f64::from(u8::from(down)) - sure),
        weight: weight * (sure * (1.0 - sure)).max(1e-6),
    }
}

/// The logistic function as a table.
fn logistic() -> Vec<(f32, f32)> {
    (-16..=16).map(|k| (k as f32 * 0.5, (1.0 / (1.0 + exp(-f64::from(k) * 0.5))) as f32)).collect()
}
