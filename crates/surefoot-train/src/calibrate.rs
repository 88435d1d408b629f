//! What is a score worth? The share of feet of that score that are down, among those the model
//! never saw.

use crate::damage::{Damage, damaged};
use crate::folds::Folds;
use crate::labelled::Labelled;
use surefoot_contact::learned::{Ensemble, Model, MotionHeader, feature_rows};

/// A score and whether that foot was down.
pub type Told = (f32, bool);

/// What a model that left a fold out says of that fold's feet, frame by frame, by fold.
///
/// `models` has one for each fold that leaves anything out, in their order.
pub fn told(all: &[Labelled], folds: &Folds, models: &[Model]) -> Vec<Vec<Told>> {
    let mut models = models.iter();
    let mut told = Vec::new();
    for fold in 0..folds.count {
        let out: Vec<&Labelled> = (0..all.len()).filter(|k| folds.of[*k] == fold).map(|k| &all[k]).collect();
        if out.is_empty() {
            continue;
        }
        let Some(model) = models.next() else { break };
        told.push(out.iter().flat_map(|labelled| of_motion(labelled, model)).collect());
    }
    told
}

/// Seeds the damage; the scores' own.
const SEED: u64 = 0xca11;

fn of_motion(labelled: &Labelled, model: &Model) -> Vec<Told> {
    let asked = Ensemble::new(model);
    let mut told = Vec::new();
    for damage in Damage::SCORED {
        let labelled = damaged(labelled, damage, SEED);
        let first = labelled.first_frame.min(labelled.motion.frames());
        let poses = &labelled.motion.poses[first..];
        let header = MotionHeader::new(&labelled.motion, &labelled.legs, labelled.floor.as_ref());
        let rows = feature_rows(&header, poses);
        for (at, row) in rows.iter().enumerate() {
            let (frame, leg) = (first + at / labelled.legs.len(), at % labelled.legs.len());
            told.extend(labelled.down[leg][frame].map(|down| (asked.score(row), down)));
        }
    }
    told
}

/// Scores, rising, and how sure each is; never less sure for a higher score.
///
/// Neighbours that would fall are pooled until none does.
pub fn isotonic(told: &[Told]) -> Vec<(f32, f32)> {
    let mut told = told.to_vec();
    told.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Sum of scores, feet that are down, all feet.
    let mut pools: Vec<(f64, f64, f64)> = Vec::new();
    // In groups of this many first, or every foot would be a step of its own.
    let group = (told.len() / GROUPS).max(LEAST);
    for group in told.chunks(group) {
        let count = group.len() as f64;
        let scores = group.iter().map(|(score, _)| f64::from(*score)).sum();
        let down = group.iter().filter(|(_, down)| *down).count() as f64;
        let mut pool = (scores, down, count);
        // What has the same score is one pool too: seconds from an edge are whole frames, and many share them.
        while let Some(&(scores, down, count)) = pools.last()
            && (down * pool.2 >= pool.1 * count || scores * pool.2 == pool.0 * count)
        {
            pools.pop();
            pool = (pool.0 + scores, pool.1 + down, pool.2 + count);
        }
        pools.push(pool);
    }
    // One foot more of each sort than was seen: nothing is ever quite sure.
    let sure = |&(scores, down, count): &(f64, f64, f64)| {
        ((scores / count) as f32, ((down + 1.0) / (count + 2.0)) as f32)
    };
    let mut table: Vec<(f32, f32)> = pools.iter().map(sure).collect();
    // Which weighs more in a small pool than in a large one, and may put two out of order.
    for at in 1..table.len() {
        table[at].1 = table[at].1.max(table[at - 1].1);
    }
    straightened(table)
}

/// A table without what lies on the straight line between its neighbours, nearly.
fn straightened(table: Vec<(f32, f32)>) -> Vec<(f32, f32)> {
    let mut kept: Vec<(f32, f32)> = Vec::new();
    for (at, &(number, sure)) in table.iter().enumerate() {
        let is_straight = match (kept.last(), table.get(at + 1)) {
            (Some(before), Some(after)) if after.0 > before.0 => {
                let between = before.1 + (after.1 - before.1) * (number - before.0) / (after.0 - before.0);
                (sure - between).abs() < STRAIGHT
            }
            _ => false,
        };
        if !is_straight {
            kept.push((number, sure));
        }
    }
    kept
}

/// Probabilities that differ by less than this are the same: confidences are rounded to a hundredth.
const STRAIGHT: f32 = 0.005;

/// Groups that scores are first sorted into. Nineteen feet in twenty are all but sure: with few groups the
/// rest would share three or four, and what lies between would be guessed from those. With more each group
/// says what its few feet happen to: a foot is seen at four kinds of damage, and those agree with one another.
const GROUPS: usize = 300;
/// The fewest feet in a group.
const LEAST: usize = 100;

/// Of the feet called about so sure, the share that is down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reliability {
    /// How sure they were called, on the mean.
    pub called: f64,
    /// The share that is down.
    pub down: f64,
    /// How many there are.
    pub count: usize,
}

/// How true probabilities are, in ten bins: those of each fold by a table made from the others.
pub fn reliability(told: &[Vec<Told>]) -> Vec<Reliability> {
    let mut all = Vec::new();
    for fold in 0..told.len() {
        let others: Vec<Told> =
            told.iter().enumerate().filter(|(k, _)| *k != fold).flat_map(|(_, told)| told).copied().collect();
        let model = Model { score_calibration: isotonic(&others), ..Model::default() };
        all.extend(told[fold].iter().map(|&(score, down)| (model.probability(score), down)));
    }
    binned(all)
}

/// Of what was called so sure, the share that is so, in ten bins.
pub(crate) fn binned(all: impl IntoIterator<Item = (f64, bool)>) -> Vec<Reliability> {
    let mut bins = [(0.0, 0usize, 0usize); 10];
    for (called, down) in all {
        let bin = &mut bins[((called * 10.0) as usize).min(9)];
        *bin = (bin.0 + called, bin.1 + usize::from(down), bin.2 + 1);
    }
    let bin = |&(called, down, count): &(f64, usize, usize)| Reliability {
        called: called / count.max(1) as f64,
        down: down as f64 / count.max(1) as f64,
        count,
    };
    bins.iter().filter(|bin| bin.2 > 0).map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_score_is_never_less_sure() {
        let told: Vec<Told> = (0..4000).map(|k| (k as f32 * 0.01 - 20.0, (k * k) % 97 < k / 41)).collect();
        let sure = isotonic(&told);
        assert!(sure.len() > 5);
        assert!(sure.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1), "{sure:?}");
    }

    #[test]
    fn what_lies_on_a_straight_line_is_left_out() {
        let line = vec![(0.0, 0.1), (1.0, 0.2001), (2.0, 0.3), (3.0, 0.9), (4.0, 0.9), (5.0, 0.9)];
        assert_eq!(straightened(line), [(0.0, 0.1), (2.0, 0.3), (3.0, 0.9), (5.0, 0.9)]);
        assert_eq!(straightened(vec![(0.5, 1.0)]), [(0.5, 1.0)]);
    }
}
