//! Which gaps, and which plants, are too short for a foot to make?

use super::track::{Track, Tracks};
use crate::settings::Settings;
use surefoot_core::{FrameRange, Vec3};

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

/// The square of the seconds that a point takes to a place one leg away, at the least: a move of 4 cm takes
/// an adult 0.07 s, at 50 m/s² where it begins and ends. A point that is held until the frame before it
/// is held elsewhere would jump.
const TAKES: f64 = 0.1;
/// A place farther than this is reached in a step, in legs, and steps have their own time: 7 cm.
const STEP: f64 = 0.08;
/// Where a plant is held need not be where its point is, by so many legs: 1.3 cm, onto the floor.
const PUT: f64 = 0.015;

/// Lets no plant begin before the point can have come from the one before it: frames in which it is on
/// its way are cut off either.
pub(crate) fn keep_apart(plants: &mut [FrameRange], track: &Track, tracks: &Tracks) {
    for k in 1..plants.len() {
        let (before, after) = plants.split_at_mut(k);
        let (last, next) = (&mut before[k - 1], &mut after[0]);
        next.start = next.start.max(last.end);
        next.end = next.end.max(next.start);
        if last.len().min(next.len()) < 1 {
            continue;
        }
        let mean = |plant: &FrameRange| {
            track.over_ground[plant.clone()].iter().copied().sum::<Vec3>() / plant.len() as f64
        };
        let (from, to) = (mean(last), mean(next));
        let takes = tracks.frames_in((TAKES * (from.distance(to).min(STEP) + PUT)).sqrt());
        while next.start - last.end < takes && last.len() > 1 && next.len() > 1 {
            let leaves = track.over_ground[last.end - 1].distance(from);
            let comes = track.over_ground[next.start].distance(to);
            if leaves > comes { last.end -= 1 } else { next.start += 1 }
        }
    }
}

/// Drops the plants that no foot could make.
pub(crate) fn drop_short(plants: &mut Vec<FrameRange>, tracks: &Tracks, settings: &Settings) {
    let least = tracks.frames_in(settings.shortest_plant).max(1);
    plants.retain(|plant| plant.len() >= least);
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::FootPoint;

    /// A point at 0 until frame 50 and at `way` legs from frame 60 on, at 100 frames a second.
    fn moved(way: f64) -> (Track, Tracks) {
        let place = |frame: usize| Vec3::X * way * ((frame as f64 - 50.0) / 10.0).clamp(0.0, 1.0);
        let track = Track {
            leg: 0,
            point: FootPoint::Heel,
            places: (0..120).map(place).collect(),
            over_ground: (0..120).map(place).collect(),
            heights: vec![0.0; 120],
            velocities: vec![Vec3::ZERO; 120],
            hips: vec![1.0; 120],
        };
        (track, Tracks { tracks: Vec::new(), frames: 120, fps: 100.0, up: Vec3::Y })
    }

    fn apart(way: f64, plants: [FrameRange; 2]) -> [FrameRange; 2] {
        let (track, tracks) = moved(way);
        let mut plants = plants;
        keep_apart(&mut plants, &track, &tracks);
        plants
    }

    #[test]
    fn plants_that_touch_leave_a_point_time_to_move() {
        let [last, next] = apart(0.05, [20..55, 55..90]);
        // √(0.1 · 0.065) s.
        assert_eq!(next.start - last.end, 8);
        // Both were cut, where the point was on its way.
        assert!((50..55).contains(&last.end) && (56..=60).contains(&next.start), "{last:?} {next:?}");
    }

    #[test]
    fn plants_that_are_apart_stay_as_they_are() {
        assert_eq!(apart(0.05, [20..50, 60..90]), [20..50, 60..90]);
        // A step away: as long as it takes.
        assert_eq!(apart(2.0, [20..49, 61..90]), [20..49, 61..90]);
    }

    #[test]
    fn plants_that_overlap_are_parted_and_none_vanishes() {
        let [last, next] = apart(0.05, [20..60, 52..53]);
        assert!(last.end <= next.start && last.start < last.end);
    }
}
