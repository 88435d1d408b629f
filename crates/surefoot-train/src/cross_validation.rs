//! k-fold cross-validation: every motion is scored by a detector that was trained without its person
//! or trial.

use crate::damage::{Damage, damaged};
use crate::folds::Folds;
use crate::labelled_motion::LabelledMotion;
use crate::score::Score;
use surefoot_core::Footplants;

/// A trained detector.
pub type Detector<'a> = Box<dyn Fn(&LabelledMotion) -> Footplants + 'a>;

/// The score of one motion under one damage.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ValidationScore {
    /// Index of the motion.
    pub motion: usize,
    /// The damage.
    pub damage: Damage,
    /// The score.
    pub score: Score,
}

/// Seeds the damage of the validation part; training uses other seeds.
const SEED: u64 = 0x5c0e;

/// Trains once per fold and scores the motions that the fold holds out, under each damage.
///
/// `fit` receives the training motions of a fold. A detector without parameters may ignore them.
pub fn cross_validate<'a>(
    all: &[LabelledMotion],
    folds: &Folds,
    damages: &[Damage],
    fit: impl Fn(&[&LabelledMotion]) -> Detector<'a>,
) -> Vec<ValidationScore> {
    let mut scores = Vec::new();
    for fold in folds.used() {
        let detect = fit(&folds.training(fold, all));
        for motion in folds.held_out(fold) {
            for &damage in damages {
                let damaged = damaged(&all[motion], damage, SEED);
                let score = Score::of(&damaged, &detect(&damaged));
                scores.push(ValidationScore { motion, damage, score });
            }
        }
    }
    scores
}
