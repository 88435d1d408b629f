//! Removes travel from the rests: frames in which a point on the ground moves slowly to another place.
//!
//! A point at rest may wobble, sway and sink a little. A foot that is dragged over the floor, lowered onto a step or
//! carried by a lift is as slow as a resting one, but ends elsewhere. Held at one spot, such a foot would freeze and
//! then jump. So those frames belong to no plant, and the rests before and after them keep their own spots.
//!
//! `runs` finds the frames, this module cuts them out of the rests, and `rest_likelihood` lowers the
//! confidence of a plant whose point creeps without travelling.

mod rest_likelihood;
mod runs;

pub(crate) use rest_likelihood::rest_likelihood;
pub(crate) use runs::standing_feet;

use crate::signal::overlap;
use crate::tracks::{PointTrack, PointTracks};
use runs::{carried, creeps, dragged};
use surefoot_core::{FrameRange, Vec3};

/// Why a point on the ground is not planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Travel {
    /// The point moves by itself: a shuffle, a slide, a foot that is lowered slowly.
    Dragged,
    /// The point and its hip move together: a lift, a platform, a vehicle.
    Carried,
}

/// Frames of a rest in which its point travels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TravelRun {
    pub frames: FrameRange,
    pub travel: Travel,
    /// From the first position to the farthest, in leg lengths.
    pub displacement: Vec3,
}

/// Time for which a point must rest before it sinks, or after it has risen, to be planted there, in
/// seconds. A foot that is lowered hesitates for less.
const MIN_RAISED_STOP: f64 = 0.3;

impl TravelRun {
    /// The height by which the point rises, in leg lengths; 0 if it moves mainly along the floor.
    fn rise(&self, up: Vec3) -> f64 {
        let height = self.displacement.dot(up);
        if height.abs() > 0.5 * self.displacement.length() { height } else { 0.0 }
    }
}

/// The travel of one point through a motion. Frames are counted from the first frame of the performance.
#[derive(Clone, Debug, Default)]
pub(crate) struct PointTravel {
    /// In order of time.
    pub runs: Vec<TravelRun>,
}

impl PointTravel {
    /// Adds the frames in which the ground carries a slow point.
    pub fn add_carried(&mut self, slow: &[FrameRange], track: &PointTrack, tracks: &PointTracks) {
        self.runs.extend(slow.iter().flat_map(|run| carried(run, track, tracks)));
    }

    /// Adds the frames in which a point is dragged, and removes all travel from its rests, which are in order of time.
    ///
    /// A stance that creeps a little from its first frame to its last stays whole. `other_stands` is
    /// whether the other foot of the pair stands still in the world, by frame.
    pub fn cut(
        &mut self,
        rests: &[FrameRange],
        shortest: usize,
        track: &PointTrack,
        tracks: &PointTracks,
        other_stands: &[bool],
    ) -> Vec<FrameRange> {
        let mut parts = Vec::new();
        let mut all_dragged = Vec::new();
        for part in rests.iter().flat_map(|rest| outside(rest, &self.runs, shortest, tracks)) {
            let dragged = dragged(&part, track, tracks, other_stands);
            let rests = outside(&part, &dragged, shortest, tracks);
            if rests.is_empty() && dragged.iter().all(|run| creeps(&part, run.displacement, track, tracks)) {
                parts.push(part);
                continue;
            }
            parts.extend(rests);
            all_dragged.extend(dragged);
        }
        self.runs.extend(all_dragged);
        self.runs.sort_by_key(|run| run.frames.start);
        parts
    }

    /// Returns the number of frames of `frames` in which the point travels.
    pub fn frames_within(&self, frames: &FrameRange) -> usize {
        let first = self.runs.partition_point(|run| run.frames.end <= frames.start);
        let runs = self.runs[first..].iter().take_while(|run| run.frames.start < frames.end);
        runs.map(|run| overlap(&run.frames, frames).len()).sum()
    }
}

/// The parts of a rest outside of travel that are long enough. `runs` are in order of time.
fn outside(rest: &FrameRange, runs: &[TravelRun], shortest: usize, tracks: &PointTracks) -> Vec<FrameRange> {
    let first = runs.partition_point(|run| run.frames.end <= rest.start);
    let within = || runs[first..].iter().take_while(|run| run.frames.start < rest.end);
    let before = [None].into_iter().chain(within().map(Some));
    let after = within().map(Some).chain([None]);
    let mut parts = Vec::new();
    for (before, after) in before.zip(after) {
        let start = before.map_or(rest.start, |run| run.frames.end.min(rest.end));
        let end = after.map_or(rest.end, |run| run.frames.start.max(start));
        // Before it sinks and after it has risen, a point is in the air.
        let is_raised = after.is_some_and(|run| run.rise(tracks.up) < 0.0)
            || before.is_some_and(|run| run.rise(tracks.up) > 0.0);
        let shortest = if is_raised { tracks.min_run(MIN_RAISED_STOP).max(shortest) } else { shortest };
        // A rest without travel stays, however short it is.
        if (start..end) == *rest || end - start >= shortest.max(1) {
            parts.push(start..end);
        }
    }
    parts
}

/// Returns whether the ground moves and the body stays, as on a treadmill or in a clip made to walk in
/// place. There the belt carries a standing body, whose feet are planted. `flow` is the velocity of the ground
/// at each frame.
pub(crate) fn is_on_belt(flow: &[Vec3], tracks: &PointTracks) -> bool {
    let seconds = tracks.frames as f64 / tracks.fps;
    let distance = |hips: &Vec<Vec3>| match (hips.first(), hips.last()) {
        (Some(first), Some(last)) => first.distance(*last),
        _ => 0.0,
    };
    let body = tracks.hips.iter().map(distance).fold(0.0, f64::max);
    let ground = (flow.iter().copied().sum::<Vec3>() / tracks.fps).length();
    ground > MIN_BELT_SPEED * seconds && body < MAX_BODY_FRACTION * ground
}

/// Mean speed of a belt, at the least, in leg lengths per second: 0.25 m/s under an adult.
const MIN_BELT_SPEED: f64 = 0.3;
/// Distance from the first position of the body to the last, as a fraction of that of the belt, at the most.
const MAX_BODY_FRACTION: f64 = 0.3;

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::FootPoint;

    /// The frames of [`one_leg`].
    pub(super) const ALL: FrameRange = 0..100;

    /// One second of one leg at 100 fps, whose heel and ball are at `point` and whose hip is at `hip`, over ground that
    /// does not move. Both are functions of the time in seconds, in leg lengths.
    pub(super) fn one_leg(point: impl Fn(f64) -> Vec3, hip: impl Fn(f64) -> Vec3) -> PointTracks {
        let seconds = || (0..100).map(|frame| f64::from(frame) / 100.0);
        let positions: Vec<Vec3> = seconds().map(point).collect();
        let track = |point| PointTrack {
            leg: 0,
            point,
            positions: positions.clone(),
            ground_positions: positions.clone(),
            heights: positions.iter().map(|position| position.y).collect(),
            velocities: Vec::new(),
            hip_heights: Vec::new(),
        };
        let tracks = [FootPoint::Heel, FootPoint::Ball].map(track).into();
        PointTracks {
            tracks,
            hips: vec![seconds().map(hip).collect()],
            ..PointTracks::without_points(100, 100.0)
        }
    }

    /// A point that rests until 0.4 s, moves by `displacement` until 0.6 s and rests again.
    pub(super) fn moves_by(displacement: Vec3) -> impl Fn(f64) -> Vec3 {
        move |seconds| displacement * ((seconds - 0.4) / 0.2).clamp(0.0, 1.0)
    }

    fn rests_after_cut(displacement: Vec3) -> Vec<FrameRange> {
        let tracks = one_leg(moves_by(displacement), |_| Vec3::Y);
        PointTravel::default().cut(&[ALL], 10, &tracks.tracks[0], &tracks, &[])
    }

    #[test]
    fn a_drag_divides_a_rest_into_two() {
        let rests = rests_after_cut(Vec3::X * 0.2);
        let [before, after] = rests.as_slice() else { panic!("{rests:?}") };
        assert!((before.start, after.end) == (0, 100), "{rests:?}");
        assert!((38..=43).contains(&before.end) && (57..=62).contains(&after.start), "{rests:?}");
    }

    #[test]
    fn a_wobble_does_not_divide_a_rest() {
        assert_eq!(rests_after_cut(Vec3::X * 0.03), [ALL]);
    }

    #[test]
    fn a_short_stop_in_the_air_is_no_rest() {
        // Raised until 0.25 s, which is shorter than MIN_RAISED_STOP, then lowered.
        let lowered = |seconds: f64| Vec3::Y * (0.1 - 0.1 * ((seconds - 0.25) / 0.3).clamp(0.0, 1.0));
        let tracks = one_leg(lowered, |_| Vec3::Y);
        let rests = PointTravel::default().cut(&[ALL], 10, &tracks.tracks[0], &tracks, &[]);
        let [rest] = rests.as_slice() else { panic!("{rests:?}") };
        assert!(rest.start > 50 && rest.end == 100, "{rests:?}");
    }

    #[test]
    fn travel_is_counted_within_frames() {
        let run = |frames| TravelRun { frames, travel: Travel::Dragged, displacement: Vec3::X };
        let travel = PointTravel { runs: vec![run(10..20), run(40..50)] };
        assert_eq!(travel.frames_within(&(15..45)), 10);
        assert_eq!(travel.frames_within(&(20..40)), 0);
    }

    #[test]
    fn on_a_belt_the_ground_moves_and_the_body_does_not() {
        let belt = [Vec3::NEG_Z; 100];
        let hips = |speed: f64| one_leg(|_| Vec3::ZERO, move |seconds| Vec3::Z * speed * seconds);
        assert!(is_on_belt(&belt, &hips(0.0)));
        assert!(!is_on_belt(&belt, &hips(1.0)));
        assert!(!is_on_belt(&[Vec3::ZERO; 100], &hips(0.0)));
    }
}
