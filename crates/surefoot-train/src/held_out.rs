//! Fitted on some, scored on the others, until each has been one of the others.

use crate::damage::{Damage, damaged};
use crate::folds::Folds;
use crate::labelled::Labelled;
use crate::score::Score;
use surefoot_core::Footplants;

/// What finds plants once it is fitted.
pub type Detector<'a> = Box<dyn Fn(&Labelled) -> Footplants + 'a>;

/// The score of one motion under one damage, by a detector that never saw it.
#[derive(Clone, Debug)]
pub struct Held {
    /// Which motion.
    pub motion: usize,
    /// How it was damaged.
    pub damage: Damage,
    /// How well it was found.
    pub score: Score,
}

/// Seeds the damage that is scored; what is fitted is damaged with others.
const SEED: u64 = 0x5c0e;

/// Fits once a fold and scores what the fold left out, under each damage.
///
/// `fit` is given all that may be seen; a detector without anything to fit takes no notice.
pub fn held_out<'a>(
    all: &[Labelled],
    folds: &Folds,
    damages: &[Damage],
    fit: impl Fn(&[&Labelled]) -> Detector<'a>,
) -> Vec<Held> {
    let mut held = Vec::new();
    for fold in 0..folds.count {
        let is_out = |motion: &usize| folds.of[*motion] == fold;
        let out: Vec<usize> = (0..all.len()).filter(is_out).collect();
        if out.is_empty() {
            continue;
        }
        let seen: Vec<&Labelled> = (0..all.len()).filter(|k| !is_out(k)).map(|k| &all[k]).collect();
        let detect = fit(&seen);
        for motion in out {
            for &damage in damages {
                let damaged = damaged(&all[motion], damage, SEED);
                held.push(Held { motion, damage, score: Score::of(&damaged, &detect(&damaged)) });
            }
        }
    }
    held
}
