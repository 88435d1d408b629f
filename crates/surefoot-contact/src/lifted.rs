//! Drops plants of feet that are held still in the air.
//!
//! A person standing on one leg holds the other foot as still as the standing one. So a plant well
//! above the floor counts only if it carries the body: for some time no planted point of the same
//! pair of legs is lower, and the hip is above it. A stair step carries the body once the other
//! foot has left the step below; a lifted foot, a heel on tiptoe and the feet in a handstand never do.

use crate::signal::quantile;
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::FrameRange;

/// Height above its usual planted height from which a point is off the floor, in leg lengths: 4 cm
/// in an adult. Lower drops plants on uneven floors; higher keeps a hovering foot.
const OFF_FLOOR_HEIGHT: f64 = 0.05;
/// Time for which a plant off the floor must carry the body, in seconds. At the top of a jump a
/// foot is still for less.
const MIN_CARRYING_TIME: f64 = 0.15;
/// Height of a carried hip above the foot, in leg lengths. A deep squat has 0.4.
const MIN_HIP_HEIGHT: f64 = 0.3;
/// The quantile of a point's planted heights that is its usual height; lower ones are outliers.
const USUAL_HEIGHT_QUANTILE: f64 = 0.1;
/// Largest distance of a usual height from the floor, in leg lengths: 10 cm in an adult. A point
/// that is always higher is never planted.
const MAX_USUAL_HEIGHT: f64 = 0.12;

/// Removes the plants of lifted feet. `plants` are given by track.
pub(crate) fn drop_lifted(plants: &mut [Vec<FrameRange>], tracks: &PointTracks) {
    let heights: Vec<Vec<f64>> =
        plants.iter().zip(&tracks.tracks).map(|(plants, track)| plant_heights(plants, track)).collect();
    let lowest = lowest_planted(plants, &heights, tracks);
    let min_frames = tracks.min_run(MIN_CARRYING_TIME);
    for ((plants, track), heights) in plants.iter_mut().zip(&tracks.tracks).zip(heights) {
        let lowest = &lowest[pair(track)];
        let mut heights = heights.into_iter();
        plants.retain(|plant| {
            let height = heights.next().unwrap_or(0.0);
            let carries = |frame: &usize| {
                lowest[*frame] > height - OFF_FLOOR_HEIGHT
                    && track.hip_heights[*frame] - track.heights[*frame] > MIN_HIP_HEIGHT
            };
            height < OFF_FLOOR_HEIGHT || plant.clone().filter(carries).count() >= min_frames
        });
    }
}

/// The height of the lowest planted point of each pair of legs, frame by frame; infinite where none is planted.
fn lowest_planted(plants: &[Vec<FrameRange>], heights: &[Vec<f64>], tracks: &PointTracks) -> Vec<Vec<f64>> {
    let pairs = tracks.tracks.iter().map(|track| pair(track) + 1).max().unwrap_or(0);
    let mut lowest = vec![vec![f64::INFINITY; tracks.frames]; pairs];
    for ((plants, track), heights) in plants.iter().zip(&tracks.tracks).zip(heights) {
        for (plant, &height) in plants.iter().zip(heights) {
            let frames = &mut lowest[pair(track)][plant.clone()];
            frames.iter_mut().for_each(|lowest| *lowest = lowest.min(height));
        }
    }
    lowest
}

/// The index of a track's pair of legs. Legs are ordered left, right, left, right.
fn pair(track: &PointTrack) -> usize {
    track.leg / 2
}

/// The median height of each plant above the usual planted height of its point.
fn plant_heights(plants: &[FrameRange], track: &PointTrack) -> Vec<f64> {
    let planted: Vec<f64> = plants.iter().flat_map(|plant| &track.heights[plant.clone()]).copied().collect();
    let usual = quantile(&planted, USUAL_HEIGHT_QUANTILE).clamp(-MAX_USUAL_HEIGHT, MAX_USUAL_HEIGHT);
    plants.iter().map(|plant| quantile(&track.heights[plant.clone()], 0.5) - usual).collect()
}
