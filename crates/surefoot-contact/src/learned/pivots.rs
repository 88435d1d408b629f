//! Where does a foot turn on one of its points?
//!
//! One who turns on the ball of a foot moves its heel slowly enough to look like a rest. It is none:
//! the heel is somewhere else afterwards, and the ball is not. Where both move, the foot skates, and
//! that is for the cleanup to see to.

use crate::settings::Settings;
use crate::speed_height::{Track, Tracks};
use surefoot_core::{FrameRange, Vec3};

/// A point that turns is faster than this, in legs per second: 10 cm/s in an adult.
const TURNS: f64 = 0.12;
/// And gets farther than this in one go, in legs: 4 cm.
const FAR: f64 = 0.05;
/// While the point the foot turns on stays within this: 1.5 cm.
const STAYS: f64 = 0.018;

/// The parts of a rest in which the foot does not turn on its other point.
///
/// Seen from the room and from the ground: where one foot turns and the other slides round it, most
/// points move, and ground that is taken to move with them tells nothing.
pub(super) fn cut(
    rest: &FrameRange,
    [track, other]: [&Track; 2],
    speeds: &[f64],
    tracks: &Tracks,
    settings: &Settings,
) -> Vec<FrameRange> {
    let in_room: Vec<f64> = track.velocities[rest.clone()].iter().map(|velocity| velocity.length()).collect();
    let parts = turning(rest, &in_room, [&track.places, &other.places]);
    let over_ground =
        |part: FrameRange| turning(&part, &speeds[part.clone()], [&track.over_ground, &other.over_ground]);
    let least = tracks.frames_in(settings.shortest_plant).max(1);
    parts.into_iter().flat_map(over_ground).filter(|part| part.len() >= least).collect()
}

/// The parts without turning, as seen by one who sees these speeds and places.
fn turning(rest: &FrameRange, speeds: &[f64], [own, other]: [&[Vec3]; 2]) -> Vec<FrameRange> {
    let mut parts = Vec::new();
    let mut start = rest.start;
    let mut from = rest.start;
    for run in speeds.chunk_by(|a, b| (*a > TURNS) == (*b > TURNS)) {
        let frames = from..from + run.len();
        from = frames.end;
        let way = |places: &[Vec3]| places[frames.start].distance(places[frames.end - 1]);
        if run[0] > TURNS && way(own) > FAR && way(other) < STAYS {
            parts.push(start..frames.start);
            start = frames.end;
        }
    }
    parts.push(start..rest.end);
    parts.retain(|part| !part.is_empty());
    parts
}
