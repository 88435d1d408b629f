//! What does it cost to look less far ahead? Live scores of motions that the model never saw.

use crate::folds::Folds;
use crate::labelled::Labelled;
use crate::score::Score;
use surefoot_contact::learned::{LOOKAHEAD, Model, MotionHeader, detect_live};

/// The look-aheads that are scored, in seconds: all there is, and less.
pub const LOOKAHEADS: [f64; 5] = [LOOKAHEAD, 0.15, 0.1, 0.05, 0.0];

/// The score of one motion as a stream finds its plants.
#[derive(Clone, Debug)]
pub struct Live {
    /// Which motion.
    pub motion: usize,
    /// How far the stream looked ahead, in seconds.
    pub lookahead: f64,
    /// How well it was found.
    pub score: Score,
}

/// Scores every motion live, as captured, at each of the [`LOOKAHEADS`].
///
/// `models` has one for each fold that leaves anything out, in their order.
pub fn live(all: &[Labelled], folds: &Folds, models: &[Model]) -> Vec<Live> {
    let used = (0..folds.count).filter(|fold| folds.of.contains(fold));
    let mut scores = Vec::new();
    for (fold, model) in used.zip(models) {
        for motion in (0..all.len()).filter(|motion| folds.of[*motion] == fold) {
            let labelled = &all[motion];
            let Labelled { motion: poses, legs, floor, first_frame, .. } = labelled;
            for lookahead in LOOKAHEADS {
                let found = detect_live(
                    model,
                    poses,
                    &MotionHeader::new(poses, legs, floor.as_ref()),
                    *first_frame,
                    lookahead,
                );
                scores.push(Live { motion, lookahead, score: Score::of(labelled, &found) });
            }
        }
    }
    scores
}
