//! When is each foot down: the model's word, frame by frame, and what a foot can make of it.

use super::asked::Asked;
use super::model::Model;
use super::seen::POINTS;
use super::watch::{LOOKAHEAD, ROOM, Watch};
use surefoot_core::math::floor as round_down;
use surefoot_core::{Floor, FrameRange, Leg, Pose, Skeleton, Vec3};

/// A foot that is up for less than this was not up, in seconds: none leaves the ground and is back
/// in less.
const SHORTEST_GAP: f64 = 0.05;
/// A foot that is down for less than this was not down, in seconds. A sprinter's is down for 0.09.
const SHORTEST_STEP: f64 = 0.06;

/// What the model says of each foot, by leg and frame: its score, above 0 where the foot is rather
/// down than not. `keep` is shown where points and hip of each leg are, frame by frame.
pub(super) fn scores(
    model: &Model,
    skeleton: &Skeleton,
    fps: f64,
    poses: &[Pose],
    legs: &[Leg],
    floor: Option<&Floor>,
    mut keep: impl FnMut(&[([Vec3; POINTS], Vec3)]),
) -> Vec<Vec<f32>> {
    let mut watch = Watch::new(skeleton, fps, legs, floor, LOOKAHEAD);
    let mut all: Vec<Vec<f32>> = vec![Vec::with_capacity(poses.len()); legs.len()];
    let asked = Asked::new(model);
    let mut row = [0.0; ROOM];
    let mut take = |watch: &mut Watch| {
        while watch.ready().is_some() {
            for (leg, scores) in all.iter_mut().enumerate() {
                watch.row(leg, &mut row);
                scores.push(asked.score(&row));
            }
            watch.pass();
        }
    };
    for pose in poses {
        watch.push(pose);
        keep(&watch.body().places);
        take(&mut watch);
    }
    watch.end();
    take(&mut watch);
    all
}

/// The steps of one foot: when it is rather down than not, without gaps and blips.
pub(super) fn steps(scores: &[f32], fps: f64) -> Vec<FrameRange> {
    let frames = |seconds: f64| round_down(seconds * fps + 0.5) as usize;
    let mut steps: Vec<FrameRange> = Vec::new();
    for (frame, _) in scores.iter().enumerate().filter(|(_, score)| **score > 0.0) {
        match steps.last_mut() {
            Some(step) if frame <= step.end + frames(SHORTEST_GAP).saturating_sub(1) => step.end = frame + 1,
            _ => steps.push(frame..frame + 1),
        }
    }
    let least = frames(SHORTEST_STEP).max(1);
    // What the ends of the motion cut off may be short.
    steps.retain(|step| step.len() >= least || step.start == 0 || step.end == scores.len());
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_closed_and_blips_dropped() {
        let sure =
            |text: &str| -> Vec<f32> { text.chars().map(|c| if c == '1' { 2.0 } else { -2.0 }).collect() };
        assert_eq!(
            steps(&sure("0000111111101111100000110000000"), 100.0),
            vec![FrameRange { start: 4, end: 17 }]
        );
        assert_eq!(steps(&sure("1100000000000000000000000000011"), 100.0), [0..2, 29..31]);
        assert_eq!(steps(&[], 100.0), []);
    }
}
