//! From stances of a whole foot to plants of its heel and ball.
//!
//! Gait labs, force plates and the methods trained on them label whole feet. During a stance a point
//! is planted from the first to the last frame in which it is at its resting height; the first of
//! the two points starts with the stance, the last to leave ends with it.

use crate::exact_rest::{FILE_ROUNDING, exact_rests};
use crate::features::LegPair;
use crate::settings::Settings;
use crate::signal::{
    frames_in, min_run, overlap, overlapping, quantile, rounded_confidence, runs_where, shifted,
};
use crate::threshold::{DIP_QUANTILE, REST_QUANTILE, RISE_FACTORS};
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::{Footplants, FrameRange, Leg, Motion, Plant};

/// A foot that is down for some time. Frames are those of the motion.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stance {
    pub leg: usize,
    pub frames: FrameRange,
    pub confidence: Option<f64>,
}

impl Stance {
    /// The frames, counted from the first frame of the performance.
    fn performance_frames(&self, first_frame: usize) -> FrameRange {
        self.frames.start - first_frame..self.frames.end - first_frame
    }

    /// The indices of the heel's and the ball's track.
    fn tracks(&self) -> [usize; 2] {
        [2 * self.leg, 2 * self.leg + 1]
    }

    fn plant(&self, track: &PointTrack, frames: &FrameRange, first_frame: usize) -> Plant {
        let frames = shifted(frames, first_frame);
        Plant { confidence: self.confidence, ..Plant::new(self.leg, track.point, frames) }
    }
}

/// Classifies every frame of every pair of legs and returns the stances. `confidences` returns the
/// confidence that each foot of a pair is down at a frame of the performance, left first.
pub(crate) fn classify_pairs(
    motion: &Motion,
    legs: &[Leg],
    settings: &Settings,
    mut confidences: impl FnMut(&LegPair, usize) -> [f64; 2],
) -> Vec<Stance> {
    let mut found = Vec::new();
    // Legs are ordered left, right, left, right; a leg left over is a pair with itself.
    for (number, legs) in legs.chunks(2).enumerate() {
        let pair = LegPair::new(motion, &legs[0], &legs[legs.len() - 1], settings.first_frame);
        let mut feet = [0, 1].map(|_| Vec::with_capacity(pair.frames()));
        for frame in 0..pair.frames() {
            let both = confidences(&pair, frame);
            feet.iter_mut().zip(both).for_each(|(foot, confidence)| foot.push(confidence));
        }
        for (side, foot) in feet.iter().enumerate().take(legs.len()) {
            found.extend(stances(2 * number + side, foot, motion.fps, settings));
        }
    }
    found
}

/// Longest gap in a stance that is closed, in seconds. No foot is lifted and put down again in less
/// time, and classifiers misjudge single frames.
const MAX_CLOSED_GAP: f64 = 0.06;

/// Returns the stances of a leg from the confidence at each frame that its foot is down, which is
/// from 0.5 on. Confidences are given from the first frame of the performance.
fn stances(leg: usize, confidences: &[f64], fps: f64, settings: &Settings) -> Vec<Stance> {
    let mut runs: Vec<FrameRange> = Vec::new();
    for run in runs_where(|frame| confidences[frame] >= 0.5, 0..confidences.len()) {
        match runs.last_mut() {
            Some(last) if run.start - last.end <= frames_in(MAX_CLOSED_GAP, fps) => last.end = run.end,
            _ => runs.push(run),
        }
    }
    runs.retain(|run| run.len() >= min_run(settings.min_plant, fps));
    let stance = |run: FrameRange| {
        let mean = confidences[run.clone()].iter().sum::<f64>() / run.len() as f64;
        let confidence = Some(rounded_confidence(mean.clamp(0.0, 1.0)));
        Stance { leg, frames: shifted(&run, settings.first_frame), confidence }
    };
    runs.into_iter().map(stance).collect()
}

/// Returns the plants of heels and balls in the stances that a classifier found.
///
/// In generated and cleaned motions points rest exactly, and a plant is such a rest; elsewhere it is
/// found by height.
pub(crate) fn plants_from_stances(
    stances: &[Stance],
    tracks: &PointTracks,
    first_frame: usize,
    settings: &Settings,
) -> Footplants {
    let rests: Vec<Vec<FrameRange>> =
        tracks.tracks.iter().map(|track| exact_rests(track, tracks, settings)).collect();
    let mut plants = Footplants::default();
    let mut without_rest = Vec::new();
    for stance in stances {
        let exact = exact_plants(stance, &rests, tracks, first_frame);
        if exact.is_empty() {
            without_rest.push(stance.clone());
        }
        plants.plants.extend(exact);
    }
    // Where at least half of the stances have exact rests, the others are false detections.
    if 2 * without_rest.len() > stances.len() {
        plants.plants.extend(plants_by_height(&without_rest, tracks, first_frame).plants);
    }
    plants.sort();
    // A rest that spans two stances is one plant.
    plants.plants.dedup_by(|b, a| a.leg == b.leg && a.point == b.point && b.frames.start < a.frames.end);
    plants
}

/// The plants of a stance whose points rest exactly.
///
/// A rest belongs to the stance if they overlap by more than half of the shorter one, or if it
/// overlaps such a rest of the other point: the foot then stands on both.
fn exact_plants(
    stance: &Stance,
    rests: &[Vec<FrameRange>],
    tracks: &PointTracks,
    first_frame: usize,
) -> Vec<Plant> {
    let frames = stance.performance_frames(first_frame);
    let is_inside = |rest: &&FrameRange| 2 * overlap(rest, &frames).len() > rest.len().min(frames.len());
    let inside: Vec<&FrameRange> = stance
        .tracks()
        .iter()
        .flat_map(|&track| overlapping(&rests[track], &frames))
        .filter(is_inside)
        .collect();
    let belongs =
        |rest: &&FrameRange| inside.iter().any(|other| rest.start < other.end && other.start < rest.end);
    let starts = inside.iter().map(|rest| rest.start).min().unwrap_or(0);
    let ends = inside.iter().map(|rest| rest.end).max().unwrap_or(0);
    let plants = |track: usize| {
        let belonging = overlapping(&rests[track], &(starts..ends)).iter().filter(&belongs);
        belonging.map(move |rest| stance.plant(&tracks.tracks[track], rest, first_frame))
    };
    stance.tracks().into_iter().flat_map(plants).collect()
}

/// Largest rise of a resting point above its resting height, in leg lengths: 1.3 cm in an adult.
/// Lower lets jitter end plants; higher holds a heel that rolls off.
const MAX_RISE: f64 = 0.015;
/// Height difference from which only one point is down, in leg lengths: 3.5 cm in an adult, each
/// measured from the point's usual resting height. A runner on the forefoot lifts the heel by 5 cm.
const RAISED_HEIGHT: f64 = 0.04;

/// Returns the plants of heels and balls in these stances, by their heights.
pub(crate) fn plants_by_height(stances: &[Stance], tracks: &PointTracks, first_frame: usize) -> Footplants {
    let usual: Vec<f64> =
        tracks.tracks.iter().map(|track| usual_rest_height(track, stances, first_frame)).collect();
    let mut plants = Footplants::default();
    for stance in stances {
        let frames = stance.performance_frames(first_frame);
        let points = stance.tracks();
        let rest = points.map(|track| quantile(&tracks.tracks[track].heights[frames.clone()], REST_QUANTILE));
        let above_usual = [0, 1].map(|point| rest[point] - usual[points[point]]);
        let is_down = [
            above_usual[0] - above_usual[1] < RAISED_HEIGHT,
            above_usual[1] - above_usual[0] < RAISED_HEIGHT,
        ];
        let mut runs = [0, 1].map(|point| {
            resting_run(&tracks.tracks[points[point]].heights, &frames, rest[point], RISE_FACTORS[point])
        });
        let down: Vec<usize> = [0, 1].into_iter().filter(|&point| is_down[point]).collect();
        cover_stance(&frames, &mut runs, &down);
        let plant = |point: usize| stance.plant(&tracks.tracks[points[point]], &runs[point], first_frame);
        plants.plants.extend(down.into_iter().map(plant));
    }
    plants.sort();
    plants
}

/// The frames from the first to the last in which a point is near its resting height. The tolerance
/// is `rise_factor` times the depth of its dips below that height, within bounds.
fn resting_run(heights: &[f64], frames: &FrameRange, rest: f64, rise_factor: f64) -> FrameRange {
    let dips = rest - quantile(&heights[frames.clone()], DIP_QUANTILE);
    let limit = rest + (rise_factor * dips).clamp(FILE_ROUNDING, MAX_RISE);
    let rests = |frame: &usize| heights[*frame] <= limit;
    let first = frames.clone().find(rests).unwrap_or(frames.start);
    let last = frames.clone().rfind(rests).unwrap_or(frames.start);
    first..last + 1
}

/// Extends the earliest run to the start of the stance and the latest to its end; raised points do not count.
fn cover_stance(frames: &FrameRange, runs: &mut [FrameRange; 2], down: &[usize]) {
    if let Some(&first) = down.iter().min_by_key(|point| runs[**point].start) {
        runs[first].start = frames.start;
    }
    if let Some(&last) = down.iter().max_by_key(|point| runs[**point].end) {
        runs[last].end = frames.end;
    }
}

/// The resting height of a point over all stances of its foot.
fn usual_rest_height(track: &PointTrack, stances: &[Stance], first_frame: usize) -> f64 {
    let own = stances.iter().filter(|stance| stance.leg == track.leg);
    let heights = own.flat_map(|stance| &track.heights[stance.performance_frames(first_frame)]);
    quantile(&heights.copied().collect::<Vec<f64>>(), REST_QUANTILE)
}
