//! Removes travel: frames in which a point is on the ground, slow, and yet goes somewhere.
//!
//! A rest may wobble, sway and sink a little. A foot that is dragged over the floor, that is lowered
//! onto a step or that rides on a lift is as slow as a resting one, but ends elsewhere. Held at one
//! spot it would be frozen and then jump. So those frames belong to no plant, and the rests before
//! and after them keep their own spots.
//!
//! Travel is relative to the estimated ground (`ground_flow`), because where all feet skate alike
//! they stand. Ground that carries the whole body, such as a platform, is found by comparison with
//! the hip: a skating foot moves under its hip, a carried foot moves with it.

use crate::signal::{overlap, runs_where};
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::{FootPoint, FrameRange, Vec3};

/// Why a point on the ground is not planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Travel {
    /// The point moves by itself: a shuffle, a slide, a foot that is lowered slowly.
    Dragged,
    /// The point and its hip move together: a lift, a platform, a vehicle.
    Carried,
}

/// Frames of a rest in which its point travels, and how far, in leg lengths.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TravelRun {
    pub frames: FrameRange,
    pub travel: Travel,
    /// From the first frame to the last.
    pub way: Vec3,
}

/// Half-width of the window over which travel is measured, in seconds. A longer one misses the start
/// and end of a drag; in a shorter one jitter travels.
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
/// Vertical distance from which a rest that sinks or rises steadily is none, in leg lengths: 1 cm in an adult.
const MIN_STEADY_RISE: f64 = 0.012;
/// Distance from where the point rests before and after its travel, in leg lengths, within which it
/// still rests: 5 mm in an adult.
const REST_DISTANCE: f64 = 0.006;
/// The same for ground that starts and stops to carry a point: 1.5 cm in an adult. In a shaky capture a
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
/// Movement of the hip relative to a carried foot, as a fraction of the way of the foot, at the most.
const MAX_HIP_FRACTION: f64 = 0.3;

impl TravelRun {
    /// The height by which the point rises, in leg lengths; 0 where it moves mainly along the floor.
    fn rises(&self, up: Vec3) -> f64 {
        let height = self.way.dot(up);
        if height.abs() > 0.5 * self.way.length() { height } else { 0.0 }
    }
}

/// Time for which a point must rest before it sinks, or after it has risen, to be planted there, in
/// seconds. A foot that is lowered hesitates for less.
const MIN_RAISED_STOP: f64 = 0.3;

/// The travel of one point through a motion. Frames are counted from the first frame of the performance.
#[derive(Clone, Debug, Default)]
pub(crate) struct PointTravel {
    /// In order of time.
    pub runs: Vec<TravelRun>,
}

impl PointTravel {
    /// Adds where ground carries a slow point.
    pub fn add_carried(&mut self, slow: &[FrameRange], track: &PointTrack, tracks: &PointTracks) {
        self.runs.extend(slow.iter().flat_map(|run| carried(run, track, tracks)));
    }

    /// Adds where a point is dragged, and removes all travel from its rests, which are in order of time.
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
            if rests.is_empty() && dragged.iter().all(|run| creeps(&part, run.way, track, tracks)) {
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

/// Returns whether the ground moves and the body stays, as on a treadmill or in a clip made to walk in
/// place. There a body that stands for a moment is carried, and stands. `flow` is the ground's velocity
/// at each frame.
pub(crate) fn is_on_belt(flow: &[Vec3], tracks: &PointTracks) -> bool {
    let seconds = tracks.frames as f64 / tracks.fps;
    let travelled = |hips: &Vec<Vec3>| match (hips.first(), hips.last()) {
        (Some(first), Some(last)) => first.distance(*last),
        _ => 0.0,
    };
    let body = tracks.hips.iter().map(travelled).fold(0.0, f64::max);
    let ground = (flow.iter().copied().sum::<Vec3>() / tracks.fps).length();
    ground > MIN_BELT_SPEED * seconds && body < MAX_BODY_FRACTION * ground
}

/// Mean speed of a belt, at the least, in leg lengths per second: 0.25 m/s under an adult.
const MIN_BELT_SPEED: f64 = 0.3;
/// Distance from the first place of the body to the last, as a fraction of the way of the belt, at the most.
const MAX_BODY_FRACTION: f64 = 0.3;

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
        let is_raised = after.is_some_and(|run| run.rises(tracks.up) < 0.0)
            || before.is_some_and(|run| run.rises(tracks.up) > 0.0);
        let shortest = if is_raised { tracks.min_run(MIN_RAISED_STOP).max(shortest) } else { shortest };
        // A rest without travel stays, however short it is.
        if (start..end) == *rest || end - start >= shortest.max(1) {
            parts.push(start..end);
        }
    }
    parts
}

/// The frames in which a point moves both relative to the ground and in the world.
///
/// The estimated ground follows a dragged foot, so a foot that stands in the world stands, and while
/// it does the ground stands still for the other foot of its pair.
fn dragged(
    rest: &FrameRange,
    track: &PointTrack,
    tracks: &PointTracks,
    other_stands: &[bool],
) -> Vec<TravelRun> {
    if is_steady(rest, track, tracks) {
        let ways = [&track.positions, &track.ground_positions].map(|positions| farthest(rest, positions));
        let way = if ways[0].length() < ways[1].length() { ways[0] } else { ways[1] };
        return vec![TravelRun { frames: rest.clone(), travel: Travel::Dragged, way }];
    }
    let window = |frame: usize| Window::new(frame, rest, tracks);
    let moves = |frame: usize| {
        let window = window(frame);
        let is_fast = |positions: &[Vec3]| {
            let way = Way::new(window.way(positions), tracks.up);
            way.horizontal > MIN_DRAG_SPEED * window.seconds
                || way.vertical > MIN_VERTICAL_SPEED * window.seconds
        };
        is_fast(&track.positions)
            && (is_fast(&track.ground_positions) || other_stands.get(frame) == Some(&true))
    };
    let is_far = |way: Vec3| {
        let way = Way::new(way, tracks.up);
        way.horizontal > MIN_DRAG || way.vertical > MIN_VERTICAL_TRAVEL
    };
    let run = |run: FrameRange| {
        let stands = |frame: &usize| other_stands.get(*frame) == Some(&true);
        let is_other_standing = 2 * run.clone().filter(stands).count() > run.len();
        let ways = [&track.positions, &track.ground_positions].map(|positions| farthest(&run, positions));
        let in_world = is_other_standing || ways[0].length() < ways[1].length();
        let (way, positions) =
            if in_world { (ways[0], &track.positions) } else { (ways[1], &track.ground_positions) };
        TravelRun { frames: moving_frames(&run, positions, REST_DISTANCE), travel: Travel::Dragged, way }
    };
    let max_pause = tracks.frames_in(MAX_PAUSE);
    let runs = joined(runs_where(moves, rest.clone()), max_pause).into_iter().map(run);
    runs.filter(|run| is_far(run.way) && !run.frames.is_empty()).collect()
}

/// Returns by leg and frame whether a foot rests on the ground and stands still in the world. `rests` are given by track.
pub(crate) fn standing_feet(rests: &[Vec<FrameRange>], tracks: &PointTracks) -> Vec<Vec<bool>> {
    let mut standing = vec![vec![false; tracks.frames]; tracks.hips.len()];
    for (track, rests) in tracks.tracks.iter().zip(rests) {
        for rest in rests {
            for frame in rest.clone() {
                let window = Window::new(frame, rest, tracks);
                let is_still = window.way(&track.positions).length() < STILL_SPEED * window.seconds;
                standing[track.leg][frame] |= is_still;
            }
        }
    }
    standing
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

    fn way(&self, positions: &[Vec3]) -> Vec3 {
        positions[self.to] - positions[self.from]
    }
}

/// Returns whether a point that never stops in its rest stays so near that it stands. A heel that rises
/// rolls off; a ball that rises and sinks as slowly carries the body.
fn creeps(rest: &FrameRange, way: Vec3, track: &PointTrack, tracks: &PointTracks) -> bool {
    let way = Way::new(way, tracks.up);
    let max_rise = match track.point {
        FootPoint::Heel => MIN_VERTICAL_TRAVEL,
        FootPoint::Ball => MIN_VERTICAL_SPEED * rest.len() as f64 / tracks.fps,
    };
    way.horizontal < MAX_CREEP && way.vertical < max_rise.clamp(MIN_VERTICAL_TRAVEL, MAX_BALL_RISE)
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

/// The frames in which a point moves and its hip with it.
fn carried(rest: &FrameRange, track: &PointTrack, tracks: &PointTracks) -> Vec<TravelRun> {
    let moves = |frame: usize| {
        let window = Window::new(frame, rest, tracks);
        window.way(&track.positions).length() > MIN_CARRY_SPEED * window.seconds
    };
    let carries = |run: &FrameRange| {
        let way = farthest(run, &track.positions);
        way.length() > MIN_CARRY && moves_with_hip(run, way, track, &tracks.hips[track.leg])
    };
    let max_pause = tracks.frames_in(MAX_PAUSE);
    let runs = joined(runs_where(moves, rest.clone()), max_pause).into_iter().filter(carries);
    runs.map(|run| TravelRun {
        way: farthest(&run, &track.positions),
        travel: Travel::Carried,
        frames: moving_frames(&run, &track.positions, CARRIED_REST_DISTANCE),
    })
    .collect()
}

/// The way from the first position of a run to the one farthest from it.
fn farthest(run: &FrameRange, positions: &[Vec3]) -> Vec3 {
    let way = |frame: usize| positions[frame] - positions[run.start];
    run.clone().map(way).max_by(|a, b| a.length().total_cmp(&b.length())).unwrap_or_default()
}

/// Returns whether the hip stays where it is relative to the point.
fn moves_with_hip(run: &FrameRange, way: Vec3, track: &PointTrack, hips: &[Vec3]) -> bool {
    let from_hip = |frame: usize| track.positions[frame] - hips[frame];
    let most = run.clone().map(|frame| from_hip(frame).distance(from_hip(run.start))).fold(0.0, f64::max);
    most < MAX_HIP_FRACTION * way.length()
}

/// Distance along the floor from the first quarter of a plant to its last that leaves no doubt, in leg
/// lengths: 4 cm in an adult. Of captured plants 19 in 20 creep by less.
const SURE_CREEP: f64 = 0.045;
/// The same in height: 2 cm in an adult.
const SURE_RISE: f64 = 0.025;
/// Additional distance that halves the confidence, in leg lengths: 3 cm in an adult.
const DOUBTFUL_CREEP: f64 = 0.035;

/// Returns how likely a point that is down through these frames rests rather than creeps, from 0 to 1:
/// a factor of the confidence.
///
/// Where the other foot of the pair stays in the world, the ground does; else the shorter way counts, in
/// the world or relative to the ground.
pub(crate) fn rest_likelihood(frames: &FrameRange, track: &PointTrack, tracks: &PointTracks) -> f64 {
    let quarter = (frames.len() / 4).max(1);
    let way = |positions: &[Vec3]| {
        let mean = |frames: FrameRange| positions[frames].iter().copied().sum::<Vec3>() / quarter as f64;
        mean(frames.end - quarter..frames.end) - mean(frames.start..frames.start + quarter)
    };
    let [world, ground] =
        [&track.positions, &track.ground_positions].map(|positions| Way::new(way(positions), tracks.up));
    // Heel and ball of the other foot. Legs are ordered left, right, left, right.
    let mut other = tracks.tracks.iter().filter(|other| other.leg == track.leg ^ 1);
    let other_stays = other.any(|other| way(&other.positions).length() < 0.5 * SURE_CREEP);
    let horizontal = if other_stays { world.horizontal } else { world.horizontal.min(ground.horizontal) };
    let excess = (horizontal - SURE_CREEP).max(world.vertical - SURE_RISE).max(0.0) / DOUBTFUL_CREEP;
    1.0 / (1.0 + excess * excess)
}

/// The length of a way along the floor and across it.
struct Way {
    horizontal: f64,
    vertical: f64,
}

impl Way {
    fn new(way: Vec3, up: Vec3) -> Self {
        let vertical = way.dot(up);
        Self { horizontal: (way - up * vertical).length(), vertical: vertical.abs() }
    }
}
