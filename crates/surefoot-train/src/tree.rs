//! Grows one regression tree, leaf by leaf.
//!
//! The leaf whose best split gains most is split next, until there are enough leaves. Gains follow
//! from histograms of the gradients over binned features; of two new leaves only the smaller one is
//! summed, and the other is the difference to their parent.

use crate::boost::BoostingSettings;
use crate::training_set::TrainingSet;
use surefoot_contact::learned::{DEPTH, FEATURES, FeatureRow, SPLITS, Tree, row_index};
use surefoot_sample::Random;

/// Bins of a feature.
const BINS: usize = 64;
/// Rows from which the bounds of the bins are found.
const BOUND_ROWS: usize = 4000;
/// Leaves of a tree. More fit the training motions more closely.
const MAX_LEAVES: usize = 16;
/// Gains below this are rounding errors.
const MIN_GAIN: f64 = 1e-9;

/// All rows with their features binned, stored feature by feature.
pub(crate) struct BinnedRows {
    bins: Vec<u8>,
    /// For each feature, the upper bounds of all bins but the last.
    bounds: Vec<Vec<f32>>,
    pub rows: usize,
}

impl BinnedRows {
    pub fn new(set: &TrainingSet) -> Self {
        let rows = set.rows.len();
        let bounds: Vec<Vec<f32>> = (0..FEATURES).map(|feature| bin_bounds(set, feature)).collect();
        let mut bins = Vec::with_capacity(rows * FEATURES);
        for (feature, bounds) in bounds.iter().enumerate() {
            let bin =
                |row: &FeatureRow| bounds.partition_point(|&bound| bound < row[row_index(feature)]) as u8;
            bins.extend(set.rows.iter().map(bin));
        }
        Self { bins, bounds, rows }
    }

    fn of_feature(&self, feature: usize) -> &[u8] {
        &self.bins[feature * self.rows..(feature + 1) * self.rows]
    }
}

/// The quantiles of a feature that separate its bins.
fn bin_bounds(set: &TrainingSet, feature: usize) -> Vec<f32> {
    let stride = (set.rows.len() / BOUND_ROWS).max(1);
    let mut values: Vec<f32> = set.rows.iter().step_by(stride).map(|row| row[row_index(feature)]).collect();
    values.sort_by(f32::total_cmp);
    values.dedup();
    let quantile = |k: usize| values[(k * values.len() / BINS).min(values.len() - 1)];
    let mut bounds: Vec<f32> = (1..BINS).map(quantile).collect();
    bounds.dedup();
    bounds
}

/// The negative gradient and the second derivative of the loss, of one row or summed over several.
#[derive(Clone, Copy, Default)]
pub(crate) struct Gradient {
    pub residual: f64,
    pub curvature: f64,
}

impl Gradient {
    fn add(&mut self, other: Self) {
        self.residual += other.residual;
        self.curvature += other.curvature;
    }

    fn minus(self, other: Self) -> Self {
        Self { residual: self.residual - other.residual, curvature: self.curvature - other.curvature }
    }

    /// Twice the decrease of the loss if these rows form a leaf.
    fn leaf_gain(self, regularisation: f64) -> f64 {
        self.residual * self.residual / (self.curvature + regularisation)
    }
}

/// A possible split of a leaf.
#[derive(Clone, Copy)]
struct Split {
    gain: f64,
    feature: usize,
    /// Rows up to this bin go to the left.
    bin: usize,
}

/// A leaf that may be split.
struct Leaf {
    rows: Vec<u32>,
    /// By drawn feature, then bin.
    histogram: Vec<Gradient>,
    total: Gradient,
    best: Option<Split>,
    /// The node's number in the complete tree.
    node: usize,
}

/// Data shared by all leaves of a tree.
struct Grower<'a> {
    binned: &'a BinnedRows,
    gradients: &'a [Gradient],
    /// The features that this tree may use.
    features: Vec<usize>,
    regularisation: f64,
}

/// Grows a tree that reduces the residuals of the rows.
pub(crate) fn grow_tree(
    binned: &BinnedRows,
    gradients: &[Gradient],
    settings: &BoostingSettings,
    random: &mut Random,
) -> Tree {
    let mut draw = |count: usize, fraction: f64| -> Vec<usize> {
        (0..count).filter(|_| random.between(0.0, 1.0) < fraction).collect()
    };
    let rows: Vec<u32> = draw(binned.rows, settings.row_fraction).iter().map(|&row| row as u32).collect();
    let features = draw(FEATURES, settings.feature_fraction);
    let regularisation = settings.regularisation;
    let grower = Grower { binned, gradients, features, regularisation };
    let histogram = grower.histogram(&rows);
    let mut leaves = vec![grower.leaf(rows, histogram, 0)];
    let mut tree = Tree::EMPTY;
    while leaves.len() < MAX_LEAVES {
        let Some((at, split)) = best_leaf(&leaves) else { break };
        let leaf = leaves.swap_remove(at);
        tree.features[leaf.node] = split.feature as u16;
        tree.thresholds[leaf.node] = binned.bounds[split.feature][split.bin];
        leaves.extend(grower.split(leaf, split));
    }
    for leaf in &leaves {
        // A Newton step, shortened by the learning rate.
        let value = settings.learning_rate * leaf.total.residual / (leaf.total.curvature + regularisation);
        tree.leaves[last_level(leaf.node) - SPLITS] = value as f32;
    }
    tree
}

/// The leftmost descendant of a node in the last level of a complete tree. Unused splits have an
/// infinite threshold, so evaluation goes left.
fn last_level(mut node: usize) -> usize {
    while node < SPLITS {
        node = 2 * node + 1;
    }
    node
}

/// The leaf whose split gains most; the first of equals.
fn best_leaf(leaves: &[Leaf]) -> Option<(usize, Split)> {
    let mut best: Option<(usize, Split)> = None;
    for (at, leaf) in leaves.iter().enumerate().filter(|(_, leaf)| leaf.node < SPLITS) {
        if let Some(split) = leaf.best.filter(|split| best.is_none_or(|(_, best)| split.gain > best.gain)) {
            best = Some((at, split));
        }
    }
    best
}

impl Grower<'_> {
    fn leaf(&self, rows: Vec<u32>, histogram: Vec<Gradient>, node: usize) -> Leaf {
        let mut total = Gradient::default();
        rows.iter().for_each(|&row| total.add(self.gradients[row as usize]));
        // Leaves of the last level are not split.
        let is_last = node + 1 >= 1 << DEPTH;
        let best = if is_last { None } else { self.best_split(&histogram, total) };
        Leaf { rows, histogram, total, best, node }
    }

    /// The left and the right leaf of a split.
    fn split(&self, leaf: Leaf, Split { feature, bin, .. }: Split) -> [Leaf; 2] {
        let bins = self.binned.of_feature(feature);
        let is_left = |row: &u32| usize::from(bins[*row as usize]) <= bin;
        let (left, right): (Vec<u32>, Vec<u32>) = leaf.rows.iter().partition(|row| is_left(row));
        let left_is_smaller = left.len() <= right.len();
        let smaller = self.histogram(if left_is_smaller { &left } else { &right });
        let larger = leaf.histogram.iter().zip(&smaller).map(|(all, few)| all.minus(*few)).collect();
        let [of_left, of_right] = if left_is_smaller { [smaller, larger] } else { [larger, smaller] };
        let node = 2 * leaf.node + 1;
        [self.leaf(left, of_left, node), self.leaf(right, of_right, node + 1)]
    }

    fn histogram(&self, rows: &[u32]) -> Vec<Gradient> {
        let mut histogram = vec![Gradient::default(); self.features.len() * BINS];
        for (&feature, bins) in self.features.iter().zip(histogram.chunks_exact_mut(BINS)) {
            let bin_of = self.binned.of_feature(feature);
            for &row in rows {
                bins[usize::from(bin_of[row as usize])].add(self.gradients[row as usize]);
            }
        }
        histogram
    }

    /// The split with the largest gain, if any gains.
    fn best_split(&self, histogram: &[Gradient], total: Gradient) -> Option<Split> {
        let gain = |gradient: Gradient| gradient.leaf_gain(self.regularisation);
        let mut best: Option<Split> = None;
        for (&feature, bins) in self.features.iter().zip(histogram.chunks_exact(BINS)) {
            let mut left = Gradient::default();
            for (bin, gradient) in bins.iter().take(self.binned.bounds[feature].len()).enumerate() {
                left.add(*gradient);
                let gain = gain(left) + gain(total.minus(left)) - gain(total);
                if gain > best.map_or(MIN_GAIN, |best| best.gain) {
                    best = Some(Split { gain, feature, bin });
                }
            }
        }
        best
    }
}
