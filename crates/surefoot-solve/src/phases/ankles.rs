//! Phase 2: where must each ankle be, and how turned?
//!
//! Held at both points, the foot is turned by the shortest turn from its captured direction to
//! the one its spots have. Held at one, it keeps its turn and is moved; next to frames where both
//! are held, within the same stance, their added turn is faded in. If the free point would be
//! below the floor, the foot is turned about the held one just enough.
//!
//! Reads the spots (1); fills in the targets, and where the held feet would like the root. Leaves
//! a foot that is not held alone.

use surefoot_core::{Floor, Quat, Vec3};

use super::fade::Sides;
use super::root;
use super::turn::{between, exp, log, raised_over};
use crate::settings::{FootRoll, Form};
use crate::setup::Setup;
use crate::window::{Seen, Target, Window};

pub(crate) fn aim(window: &mut Window, setup: &Setup, frame: usize) {
    for leg in 0..setup.legs.len() {
        let (added, target) = match window.leg(frame, leg).spots {
            [Some(heel), Some(ball)] => both(window, setup, frame, leg, heel, ball),
            [Some(spot), None] => one(window, setup, frame, leg, spot, 0),
            [None, Some(spot)] => one(window, setup, frame, leg, spot, 1),
            [None, None] => (Vec3::ZERO, None),
        };
        let before = frame.checked_sub(1).map_or(0, |before| window.leg(before, leg).held_for);
        let slot = &mut window.slot_mut(frame).legs[leg];
        if target.is_some() {
            slot.bones = setup.legs[leg].bones(&slot.seen);
        }
        slot.added = added;
        slot.target = target;
        slot.held_for = if target.is_some() { before + 1 } else { 0 };
    }
    let ask = root::asked(window, setup, frame);
    window.set_root_ask(frame, ask);
}

fn both(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    heel: Vec3,
    ball: Vec3,
) -> (Vec3, Option<Target>) {
    let seen = &window.leg(frame, leg).seen;
    let added = turned_to(seen, setup, leg, heel, ball);
    let position = heel - added * (seen.heel - seen.ankle);
    (log(added), Some(Target { position, turn: added * seen.ankle_turn }))
}

/// The turn that points a foot from its heel's spot to its ball's, and lays it flat if asked.
fn turned_to(seen: &Seen, setup: &Setup, leg: usize, heel: Vec3, ball: Vec3) -> Quat {
    let added = between(seen.ball - seen.heel, ball - heel);
    match (setup.settings.roll, (ball - heel).try_normalize()) {
        (FootRoll::Flat, Some(along)) => {
            let up = setup.floor.as_ref().map_or(Vec3::Y, |floor| up_under(floor, heel, ball));
            let sole = added * seen.ankle_turn * setup.legs[leg].sole;
            let across = |direction: Vec3| direction - along * direction.dot(along);
            between(across(sole), across(up)) * added
        }
        _ => added,
    }
}

/// Which way is up from the ground under a foot.
fn up_under(floor: &Floor, heel: Vec3, ball: Vec3) -> Vec3 {
    match floor.as_plane() {
        Some(plane) => plane.normal,
        // Both point up, so their sum does.
        None => (floor.plane_under(heel).normal + floor.plane_under(ball).normal).normalize_or(Vec3::Y),
    }
}

fn one(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    spot: Vec3,
    point: usize,
) -> (Vec3, Option<Target>) {
    let seen = &window.leg(frame, leg).seen;
    let (faded, depth) = faded_turn(window, setup, frame, leg, 1 - point);
    let (held, free) = if point == 0 { (seen.heel, seen.ball) } else { (seen.ball, seen.heel) };
    let added = exp(faded);
    let added = out_of_floor(setup, spot, added * (free - held), depth) * added;
    let position = spot - added * (held - seen.ankle);
    (faded, Some(Target { position, turn: added * seen.ankle_turn }))
}

/// The turns added where both points are held, faded to this frame; and likewise how deep in the
/// floor the point that is free now stands there.
fn faded_turn(window: &Window, setup: &Setup, frame: usize, leg: usize, free: usize) -> (Vec3, f64) {
    let reach = setup.frames.ankles;
    let spots = |at: usize| window.leg(at, leg).spots;
    let is_double = |at: usize| matches!(spots(at), [Some(_), Some(_)]);
    let is_single = |at: usize| spots(at)[0].is_some() != spots(at)[1].is_some();
    let range = window.around(1, frame, reach.frames);
    let behind = (range.start..frame).rev().find(|&at| !is_single(at)).filter(|&at| is_double(at));
    let ahead = (frame + 1..range.end).find(|&at| !is_single(at)).filter(|&at| is_double(at));
    if behind.is_none() && ahead.is_none() {
        return (Vec3::ZERO, 0.0);
    }
    let sides = Sides { back: behind.map(|at| frame - at), ahead: ahead.map(|at| at - frame), window: reach };
    let (back, fore) = match setup.settings.form {
        Form::Cured => sides.weights(),
        Form::Paper => sides.paper_weights(),
    };
    let turn_at = |at: Option<usize>| at.map_or(Vec3::ZERO, |at| added_at(window, setup, leg, at));
    let depth_at = |at: Option<usize>| match (&setup.floor, at.and_then(|at| spots(at)[free])) {
        (Some(floor), Some(spot)) => (-floor.above(spot)).max(0.0),
        _ => 0.0,
    };
    (turn_at(behind) * back + turn_at(ahead) * fore, depth_at(behind) * back + depth_at(ahead) * fore)
}

/// The turn added at a frame with both points held, which may lie ahead.
fn added_at(window: &Window, setup: &Setup, leg: usize, frame: usize) -> Vec3 {
    let slot = window.leg(frame, leg);
    match slot.spots {
        [Some(heel), Some(ball)] => log(turned_to(&slot.seen, setup, leg, heel, ball)),
        _ => Vec3::ZERO,
    }
}

/// The least turn about the held point that brings the free one, `arm` from it, out of the floor,
/// but for the `depth` that it may have there.
fn out_of_floor(setup: &Setup, spot: Vec3, arm: Vec3, depth: f64) -> Quat {
    let Some(floor) = &setup.floor else { return Quat::IDENTITY };
    let above = floor.above(spot);
    // A plant that keeps its own height below the floor has its foot there with it.
    let ground = if above < -setup.settings.snap { above } else { 0.0 };
    raised_over(floor, spot, arm, |plane| ground.min(-depth) - plane.above(spot))
}
