//! Boosted trees from rows: logistic loss, histograms, one question a depth.
//!
//! Each tree is fitted to what those before it left over. A question is the same for all leaves of
//! a depth; the best one is the one that leaves the least over, found from sums by bin.

use surefoot_contact::learned::{DEPTH, LEAVES, Model, ROW, Row, Tree};
use surefoot_core::math::{exp, ln};
use surefoot_sample::Random;

/// Rows, each with whether the foot is down and how much it counts.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The rows.
    pub rows: Vec<Row>,
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
        Self { trees: 160, rate: 0.12, shrink: 8.0, features: 0.2, rows: 0.5, seed: 1 }
    }
}

/// Bins a feature is sorted into.
const BINS: usize = 48;
/// How many rows are looked at to find the bins' bounds.
const LOOKED_AT: usize = 4000;

/// All rows, sorted into bins, feature by feature.
struct Binned {
    bins: Vec<u8>,
    /// By feature: upper bounds of all bins but the last.
    bounds: Vec<Vec<f32>>,
    rows: usize,
}

impl Binned {
    fn new(table: &Table) -> Self {
        let rows = table.rows.len();
        let step = (rows / LOOKED_AT).max(1);
        let bound = |feature: usize| {
            let mut values: Vec<f32> = table.rows.iter().step_by(step).map(|row| row[feature]).collect();
            values.sort_by(f32::total_cmp);
            values.dedup();
            let mut bounds: Vec<f32> =
                (1..BINS).map(|k| values[(k * values.len() / BINS).min(values.len() - 1)]).collect();
            bounds.dedup();
            bounds
        };
        let bounds: Vec<Vec<f32>> = (0..ROW).map(bound).collect();
        let mut bins = Vec::with_capacity(rows * ROW);
        for (feature, bounds) in bounds.iter().enumerate() {
            let bin = |row: &Row| bounds.partition_point(|&bound| bound < row[feature]) as u8;
            bins.extend(table.rows.iter().map(bin));
        }
        Self { bins, bounds, rows }
    }

    fn of(&self, feature: usize) -> &[u8] {
        &self.bins[feature * self.rows..(feature + 1) * self.rows]
    }
}

/// What is left over in a row, or in many: first and second derivative of the loss.
#[derive(Clone, Copy, Default)]
struct Left {
    over: f64,
    weight: f64,
}

/// Fits trees to a table, on top of a model where there is one; probabilities are still the
/// plain ones of the loss.
pub fn boost(table: &Table, from: Option<&Model>, how: &Boosting) -> Model {
    let binned = Binned::new(table);
    let weight: f64 = table.weights.iter().map(|&weight| f64::from(weight)).sum();
    let yes: f64 =
        table.down.iter().zip(&table.weights).filter(|(down, _)| **down).map(|(_, &w)| f64::from(w)).sum();
    let base = ln((yes + 1.0) / (weight - yes + 1.0)) as f32;
    let mut model = from.cloned().unwrap_or(Model { base, trees: Vec::new(), sure: Vec::new() });
    let before = model.trees.len();
    let all = |row: &Row| model.base + model.trees.iter().map(|tree| tree.answer(row)).sum::<f32>();
    let mut scores: Vec<f32> = table.rows.iter().map(all).collect();
    let mut random = Random::new(how.seed, 77);
    for _ in 0..how.trees {
        let left: Vec<Left> =
            (0..binned.rows).map(|row| left(scores[row], table.down[row], table.weights[row])).collect();
        let tree = grow(&binned, &left, how, &mut random);
        for (score, row) in scores.iter_mut().zip(&table.rows) {
            *score += tree.answer(row);
        }
        model.trees.push(tree);
    }
    // What was added is asked first, or a model that is sure and wrong would not get to it.
    model.trees.rotate_left(before);
    model.sure = logistic();
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

fn grow(binned: &Binned, left: &[Left], how: &Boosting, random: &mut Random) -> Tree {
    let rows: Vec<u32> = (0..binned.rows as u32).filter(|_| random.between(0.0, 1.0) < how.rows).collect();
    let features: Vec<usize> = (0..ROW).filter(|_| random.between(0.0, 1.0) < how.features).collect();
    let mut tree = Tree { features: [0; DEPTH], thresholds: [f32::INFINITY; DEPTH], leaves: [0.0; LEAVES] };
    let mut leaf = vec![0u8; rows.len()];
    for depth in 0..DEPTH {
        let leaves = 1 << depth;
        let mut best = (0.0, 0, 0);
        for &feature in &features {
            let sums = sums(binned.of(feature), &rows, &leaf, left, leaves);
            for bin in 0..binned.bounds[feature].len() {
                let gain = gain(&sums, leaves, bin, how.shrink);
                if gain > best.0 {
                    best = (gain, feature, bin);
                }
            }
        }
        let (gain, feature, bin) = best;
        if gain > 0.0 {
            tree.features[depth] = feature as u16;
            tree.thresholds[depth] = binned.bounds[feature][bin];
            let bins = binned.of(feature);
            for (leaf, &row) in leaf.iter_mut().zip(&rows) {
                *leaf |= u8::from(usize::from(bins[row as usize]) > bin) << depth;
            }
        }
    }
    let mut sums = [Left::default(); LEAVES];
    for (&leaf, &row) in leaf.iter().zip(&rows) {
        sums[usize::from(leaf)].over += left[row as usize].over;
        sums[usize::from(leaf)].weight += left[row as usize].weight;
    }
    for (value, sum) in tree.leaves.iter_mut().zip(&sums) {
        *value = (how.rate * sum.over / (sum.weight + how.shrink)) as f32;
    }
    tree
}

/// Sums by leaf and bin, each bin with all below it.
fn sums(bins: &[u8], rows: &[u32], leaf: &[u8], left: &[Left], leaves: usize) -> Vec<Left> {
    let mut sums = vec![Left::default(); leaves * BINS];
    for (&leaf, &row) in leaf.iter().zip(rows) {
        let sum = &mut sums[usize::from(leaf) * BINS + usize::from(bins[row as usize])];
        let left = left[row as usize];
        sum.over += left.over;
        sum.weight += left.weight;
    }
    for leaf in sums.chunks_exact_mut(BINS) {
        for bin in 1..BINS {
            leaf[bin].over += leaf[bin - 1].over;
            leaf[bin].weight += leaf[bin - 1].weight;
        }
    }
    sums
}

/// How much less is left over if every leaf is split after a bin.
fn gain(sums: &[Left], leaves: usize, bin: usize, shrink: f64) -> f64 {
    let worth = |over: f64, weight: f64| over * over / (weight + shrink);
    let mut gain = 0.0;
    for leaf in 0..leaves {
        let (below, all) = (sums[leaf * BINS + bin], sums[leaf * BINS + BINS - 1]);
        gain += worth(below.over, below.weight) + worth(all.over - below.over, all.weight - below.weight)
            - worth(all.over, all.weight);
    }
    gain
}
