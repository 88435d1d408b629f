//! At which frame does a point come to stand, and at which does it leave?
//!
//! Speed is a blurred witness: it is taken over several frames. The place is a sharp one. A plant
//! lasts as long as its point is near where it stands in the middle, or, where it skates, near
//! the line along which it slides then. Gaps that no foot could make are closed, and plants that
//! none could make are dropped.

use super::track::{Track, Tracks};
use crate::settings::Settings;
use surefoot_core::{FrameRange, Vec3};

/// Trims or widens each run to the frames in which its point is where it stands.
pub(super) fn settle(
    runs: Vec<FrameRange>,
    track: &Track,
    tracks: &Tracks,
    settings: &Settings,
) -> Vec<FrameRange> {
    let runs = closed(runs, track, tracks, settings);
    let mut settled: Vec<FrameRange> = Vec::new();
    for run in runs {
        let mut plant = edges(&run, track, settings);
        if let Some(last) = settled.last() {
            plant.start = plant.start.max(last.end);
        }
        let least = tracks.frames_in(settings.shortest_plant).max(1);
        if plant.len() >= least {
            settled.push(plant);
        }
    }
    settled
}

/// The same runs, those with a short gap between them and on the same spot made one.
fn closed(runs: Vec<FrameRange>, track: &Track, tracks: &Tracks, settings: &Settings) -> Vec<FrameRange> {
    let longest_gap = tracks.frames_in(settings.shortest_gap);
    let mut closed: Vec<FrameRange> = Vec::new();
    for run in runs {
        match closed.last_mut() {
            Some(last)
                if run.start - last.end <= longest_gap
                    && track.places[run.start].distance(track.places[last.end - 1])
                        < 2.0 * settings.strays =>
            {
                last.end = run.end;
            }
            _ => closed.push(run),
        }
    }
    closed
}

/// The frames around a run's middle in which the point is near the line it slides along.
fn edges(run: &FrameRange, track: &Track, settings: &Settings) -> FrameRange {
    let line = Line::through(run, track);
    let is_near = |frame: usize| line.distance(frame, track.places[frame]) < settings.strays;
    let middle = (run.start + run.end) / 2;
    let mut start = run.start;
    while start < middle && !is_near(start) {
        start += 1;
    }
    let mut end = run.end;
    while end > middle && !is_near(end - 1) {
        end -= 1;
    }
    start..end
}

/// Where a point that skates evenly would be.
struct Line {
    middle: f64,
    place: Vec3,
    velocity: Vec3,
}

impl Line {
    /// The line through the inner half of a run, by medians: edges do not bend it.
    fn through(run: &FrameRange, track: &Track) -> Self {
        let quarter = run.len() / 4;
        let inner = run.start + quarter..(run.end - quarter).max(run.start + quarter + 1);
        let middle = (inner.start + inner.end - 1) as f64 / 2.0;
        let (mut place, mut moved, mut time) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        for frame in inner.clone() {
            let away = frame as f64 - middle;
            place += track.places[frame];
            moved += track.places[frame] * away;
            time += away * away;
        }
        let velocity = if time > 0.0 { moved / time } else { Vec3::ZERO };
        Self { middle, place: place / inner.len() as f64, velocity }
    }

    fn distance(&self, frame: usize, place: Vec3) -> f64 {
        (self.place + self.velocity * (frame as f64 - self.middle)).distance(place)
    }
}
