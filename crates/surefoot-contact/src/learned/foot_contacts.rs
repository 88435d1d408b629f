//! When each foot is down: the model's score at each frame, and the runs of contact.

use super::MotionHeader;
use super::body::LegPositions;
use super::ensemble::Ensemble;
use super::feature_rows::{FeatureExtractor, ROW_LENGTH, extract};
use super::model::Model;
use crate::signal::{frames_in, min_run, overlapping};
use surefoot_core::{FrameRange, Pose};

/// Longest gap in a contact that is closed, in seconds: no foot leaves the ground and returns in less.
const MIN_GAP: f64 = 0.05;
/// Longest gap between two contacts through which a resting point keeps the foot down, in seconds.
const MAX_RESTING_GAP: f64 = 0.35;
/// Shortest contact, in seconds. A sprinter's foot is down for 0.09 s.
const MIN_CONTACT: f64 = 0.06;

/// Returns the model's score of each foot, by leg and frame; above 0 the foot is more likely down.
/// `on_pose` is called with the positions of the legs in each pose.
pub(super) fn scores(
    model: &Model,
    header: &MotionHeader,
    poses: &[Pose],
    mut on_pose: impl FnMut(&[LegPositions]),
) -> Vec<Vec<f32>> {
    let mut scores: Vec<Vec<f32>> = vec![Vec::with_capacity(poses.len()); header.legs.len()];
    let ensemble = Ensemble::new(model);
    let mut row = [0.0; ROW_LENGTH];
    let score_frame = |extractor: &FeatureExtractor| {
        for (leg, scores) in scores.iter_mut().enumerate() {
            extractor.row(leg, &mut row);
            scores.push(ensemble.score(&row));
        }
    };
    extract(header, poses, |body| on_pose(&body.positions), score_frame);
    scores
}

/// Returns the runs of frames in which a foot is down, with short gaps closed and short runs dropped.
pub(super) fn contact_runs(scores: &[f32], fps: f64) -> Vec<FrameRange> {
    let mut runs: Vec<FrameRange> = Vec::new();
    let max_gap = frames_in(MIN_GAP, fps).saturating_sub(1);
    for (frame, _) in scores.iter().enumerate().filter(|(_, score)| **score > 0.0) {
        match runs.last_mut() {
            Some(run) if frame <= run.end + max_gap => run.end = frame + 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    let shortest = min_run(MIN_CONTACT, fps);
    // The ends of the motion may cut a contact short.
    runs.retain(|run| run.len() >= shortest || run.start == 0 || run.end == scores.len());
    runs
}

/// Joins contacts between which heel or ball stays at rest on the ground: the foot did not leave the ground.
/// `on_ground` has the rests of both.
pub(super) fn close_resting_gaps(contacts: &mut Vec<FrameRange>, on_ground: [&[FrameRange]; 2], fps: f64) {
    let longest = frames_in(MAX_RESTING_GAP, fps);
    contacts.dedup_by(|next, before| {
        let around = before.end - 1..next.start + 1;
        let covers = |rest: &FrameRange| rest.start <= around.start && rest.end >= around.end;
        let rests_through = |rests: &[FrameRange]| overlapping(rests, &around).iter().any(covers);
        let is_joined = next.start - before.end <= longest && on_ground.into_iter().any(rests_through);
        if is_joined {
            before.end = next.end;
        }
        is_joined
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_gaps_are_closed_and_short_contacts_dropped() {
        let scores =
            |text: &str| -> Vec<f32> { text.chars().map(|c| if c == '1' { 2.0 } else { -2.0 }).collect() };
        assert_eq!(
            contact_runs(&scores("0000111111101111100000110000000"), 100.0),
            vec![FrameRange { start: 4, end: 17 }]
        );
        assert_eq!(contact_runs(&scores("1100000000000000000000000000011"), 100.0), [0..2, 29..31]);
        assert_eq!(contact_runs(&[], 100.0), []);
    }

    #[test]
    fn a_gap_in_which_a_point_rests_is_closed() {
        let joined = |heel: &[FrameRange], ball: &[FrameRange]| {
            let mut contacts = vec![0..20, 30..50, 110..140];
            close_resting_gaps(&mut contacts, [heel, ball], 100.0);
            contacts
        };
        // The ball rests through the first gap; the second is too long.
        assert_eq!(joined(&[], &[10..45, 46..140]), [0..50, 110..140]);
        // A point that rests in the contacts and is lifted between them, and one that rests in the gap alone.
        assert_eq!(joined(&[0..25, 26..50], &[5..10, 20..30]), [0..20, 30..50, 110..140]);
    }
}
