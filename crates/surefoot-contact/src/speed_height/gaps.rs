//! Which gaps, and which plants, are too short for a foot to make?

use super::track::{Track, Tracks};
use crate::settings::Settings;
use surefoot_core::FrameRange;

/// Closes the short gaps through which the point stays where it is.
pub(crate) fn close(
    runs: Vec<FrameRange>,
    track: &Track,
    tracks: &Tracks,
    settings: &Settings,
) -> Vec<FrameRange> {
    let longest = tracks.frames_in(settings.shortest_gap);
    let mut closed: Vec<FrameRange> = Vec::new();
    for run in runs {
        match closed.last_mut() {
            Some(last)
                if run.start <= last.end + longest && stays(last.end - 1, run.start, track, settings) =>
            {
                last.end = run.end;
            }
            _ => closed.push(run),
        }
    }
    closed
}

/// Whether a point goes straight from its place at one frame to its place at another, near by.
fn stays(first: usize, last: usize, track: &Track, settings: &Settings) -> bool {
    let (from, to) = (track.over_ground[first], track.over_ground[last]);
    let between = |frame: usize| from.lerp(to, (frame - first) as f64 / (last - first) as f64);
    let is_near = |frame: usize| track.over_ground[frame].distance(between(frame)) < 2.0 * settings.strays;
    from.distance(to) < 3.0 * settings.strays && (first..last).all(is_near)
}

/// Lets no plant begin before the one before it has ended.
pub(crate) fn keep_apart(plants: &mut [FrameRange]) {
    for k in 1..plants.len() {
        plants[k].start = plants[k].start.max(plants[k - 1].end);
        plants[k].end = plants[k].end.max(plants[k].start);
    }
}

/// Drops the plants that no foot could make.
pub(crate) fn drop_short(plants: &mut Vec<FrameRange>, tracks: &Tracks, settings: &Settings) {
    let least = tracks.frames_in(settings.shortest_plant).max(1);
    plants.retain(|plant| plant.len() >= least);
}
