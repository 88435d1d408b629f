//! One tree, grown leaf by leaf.
//!
//! Whichever leaf has most to gain from a question is asked the best one, until there are leaves enough.
//! What a question gains is found from sums by bin; of two new leaves only the smaller is summed,
//! the other's sums are what is left of those of both.

use crate::boost::{Boosting, Table};
use surefoot_contact::learned::{DEPTH, FEATURES, FeatureRow, SPLITS, Tree, row_index};
use surefoot_sample::Random;

/// Bins a feature is sorted into.
const BINS: usize = 64;
/// How many rows are looked at to find the bins' bounds.
const LOOKED_AT: usize = 4000;
/// Leaves of a tree. More fit closer to those who were seen.
const GROWN: usize = 16;

/// All rows, sorted into bins, feature by feature.
pub(crate) struct Binned {
    bins: Vec<u8>,
    /// By feature: upper bounds of all bins but the last.
    bounds: Vec<Vec<f32>>,
    pub rows: usize,
}

impl Binned {
    pub fn new(table: &Table) -> Self {
        let rows = table.rows.len();
        let step = (rows / LOOKED_AT).max(1);
        let bound = |feature: usize| {
            let mut values: Vec<f32> =
                table.rows.iter().step_by(step).map(|row| row[row_index(feature)]).collect();
            values.sort_by(f32::total_cmp);
            values.dedup();
            let mut bounds: Vec<f32> =
                (1..BINS).map(|k| values[(k * values.len() / BINS).min(values.len() - 1)]).collect();
            bounds.dedup();
            bounds
        };
        let bounds: Vec<Vec<f32>> = (0..FEATURES).map(bound).collect();
        let mut bins = Vec::with_capacity(rows * FEATURES);
        for (feature, bounds) in bounds.iter().enumerate() {
            let bin =
                |row: &FeatureRow| bounds.partition_point(|&bound| bound < row[row_index(feature)]) as u8;
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
pub(crate) struct Left {
    pub over: f64,
    pub weight: f64,
}

impl Left {
    fn add(&mut self, other: Self) {
        self.over += other.over;
        self.weight += other.weight;
    }

    fn without(self, other: Self) -> Self {
        Self { over: self.over - other.over, weight: self.weight - other.weight }
    }

    /// How much less is left over once it is answered.
    fn worth(self, shrink: f64) -> f64 {
        self.over * self.over / (self.weight + shrink)
    }
}

/// The best question for a leaf.
#[derive(Clone, Copy)]
struct Question {
    gain: f64,
    feature: usize,
    bin: usize,
}

/// A leaf that may be asked a question.
struct Leaf {
    rows: Vec<u32>,
    /// By feature that may be looked at, then bin.
    sums: Vec<Left>,
    all: Left,
    best: Option<Question>,
    /// Its place in the tree, where questions and leaves are numbered from the root on.
    place: usize,
}

/// What all leaves of a tree are grown from.
struct Ground<'a> {
    binned: &'a Binned,
    left: &'a [Left],
    features: Vec<usize>,
    shrink: f64,
}

/// Grows a tree that takes off some of what is left over in each row.
pub(crate) fn grow(binned: &Binned, left: &[Left], how: &Boosting, random: &mut Random) -> Tree {
    let rows: Vec<u32> = (0..binned.rows as u32).filter(|_| random.between(0.0, 1.0) < how.rows).collect();
    let features: Vec<usize> = (0..FEATURES).filter(|_| random.between(0.0, 1.0) < how.features).collect();
    let ground = Ground { binned, left, features, shrink: how.shrink };
    let sums = ground.sums(&rows);
    let mut leaves = vec![ground.leaf(rows, sums, 0)];
    let mut tree = Tree::EMPTY;
    while leaves.len() < GROWN {
        let Some((at, question)) = next(&leaves) else { break };
        let leaf = leaves.swap_remove(at);
        tree.features[leaf.place] = question.feature as u16;
        tree.thresholds[leaf.place] = binned.bounds[question.feature][question.bin];
        leaves.extend(ground.split(leaf, question));
    }
    for leaf in &leaves {
        // Below a leaf nothing is asked, so that the answer is no down to the last.
        let mut place = leaf.place;
        while place < SPLITS {
            place = 2 * place + 1;
        }
        tree.leaves[place - SPLITS] = (how.rate * leaf.all.over / (leaf.all.weight + how.shrink)) as f32;
    }
    tree
}

/// The leaf with most to gain, and its question; the first of equals.
fn next(leaves: &[Leaf]) -> Option<(usize, Question)> {
    let mut next: Option<(usize, Question)> = None;
    for (at, leaf) in leaves.iter().enumerate().filter(|(_, leaf)| leaf.place < SPLITS) {
        if let Some(best) = leaf.best.filter(|best| next.is_none_or(|(_, next)| best.gain > next.gain)) {
            next = Some((at, best));
        }
    }
    next
}

impl Ground<'_> {
    fn leaf(&self, rows: Vec<u32>, sums: Vec<Left>, place: usize) -> Leaf {
        let mut all = Left::default();
        rows.iter().for_each(|&row| all.add(self.left[row as usize]));
        // A leaf at the last depth is asked nothing more.
        let is_last = place + 1 >= 1 << DEPTH;
        let best = if is_last { None } else { self.best(&sums, all) };
        Leaf { rows, sums, all, best, place }
    }

    /// The leaves of those who say no and of those who say yes.
    fn split(&self, leaf: Leaf, Question { feature, bin, .. }: Question) -> [Leaf; 2] {
        let bins = self.binned.of(feature);
        let is_no = |row: &u32| usize::from(bins[*row as usize]) <= bin;
        let (no, yes): (Vec<u32>, Vec<u32>) = leaf.rows.iter().partition(|row| is_no(row));
        let few = self.sums(if no.len() <= yes.len() { &no } else { &yes });
        let many = leaf.sums.iter().zip(&few).map(|(all, few)| all.without(*few)).collect();
        let [sums_no, sums_yes] = if no.len() <= yes.len() { [few, many] } else { [many, few] };
        let place = 2 * leaf.place + 1;
        [self.leaf(no, sums_no, place), self.leaf(yes, sums_yes, place + 1)]
    }

    fn sums(&self, rows: &[u32]) -> Vec<Left> {
        let mut sums = vec![Left::default(); self.features.len() * BINS];
        for (&feature, sums) in self.features.iter().zip(sums.chunks_exact_mut(BINS)) {
            let bins = self.binned.of(feature);
            for &row in rows {
                sums[usize::from(bins[row as usize])].add(self.left[row as usize]);
            }
        }
        sums
    }

    /// The question after which least is left over, if any leaves less.
    fn best(&self, sums: &[Left], all: Left) -> Option<Question> {
        let mut best: Option<Question> = None;
        for (&feature, sums) in self.features.iter().zip(sums.chunks_exact(BINS)) {
            let mut below = Left::default();
            for (bin, sum) in sums.iter().take(self.binned.bounds[feature].len()).enumerate() {
                below.add(*sum);
                let gain =
                    below.worth(self.shrink) + all.without(below).worth(self.shrink) - all.worth(self.shrink);
                if gain > best.map_or(LEAST, |best| best.gain) {
                    best = Some(Question { gain, feature, bin });
                }
            }
        }
        best
    }
}

/// A gain below this is rounding.
const LEAST: f64 = 1e-9;
