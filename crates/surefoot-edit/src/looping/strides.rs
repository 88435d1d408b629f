//! Strides: the time from one landing of a foot to its next.

use surefoot_core::{Footplants, FrameRange};

/// Shortest swing, in seconds. During a shorter gap between plants the foot rolls and is not lifted.
const MIN_SWING_SECONDS: f64 = 0.1;

/// The frames in which each foot lands, by leg. A foot that stands in the first frame has not landed.
pub(super) fn landings(plants: &Footplants, fps: f64) -> Vec<Vec<usize>> {
    let legs = plants.plants.iter().map(|plant| plant.leg + 1).max().unwrap_or(0);
    let mut landings = vec![Vec::new(); legs];
    for (leg, landings) in landings.iter_mut().enumerate() {
        let mut held: Vec<&FrameRange> =
            plants.plants.iter().filter(|plant| plant.leg == leg).map(|plant| &plant.frames).collect();
        held.sort_by_key(|frames| frames.start);
        let mut end: Option<usize> = None;
        for frames in held {
            let is_new = end.is_none_or(|end| frames.start as f64 > end as f64 + MIN_SWING_SECONDS * fps);
            if is_new && frames.start > 0 {
                landings.push(frames.start);
            }
            end = Some(end.unwrap_or(0).max(frames.end));
        }
    }
    landings
}

/// The number of strides within a range of frames: how often every foot lands, if all land equally often, else 0.
pub fn strides_within(plants: &Footplants, fps: f64, first: usize, last: usize) -> usize {
    count(&landings(plants, fps), first, last)
}

pub(super) fn count(landings: &[Vec<usize>], first: usize, last: usize) -> usize {
    let of_leg = |frames: &Vec<usize>| frames.iter().filter(|&&frame| first < frame && frame <= last).count();
    let counts: Vec<usize> = landings.iter().map(of_leg).collect();
    match counts.first() {
        // A single foot that lands is a hop on one leg, or a kick.
        Some(&count) if counts.len() > 1 && counts.iter().all(|&other| other == count) => count,
        _ => 0,
    }
}

/// Largest number of strides that are offered as cycles, evenly spread over the motion.
const MAX_OFFERED: usize = 24;

/// The frames of single strides: from a landing to the next of the same foot.
pub(super) fn single_strides(landings: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let all: Vec<(usize, usize)> = (landings.iter())
        .flat_map(|frames| frames.windows(2).map(|pair| (pair[0], pair[1])))
        .filter(|&(first, last)| count(landings, first, last) == 1)
        .collect();
    let step = all.len().div_ceil(MAX_OFFERED).max(1);
    all.into_iter().step_by(step).collect()
}
