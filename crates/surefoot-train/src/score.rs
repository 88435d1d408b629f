//! How well found plants agree with labels: frames, and edges.

use crate::labelled::{Labelled, feet_down};
use surefoot_core::Footplants;

/// An edge farther away than this is another one, in seconds.
const NEAR: f64 = 0.15;

/// How found frames and edges agree with the labels, of feet: a foot is down when its heel is or
/// its ball.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// Frames labelled down and found so.
    pub both: usize,
    /// Frames found down and labelled up.
    pub only_found: usize,
    /// Frames labelled down and not found so.
    pub only_labelled: usize,
    /// Frames labelled up and not found down.
    pub neither: usize,
    /// Seconds by which each strike is late; infinite where none was found near.
    pub strikes: Vec<f64>,
    /// The same of each lift.
    pub lifts: Vec<f64>,
}

/// How far edges are off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edges {
    /// The median, in seconds, either way.
    pub median: f64,
    /// 95 % are within this, in seconds; infinite where more than 5 % were not found at all.
    pub within: f64,
    /// How many there are.
    pub count: usize,
    /// How many of them were not found.
    pub missed: usize,
}

impl Score {
    /// The score of found plants on a labelled motion.
    pub fn of(labelled: &Labelled, found: &Footplants) -> Self {
        let mut score = Self::default();
        for (leg, labels) in labelled.down.iter().enumerate() {
            let down = feet_down(found, leg, labelled.motion.frames());
            score.add(&Self::of_foot(labels, &down, labelled.motion.fps));
        }
        score
    }

    /// The score of one foot.
    pub fn of_foot(labels: &[Option<bool>], found: &[bool], fps: f64) -> Self {
        let mut score = Self::default();
        for (label, found) in labels.iter().zip(found) {
            match (label, found) {
                (Some(true), true) => score.both += 1,
                (Some(false), true) => score.only_found += 1,
                (Some(true), false) => score.only_labelled += 1,
                (Some(false), false) => score.neither += 1,
                (None, _) => {}
            }
        }
        for frame in 1..labels.len() {
            if let (Some(before), Some(after)) = (labels[frame - 1], labels[frame])
                && before != after
            {
                let late = late(frame, after, found, fps);
                if after { &mut score.strikes } else { &mut score.lifts }.push(late);
            }
        }
        score
    }

    /// Takes another foot or motion in.
    pub fn add(&mut self, other: &Self) {
        self.both += other.both;
        self.only_found += other.only_found;
        self.only_labelled += other.only_labelled;
        self.neither += other.neither;
        self.strikes.extend(&other.strikes);
        self.lifts.extend(&other.lifts);
    }

    /// How many labelled frames were scored.
    pub fn frames(&self) -> usize {
        self.both + self.only_found + self.only_labelled + self.neither
    }

    /// The harmonic mean of precision and recall; 1 where no frame is down and none was found.
    pub fn f1(&self) -> f64 {
        let all = 2 * self.both + self.only_found + self.only_labelled;
        if all == 0 { 1.0 } else { 2.0 * self.both as f64 / all as f64 }
    }

    /// Of the frames labelled down, the share that was found.
    pub fn recall(&self) -> f64 {
        self.both as f64 / (self.both + self.only_labelled).max(1) as f64
    }

    /// Of the frames found down, the share that is.
    pub fn precision(&self) -> f64 {
        self.both as f64 / (self.both + self.only_found).max(1) as f64
    }

    /// Of all labelled frames, the share that was told right.
    pub fn accuracy(&self) -> f64 {
        (self.both + self.neither) as f64 / self.frames().max(1) as f64
    }

    /// How far the edges are off, strikes and lifts together.
    pub fn edges(&self) -> Option<Edges> {
        let mut off: Vec<f64> = self.strikes.iter().chain(&self.lifts).map(|late| late.abs()).collect();
        off.sort_by(f64::total_cmp);
        let at = |share: f64| off[((share * off.len() as f64) as usize).min(off.len() - 1)];
        let missed = off.iter().filter(|late| !late.is_finite()).count();
        (!off.is_empty()).then(|| Edges { median: at(0.5), within: at(0.95), count: off.len(), missed })
    }

    /// By how many seconds strikes and lifts are late, at the median.
    pub fn late(&self) -> [Option<f64>; 2] {
        [&self.strikes, &self.lifts].map(|edges| {
            let mut late: Vec<f64> = edges.iter().copied().filter(|late| late.is_finite()).collect();
            late.sort_by(f64::total_cmp);
            late.get(late.len() / 2).copied()
        })
    }
}

/// By how many seconds the found edge nearest to a labelled one is late; infinite without one.
fn late(frame: usize, down: bool, found: &[bool], fps: f64) -> f64 {
    let edges = (1..found.len()).filter(|&k| found[k] == down && found[k - 1] != down);
    let late = edges.map(|edge| (edge as f64 - frame as f64) / fps);
    late.min_by(|a, b| a.abs().total_cmp(&b.abs())).filter(|late| late.abs() <= NEAR).unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_are_not_known_count_for_nothing() {
        let labels = [None, Some(false), Some(true), Some(true), Some(false), None];
        let score = Score::of_foot(&labels, &[false, false, false, true, true, true], 100.0);
        assert_eq!((score.both, score.only_found, score.only_labelled, score.neither), (1, 1, 1, 1));
        assert_eq!(score.f1(), 0.5);
        assert_eq!(score.strikes, [0.01]);
        // The foot is never found to leave.
        assert_eq!(score.lifts, [f64::INFINITY]);
        assert_eq!(score.edges().unwrap().missed, 1);
    }
}
