//! How sure is a plant?

use super::track::{Track, Tracks};
use crate::settings::Settings;
use surefoot_core::{FrameRange, Vec3};

/// From 0 to 1: how slow it is against what is allowed, and how long against the shortest.
pub(super) fn of(
    run: &FrameRange,
    track: &Track,
    flow: &[Vec3],
    tracks: &Tracks,
    settings: &Settings,
) -> f64 {
    let speeds: f64 = run.clone().map(|frame| (track.velocities[frame] - flow[frame]).length()).sum();
    let slow = 1.0 / (1.0 + (speeds / run.len() as f64) / settings.goes_on_below);
    let seconds = run.len() as f64 / tracks.fps;
    let long = seconds / (seconds + 0.5 * settings.shortest_plant);
    (slow * long * 1000.0).round() / 1000.0
}
