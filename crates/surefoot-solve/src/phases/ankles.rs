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

use super::root::{self, Moved};
use crate::kinematics::blend_weights::Sides;
use crate::kinematics::rotation::{between, exp, log, raised_over, turned};
use crate::settings::{FootRoll, Form};
use crate::setup::Setup;
use crate::stream::slots::{AddedTurn, Beside, LegSlot, Plants, Seen, Spell, Stance, Target};
use crate::stream::window::Window;

pub(crate) fn aim(window: &mut Window, setup: &Setup, frame: usize) {
    let mut moved = Moved::default();
    for leg in 0..setup.legs.len() {
        let before = frame.checked_sub(1).map_or(Spell::default(), |before| window.spell(before, leg));
        let slot = window.leg(frame, leg);
        let Plants { is_held, places: [heel, ball], .. } = slot.plants;
        let target = match is_held {
            [true, true] => both(&slot.seen, setup, leg, heel, ball),
            [true, false] => one(window, setup, frame, leg, heel, 0),
            [false, true] => one(window, setup, frame, leg, ball, 1),
            [false, false] => {
                window.set_spell(frame, leg, before.and_free());
                continue;
            }
        };
        let LegSlot { seen, added, stance, .. } = window.leg_mut(frame, leg);
        *added = target.added;
        moved.add(target.position - seen.ankle);
        *stance = Stance {
            way: target.position - seen.hip,
            captured_squared: (seen.ankle - seen.hip).length_squared(),
            bones: seen.bones(),
            bend: 0.0,
        };
        window.set_spell(frame, leg, before.and_held());
    }
    let ask = root::asked(window, frame, &moved, setup);
    window.add_root_ask(frame, &ask);
}

fn both(seen: &Seen, setup: &Setup, leg: usize, heel: Vec3, ball: Vec3) -> Target {
    let added = turned_to(seen, setup, leg, heel, ball);
    Target { position: heel - turned(added, seen.heel - seen.ankle), added }
}

fn turned_to(seen: &Seen, setup: &Setup, leg: usize, heel: Vec3, ball: Vec3) -> Quat {
    pointed(seen.ball - seen.heel, seen.ankle_turn, setup, leg, [heel, ball])
}

/// The turn that points a foot from its heel's spot to its ball's, and lays it flat if asked.
pub(crate) fn pointed(
    along: Vec3,
    ankle_turn: Quat,
    setup: &Setup,
    leg: usize,
    [heel, ball]: [Vec3; 2],
) -> Quat {
    let added = between(along, ball - heel);
    match (setup.settings.foot_roll, (ball - heel).try_normalize()) {
        (FootRoll::Flat, Some(along)) => {
            let up = setup.floor.as_ref().map_or(Vec3::Y, |floor| up_under(floor, heel, ball));
            let sole = added * ankle_turn * setup.legs[leg].sole;
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

fn one(window: &mut Window, setup: &Setup, frame: usize, leg: usize, spot: Vec3, point: usize) -> Target {
    let (faded, depth) = faded_turn(window, setup, frame, leg, 1 - point);
    let seen = &window.leg(frame, leg).seen;
    let (held, free) = if point == 0 { (seen.heel, seen.ball) } else { (seen.ball, seen.heel) };
    // Most feet get no turn, and products cost.
    let added = if faded == Vec3::ZERO { Quat::IDENTITY } else { exp(faded) };
    let added = match unsteady(window, setup, frame, leg) {
        Vec3::ZERO => added,
        shake => between(seen.ankle - held, seen.ankle - held + shake) * added,
    };
    let up = out_of_floor(setup, spot, turned(added, free - held), depth);
    let added = if up == Quat::IDENTITY { added } else { up * added };
    Target { position: spot - turned(added, held - seen.ankle), added }
}

/// How far the ankle would have to be from where the captured turn of its foot puts it, so that the move of
/// the foot is slow: a foot that shakes about its ankle would shake the ankle, once it is held at a point.
///
/// The mean of the frames around, as many on either side, in which nothing else is held; so nothing at the
/// ends.
fn unsteady(window: &Window, setup: &Setup, frame: usize, leg: usize) -> Vec3 {
    if setup.settings.form == Form::Paper {
        return Vec3::ZERO;
    }
    let range = window.around(1, frame, setup.frames.steady.frames);
    let stood_for = |at: usize| window.plants(at, leg).stood_for();
    let most = (frame - range.start).min(range.end - 1 - frame).min(stood_for(frame).saturating_sub(1));
    let within = (1..=most).rev().find(|by| stood_for(frame + by) > *by).unwrap_or(0);
    if within == 0 {
        return Vec3::ZERO;
    }
    let offs = window.offs(leg, frame - within..frame + within + 1);
    let weighted = offs.iter().zip(&setup.steady_weights[within]).map(|(off, weight)| *off * *weight);
    weighted.sum::<Vec3>() - offs[within]
}

/// The turns added where both points are held, faded to this frame; and likewise how deep in the
/// floor the point that is free now stands there.
fn faded_turn(window: &mut Window, setup: &Setup, frame: usize, leg: usize, free: usize) -> (Vec3, f64) {
    look_beside(window, setup, frame, leg);
    let Beside { behind, ahead, .. } = &window.doing[leg].turns;
    if behind.is_none() && ahead.is_none() {
        return (Vec3::ZERO, 0.0);
    }
    let window = setup.frames.ankles;
    let sides =
        Sides { back: behind.map(|(at, _)| frame - at), ahead: ahead.map(|(at, _)| at - frame), window };
    let (back, fore) = match setup.settings.form {
        Form::Improved => sides.weights(),
        Form::Paper => sides.paper_weights(),
    };
    let faded = |side: &Option<(usize, AddedTurn)>, weight: f64| match side {
        Some((_, turn)) => (turn.added * weight, turn.depths[free] * weight),
        None => (Vec3::ZERO, 0.0),
    };
    let (behind, ahead) = (faded(behind, back), faded(ahead, fore));
    (behind.0 + ahead.0, behind.1 + ahead.1)
}

/// The nearest frames of this stance, within the window, with both points held.
///
/// What the frame before found still holds, but for the frames that have come into view.
fn look_beside(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let range = window.around(1, frame, setup.frames.ankles.frames);
    let held = |window: &Window, at: usize| window.plants(at, leg).count();
    let before = frame.checked_sub(1).map_or(0, |before| held(window, before));
    if before != 1 {
        let behind = (before == 2).then(|| (frame - 1, added_at(window, setup, leg, frame - 1)));
        window.doing[leg].turns = Beside { behind, ahead: None, seen: frame };
    }
    if window.doing[leg].turns.behind.as_ref().is_some_and(|(at, _)| !range.contains(at)) {
        window.doing[leg].turns.behind = None;
    }
    // What ends the run of frames with one point held: both held, or none.
    let mut seen = window.doing[leg].turns.seen;
    while seen + 1 < range.end && held(window, seen) == 1 {
        seen += 1;
        if held(window, seen) == 2 {
            window.doing[leg].turns.ahead = Some((seen, added_at(window, setup, leg, seen)));
        }
    }
    window.doing[leg].turns.seen = seen;
}

/// The turn added at a frame with both points held, which may lie ahead.
fn added_at(window: &Window, setup: &Setup, leg: usize, frame: usize) -> AddedTurn {
    let [Some(heel), Some(ball)] = window.plants(frame, leg).spots() else {
        return AddedTurn { added: Vec3::ZERO, depths: [0.0; 2] };
    };
    let depth = |spot: Vec3| setup.floor.as_ref().map_or(0.0, |floor| (-floor.above(spot)).max(0.0));
    AddedTurn {
        added: log(turned_to(&window.leg(frame, leg).seen, setup, leg, heel, ball)),
        depths: [depth(heel), depth(ball)],
    }
}

/// The least turn about the held point that brings the free one, `arm` from it, out of the floor,
/// but for the `depth` that it may have there.
pub(crate) fn out_of_floor(setup: &Setup, spot: Vec3, arm: Vec3, depth: f64) -> Quat {
    let Some(floor) = &setup.floor else { return Quat::IDENTITY };
    let above = floor.above(spot);
    // A plant that keeps its own height below the floor has its foot there with it.
    let ground = if above < -setup.settings.snap_distance { above } else { 0.0 };
    raised_over(floor, spot, arm, |plane| ground.min(-depth) - plane.above(spot))
}
