//! Phase 1 for feet that have hardly moved since their last plant: with a spot of its own, the new plant would make a
//! resting foot jump or slide.

use surefoot_core::{FootPoint, Vec3};

use crate::foot_points::other;
use crate::setup::Setup;
use crate::stream::window::Window;

/// Longest time between two plants of a point that may have the same spot, in seconds.
const REPLANT_TIME: f64 = 0.25;

/// Number of frames before its own that this phase reads.
pub(crate) fn frames_behind(fps: f64) -> usize {
    (REPLANT_TIME * fps) as usize
}

/// Most that a captured point travels between two plants that have the same spot, in metres. A foot that travels further has
/// taken a step.
const REPLANT_TRAVEL: f64 = 0.02;

/// Largest distance between the mean of a plant and the spot of the plant before it, in metres, if both are to have the same
/// spot. Without this limit, a foot that creeps through many plants would be held ever further from where it is.
const REPLANT_DISTANCE: f64 = 0.06;

/// The spot of the plant before, if the point has stood nearly still since then: with a spot of its own, the new plant would
/// make a resting foot jump.
pub(super) fn spot_before(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    point: FootPoint,
    mean: Vec3,
) -> Option<Vec3> {
    if setup.rules.is_published {
        return None;
    }
    let earliest = window.earliest().max(frame.saturating_sub(frames_behind(setup.fps)));
    let before = (earliest..frame).rev().find(|before| window.plants(*before, leg).ids()[point].is_some())?;
    let is_toe = |frame: usize| point != FootPoint::Heel && window.plants(frame, leg).stands_on_toe();
    if is_toe(before) != is_toe(frame) {
        return None;
    }
    let spot = match window.details(before, leg) {
        Some(details) => details.spots[point],
        None => window.plants(before, leg).planted_spots()[point]?,
    };
    let position = |at: usize| match is_toe(frame) {
        true => window.leg(at, leg).captured.toe,
        false => window.leg(at, leg).captured.points()[point],
    };
    let is_still = (before..=frame).all(|at| position(at).distance(position(before)) < REPLANT_TRAVEL);
    (is_still && spot.distance(mean) < REPLANT_DISTANCE).then_some(spot)
}

/// Distance along the floor by which a foot that stands may slide into a new spot, in metres. A viewer notices 12 mm.
const UNSEEN_SLIDE: f64 = 0.008;

/// Further distance by which it may slide, as a fraction of the distance that the captured point travels meanwhile.
const SLIDE_PER_TRAVEL: f64 = 0.3;

/// Most that a spot is moved to avoid a slide, in metres. A slide of twice as much cannot be avoided, and its spot is not
/// moved at all. Without this limit, the spots of a foot that is dragged through many plants would end up ever further from
/// the foot.
const MOST_AVOIDED: f64 = 0.03;

/// The part of the slide into a new spot that would be seen, along the floor and in metres: zero unless a plant of the
/// foot has just ended or still lasts.
///
/// A heel that rolls down to the ball hardly travels in between. At the mean of its plant, a ball that is captured sliding
/// would stand centimetres from where the held heel has it.
pub(super) fn slide_into(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    point: FootPoint,
    spot: Vec3,
) -> Vec3 {
    if setup.rules.is_published {
        return Vec3::ZERO;
    }
    let earliest = window.earliest().max(frame.saturating_sub(frames_behind(setup.fps)));
    let is_planted = |at: &usize| window.plants(*at, leg).count() > 0;
    let Some(last) = (earliest..frame).rev().find(is_planted) else { return Vec3::ZERO };
    let first = (earliest..last).rev().take_while(is_planted).last().unwrap_or(last);
    let spots = window.plants(last, leg).planted_spots();
    let points = |at: usize| window.leg(at, leg).points();
    let held = if spots[point].is_some() { point } else { other(point) };
    let Some(held_spot) = spots[held] else { return Vec3::ZERO };
    let moved = held_spot - points(last)[held];
    // While the other point is held, this one comes down; after that, the foot is free.
    let (point_of_travel, since) = if last + 1 == frame { (point, first) } else { (held, last) };
    let up = setup.floor.as_ref().map_or(Vec3::ZERO, |floor| floor.plane_under(spot).normal);
    let along_floor = |vector: Vec3| vector - up * vector.dot(up);
    let position = |at: usize| points(at)[point_of_travel];
    let travelled = |at: usize| along_floor(position(frame) - position(at)).length();
    let travel = (since..frame).map(travelled).fold(0.0, f64::max);
    let slide = along_floor(spot - points(frame)[point] - moved);
    let seen = slide.length() - UNSEEN_SLIDE - SLIDE_PER_TRAVEL * travel;
    slide.normalize_or_zero() * seen.min(2.0 * MOST_AVOIDED - seen).max(0.0)
}
