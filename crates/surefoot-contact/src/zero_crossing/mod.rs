//! Zero crossings: a point is down around the moments at which it stops slowing and begins to
//! speed up, near the ground.
//!
//! After Bindiganavale and Badler (1998). The second derivative of a point's path, taken along
//! the path, is the rate of its speed: below zero while the point comes to rest, above while it
//! leaves. Where it crosses zero upwards the speed is least, in mid-stance or at the top of a
//! jump; the ground tells which. A crossing is one moment, and its plant is as long as the point
//! stays where it was then.
//!
//! Reads where the points are over the ground from `speed_height`'s tracks, so a foot that skates
//! with the ground stands on it.

use crate::settings::Settings;
use crate::speed_height::flow;
use crate::speed_height::lifted;
use crate::speed_height::still::{exact_rests, fastest_around, speeds};
use crate::speed_height::sure;
use crate::speed_height::track::{Track, Tracks};
use surefoot_core::{Floor, Footplants, FrameRange, Leg, Motion, Plant, Vec3};

/// Seconds to each side over which the second derivative is taken. Shorter, and jitter makes
/// crossings of its own; longer, and a sprinter's stance has none.
const AROUND: f64 = 0.03;
/// Seconds to each side in which a point's lowest place is the ground under it. Every swing and
/// every jump begins or ends within this; longer, and the step below is still the ground on a stair.
const UNDER: f64 = 0.3;
/// A point this near above the ground under it is near, in legs: 5 cm in an adult. A ball rolls
/// over the toes by half of that while it carries the body; a foot swings through at more.
const NEAR: f64 = 0.06;
/// How many times `Settings::strays` a point may be away from where it crossed and still stand
/// there. That setting is for the edges alone; a whole stance wobbles by more.
const STRAYS: f64 = 2.0;
/// The same where the point rests to the last digit, in legs: 10 µm, as files are rounded. Made
/// motions do, and there the plant is where the path is flat.
const RESTS: f64 = 1e-5;

/// Finds the plants.
pub fn detect(motion: &Motion, legs: &[Leg], floor: Option<&Floor>, settings: &Settings) -> Footplants {
    let mut tracks = Tracks::new(motion, legs, floor, settings.first_frame);
    let flow = flow::find(&tracks);
    tracks.put_on_ground(&flow);
    let tracks = tracks;
    let each = |track: &Track| stands(track, &flow, &tracks, settings);
    let mut found: Vec<Vec<FrameRange>> = tracks.tracks.iter().map(each).collect();
    lifted::drop(&mut found, &tracks);
    let mut plants = Footplants::default();
    for (track, frames) in tracks.tracks.iter().zip(found) {
        let speeds = speeds(track, &flow);
        let plant = |frames: FrameRange| Plant {
            leg: track.leg,
            point: track.point,
            confidence: Some(sure::of(&speeds[frames.clone()], tracks.fps, settings)),
            spot: None,
            frames: frames.start + settings.first_frame..frames.end + settings.first_frame,
        };
        plants.plants.extend(frames.into_iter().map(plant));
    }
    plants.sort();
    plants
}

/// The frames in which one point stands.
fn stands(track: &Track, flow: &[Vec3], tracks: &Tracks, settings: &Settings) -> Vec<FrameRange> {
    let half = tracks.frames_in(AROUND).max(1);
    let velocities: Vec<Vec3> = track.velocities.iter().zip(flow).map(|(v, flow)| *v - *flow).collect();
    let rates: Vec<f64> = (0..velocities.len()).map(|frame| rate(frame, &velocities, half)).collect();
    let near = near_ground(&track.heights, tracks);
    let shortest = tracks.frames_in(settings.shortest_plant).max(1);
    let rests = |crossing: &FrameRange| crossing.len() >= shortest && is_at_rest(crossing, track);
    let (flat, bent): (Vec<_>, Vec<_>) = crossings(&rates).into_iter().partition(rests);
    let middle = |crossing: &FrameRange| (crossing.start + crossing.end - 1) / 2;
    let mut exact = exact_rests(track, tracks, settings);
    exact.retain(|rest| near[middle(rest)]);
    let mut plants: Vec<FrameRange> = exact.clone();
    // Where the path is flat its plant is known to the frame; a crossing beside it is part of it.
    for (crossings, strays) in [(flat, RESTS), (bent, STRAYS * settings.strays)] {
        let known = plants.clone();
        for crossing in crossings.iter().filter(|crossing| near[middle(crossing)]) {
            let plant = around(middle(crossing), crossing, &near, track, strays);
            if !known.iter().any(|known| plant.start < known.end && known.start < plant.end) {
                plants.push(plant);
            }
        }
    }
    // A point that rests to the last digit in most of its plants does so in all of them.
    if !exact.is_empty() && plants.len() <= 2 * exact.len() {
        return exact;
    }
    let mut plants = merged(plants);
    plants.retain(|plant| plant.len() >= shortest);
    plants
}

/// Where a point is in a crossing, on the mean.
fn spot(crossing: &FrameRange, track: &Track) -> Vec3 {
    let places = &track.over_ground[crossing.clone()];
    places.iter().copied().sum::<Vec3>() / places.len() as f64
}

/// Whether a point stays where it is through a crossing, to the last digit. One that skates evenly
/// neither slows nor speeds up, and yet moves.
fn is_at_rest(crossing: &FrameRange, track: &Track) -> bool {
    let spot = spot(crossing, track);
    track.over_ground[crossing.clone()].iter().all(|place| place.distance(spot) < RESTS)
}

/// Two crossings of one stance, as a foot rolls, are one plant.
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

/// The second derivative of the path along the path, times the speed: how fast half the square
/// of the speed grows. Its sign is what is asked for, and it has one where the speed is zero too.
fn rate(frame: usize, velocities: &[Vec3], half: usize) -> f64 {
    let (before, after) = (frame.saturating_sub(half), (frame + half).min(velocities.len() - 1));
    0.5 * (velocities[after].length_squared() - velocities[before].length_squared())
}

/// What is as small as this is zero, in legs² per second². A point at rest moves by as much as
/// files are rounded.
const ZERO: f64 = 1e-7;

/// The frames between the last that falls and the first that rises, and what lies flat between.
///
/// A motion may begin in a stance and end in one, so its ends count as falling and as rising.
fn crossings(rates: &[f64]) -> Vec<FrameRange> {
    let mut crossings = Vec::new();
    let mut flat_from = Some(0);
    for (frame, &rate) in rates.iter().enumerate() {
        if rate < -ZERO {
            flat_from = Some(frame + 1);
        } else if rate > ZERO
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

/// Whether a point is near the ground under it: its lowest place of that time.
fn near_ground(heights: &[f64], tracks: &Tracks) -> Vec<bool> {
    let deep: Vec<f64> = heights.iter().map(|height| -height).collect();
    let ground = fastest_around(&deep, tracks.frames_in(UNDER));
    heights.iter().zip(ground).map(|(height, deepest)| height + deepest < NEAR).collect()
}

/// The frames around a crossing in which the point stays where it was in it, near the ground.
fn around(middle: usize, crossing: &FrameRange, near: &[bool], track: &Track, strays: f64) -> FrameRange {
    let spot = spot(crossing, track);
    let stays = |frame: &usize| near[*frame] && track.over_ground[*frame].distance(spot) < strays;
    let start = (0..middle).rev().take_while(stays).last().unwrap_or(middle);
    let end = (middle..near.len()).take_while(stays).last().unwrap_or(middle);
    start..end + 1
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "lists of one range are meant")]
mod tests {
    use super::*;

    #[test]
    fn a_crossing_is_where_falling_turns_to_rising() {
        assert_eq!(crossings(&[-1.0, -1.0, 1.0, 1.0]), [2..3]);
        assert_eq!(crossings(&[-1.0, 0.0, 0.0, 1.0]), [1..4]);
        // The top of the speed is none.
        assert_eq!(crossings(&[1.0, -1.0]), [0..1, 1..2]);
        assert_eq!(crossings(&[0.0, 0.0]), [0..2]);
        assert!(crossings(&[]).is_empty());
    }
}
