//! Which points of a foot are planted during a contact: its heel, its ball, or both.
//!
//! Training labels are per foot. So the model decides when a foot is down, and the rests of heel and ball decide which
//! of the two is planted. A point that rests outside of every contact is held still in the air. A contact in which no
//! point ever rests, such as a sprinter's, stands on the ball.
//!
//! With [`Edges::Touch`] the plants of a foot cover its contact: the point that rests first starts
//! with it, the point that rests last ends with it. Points that rest exactly are planted only while they rest.

use crate::exact_rest::FILE_ROUNDING;
use crate::settings::{Edges, Settings};
use crate::signal::{overlap, overlapping, quantile};
use crate::tracks::{PointTrack, PointTracks};
use crate::travel::PointTravel;
use surefoot_core::{FootPoint, FrameRange, Vec3};

/// Time by which a contact is widened at both ends when its rests are looked up, in seconds: the error of its edges.
const EDGE_TOLERANCE: f64 = 0.06;

/// One point of a foot that is planted during a contact.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PointContact {
    pub point: FootPoint,
    pub frames: FrameRange,
    /// Whether the point rests exactly, which only generated and cleaned motions do.
    pub is_exact: bool,
}

/// One foot: its contacts, and its heel and ball with their rests.
pub(super) struct FootRests<'a> {
    pub contacts: &'a [FrameRange],
    /// Rests of heel and ball, in order of time.
    pub rests: [Vec<FrameRange>; 2],
    /// Tracks of heel and ball.
    pub points: [&'a PointTrack; 2],
    /// Travel of heel and ball.
    pub travel: [&'a PointTravel; 2],
}

impl FootRests<'_> {
    /// Returns the planted points during all contacts, in no particular order.
    pub fn point_contacts(&self, tracks: &PointTracks, settings: &Settings) -> Vec<PointContact> {
        let of_contact = |number| self.during_contact(number, tracks, settings);
        (0..self.contacts.len()).flat_map(of_contact).collect()
    }

    fn during_contact(&self, number: usize, tracks: &PointTracks, settings: &Settings) -> Vec<PointContact> {
        let contact = &self.contacts[number];
        let mut found = self.rests_during(number, tracks);
        // A rest that is cut off by the contact may become shorter than the shortest plant.
        let shortest = tracks.frames_in(settings.min_plant).min(contact.len());
        found.retain(|rest| rest.is_exact || rest.frames.len() >= shortest);
        if settings.edges == Edges::Rest {
            for rest in found.iter_mut().filter(|rest| !rest.is_exact) {
                let track = self.points[rest.point as usize];
                trim_vertical_motion(&mut rest.frames, track, tracks.up, shortest);
                trim_arrival(&mut rest.frames, track, tracks.fps, shortest);
            }
        }
        let travels = || self.travel.iter().any(|travel| travel.frames_within(contact) > 0);
        match settings.edges {
            Edges::Rest if found.is_empty() && travels() => {}
            _ if found.is_empty() => found.extend(ball_contact(contact, self.points[1], tracks, settings)),
            Edges::Rest => leave_time_to_roll(&mut found, tracks),
            Edges::Touch => cover_contact(contact, &mut found, self.points),
        }
        found
    }

    /// The rests that belong to a contact. Rests that are not exact are cut off at the ends of the contact.
    ///
    /// A rest belongs to a contact if the overlap is more than half of the rest or of the contact.
    fn rests_during(&self, number: usize, tracks: &PointTracks) -> Vec<PointContact> {
        let contact = &self.contacts[number];
        let tolerance = tracks.frames_in(EDGE_TOLERANCE);
        let widened = contact.start.saturating_sub(tolerance)..contact.end + tolerance;
        // Exact rests may extend beyond the contact, but not into the contacts before and after it.
        let between_neighbours = number.checked_sub(1).map_or(0, |before| self.contacts[before].end)
            ..self.contacts.get(number + 1).map_or(tracks.frames, |after| after.start);
        let mut found = Vec::new();
        for (rests, track) in self.rests.iter().zip(self.points) {
            for rest in overlapping(rests, &widened) {
                let inside = overlap(rest, &widened).len();
                if 2 * inside <= rest.len() && 2 * inside <= contact.len() {
                    continue;
                }
                let is_exact = is_exact(rest, track, tracks);
                let frames = overlap(rest, if is_exact { &between_neighbours } else { contact });
                if !frames.is_empty() {
                    found.push(PointContact { point: track.point, frames, is_exact });
                }
            }
        }
        found
    }
}

/// Returns whether a point stays at one height, up to the rounding of files, through the middle of a
/// rest. Heights only: on a treadmill, a stretched path or with a drifting root, an exact rest moves
/// along the ground.
fn is_exact(rest: &FrameRange, track: &PointTrack, tracks: &PointTracks) -> bool {
    let margin = tracks.frames_in(EDGE_TOLERANCE).min(rest.len() / 4);
    let middle = &track.heights[rest.start + margin..rest.end - margin];
    let mean = middle.iter().sum::<f64>() / middle.len().max(1) as f64;
    middle.iter().all(|height| (height - mean).abs() < FILE_ROUNDING)
}

/// Height above its resting height from which on a point can be in vertical motion, in leg lengths: 3.5 mm in an adult.
const MOVING_HEIGHT: f64 = 0.004;

/// Fraction of the heights of a rest that lie below the resting height: less than half, as a rest may contain the frames in
/// which the point comes down and rises.
const RESTING_QUANTILE: f64 = 0.25;

/// Vertical speed from which on a point comes down or rises, in leg lengths per second: 13 cm/s in an adult. A lower speed
/// trims plants that shake.
const VERTICAL_SPEED: f64 = 0.15;

/// Removes the frames at either end of a rest in which the point still comes down or already rises, as in the quick steps of
/// a boxer. A skating foot moves along the ground, so that its plants are not trimmed. At least `shortest` frames are left:
/// in a short rest, noise looks like motion.
fn trim_vertical_motion(rest: &mut FrameRange, track: &PointTrack, up: Vec3, shortest: usize) {
    let resting = quantile(&track.heights[rest.clone()], RESTING_QUANTILE);
    let is_high = |frame: usize| track.heights[frame] - resting > MOVING_HEIGHT;
    let rise = |frame: usize| track.velocities[frame].dot(up);
    let comes_down = |frame: usize| is_high(frame) && rise(frame) < -VERTICAL_SPEED;
    // A heel strikes the ground at speed and may rest for a few frames only.
    while track.point == FootPoint::Ball && rest.len() > shortest && comes_down(rest.start) {
        rest.start += 1;
    }
    while rest.len() > shortest && is_high(rest.end - 1) && rise(rest.end - 1) > VERTICAL_SPEED {
        rest.end -= 1;
    }
}

/// Speed along the ground from which on a point still arrives at its resting position or already leaves it, in leg
/// lengths per second: 60 cm/s in an adult.
const ARRIVAL_SPEED: f64 = 0.7;

/// Distance from its resting position from which on a point can arrive or leave, in leg lengths: 9 mm in an adult.
const ARRIVAL_DISTANCE: f64 = 0.01;

/// Removes the frames at either end of a rest in which the point still arrives or already leaves at speed, as the heel of
/// a dancer who twists on the ball. At least `shortest` frames are left.
fn trim_arrival(rest: &mut FrameRange, track: &PointTrack, fps: f64, shortest: usize) {
    let positions = &track.ground_positions;
    let resting = middle_position(&positions[rest.clone()]);
    let speed = |frame: usize| positions[frame].distance(positions[frame + 1]) * fps;
    let is_away = |frame: usize| positions[frame].distance(resting) > ARRIVAL_DISTANCE;
    while rest.len() > shortest && is_away(rest.start) && speed(rest.start) > ARRIVAL_SPEED {
        rest.start += 1;
    }
    while rest.len() > shortest && is_away(rest.end - 1) && speed(rest.end - 2) > ARRIVAL_SPEED {
        rest.end -= 1;
    }
}

/// The medians of the coordinates of positions.
fn middle_position(positions: &[Vec3]) -> Vec3 {
    let median = |of: fn(&Vec3) -> f64| quantile(&positions.iter().map(of).collect::<Vec<_>>(), 0.5);
    Vec3::new(median(|at| at.x), median(|at| at.y), median(|at| at.z))
}

/// Time that a foot takes to roll from one point alone to the other alone, in seconds.
const ROLL_TIME: f64 = 0.06;

/// Shortens contacts where a foot would change from one point to the other faster than it can roll,
/// unless both rests are exact. The longer contact is shortened first.
fn leave_time_to_roll(contacts: &mut [PointContact], tracks: &PointTracks) {
    let roll = tracks.frames_in(ROLL_TIME);
    contacts.sort_by_key(|contact| contact.frames.start);
    for next in 1..contacts.len() {
        let (before, after) = contacts.split_at_mut(next);
        let (one, other) = (&mut before[next - 1], &mut after[0]);
        let (last, next) = (&mut one.frames, &mut other.frames);
        if one.point == other.point || next.start < last.end || one.is_exact && other.is_exact {
            continue;
        }
        while next.start - last.end < roll && last.len().min(next.len()) > 1 {
            if last.len() > next.len() { last.end -= 1 } else { next.start += 1 }
        }
    }
}

/// Distance from its resting position beyond which a point is up, whatever the model's score, in leg
/// lengths: 13 cm in an adult. A runner's foot touches down up to 10 cm from where it comes to rest.
const MAX_DISTANCE_FROM_REST: f64 = 0.15;

/// Returns the last frame from `rest` towards `to` up to which a point stays near its position at `rest`.
fn stays_until(track: &PointTrack, rest: usize, to: usize) -> usize {
    let is_near = |frame: usize| {
        let distance = |positions: &[Vec3]| positions[frame].distance(positions[rest]);
        distance(&track.positions).min(distance(&track.ground_positions)) < MAX_DISTANCE_FROM_REST
    };
    let last_near = if to < rest {
        (to..rest).rev().find(|&frame| !is_near(frame)).map(|frame| frame + 1)
    } else {
        (rest + 1..=to).find(|&frame| !is_near(frame)).map(|frame| frame - 1)
    };
    last_near.unwrap_or(to)
}

/// Extends the rests so that they cover the whole contact: the first starts with it, the last ends
/// with it and gaps go to the rest before them. Exact rests keep their outer edges, and frames in which
/// the point is elsewhere stay uncovered.
fn cover_contact(contact: &FrameRange, rests: &mut Vec<PointContact>, points: [&PointTrack; 2]) {
    let track = |rest: &PointContact| points[rest.point as usize];
    rests.sort_by_key(|rest| (rest.frames.start, core::cmp::Reverse(rest.frames.end)));
    if let Some(first) =
        rests.first_mut().filter(|first| !first.is_exact && contact.start < first.frames.start)
    {
        first.frames.start = stays_until(track(first), first.frames.start, contact.start);
    }
    // The rest with the latest end so far.
    let mut latest = 0;
    for next in 1..rests.len() {
        let start = rests[next].frames.start;
        let before = &mut rests[latest];
        if start > before.frames.end {
            before.frames.end = stays_until(track(before), before.frames.end - 1, start - 1) + 1;
        }
        if rests[next].frames.end >= rests[latest].frames.end {
            latest = next;
        }
    }
    if let Some(last) = rests.get_mut(latest).filter(|last| !last.is_exact && last.frames.end < contact.end) {
        last.frames.end = stays_until(track(last), last.frames.end - 1, contact.end - 1) + 1;
    }
    merge(rests);
}

/// Joins contacts of one point that touch or overlap.
fn merge(contacts: &mut Vec<PointContact>) {
    contacts.sort_by_key(|contact| (contact.point, contact.frames.start));
    contacts.dedup_by(|contact, before| {
        let touches = contact.point == before.point && contact.frames.start <= before.frames.end;
        if touches {
            before.frames.end = before.frames.end.max(contact.frames.end);
        }
        touches
    });
}

/// The plant of a contact without any rest: the ball, through the whole contact with [`Edges::Touch`],
/// else while it is near its position in the middle of the contact.
fn ball_contact(
    contact: &FrameRange,
    ball: &PointTrack,
    tracks: &PointTracks,
    settings: &Settings,
) -> Option<PointContact> {
    let planted = |frames: FrameRange| PointContact { point: FootPoint::Ball, frames, is_exact: false };
    if settings.edges == Edges::Touch {
        return Some(planted(contact.clone()));
    }
    let middle = (contact.start + contact.end) / 2;
    let spot = ball.ground_positions[middle];
    let is_near = |frame: usize| ball.ground_positions[frame].distance(spot) < settings.max_edge_drift;
    let before = (contact.start..middle).rev().find(|&frame| !is_near(frame));
    let start = before.map_or(contact.start, |frame| frame + 1);
    let end = (middle..contact.end).find(|&frame| !is_near(frame)).unwrap_or(contact.end);
    (end - start >= tracks.min_run(settings.min_plant)).then(|| planted(start..end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use FootPoint::{Ball, Heel};

    /// A heel and a ball that jump by half a leg length at frame `moves_at`.
    fn tracks(moves_at: usize) -> [PointTrack; 2] {
        [Heel, Ball].map(|point| {
            let positions: Vec<Vec3> =
                (0..60).map(|frame| Vec3::X * if frame < moves_at { 0.0 } else { 0.5 }).collect();
            PointTrack {
                leg: 0,
                point,
                ground_positions: positions.clone(),
                heights: vec![0.0; 60],
                velocities: vec![Vec3::ZERO; 60],
                hip_heights: vec![1.0; 60],
                positions,
            }
        })
    }

    type Frames = (FootPoint, FrameRange);

    /// Applies a function to rests that are not exact.
    fn apply(rests: &[Frames], change: impl FnOnce(&mut Vec<PointContact>)) -> Vec<Frames> {
        let rest = |(point, frames): &Frames| PointContact {
            point: *point,
            frames: frames.clone(),
            is_exact: false,
        };
        let mut rests = rests.iter().map(rest).collect();
        change(&mut rests);
        rests.into_iter().map(|rest| (rest.point, rest.frames)).collect()
    }

    fn covered_with_move(moves_at: usize, contact: FrameRange, rests: &[Frames]) -> Vec<Frames> {
        let tracks = tracks(moves_at);
        apply(rests, |rests| cover_contact(&contact, rests, [&tracks[0], &tracks[1]]))
    }

    fn covered(contact: FrameRange, rests: &[Frames]) -> Vec<Frames> {
        covered_with_move(60, contact, rests)
    }

    #[test]
    fn rolling_from_heel_to_ball_takes_time() {
        let tracks = PointTracks::without_points(100, 100.0);
        let rolled = |rests: &[Frames]| apply(rests, |rests| leave_time_to_roll(rests, &tracks));
        assert_eq!(rolled(&[(Heel, 0..20), (Ball, 20..60)]), [(Heel, 0..20), (Ball, 26..60)]);
        assert_eq!(rolled(&[(Heel, 0..30), (Ball, 20..60)]), [(Heel, 0..30), (Ball, 20..60)]);
        assert_eq!(rolled(&[(Heel, 0..20), (Ball, 30..60)]), [(Heel, 0..20), (Ball, 30..60)]);
    }

    #[test]
    fn a_plant_begins_when_its_point_has_arrived_and_ends_before_it_leaves() {
        let [mut track, _] = tracks(60);
        // At 100 frames per second, 2 leg lengths per second at the start and 1.5 at the end.
        for frame in 0..60_u8 {
            let [before, after] = [15.0 - f64::from(frame), f64::from(frame) - 40.0].map(|by| by.max(0.0));
            track.ground_positions[usize::from(frame)] = Vec3::X * (0.015 * after - 0.02 * before);
        }
        let trimmed = |track: &PointTrack, mut rest: FrameRange, shortest| {
            trim_arrival(&mut rest, track, 100.0, shortest);
            rest
        };
        assert_eq!(trimmed(&track, 10..45, 5), 15..41);
        assert_eq!(trimmed(&track, 15..41, 5), 15..41);
        assert_eq!(trimmed(&track, 10..45, 33), 12..45);
        // Slow motion along the ground is skating.
        track.ground_positions.iter_mut().for_each(|at| *at *= 0.3);
        assert_eq!(trimmed(&track, 10..45, 5), 10..45);
    }

    #[test]
    fn frames_in_which_the_point_is_elsewhere_stay_uncovered() {
        assert_eq!(
            covered_with_move(14, 0..50, &[(Heel, 0..10), (Ball, 20..50)]),
            [(Heel, 0..14), (Ball, 20..50)]
        );
        assert_eq!(covered_with_move(4, 0..50, &[(Ball, 10..50)]), [(Ball, 4..50)]);
        assert_eq!(covered_with_move(46, 0..50, &[(Ball, 0..40)]), [(Ball, 0..46)]);
    }

    #[test]
    fn the_first_rest_starts_with_the_contact_and_the_last_ends_with_it() {
        assert_eq!(covered(10..50, &[(Heel, 12..30), (Ball, 16..45)]), [(Heel, 10..30), (Ball, 16..50)]);
        assert_eq!(covered(10..50, &[(Ball, 12..45)]), [(Ball, 10..50)]);
    }

    #[test]
    fn a_gap_between_rests_goes_to_the_rest_before_it() {
        assert_eq!(covered(0..50, &[(Heel, 0..10), (Ball, 20..50)]), [(Heel, 0..20), (Ball, 20..50)]);
        assert_eq!(covered(0..50, &[(Ball, 0..10), (Ball, 20..50)]), [(Ball, 0..50)]);
    }
}
