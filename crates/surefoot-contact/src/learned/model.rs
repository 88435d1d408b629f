//! The model: boosted trees, and calibration curves that turn their scores into probabilities.
//!
//! Every tree is stored as a complete binary tree, so that the next node follows from the last
//! comparison by arithmetic, without a branch. The sum of the trees is a score. The curves turn
//! scores into probabilities that are right for motions the model was not trained on. `model_file`
//! reads and writes models.

use super::feature_rows::{FeatureRow, ROW_LENGTH, row_index};
use surefoot_core::FootPoint;

/// Levels of splits in a tree.
pub const DEPTH: usize = 5;
/// Leaves of a complete tree.
pub const LEAVES: usize = 1 << DEPTH;
/// Splits of a complete tree.
pub const SPLITS: usize = LEAVES - 1;

/// One tree.
///
/// After split `k` comes node `2k + 1` if the feature is at most the threshold, else `2k + 2`. Nodes
/// from `SPLITS` on are leaves. Unused splits have an infinite threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The feature that each split compares.
    pub features: [u16; SPLITS],
    /// The threshold of each split.
    pub thresholds: [f32; SPLITS],
    /// The values that are added to the score.
    pub leaves: [f32; LEAVES],
}

impl Tree {
    /// A tree that adds 0 to every score.
    pub const EMPTY: Self =
        Self { features: [0; SPLITS], thresholds: [f32::INFINITY; SPLITS], leaves: [0.0; LEAVES] };

    /// Returns what the tree adds to the score of a row.
    #[inline]
    pub fn evaluate(&self, row: &FeatureRow) -> f32 {
        let mut node = 0;
        for _ in 0..DEPTH {
            // All indices are in range; the bounds spare a branch.
            let split = node.min(SPLITS - 1);
            let index = row_index(usize::from(self.features[split])) % ROW_LENGTH;
            node = 2 * split + 1 + usize::from(row[index] > self.thresholds[split]);
        }
        self.leaves[(node - SPLITS).min(LEAVES - 1)]
    }
}

/// A trained model: trees and calibration curves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The score before the first tree.
    pub base: f32,
    /// The trees, in the order of evaluation.
    pub trees: Vec<Tree>,
    /// From a score to the probability that the foot is down.
    pub score_calibration: CalibrationCurve,
    /// From the [distance to an edge](edge_distance) of a plant to the probability that its point is
    /// at rest, given that the foot is down and the edge was found from the point's rest. By point
    /// (heel, ball) and edge (start, end). An empty curve stands for 1.
    pub rest_calibration: [[CalibrationCurve; 2]; 2],
    /// From the mean probability over the frames of a plant to its confidence, for heels and for
    /// balls. An empty curve leaves the mean as it is.
    pub plant_calibration: [CalibrationCurve; 2],
}

/// A piecewise linear function from a number to a probability: points sorted by the number. Beyond
/// the ends it is constant.
pub type CalibrationCurve = Vec<(f32, f32)>;

impl Model {
    /// Returns the probability that a foot with this score is down.
    pub fn probability(&self, score: f32) -> f64 {
        interpolate(&self.score_calibration, score).unwrap_or(0.5)
    }

    /// Returns the probability that a point is at rest at this [distance](edge_distance) from an edge
    /// of its plant, given that its foot is down.
    pub fn rest_probability(&self, point: FootPoint, edge: Edge, distance: f32) -> f64 {
        interpolate(&self.rest_calibration[point as usize][edge as usize], distance).unwrap_or(1.0)
    }

    /// Returns the confidence of a plant from the mean probability of its frames.
    pub fn plant_confidence(&self, point: FootPoint, mean: f64) -> f64 {
        interpolate(&self.plant_calibration[point as usize], mean as f32).unwrap_or(mean)
    }
}

/// One end of a plant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The first frame.
    Start,
    /// The last frame.
    End,
}

/// Length of a plant, in seconds, from which the time to an edge is no longer stretched.
const LONG_PLANT: f64 = 0.4;

/// Returns the distance of a frame from an edge of its plant, in seconds, for [`Model::rest_probability`].
///
/// Plants shorter than 0.4 s are stretched to that length, because a runner's heel rolls off in less
/// time than a walker's. `frames` is the distance in frames, `length` the length of the plant.
pub fn edge_distance(frames: usize, length: usize, fps: f64) -> f32 {
    let seconds = (length.max(1) as f64 / fps).min(LONG_PLANT);
    (frames as f64 / fps * (LONG_PLANT / seconds)) as f32
}

/// Returns the value of a curve; `None` for an empty one.
fn interpolate(curve: &[(f32, f32)], number: f32) -> Option<f64> {
    let after = curve.partition_point(|&(known, _)| known <= number);
    let (to, above) = *curve.get(after).or(curve.last())?;
    let (from, below) = *curve.get(after.saturating_sub(1))?;
    let fraction = if to > from { ((number - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
    Some(f64::from(below + (above - below) * fraction))
}
