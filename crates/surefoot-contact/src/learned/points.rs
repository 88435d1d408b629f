//! Which part of a foot stands in a step: its heel, its ball, or both?
//!
//! Labels know only feet, so the model says when a foot is down, and where the points rest says
//! which of them carries it. A point that rests outside every step is held still in the air. A step
//! in which no point ever rests, as a sprinter's, stands on its ball.
//!
//! Touching, a foot is down from the first frame of its step to the last: whichever point comes to
//! rest first is down from the first on, whichever rests last until the last. Points that rest exactly
//! touch while they rest, and no longer.

use crate::settings::{Edges, Settings};
use crate::speed_height::{Track, Tracks};
use surefoot_core::{FootPoint, FrameRange, Vec3};

/// A step may be so many seconds off and still be the one that a point rests in.
const OFF: f64 = 0.06;
/// A point whose height strays by less than this from the mean rests exactly, in legs: 10 µm, as files are rounded. Only made or
/// cleaned motions do, and there rest is a sharper witness than the model. On a belt, on a stretched path and where the body
/// drifts too: there a point that rests is moved along the ground, and no higher.
const EXACTLY: f64 = 1e-5;

/// A part of a step: one of its points is down.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub point: FootPoint,
    pub frames: FrameRange,
    /// Whether the point rests exactly.
    pub is_exact: bool,
}

/// The parts of one foot's steps, in no order.
pub(super) fn parts(
    steps: &[FrameRange],
    rests: [&[FrameRange]; 2],
    tracks: &Tracks,
    own: [&Track; 2],
    settings: &Settings,
) -> Vec<Part> {
    let mut parts = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let between = |neighbour: Option<&FrameRange>, default: usize, end: fn(&FrameRange) -> usize| {
            neighbour.map_or(default, end)
        };
        // No part reaches into the step before or after.
        let room = between(number.checked_sub(1).map(|k| &steps[k]), 0, |step| step.end)
            ..between(steps.get(number + 1), tracks.frames, |step| step.start);
        let mut found = resting(step, &room, rests, tracks, own);
        // What a step leaves of a rest may be less than any foot stands.
        let least = tracks.frames_in(settings.shortest_plant).min(step.len());
        found.retain(|part| part.is_exact || part.frames.len() >= least);
        match settings.edges {
            _ if found.is_empty() => found.extend(unrested(step, own[1], tracks, settings)),
            Edges::Rest => give_way(&mut found, tracks),
            Edges::Touch => fill(step, &mut found, own),
        }
        parts.extend(found);
    }
    parts
}

/// The rests that belong to a step, cut to it unless they are exact.
fn resting(
    step: &FrameRange,
    room: &FrameRange,
    rests: [&[FrameRange]; 2],
    tracks: &Tracks,
    own: [&Track; 2],
) -> Vec<Part> {
    let off = tracks.frames_in(OFF);
    let wide = step.start.saturating_sub(off)..step.end + off;
    let mut found = Vec::new();
    for (rests, track) in rests.into_iter().zip(own) {
        for rest in rests {
            let inside = shared(rest, &wide);
            if 2 * inside.len() <= rest.len() && 2 * inside.len() <= step.len() {
                continue;
            }
            let is_exact = is_exact(rest, track, tracks);
            let frames = shared(rest, if is_exact { room } else { step });
            if !frames.is_empty() {
                found.push(Part { point: track.point, frames, is_exact });
            }
        }
    }
    found
}

fn shared(a: &FrameRange, b: &FrameRange) -> FrameRange {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}

/// Whether a point stays at one height, to next to nothing, through the middle of a rest.
fn is_exact(rest: &FrameRange, track: &Track, tracks: &Tracks) -> bool {
    let cut = tracks.frames_in(OFF).min(rest.len() / 4);
    let middle = &track.heights[rest.start + cut..rest.end - cut];
    let mean = middle.iter().sum::<f64>() / middle.len().max(1) as f64;
    middle.iter().all(|height| (height - mean).abs() < EXACTLY)
}

/// Seconds that a foot takes to go from standing on one point alone to standing on the other alone.
const ROLLS: f64 = 0.06;

/// Lets a foot roll from one point to the other where it never stands on both: it cannot do so from one
/// frame to the next, unless it was seen to.
fn give_way(parts: &mut [Part], tracks: &Tracks) {
    let takes = tracks.frames_in(ROLLS);
    parts.sort_by_key(|part| part.frames.start);
    for next in 1..parts.len() {
        let (before, after) = parts.split_at_mut(next);
        let (one, other) = (&mut before[next - 1], &mut after[0]);
        let (last, next) = (&mut one.frames, &mut other.frames);
        if one.point == other.point || next.start < last.end || one.is_exact && other.is_exact {
            continue;
        }
        while next.start - last.end < takes && last.len().min(next.len()) > 1 {
            if last.len() > next.len() { last.end -= 1 } else { next.start += 1 }
        }
    }
}

/// A point that is farther than this from where it rested is up, whatever the model says of its foot, in
/// legs: 13 cm in an adult. A runner whose foot has just touched down may be 10 from where it comes to rest.
const LEFT: f64 = 0.15;

/// The frames from `rest` on towards `to`, through which a point stays near its place at `rest`: the last.
fn stays_until(track: &Track, rest: usize, to: usize) -> usize {
    let is_near = |frame: usize| {
        let away = |places: &[Vec3]| places[frame].distance(places[rest]);
        away(&track.places).min(away(&track.over_ground)) < LEFT
    };
    let left = if to < rest {
        (to..rest).rev().find(|&frame| !is_near(frame)).map(|frame| frame + 1)
    } else {
        (rest + 1..=to).find(|&frame| !is_near(frame)).map(|frame| frame - 1)
    };
    left.unwrap_or(to)
}

/// Makes the parts cover their step: the first begins with it, the last ends with it unless its point was seen to come or
/// go, and no frame between has none; but for frames in which the foot has gone elsewhere.
fn fill(step: &FrameRange, parts: &mut Vec<Part>, own: [&Track; 2]) {
    let of = |part: &Part| own[part.point as usize];
    parts.sort_by_key(|part| (part.frames.start, core::cmp::Reverse(part.frames.end)));
    if let Some(first) = parts.first_mut().filter(|first| !first.is_exact && step.start < first.frames.start)
    {
        first.frames.start = stays_until(of(first), first.frames.start, step.start);
    }
    // The part that reaches farthest so far.
    let mut farthest = 0;
    for next in 1..parts.len() {
        let start = parts[next].frames.start;
        let reaches = &mut parts[farthest];
        if start > reaches.frames.end {
            reaches.frames.end = stays_until(of(reaches), reaches.frames.end - 1, start - 1) + 1;
        }
        if parts[next].frames.end >= parts[farthest].frames.end {
            farthest = next;
        }
    }
    if let Some(last) = parts.get_mut(farthest).filter(|last| !last.is_exact && last.frames.end < step.end) {
        last.frames.end = stays_until(of(last), last.frames.end - 1, step.end - 1) + 1;
    }
    merge(parts);
}

/// Joins parts of one point that touch.
fn merge(parts: &mut Vec<Part>) {
    parts.sort_by_key(|part| (part.point, part.frames.start));
    parts.dedup_by(|part, before| {
        let touch = part.point == before.point && part.frames.start <= before.frames.end;
        if touch {
            before.frames.end = before.frames.end.max(part.frames.end);
        }
        touch
    });
}

/// A step without rest stands on its ball: all of it where it is to touch, else the frames in which
/// the ball is near the middle of its way.
fn unrested(step: &FrameRange, ball: &Track, tracks: &Tracks, settings: &Settings) -> Option<Part> {
    let ball_for = |frames: FrameRange| Part { point: FootPoint::Ball, frames, is_exact: false };
    if settings.edges == Edges::Touch {
        return Some(ball_for(step.clone()));
    }
    let middle = ball.over_ground[(step.start + step.end) / 2];
    let is_near = |frame: usize| ball.over_ground[frame].distance(middle) < settings.strays;
    let half = (step.start + step.end) / 2;
    let start = (step.start..half).rev().find(|&frame| !is_near(frame)).map_or(step.start, |frame| frame + 1);
    let end = (half..step.end).find(|&frame| !is_near(frame)).unwrap_or(step.end);
    let least = tracks.frames_in(settings.shortest_plant).max(1);
    (end - start >= least).then(|| ball_for(start..end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use FootPoint::{Ball, Heel};

    /// A heel and a ball that are half a leg off from frame `moved` on.
    fn tracks(moved: usize) -> [Track; 2] {
        [Heel, Ball].map(|point| {
            let places: Vec<Vec3> =
                (0..60).map(|frame| Vec3::X * if frame < moved { 0.0 } else { 0.5 }).collect();
            Track {
                leg: 0,
                point,
                over_ground: places.clone(),
                heights: vec![0.0; 60],
                velocities: vec![Vec3::ZERO; 60],
                hips: vec![1.0; 60],
                places,
            }
        })
    }

    type Parts = [(FootPoint, FrameRange)];

    /// What is made of parts, none of which is exact.
    fn made(parts: &Parts, make: impl FnOnce(&mut Vec<Part>)) -> Vec<(FootPoint, FrameRange)> {
        let part = |(point, frames): &(FootPoint, FrameRange)| Part {
            point: *point,
            frames: frames.clone(),
            is_exact: false,
        };
        let mut parts = parts.iter().map(part).collect();
        make(&mut parts);
        parts.into_iter().map(|part| (part.point, part.frames)).collect()
    }

    fn filled_where(moved: usize, step: FrameRange, parts: &Parts) -> Vec<(FootPoint, FrameRange)> {
        let tracks = tracks(moved);
        made(parts, |parts| fill(&step, parts, [&tracks[0], &tracks[1]]))
    }

    fn filled(step: FrameRange, parts: &Parts) -> Vec<(FootPoint, FrameRange)> {
        filled_where(60, step, parts)
    }

    #[test]
    fn a_foot_rolls_from_heel_to_ball_in_its_time() {
        let tracks = Tracks { tracks: Vec::new(), frames: 100, fps: 100.0, up: Vec3::Y };
        let given_way = |parts: &Parts| made(parts, |parts| give_way(parts, &tracks));
        assert_eq!(given_way(&[(Heel, 0..20), (Ball, 20..60)]), [(Heel, 0..20), (Ball, 26..60)]);
        assert_eq!(given_way(&[(Heel, 0..30), (Ball, 20..60)]), [(Heel, 0..30), (Ball, 20..60)]);
        assert_eq!(given_way(&[(Heel, 0..20), (Ball, 30..60)]), [(Heel, 0..20), (Ball, 30..60)]);
    }

    #[test]
    fn a_foot_that_has_gone_elsewhere_is_not_down_on_the_way() {
        assert_eq!(
            filled_where(14, 0..50, &[(Heel, 0..10), (Ball, 20..50)]),
            [(Heel, 0..14), (Ball, 20..50)]
        );
        assert_eq!(filled_where(4, 0..50, &[(Ball, 10..50)]), [(Ball, 4..50)]);
        assert_eq!(filled_where(46, 0..50, &[(Ball, 0..40)]), [(Ball, 0..46)]);
    }

    #[test]
    fn the_first_to_rest_strikes_and_the_last_to_rest_leaves() {
        assert_eq!(filled(10..50, &[(Heel, 12..30), (Ball, 16..45)]), [(Heel, 10..30), (Ball, 16..50)]);
        assert_eq!(filled(10..50, &[(Ball, 12..45)]), [(Ball, 10..50)]);
    }

    #[test]
    fn frames_between_are_given_to_the_part_before() {
        assert_eq!(filled(0..50, &[(Heel, 0..10), (Ball, 20..50)]), [(Heel, 0..20), (Ball, 20..50)]);
        assert_eq!(filled(0..50, &[(Ball, 0..10), (Ball, 20..50)]), [(Ball, 0..50)]);
    }
}
