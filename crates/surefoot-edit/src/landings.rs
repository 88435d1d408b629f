//! Landings: the frames in which feet come down.

use surefoot_core::{Footplants, FrameRange};

/// Shortest swing, in seconds. During a shorter gap between plants the foot rolls and is not lifted.
pub(crate) const MIN_SWING_SECONDS: f64 = 0.1;

/// The stances of one leg, in order: runs of its plants, of heel or ball, without a swing in between.
pub(crate) fn stances(plants: &Footplants, leg: usize, fps: f64) -> Vec<FrameRange> {
    let mut held: Vec<&FrameRange> =
        plants.plants.iter().filter(|plant| plant.leg == leg).map(|plant| &plant.frames).collect();
    held.sort_by_key(|frames| frames.start);
    let mut stances: Vec<FrameRange> = Vec::new();
    for frames in held {
        match stances.last_mut() {
            Some(last) if frames.start as f64 <= last.end as f64 + MIN_SWING_SECONDS * fps => {
                last.end = last.end.max(frames.end);
            }
            _ => stances.push(frames.clone()),
        }
    }
    stances
}

/// The stances of all legs.
pub(crate) fn all_stances(plants: &Footplants, fps: f64) -> Vec<FrameRange> {
    (0..legs(plants)).flat_map(|leg| stances(plants, leg, fps)).collect()
}

/// The number of legs that have plants.
fn legs(plants: &Footplants) -> usize {
    plants.plants.iter().map(|plant| plant.leg + 1).max().unwrap_or(0)
}

/// The frames in which each foot lands, by leg. A foot that stands in the first frame has not landed.
pub(crate) fn landings(plants: &Footplants, fps: f64) -> Vec<Vec<usize>> {
    let of_leg = |leg: usize| stances(plants, leg, fps).iter().map(|stance| stance.start).collect();
    let mut landings: Vec<Vec<usize>> = (0..legs(plants)).map(of_leg).collect();
    landings.iter_mut().for_each(|frames| frames.retain(|&frame| frame > 0));
    landings
}

/// The landings of all feet in order of time: frame and leg.
pub(crate) fn landing_sequence(plants: &Footplants, fps: f64) -> Vec<(usize, usize)> {
    let by_leg = landings(plants, fps).into_iter().enumerate();
    let mut all: Vec<(usize, usize)> =
        by_leg.flat_map(|(leg, frames)| frames.into_iter().map(move |frame| (frame, leg))).collect();
    all.sort_unstable();
    all
}

/// Counts steps: the number of stances over all feet. Heel and ball plants of one stance count once.
pub fn count_steps(plants: &Footplants, fps: f64) -> usize {
    (0..legs(plants)).map(|leg| stances(plants, leg, fps).len()).sum()
}
