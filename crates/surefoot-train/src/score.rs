//! How well detected plants agree with labels, frame by frame and edge by edge.
//!
//! Labels are of whole feet: a foot is down when its heel or its ball is planted.

use crate::labelled_motion::{LabelledMotion, foot_contacts};
use surefoot_core::Footplants;

/// Distance up to which a detected edge belongs to a labelled one, in seconds.
const MAX_EDGE_DELAY: f64 = 0.15;

/// Agreement of detected frames and edges with the labels.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Score {
    /// Frames labelled and detected down.
    pub true_positives: usize,
    /// Frames labelled up and detected down.
    pub false_positives: usize,
    /// Frames labelled down and detected up.
    pub false_negatives: usize,
    /// Frames labelled and detected up.
    pub true_negatives: usize,
    /// The delay of each foot strike, in seconds; infinite where none was detected nearby.
    pub strike_delays: Vec<f64>,
    /// The delay of each lift-off, in seconds; infinite where none was detected nearby.
    pub lift_delays: Vec<f64>,
}

/// The errors of the edges.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct EdgeErrors {
    /// The median absolute error, in seconds.
    pub median: f64,
    /// The 95th percentile of the absolute error, in seconds; infinite where more than 5 % of the
    /// edges were missed.
    pub percentile_95: f64,
    /// Number of labelled edges.
    pub count: usize,
    /// Number of labelled edges without a detected edge nearby.
    pub missed: usize,
}

impl Score {
    /// Scores detected plants on a labelled motion.
    pub fn of(labelled: &LabelledMotion, detected: &Footplants) -> Self {
        let mut score = Self::default();
        for (leg, labels) in labelled.contacts.iter().enumerate() {
            let down = foot_contacts(detected, leg, labelled.motion.frames());
            score.add(&Self::of_foot(labels, &down, labelled.motion.fps));
        }
        score
    }

    /// Scores one foot.
    pub fn of_foot(labels: &[Option<bool>], detected: &[bool], fps: f64) -> Self {
        let mut score = Self::default();
        for (label, detected) in labels.iter().zip(detected) {
            match (label, detected) {
                (Some(true), true) => score.true_positives += 1,
                (Some(false), true) => score.false_positives += 1,
                (Some(true), false) => score.false_negatives += 1,
                (Some(false), false) => score.true_negatives += 1,
                (None, _) => {}
            }
        }
        for frame in 1..labels.len() {
            if let (Some(before), Some(after)) = (labels[frame - 1], labels[frame])
                && before != after
            {
                let delay = edge_delay(frame, after, detected, fps);
                if after { &mut score.strike_delays } else { &mut score.lift_delays }.push(delay);
            }
        }
        score
    }

    /// Adds another foot or motion.
    pub fn add(&mut self, other: &Self) {
        self.true_positives += other.true_positives;
        self.false_positives += other.false_positives;
        self.false_negatives += other.false_negatives;
        self.true_negatives += other.true_negatives;
        self.strike_delays.extend(&other.strike_delays);
        self.lift_delays.extend(&other.lift_delays);
    }

    /// Number of labelled frames.
    pub fn frames(&self) -> usize {
        self.true_positives + self.false_positives + self.false_negatives + self.true_negatives
    }

    /// The harmonic mean of precision and recall; 1 where no frame is labelled or detected down.
    pub fn f1(&self) -> f64 {
        let all = 2 * self.true_positives + self.false_positives + self.false_negatives;
        if all == 0 { 1.0 } else { 2.0 * self.true_positives as f64 / all as f64 }
    }

    /// The fraction of the frames labelled down that were detected down.
    pub fn recall(&self) -> f64 {
        self.true_positives as f64 / (self.true_positives + self.false_negatives).max(1) as f64
    }

    /// The fraction of the frames detected down that are labelled down.
    pub fn precision(&self) -> f64 {
        self.true_positives as f64 / (self.true_positives + self.false_positives).max(1) as f64
    }

    /// The fraction of the labelled frames that were detected correctly.
    pub fn accuracy(&self) -> f64 {
        (self.true_positives + self.true_negatives) as f64 / self.frames().max(1) as f64
    }

    /// The errors of all edges, foot strikes and lift-offs together; `None` without any edge.
    pub fn edge_errors(&self) -> Option<EdgeErrors> {
        let delays = self.strike_delays.iter().chain(&self.lift_delays);
        let mut errors: Vec<f64> = delays.map(|delay| delay.abs()).collect();
        errors.sort_by(f64::total_cmp);
        let at = |fraction: f64| errors[((fraction * errors.len() as f64) as usize).min(errors.len() - 1)];
        let missed = errors.iter().filter(|error| !error.is_finite()).count();
        (!errors.is_empty()).then(|| EdgeErrors {
            median: at(0.5),
            percentile_95: at(0.95),
            count: errors.len(),
            missed,
        })
    }

    /// The median delays of foot strikes and of lift-offs, in seconds.
    pub fn median_delays(&self) -> [Option<f64>; 2] {
        [&self.strike_delays, &self.lift_delays].map(|delays| {
            let mut found: Vec<f64> = delays.iter().copied().filter(|delay| delay.is_finite()).collect();
            found.sort_by(f64::total_cmp);
            found.get(found.len() / 2).copied()
        })
    }
}

/// The delay of the detected edge nearest to a labelled one, in seconds; infinite if none is near.
fn edge_delay(frame: usize, down: bool, detected: &[bool], fps: f64) -> f64 {
    let edges = (1..detected.len()).filter(|&k| detected[k] == down && detected[k - 1] != down);
    let delays = edges.map(|edge| (edge as f64 - frame as f64) / fps);
    let nearest = delays.min_by(|a, b| a.abs().total_cmp(&b.abs()));
    nearest.filter(|delay| delay.abs() <= MAX_EDGE_DELAY).unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlabelled_frames_do_not_count() {
        let labels = [None, Some(false), Some(true), Some(true), Some(false), None];
        let score = Score::of_foot(&labels, &[false, false, false, true, true, true], 100.0);
        let Score { true_positives, false_positives, false_negatives, true_negatives, .. } = score;
        assert_eq!([true_positives, false_positives, false_negatives, true_negatives], [1; 4]);
        assert_eq!(score.f1(), 0.5);
        assert_eq!(score.strike_delays, [0.01]);
        // No lift-off is detected.
        assert_eq!(score.lift_delays, [f64::INFINITY]);
        assert_eq!(score.edge_errors().unwrap().missed, 1);
    }
}
