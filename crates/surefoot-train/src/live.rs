//! The accuracy of a stream by its look-ahead.

use crate::folds::Folds;
use crate::labelled_motion::LabelledMotion;
use crate::score::Score;
use surefoot_contact::learned::{LOOKAHEAD, Model, MotionHeader, detect_live};

/// The look-aheads that are scored, in seconds: the full look-ahead and shorter ones.
pub const LOOKAHEADS: [f64; 5] = [LOOKAHEAD, 0.15, 0.1, 0.05, 0.0];

/// The score of one motion, detected as a stream.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LiveScore {
    /// Index of the motion.
    pub motion: usize,
    /// The look-ahead, in seconds.
    pub lookahead: f64,
    /// The score.
    pub score: Score,
}

/// Scores every motion as a stream, without damage, at each of the [`LOOKAHEADS`].
///
/// `models` are those of the used folds, in order.
pub fn score_live(all: &[LabelledMotion], folds: &Folds, models: &[Model]) -> Vec<LiveScore> {
    let mut scores = Vec::new();
    for (fold, model) in folds.used().zip(models) {
        for motion in folds.held_out(fold) {
            let labelled = &all[motion];
            let header = MotionHeader::new(&labelled.motion, &labelled.legs, labelled.floor.as_ref());
            for lookahead in LOOKAHEADS {
                let plants = detect_live(model, &labelled.motion, &header, labelled.first_frame, lookahead);
                scores.push(LiveScore { motion, lookahead, score: Score::of(labelled, &plants) });
            }
        }
    }
    scores
}
