//! Phase 1: the direction of a foot that turns about one of its planted points, seen from above.
//!
//! The foot turns as captured. Where its other point is held in place before or after, the foot has been turned against the
//! capture to hold that point, and a turn as captured would begin and end with a jump. So the foot takes the turn of that
//! moment along, with the speed at which it changed, and loses both as a critically damped spring does. Towards the end of
//! the turn it slows down to stand still in the direction in which it is captured there.
//!
//! Angles are in radians about the normal of the floor, added to the captured direction; rates are per second.

use surefoot_core::math::{atan2, exp, nearest_equivalent_angle};
use surefoot_core::{FootPoint, HoldKind, Vec3};

use crate::foot_points::{FootPoints, other};
use crate::phases::holds::anchor;
use crate::plants::ActivePlants;
use crate::setup::Setup;
use crate::stream::window::Window;

/// Time constant with which the turn against the capture is lost, in seconds: a tenth of it is left after 0.6 s. A shorter
/// one turns the foot more abruptly, with a longer one the foot points elsewhere for longer.
const SETTLE_TIME: f64 = 0.15;

/// Longest time in which a foot slows down at the end of its turn, in seconds. A shorter one stops the foot more abruptly.
/// Phase 1 keeps as many frames behind its own.
const SLOWING_TIME: f64 = 0.2;

/// The turn of a foot against the capture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Turn {
    pub angle: f64,
    pub rate: f64,
}

impl Turn {
    /// The turn that is left after a time in seconds.
    fn after(self, time: f64) -> Self {
        let Self { angle, rate } = self;
        let sum = rate + angle / SETTLE_TIME;
        let left = exp(-time / SETTLE_TIME);
        Self { angle: (angle + sum * time) * left, rate: (rate - sum * time / SETTLE_TIME) * left }
    }
}

/// The planted point that determines where a foot is whose other point turns about it; `None` for a foot that does not turn,
/// or that is planted at one point only.
pub(crate) fn turning_point(plants: &ActivePlants) -> Option<FootPoint> {
    let FootPoints { heel: Some(heel), ball: Some(ball) } = plants.points() else { return None };
    let holds = FootPoints { heel: heel.hold, ball: ball.hold };
    let anchor = anchor(&holds);
    let turns = holds[anchor].kind == HoldKind::Pivot || holds[other(anchor)].kind == HoldKind::Height;
    let both_pivot = holds.heel.kind == HoldKind::Pivot && holds.ball.kind == HoldKind::Pivot;
    (turns && !both_pivot).then_some(anchor)
}

/// The turn of a foot at one frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FrameTurn {
    /// The part that is lost over time.
    pub settling: Turn,
    /// All of it, in radians.
    pub whole: f64,
}

/// The turn of a foot that turns about one of its points.
pub(crate) fn turn(window: &Window, setup: &Setup, frame: usize, leg: usize) -> FrameTurn {
    let settling = turn_before(window, setup, frame, leg).after(1.0 / setup.fps);
    FrameTurn { settling, whole: settling.angle + slowing(window, setup, frame, leg, settling) }
}

/// The turn at the frame before.
fn turn_before(window: &Window, setup: &Setup, frame: usize, leg: usize) -> Turn {
    let is_flat = |at: &usize| window.plants(*at, leg).count() == 2;
    let Some(before) = window.frame_before(frame).filter(is_flat) else { return Turn::default() };
    if let Some(details) = window.details(before, leg)
        && turning_point(&window.active_plants(before, leg)).is_some()
    {
        return details.turn;
    }
    let angle = held_turn(window, setup, before, leg);
    let is_same = |at: &usize| window.plants(*at, leg).is_same_as(window.plants(before, leg));
    let rate = window.frame_before(before).filter(is_same).map_or(0.0, |earlier| {
        nearest_equivalent_angle(angle - held_turn(window, setup, earlier, leg), 0.0) * setup.fps
    });
    Turn { angle, rate }
}

/// The angle from the captured direction of a foot to the one in which it is held.
fn held_turn(window: &Window, setup: &Setup, frame: usize, leg: usize) -> f64 {
    let slot = window.leg(frame, leg);
    let along = |points: FootPoints<Vec3>| points.ball - points.heel;
    let up = up_at(setup, slot.plants.spots.heel);
    angle_between(along(slot.points()), along(slot.plants.spots), up)
}

/// The angle by which a foot lags or leads in the last frames of its turn.
///
/// A cubic polynomial of time that begins with no angle and no rate, and ends with those at which the foot stands still in
/// its captured direction, or in that of the given spots.
fn slowing(window: &Window, setup: &Setup, frame: usize, leg: usize, settling: Turn) -> f64 {
    let Some(anchor) = turning_point(&window.active_plants(frame, leg)) else { return 0.0 };
    let longest = slowing_frames(setup);
    let turns = |at: &usize| turning_point(&window.active_plants(*at, leg)) == Some(anchor);
    let range = frame + 1..(frame + longest + 1).min(window.pushed);
    let Some(end) = range.into_iter().find(|at| !turns(at)) else { return 0.0 };
    if window.plants(end, leg).count() < 2 || turning_point(&window.active_plants(end, leg)).is_some() {
        return 0.0;
    }
    let earliest = end.saturating_sub(longest).max(window.earliest());
    let start = (earliest..frame).rev().take_while(turns).last().unwrap_or(frame);
    let time = |frames: usize| frames as f64 / setup.fps;
    let last = settling.after(time(end - frame));
    let along = |at: usize| {
        let points = window.leg(at, leg).points();
        points.ball - points.heel
    };
    let up = up_at(setup, window.leg(frame, leg).points()[anchor]);
    let captured_rate = angle_between(along(end - 1), along(end), up) * setup.fps;
    let duration = time(end - start);
    let share = time(frame - start) / duration;
    let (squared, cubed) = (share * share, share * share * share);
    (3.0 * squared - 2.0 * cubed) * (given_turn(window, end, leg, up) - last.angle)
        + (squared - cubed) * duration * (captured_rate + last.rate)
}

/// Longest time in which a foot slows down, in frames.
fn slowing_frames(setup: &Setup) -> usize {
    (SLOWING_TIME.min(setup.settings.spot_window) * setup.fps) as usize
}

/// The angle from the captured direction of a foot to that of its given spots; 0 unless both are given.
fn given_turn(window: &Window, frame: usize, leg: usize, up: Vec3) -> f64 {
    let points = window.leg(frame, leg).points();
    match window.active_plants(frame, leg).points().map(|plant| plant.and_then(|plant| plant.spot)) {
        FootPoints { heel: Some(heel), ball: Some(ball) } => {
            angle_between(points.ball - points.heel, ball - heel, up)
        }
        _ => 0.0,
    }
}

/// The normal of the floor under a position.
pub(crate) fn up_at(setup: &Setup, position: Vec3) -> Vec3 {
    setup.floor.as_ref().map_or(Vec3::Y, |floor| floor.plane_under(position).normal)
}

/// The angle from one direction to another about `up`; 0 for one without a direction seen from above.
fn angle_between(from: Vec3, to: Vec3, up: Vec3) -> f64 {
    let level = |vector: Vec3| vector - up * vector.dot(up);
    let (from, to) = (level(from), level(to));
    atan2(from.cross(to).dot(up), from.dot(to))
}
