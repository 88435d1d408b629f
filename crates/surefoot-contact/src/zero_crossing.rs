//! Zero crossings of the second derivative: a point is planted around the frames in which it stops
//! decelerating and starts to accelerate, near the ground.
//!
//! After Bindiganavale and Badler (1998). The component of a point's acceleration along its path is
//! the rate of its speed: negative while the point comes to rest, positive while it leaves. Where it
//! crosses zero upwards the speed has a minimum, either in mid-stance or at the top of a jump; the
//! height above the ground decides which. A crossing is one moment; its plant lasts as long as the
//! point stays at the position it had then.
//!
//! Positions and velocities are relative to the moving ground (`ground_flow`), so a foot that skates
//! with the ground is planted on it.

use crate::confidence::plants_with_confidence;
use crate::exact_rest::{FILE_ROUNDING, exact_rests};
use crate::ground_flow;
use crate::lifted::drop_lifted;
use crate::settings::Settings;
use crate::signal::{overlapping, sliding_max, work};
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::{Floor, Footplants, FrameRange, Leg, Motion, Vec3};

/// Half-width of the window of the second derivative, in seconds. With a shorter one jitter causes
/// crossings of its own; with a longer one a sprinter's stance has none.
const RATE_HALF_WINDOW: f64 = 0.03;
/// Half-width of the window in which a point's lowest position is the ground under it, in seconds.
/// Every swing and jump starts or ends within it; in a longer window the step below is still the
/// ground on a stair.
const GROUND_HALF_WINDOW: f64 = 0.3;
/// Height above the ground up to which a point is near it, in leg lengths: 5 cm in an adult. A ball
/// that carries the body rolls over the toes by half of that; a foot swings through higher.
const NEAR_GROUND_HEIGHT: f64 = 0.06;
/// Distance from the position of the crossing within which the point stays planted, in multiples of
/// [`Settings::max_edge_drift`]. That setting is meant for the edges; a whole stance wobbles by more.
const DRIFT_FACTOR: f64 = 2.0;

/// Time by which a plant may extend beyond its crossing at either end, in seconds. A longer stance
/// has further crossings, whose plants overlap; without a limit, standing for an hour would be
/// searched once for every crossing.
const MAX_REACH: f64 = 2.0;

/// Finds the plants of a motion by zero crossings.
pub fn detect(motion: &Motion, legs: &[Leg], floor: Option<&Floor>, settings: &Settings) -> Footplants {
    let mut tracks = PointTracks::new(motion, legs, floor, settings.first_frame);
    let flow = ground_flow::estimate(&tracks);
    tracks.set_ground_flow(&flow);
    let tracks = tracks;
    let planted = |track: &PointTrack| planted_runs(track, &flow, &tracks, settings);
    let mut runs: Vec<Vec<FrameRange>> = tracks.tracks.iter().map(planted).collect();
    drop_lifted(&mut runs, &tracks);
    let speeds: Vec<Vec<f64>> = tracks.tracks.iter().map(|track| track.ground_speeds(&flow)).collect();
    plants_with_confidence(runs, &speeds, &tracks, settings)
}

/// Returns the frames in which one point is planted.
fn planted_runs(
    track: &PointTrack,
    flow: &[Vec3],
    tracks: &PointTracks,
    settings: &Settings,
) -> Vec<FrameRange> {
    let near = near_ground(&track.heights, tracks);
    let shortest = tracks.min_run(settings.min_plant);
    let reach = tracks.frames_in(MAX_REACH);
    let is_flat = |crossing: &FrameRange| crossing.len() >= shortest && is_at_rest(crossing, track);
    let (flat, curved): (Vec<_>, Vec<_>) =
        crossings(&speed_rates(track, flow, tracks)).into_iter().partition(is_flat);
    let mut exact = exact_rests(track, tracks, settings);
    exact.retain(|rest| near[middle(rest)]);
    let mut plants: Vec<FrameRange> = exact.clone();
    // Exact rests and flat crossings give their plants to the frame; crossings that overlap one are part of it.
    for (crossings, max_drift) in [(flat, FILE_ROUNDING), (curved, DRIFT_FACTOR * settings.max_edge_drift)] {
        let known = merged(plants.clone());
        for crossing in crossings.iter().filter(|crossing| near[middle(crossing)]) {
            let between =
                crossing.start.saturating_sub(reach)..crossing.end.saturating_add(reach).min(near.len());
            let plant = plant_around(crossing, between, &near, track, max_drift);
            if overlapping(&known, &plant).is_empty() {
                plants.push(plant);
            }
        }
    }
    // Where at least half of the plants are exact rests, the motion is generated or cleaned and all of its plants are.
    if !exact.is_empty() && plants.len() <= 2 * exact.len() {
        return exact;
    }
    let mut plants = merged(plants);
    plants.retain(|plant| plant.len() >= shortest);
    plants
}

fn middle(frames: &FrameRange) -> usize {
    (frames.start + frames.end - 1) / 2
}

/// Returns whether a point stays in place through a crossing, up to the rounding of files. A point
/// that skates at constant speed does not accelerate either, but moves.
fn is_at_rest(crossing: &FrameRange, track: &PointTrack) -> bool {
    let mean = track.mean_ground_position(crossing.clone());
    track.ground_positions[crossing.clone()].iter().all(|position| position.distance(mean) < FILE_ROUNDING)
}

/// Joins overlapping plants: a rolling foot has several crossings in one stance.
fn merged(mut plants: Vec<FrameRange>) -> Vec<FrameRange> {
    plants.sort_by_key(|plant| plant.start);
    let mut merged: Vec<FrameRange> = Vec::new();
    for plant in plants {
        match merged.last_mut() {
            Some(last) if plant.start <= last.end => last.end = last.end.max(plant.end),
            _ => merged.push(plant),
        }
    }
    merged
}

/// Returns the change of half the squared speed around each frame: the second derivative of the path
/// along the path, times the speed. Only its sign matters, which is defined at zero speed too.
fn speed_rates(track: &PointTrack, flow: &[Vec3], tracks: &PointTracks) -> Vec<f64> {
    let half = tracks.min_run(RATE_HALF_WINDOW);
    let velocities: Vec<Vec3> = track.velocities.iter().zip(flow).map(|(v, flow)| *v - *flow).collect();
    let rate = |frame: usize| {
        let (before, after) = (frame.saturating_sub(half), (frame + half).min(velocities.len() - 1));
        0.5 * (velocities[after].length_squared() - velocities[before].length_squared())
    };
    (0..velocities.len()).map(rate).collect()
}

/// Rates smaller than this are zero, in squared leg lengths per second²: the rounding of files.
const ZERO_RATE: f64 = 1e-7;

/// Returns the frames from the last negative rate to the first positive rate, including the zero
/// rates between.
///
/// A motion may start or end in a stance, so its start counts as decelerating and its end as accelerating.
fn crossings(rates: &[f64]) -> Vec<FrameRange> {
    let mut crossings = Vec::new();
    let mut flat_from = Some(0);
    for (frame, &rate) in rates.iter().enumerate() {
        if rate < -ZERO_RATE {
            flat_from = Some(frame + 1);
        } else if rate > ZERO_RATE
            && let Some(start) = flat_from.take()
        {
            crossings.push(start.min(frame)..frame + 1);
        }
    }
    if let Some(start) = flat_from.filter(|_| !rates.is_empty()) {
        crossings.push(start.min(rates.len() - 1)..rates.len());
    }
    crossings
}

/// Returns whether a point is near its lowest position in the window, at each frame.
fn near_ground(heights: &[f64], tracks: &PointTracks) -> Vec<bool> {
    let depths: Vec<f64> = heights.iter().map(|height| -height).collect();
    let deepest = sliding_max(&depths, tracks.frames_in(GROUND_HALF_WINDOW));
    heights.iter().zip(deepest).map(|(height, deepest)| height + deepest < NEAR_GROUND_HEIGHT).collect()
}

/// Returns the frames around a crossing in which the point stays near the ground and within
/// `max_drift` of its mean position in the crossing.
///
/// Only frames of `between` count.
fn plant_around(
    crossing: &FrameRange,
    between: FrameRange,
    near: &[bool],
    track: &PointTrack,
    max_drift: f64,
) -> FrameRange {
    let middle = middle(crossing);
    let spot = track.mean_ground_position(crossing.clone());
    let stays = |frame: &usize| near[*frame] && track.ground_positions[*frame].distance(spot) < max_drift;
    let start = (between.start..middle).rev().take_while(stays).last().unwrap_or(middle);
    let end = (middle..between.end).take_while(stays).last().unwrap_or(middle);
    work::count(end - start);
    start..end + 1
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "the expected lists hold one range")]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_is_where_deceleration_turns_to_acceleration() {
        assert_eq!(crossings(&[-1.0, -1.0, 1.0, 1.0]), [2..3]);
        assert_eq!(crossings(&[-1.0, 0.0, 0.0, 1.0]), [1..4]);
        // A maximum of the speed is no crossing; the two ranges are the ends of the motion.
        assert_eq!(crossings(&[1.0, -1.0]), [0..1, 1..2]);
        assert_eq!(crossings(&[0.0, 0.0]), [0..2]);
        assert!(crossings(&[]).is_empty());
    }
}
