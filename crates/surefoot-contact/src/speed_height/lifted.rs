//! Which feet are held still in the air?
//!
//! One who stands on one leg holds the other foot as still as the one that stands. So a plant well
//! above the floor counts only if it carries the body: for a while no point of the pair of legs
//! that is down is lower, and the hip is above it. A step of a stair does, once the other foot has
//! left the one below; a lifted foot, a heel on tiptoe and the feet of a handstand never do.

use super::ranks::at_share;
use super::track::{Track, Tracks};
use surefoot_core::FrameRange;

/// Above its usual height by more than this a point is off the floor, in legs: 4 cm in an adult.
/// Less, and captures with an uneven floor lose plants; more, and a foot that hovers is planted.
const OFF_FLOOR: f64 = 0.05;
/// Seconds for which a plant off the floor must carry the body; at the top of a jump a foot hangs
/// still for less.
const CARRIES: f64 = 0.15;
/// A hip that is carried is at least this far above the foot, in legs. A deep squat has 0.4.
const HIP_ABOVE: f64 = 0.3;
/// The share of a point's planted frames that may be lower than its usual height.
const BELOW: f64 = 0.1;
/// No point's usual height is farther than this from the floor, in legs: 10 cm in an adult. One
/// that is higher all the time is never down.
const USUAL: f64 = 0.12;

/// Drops the plants of feet that are held in the air. The plants are each track's, in order.
pub(crate) fn drop(found: &mut [Vec<FrameRange>], tracks: &Tracks) {
    let each = || found.iter().zip(&tracks.tracks);
    let heights: Vec<Vec<f64>> = each().map(|(plants, track)| heights(plants, track)).collect();
    let pairs = tracks.tracks.iter().map(|track| pair(track) + 1).max().unwrap_or(0);
    let mut grounds = vec![vec![f64::INFINITY; tracks.frames]; pairs];
    for ((plants, track), heights) in each().zip(&heights) {
        for (plant, &height) in plants.iter().zip(heights) {
            let ground = &mut grounds[pair(track)][plant.clone()];
            ground.iter_mut().for_each(|ground| *ground = ground.min(height));
        }
    }
    let least = tracks.frames_in(CARRIES).max(1);
    for ((plants, track), heights) in found.iter_mut().zip(&tracks.tracks).zip(heights) {
        let ground = &grounds[pair(track)];
        let mut heights = heights.into_iter();
        plants.retain(|plant| {
            let height = heights.next().unwrap_or(0.0);
            let carries = |frame: &usize| {
                ground[*frame] > height - OFF_FLOOR && track.hips[*frame] - track.heights[*frame] > HIP_ABOVE
            };
            height < OFF_FLOOR || plant.clone().filter(carries).count() >= least
        });
    }
}

/// The pair of legs a track is of: legs come left, right, left, right.
fn pair(track: &Track) -> usize {
    track.leg / 2
}

/// The height of each plant above the usual one of its point.
fn heights(plants: &[FrameRange], track: &Track) -> Vec<f64> {
    let planted: Vec<f64> = plants.iter().flat_map(|plant| &track.heights[plant.clone()]).copied().collect();
    let usual = at_share(&planted, BELOW).clamp(-USUAL, USUAL);
    plants.iter().map(|plant| at_share(&track.heights[plant.clone()], 0.5) - usual).collect()
}
