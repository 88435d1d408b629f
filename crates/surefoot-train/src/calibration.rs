//! Calibration: from scores to the observed fraction of feet that are down, on motions that the model
//! was not trained on.

use serde::Serialize;

use crate::damage::{Damage, damaged};
use crate::folds::Folds;
use crate::labelled_motion::LabelledMotion;
use surefoot_contact::learned::{CalibrationCurve, Ensemble, Model, MotionHeader, feature_rows};

/// A score and whether the foot was down.
pub type ScoredLabel = (f32, bool);

/// Returns the scores of all labelled feet and frames, by fold, from the model that held the fold out.
///
/// `models` are those of the used folds, in order.
pub fn held_out_scores(all: &[LabelledMotion], folds: &Folds, models: &[Model]) -> Vec<Vec<ScoredLabel>> {
    let of_fold = |(fold, model): (usize, &Model)| {
        folds.held_out(fold).flat_map(|motion| motion_scores(&all[motion], model)).collect()
    };
    folds.used().zip(models).map(of_fold).collect()
}

/// Seeds the damage.
const SEED: u64 = 0xca11;

/// The scores of a motion under each damage.
fn motion_scores(labelled: &LabelledMotion, model: &Model) -> Vec<ScoredLabel> {
    let ensemble = Ensemble::new(model);
    let mut scores = Vec::new();
    for damage in Damage::SCORED {
        let labelled = damaged(labelled, damage, SEED);
        let first = labelled.performance_start();
        let header = MotionHeader::new(&labelled.motion, &labelled.legs, labelled.floor.as_ref());
        let rows = feature_rows(&header, &labelled.motion.poses[first..]);
        for (at, row) in rows.iter().enumerate() {
            let (frame, leg) = (first + at / labelled.legs.len(), at % labelled.legs.len());
            scores.extend(labelled.contacts[leg][frame].map(|down| (ensemble.score(row), down)));
        }
    }
    scores
}

/// A group of neighbouring scores.
#[derive(Clone, Copy)]
struct Pool {
    score_sum: f64,
    down: f64,
    count: f64,
}

impl Pool {
    fn new(scores: &[ScoredLabel]) -> Self {
        Self {
            score_sum: scores.iter().map(|(score, _)| f64::from(*score)).sum(),
            down: scores.iter().filter(|(_, down)| *down).count() as f64,
            count: scores.len() as f64,
        }
    }

    /// Whether the pool must be merged with the next one: its fraction is not smaller, or its mean score
    /// is the same. Distances from an edge are whole frames, so many are equal.
    fn merges_with(&self, next: &Self) -> bool {
        self.down * next.count >= next.down * self.count
            || self.score_sum * next.count == next.score_sum * self.count
    }

    fn merged(&self, next: &Self) -> Self {
        Self {
            score_sum: next.score_sum + self.score_sum,
            down: next.down + self.down,
            count: next.count + self.count,
        }
    }

    /// Mean score and fraction down, with one more foot of each class, so that no probability is 0 or 1.
    fn point(&self) -> (f32, f32) {
        ((self.score_sum / self.count) as f32, ((self.down + 1.0) / (self.count + 2.0)) as f32)
    }
}

/// Fits a non-decreasing calibration curve: isotonic regression by pooling adjacent violators.
pub fn isotonic(scores: &[ScoredLabel]) -> CalibrationCurve {
    let mut scores = scores.to_vec();
    scores.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut pools: Vec<Pool> = Vec::new();
    for group in scores.chunks((scores.len() / MAX_GROUPS).max(MIN_GROUP)) {
        let mut pool = Pool::new(group);
        while let Some(last) = pools.last().filter(|last| last.merges_with(&pool)) {
            pool = last.merged(&pool);
            pools.pop();
        }
        pools.push(pool);
    }
    let mut curve: CalibrationCurve = pools.iter().map(Pool::point).collect();
    // The additional feet weigh more in small pools, which may reverse two neighbours.
    for at in 1..curve.len() {
        curve[at].1 = curve[at].1.max(curve[at - 1].1);
    }
    simplified(curve)
}

/// Removes points that lie nearly on the line between their neighbours.
fn simplified(curve: CalibrationCurve) -> CalibrationCurve {
    let mut kept: CalibrationCurve = Vec::new();
    for (at, &(number, probability)) in curve.iter().enumerate() {
        let is_on_line = match (kept.last(), curve.get(at + 1)) {
            (Some(before), Some(after)) if after.0 > before.0 => {
                let between = before.1 + (after.1 - before.1) * (number - before.0) / (after.0 - before.0);
                (probability - between).abs() < LINE_TOLERANCE
            }
            _ => false,
        };
        if !is_on_line {
            kept.push((number, probability));
        }
    }
    kept
}

/// Probabilities closer than this are the same, because confidences are rounded to a hundredth.
const LINE_TOLERANCE: f32 = 0.005;

/// Groups that the scores are first divided into. The scores of nineteen in twenty feet are nearly certain, so
/// with fewer groups the uncertain scores would be in three or four of them. With more groups the curve would
/// follow noise, because each foot is counted under four kinds of damage with nearly the same score.
const MAX_GROUPS: usize = 300;
/// Fewest feet in a group.
const MIN_GROUP: usize = 100;

/// The observed fraction of feet down among those with similar confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Reliability {
    /// The mean confidence.
    pub confidence: f64,
    /// The fraction that is down.
    pub down: f64,
    /// Number of feet and frames.
    pub count: usize,
}

/// Returns the reliability of the probabilities in ten bins. Each fold is calibrated by the other folds.
pub fn reliability(scores: &[Vec<ScoredLabel>]) -> Vec<Reliability> {
    let mut all = Vec::new();
    for (fold, own) in scores.iter().enumerate() {
        let others = scores.iter().enumerate().filter(|(other, _)| *other != fold);
        let others: Vec<ScoredLabel> = others.flat_map(|(_, scores)| scores).copied().collect();
        let model = Model { score_calibration: isotonic(&others), ..Model::default() };
        all.extend(own.iter().map(|&(score, down)| (model.probability(score), down)));
    }
    reliability_bins(all)
}

/// The reliability of confidences in ten bins; empty bins are left out.
pub(crate) fn reliability_bins(all: impl IntoIterator<Item = (f64, bool)>) -> Vec<Reliability> {
    let mut bins = [(0.0, 0usize, 0usize); 10];
    for (confidence, down) in all {
        let bin = &mut bins[((confidence * 10.0) as usize).min(9)];
        *bin = (bin.0 + confidence, bin.1 + usize::from(down), bin.2 + 1);
    }
    let bin = |&(confidence, down, count): &(f64, usize, usize)| Reliability {
        confidence: confidence / count.max(1) as f64,
        down: down as f64 / count.max(1) as f64,
        count,
    };
    bins.iter().filter(|bin| bin.2 > 0).map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calibration_curves_never_decrease() {
        let scores: Vec<ScoredLabel> =
            (0..4000).map(|k| (k as f32 * 0.01 - 20.0, (k * k) % 97 < k / 41)).collect();
        let curve = isotonic(&scores);
        assert!(curve.len() > 5);
        assert!(curve.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1), "{curve:?}");
    }

    #[test]
    fn points_on_a_straight_line_are_removed() {
        let line = vec![(0.0, 0.1), (1.0, 0.2001), (2.0, 0.3), (3.0, 0.9), (4.0, 0.9), (5.0, 0.9)];
        assert_eq!(simplified(line), [(0.0, 0.1), (2.0, 0.3), (3.0, 0.9), (5.0, 0.9)]);
        assert_eq!(simplified(vec![(0.5, 1.0)]), [(0.5, 1.0)]);
    }
}
