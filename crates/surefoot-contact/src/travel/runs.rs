//! Finds the frames of a rest in which its point travels.
//!
//! Travel is relative to the estimated ground (`ground_flow`), because feet that all skate alike count
//! as standing. Ground that carries the whole body, such as a platform, is found by comparison with
//! the hip: a skating foot moves under its hip, a carried foot moves with it.

use super::{Travel, TravelRun};
use crate::signal::runs_where;
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::{FootPoint, FrameRange, Vec3};

/// Half-width of the window over which travel is measured, in seconds. A longer one misses the start
/// and end of a drag; in a shorter one jitter looks like travel.
const HALF_WINDOW: f64 = 0.1;
/// Mean speed along the floor from which a point travels, in leg lengths per second: 8 cm/s in an
/// adult. The feet of a standing person sway by less.
const MIN_DRAG_SPEED: f64 = 0.1;
/// Mean speed below which a foot stands in the world, in leg lengths per second: 3 cm/s in an adult.
const STILL_SPEED: f64 = 0.035;
/// Mean vertical speed from which a point travels, in leg lengths per second: 8 cm/s in an adult. The
/// ball of a loaded foot rises and sinks at half of that as the toes bend.
const MIN_VERTICAL_SPEED: f64 = 0.1;
/// Pauses in travel up to this long belong to it, in seconds: jitter makes a slow drag look like stop and go.
const MAX_PAUSE: f64 = 0.15;
/// Distance along the floor from which travel is no wobble, in leg lengths: 3.5 cm in an adult.
/// Lower cuts plants of shaky captures into pieces; higher freezes small shuffles.
const MIN_DRAG: f64 = 0.04;
/// Vertical distance from which travel is no settling, in leg lengths: 2 cm in an adult. A body that
/// shifts its weight presses a foot model down by less.
const MIN_VERTICAL_TRAVEL: f64 = 0.025;
/// Vertical speed from which a point sinks or rises steadily, in leg lengths per second: 13 cm/s in an
/// adult. A heel that rolls off slowly starts with less.
const MIN_STEADY_SPEED: f64 = 0.15;
/// Vertical distance from which a steadily sinking or rising point does not rest, in leg lengths: 1 cm in an adult.
const MIN_STEADY_RISE: f64 = 0.012;
/// Distance from where the point rests before and after its travel, in leg lengths, within which it
/// still rests: 5 mm in an adult.
const REST_DISTANCE: f64 = 0.006;
/// Like [`REST_DISTANCE`], for ground that starts and stops to carry a point: 1.5 cm in an adult. In a shaky capture a
/// point seems to move long after its ground has stopped.
const CARRIED_REST_DISTANCE: f64 = 0.018;
/// Distance along the floor by which a point without any stop may creep and stand, in leg lengths: 7 cm
/// in an adult. The ball of a runner goes this far while it carries the body.
const MAX_CREEP: f64 = 0.08;
/// Vertical distance by which a ball may creep and stand, in leg lengths: 4 cm in an adult.
const MAX_BALL_RISE: f64 = 0.05;
/// Distance that the ground carries a point, at the least, in leg lengths: 30 cm in an adult. A root
/// that drifts in a capture carries a standing foot by less.
const MIN_CARRY: f64 = 0.35;
/// Speed from which the ground carries, in leg lengths per second: 5 cm/s in an adult.
const MIN_CARRY_SPEED: f64 = 0.06;
/// Movement of the hip relative to a carried foot, as a fraction of the displacement of the foot, at the most.
const MAX_HIP_FRACTION: f64 = 0.3;

/// The frames in which a point moves both relative to the ground and in the world.
///
/// Both are required because the estimated ground velocity follows a dragged foot: a foot that is still in the world
/// is not dragged, and while it is still, the ground counts as still for the other foot of the pair.
pub(super) fn dragged(
    rest: &FrameRange,
    track: &PointTrack,
    tracks: &PointTracks,
    other_stands: &[bool],
) -> Vec<TravelRun> {
    if is_steady(rest, track, tracks) {
        let displacement = shorter_displacement(rest, track).0;
        return vec![TravelRun { frames: rest.clone(), travel: Travel::Dragged, displacement }];
    }
    let moves = |frame: usize| {
        let window = Window::new(frame, rest, tracks);
        let is_fast = |positions: &[Vec3]| {
            let distances = Distances::of(window.displacement(positions), tracks.up);
            distances.horizontal > MIN_DRAG_SPEED * window.seconds
                || distances.vertical > MIN_VERTICAL_SPEED * window.seconds
        };
        is_fast(&track.positions)
            && (is_fast(&track.ground_positions) || other_stands.get(frame) == Some(&true))
    };
    let is_far = |displacement: Vec3| {
        let distances = Distances::of(displacement, tracks.up);
        distances.horizontal > MIN_DRAG || distances.vertical > MIN_VERTICAL_TRAVEL
    };
    let runs = joined(runs_where(moves, rest.clone()), tracks.frames_in(MAX_PAUSE));
    let runs = runs.iter().map(|run| dragged_run(run, track, other_stands));
    runs.filter(|run| is_far(run.displacement) && !run.frames.is_empty()).collect()
}

/// The drag in a run of moving frames: in the world if the other foot stands for most of the run, else in the world or
/// relative to the ground, whichever is shorter.
fn dragged_run(run: &FrameRange, track: &PointTrack, other_stands: &[bool]) -> TravelRun {
    let stands = |frame: &usize| other_stands.get(*frame) == Some(&true);
    let (displacement, positions) = match 2 * run.clone().filter(stands).count() > run.len() {
        true => (farthest(run, &track.positions), &track.positions),
        false => shorter_displacement(run, track),
    };
    let frames = moving_frames(run, positions, REST_DISTANCE);
    TravelRun { frames, travel: Travel::Dragged, displacement }
}

/// The displacement of a point in the world or relative to the ground, whichever is shorter, with the positions in that
/// frame of reference.
fn shorter_displacement<'a>(run: &FrameRange, track: &'a PointTrack) -> (Vec3, &'a Vec<Vec3>) {
    let [world, ground] =
        [&track.positions, &track.ground_positions].map(|positions| (farthest(run, positions), positions));
    if world.0.length() < ground.0.length() { world } else { ground }
}

/// The frames in which a point moves and its hip with it.
pub(super) fn carried(rest: &FrameRange, track: &PointTrack, tracks: &PointTracks) -> Vec<TravelRun> {
    let moves = |frame: usize| {
        let window = Window::new(frame, rest, tracks);
        window.displacement(&track.positions).length() > MIN_CARRY_SPEED * window.seconds
    };
    let carries = |run: &FrameRange| {
        let displacement = farthest(run, &track.positions);
        displacement.length() > MIN_CARRY && moves_with_hip(run, displacement, track, &tracks.hips[track.leg])
    };
    let max_pause = tracks.frames_in(MAX_PAUSE);
    let runs = joined(runs_where(moves, rest.clone()), max_pause).into_iter().filter(carries);
    runs.map(|run| TravelRun {
        displacement: farthest(&run, &track.positions),
        travel: Travel::Carried,
        frames: moving_frames(&run, &track.positions, CARRIED_REST_DISTANCE),
    })
    .collect()
}

/// Returns by leg and frame whether a foot rests on the ground and stands still in the world. `rests` are given by track.
pub(crate) fn standing_feet(rests: &[Vec<FrameRange>], tracks: &PointTracks) -> Vec<Vec<bool>> {
    let mut standing = vec![vec![false; tracks.frames]; tracks.hips.len()];
    for (track, rests) in tracks.tracks.iter().zip(rests) {
        for rest in rests {
            for frame in rest.clone() {
                let window = Window::new(frame, rest, tracks);
                let is_still = window.displacement(&track.positions).length() < STILL_SPEED * window.seconds;
                standing[track.leg][frame] |= is_still;
            }
        }
    }
    standing
}

/// Returns whether a point that never stops in its rest moves so little that it counts as standing. A heel that rises
/// rolls off; a ball that rises and sinks as slowly carries the body.
pub(super) fn creeps(
    rest: &FrameRange,
    displacement: Vec3,
    track: &PointTrack,
    tracks: &PointTracks,
) -> bool {
    let distances = Distances::of(displacement, tracks.up);
    let max_rise = match track.point {
        FootPoint::Heel => MIN_VERTICAL_TRAVEL,
        FootPoint::Ball | FootPoint::Toe => MIN_VERTICAL_SPEED * rest.len() as f64 / tracks.fps,
    };
    distances.horizontal < MAX_CREEP
        && distances.vertical < max_rise.clamp(MIN_VERTICAL_TRAVEL, MAX_BALL_RISE)
}

/// Returns whether a point sinks or rises through its whole rest: in both halves at the same speed.
/// Such rests are parts of a long descent, cut by height.
fn is_steady(rest: &FrameRange, track: &PointTrack, tracks: &PointTracks) -> bool {
    let [first, middle, last] =
        [rest.start, (rest.start + rest.end - 1) / 2, rest.end - 1].map(|frame| track.heights[frame]);
    let half = 0.5 * (rest.len() - 1) as f64 / tracks.fps;
    let (one, other) = (middle - first, last - middle);
    one * other > 0.0
        && one.abs().min(other.abs()) > MIN_STEADY_SPEED * half
        && (one + other).abs() > MIN_STEADY_RISE
}

/// The frames around a frame over which a mean speed is measured, within a rest.
struct Window {
    from: usize,
    to: usize,
    seconds: f64,
}

impl Window {
    fn new(frame: usize, rest: &FrameRange, tracks: &PointTracks) -> Self {
        let half = tracks.min_run(HALF_WINDOW);
        let (from, to) = (rest.start.max(frame.saturating_sub(half)), (rest.end - 1).min(frame + half));
        Self { from, to, seconds: (to - from).max(1) as f64 / tracks.fps }
    }

    fn displacement(&self, positions: &[Vec3]) -> Vec3 {
        positions[self.to] - positions[self.from]
    }
}

/// Joins runs that are at most `max_gap` frames apart.
fn joined(runs: Vec<FrameRange>, max_gap: usize) -> Vec<FrameRange> {
    let mut joined: Vec<FrameRange> = Vec::new();
    for run in runs {
        match joined.last_mut() {
            Some(last) if run.start <= last.end + max_gap => last.end = run.end,
            _ => joined.push(run),
        }
    }
    joined
}

/// The frames of a run in which the point is neither where the run starts nor where it ends.
fn moving_frames(run: &FrameRange, positions: &[Vec3], rest_distance: f64) -> FrameRange {
    let is_away = |frame: &usize, from: usize| positions[*frame].distance(positions[from]) > rest_distance;
    let start = run.clone().find(|frame| is_away(frame, run.start)).unwrap_or(run.end);
    let end = run.clone().rfind(|frame| is_away(frame, run.end - 1)).map_or(start, |frame| frame + 1);
    start..end.max(start)
}

/// The displacement from the first position of a run to the one farthest from it.
fn farthest(run: &FrameRange, positions: &[Vec3]) -> Vec3 {
    let displacement = |frame: usize| positions[frame] - positions[run.start];
    run.clone().map(displacement).max_by(|a, b| a.length().total_cmp(&b.length())).unwrap_or_default()
}

/// Returns whether the hip moves with the point.
fn moves_with_hip(run: &FrameRange, displacement: Vec3, track: &PointTrack, hips: &[Vec3]) -> bool {
    let from_hip = |frame: usize| track.positions[frame] - hips[frame];
    let largest = run.clone().map(|frame| from_hip(frame).distance(from_hip(run.start))).fold(0.0, f64::max);
    largest < MAX_HIP_FRACTION * displacement.length()
}

/// The length of a displacement along the floor and across it.
pub(super) struct Distances {
    pub horizontal: f64,
    pub vertical: f64,
}

impl Distances {
    pub fn of(displacement: Vec3, up: Vec3) -> Self {
        let vertical = displacement.dot(up);
        Self { horizontal: (displacement - up * vertical).length(), vertical: vertical.abs() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ALL, moves_by, one_leg};
    use super::*;

    const STANDS: [bool; 100] = [true; 100];

    #[test]
    fn a_point_that_moves_with_its_hip_is_carried() {
        let displacement = Vec3::Y * 0.5;
        let moves = || moves_by(displacement);
        let tracks = one_leg(moves(), |seconds| Vec3::Y + moves()(seconds));
        let runs = carried(&ALL, &tracks.tracks[0], &tracks);
        assert_eq!(runs.len(), 1, "{runs:?}");
        assert_eq!((runs[0].travel, runs[0].displacement), (Travel::Carried, displacement));
        let tracks = one_leg(moves(), |_| Vec3::Y);
        assert!(carried(&ALL, &tracks.tracks[0], &tracks).is_empty());
    }

    #[test]
    fn a_foot_that_skates_with_the_ground_is_dragged_only_if_the_other_foot_stands() {
        let mut tracks = one_leg(moves_by(Vec3::X * 0.2), |_| Vec3::Y);
        tracks.tracks[0].ground_positions = vec![Vec3::ZERO; 100];
        let found = |other_stands: &[bool]| dragged(&ALL, &tracks.tracks[0], &tracks, other_stands);
        assert!(found(&[]).is_empty());
        let runs = found(&STANDS);
        assert_eq!(runs.len(), 1, "{runs:?}");
        assert_eq!((runs[0].travel, runs[0].displacement), (Travel::Dragged, Vec3::X * 0.2));
    }

    #[test]
    fn a_foot_stands_outside_of_its_movement() {
        let tracks = one_leg(moves_by(Vec3::X * 0.2), |_| Vec3::Y);
        let standing = standing_feet(&[vec![ALL], Vec::new()], &tracks);
        assert!(standing[0][..30].iter().chain(&standing[0][70..]).all(|stands| *stands));
        assert!(!standing[0][50]);
    }

    #[test]
    fn runs_are_joined_across_short_pauses() {
        assert_eq!(joined(vec![0..10, 15..20, 26..30], 5), [0..20, 26..30]);
    }
}
