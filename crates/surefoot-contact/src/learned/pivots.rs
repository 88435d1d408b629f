//! Removes pivots: frames in which a foot turns on one of its points while the other moves.
//!
//! A person turning on the ball of a foot moves the heel slowly enough to look like a rest. It is
//! not one: afterwards the heel is elsewhere and the ball is not. Where both points move, the foot
//! skates, which the cleanup corrects.

use crate::settings::Settings;
use crate::threshold::PointRests;
use crate::tracks::PointTracks;
use surefoot_core::{FrameRange, Vec3};

/// Speed above which a point moves in a pivot, in leg lengths per second: 10 cm/s in an adult.
const MIN_PIVOT_SPEED: f64 = 0.12;
/// Distance that the point moves in one pivot, at the least, in leg lengths: 4 cm in an adult.
const MIN_PIVOT_DISTANCE: f64 = 0.05;
/// Distance that the other point moves meanwhile, at the most, in leg lengths: 1.5 cm in an adult.
const MAX_CENTRE_DISTANCE: f64 = 0.018;

/// Returns the rests of a point on the ground without the frames in which the foot pivots on its other
/// point. `track` is the index of the point's track.
///
/// Pivots are looked for both in world space and relative to the ground: where one foot pivots and
/// the other slides around it, most points move and the estimated ground moves with them.
pub(super) fn rests_without_pivots(track: usize, rests: &PointRests, settings: &Settings) -> Vec<FrameRange> {
    let PointRests { tracks, speeds, on_ground, .. } = rests;
    let speeds = &speeds[track];
    let cut = |rest: &FrameRange| cut_pivots(rest, track, speeds, tracks, settings);
    on_ground[track].iter().flat_map(cut).collect()
}

fn cut_pivots(
    rest: &FrameRange,
    track: usize,
    ground_speeds: &[f64],
    tracks: &PointTracks,
    settings: &Settings,
) -> Vec<FrameRange> {
    // Heels have even indices and are followed by the ball of the same foot.
    let [own, other] = [track, track ^ 1].map(|track| &tracks.tracks[track]);
    let world_speeds: Vec<f64> =
        own.velocities[rest.clone()].iter().map(|velocity| velocity.length()).collect();
    let parts = split_at_pivots(rest, &world_speeds, [&own.positions, &other.positions]);
    let on_ground = |part: FrameRange| {
        let positions: [&[Vec3]; 2] = [&own.ground_positions, &other.ground_positions];
        split_at_pivots(&part, &ground_speeds[part.clone()], positions)
    };
    let shortest = tracks.min_run(settings.min_plant);
    parts.into_iter().flat_map(on_ground).filter(|part| part.len() >= shortest).collect()
}

/// The parts of a rest between pivots. `speeds` are those of the rest's frames.
fn split_at_pivots(rest: &FrameRange, speeds: &[f64], [own, other]: [&[Vec3]; 2]) -> Vec<FrameRange> {
    let mut parts = Vec::new();
    let mut part_start = rest.start;
    let mut run_start = rest.start;
    for run in speeds.chunk_by(|a, b| (*a > MIN_PIVOT_SPEED) == (*b > MIN_PIVOT_SPEED)) {
        let frames = run_start..run_start + run.len();
        run_start = frames.end;
        let moved = |positions: &[Vec3]| positions[frames.start].distance(positions[frames.end - 1]);
        let is_fast = run[0] > MIN_PIVOT_SPEED;
        if is_fast && moved(own) > MIN_PIVOT_DISTANCE && moved(other) < MAX_CENTRE_DISTANCE {
            parts.push(part_start..frames.start);
            part_start = frames.end;
        }
    }
    parts.push(part_start..rest.end);
    parts.retain(|part| !part.is_empty());
    parts
}
