//! Strides: the time from one landing of a foot to its next.

use surefoot_core::Footplants;

use crate::landings::landings;

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
