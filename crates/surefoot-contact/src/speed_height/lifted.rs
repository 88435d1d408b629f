//! Which feet are held still in the air?
//!
//! One who stands on one leg holds the other foot as still as the one that stands. A plant well
//! above the floor counts only if it carries the body: for a while no point below it is down. A
//! step of a stair does, once the other foot has left; a lifted foot and a heel on tiptoe never do.

use super::track::{Track, Tracks};
use surefoot_core::FrameRange;

/// Above its usual height by more than this a point is off the floor, in legs: 4.5 cm in an adult.
/// Less, and captures with a bad floor lose plants; more, and a foot that hovers is planted.
const OFF_FLOOR: f64 = 0.05;
/// Seconds for which a plant off the floor must carry the body; at the top of a jump a foot hangs
/// still for less.
const CARRIES: f64 = 0.15;
/// The share of a point's plants that may lie below its usual height.
const BELOW: f64 = 0.1;
/// Farther than this from the floor, in legs, no point has its usual height: it is never down.
const USUAL: f64 = 0.12;

/// Drops the plants of feet that are held in the air.
pub(super) fn drop(found: &mut [Vec<FrameRange>], tracks: &Tracks) {
    let usual: Vec<f64> = found.iter().zip(&tracks.tracks).map(|(runs, track)| usual(runs, track)).collect();
    let rests: Vec<Vec<f64>> = found
        .iter()
        .zip(tracks.tracks.iter().zip(&usual))
        .map(|(runs, (track, usual))| runs.iter().map(|run| height(run, track) - usual).collect())
        .collect();
    // The lowest point that is down, at each frame.
    let mut ground = vec![f64::INFINITY; tracks.frames];
    for (runs, rests) in found.iter().zip(&rests) {
        for (run, &rest) in runs.iter().zip(rests) {
            ground[run.clone()].iter_mut().for_each(|ground| *ground = ground.min(rest));
        }
    }
    let least = tracks.frames_in(CARRIES);
    for (runs, rests) in found.iter_mut().zip(&rests) {
        let mut rests = rests.iter();
        runs.retain(|run| {
            let rest = *rests.next().unwrap_or(&0.0);
            rest < OFF_FLOOR
                || ground[run.clone()].iter().filter(|&&ground| ground > rest - OFF_FLOOR).count() >= least
        });
    }
}

/// The height of a plant: its frames' median.
fn height(run: &FrameRange, track: &Track) -> f64 {
    let mut heights = track.heights[run.clone()].to_vec();
    let at = heights.len() / 2;
    if heights.is_empty() { 0.0 } else { *heights.select_nth_unstable_by(at, f64::total_cmp).1 }
}

/// How high a point is when it is down on the floor itself.
fn usual(runs: &[FrameRange], track: &Track) -> f64 {
    let mut heights: Vec<f64> = runs.iter().flat_map(|run| &track.heights[run.clone()]).copied().collect();
    let at = (BELOW * heights.len() as f64) as usize;
    if heights.is_empty() {
        return 0.0;
    }
    heights.select_nth_unstable_by(at, f64::total_cmp).1.clamp(-USUAL, USUAL)
}
