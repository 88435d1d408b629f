//! Phase 5: how do the changes fade into the frames around?
//!
//! A leg that is not held takes the changes of the held frames before and after it, each fading
//! out over the window. Held legs and the root are put into the pose as they are.
//!
//! Reads the changes (4) and the root (3); fills in the output. A frame that nothing reaches comes
//! out as it went in, to the bit.

use surefoot_core::{JointId, Pose, Vec3};

use super::fade::Sides;
use super::legs::{SHORT_OF_STRAIGHT, short_of_straight};
use super::lift::{lifted, made, turn_toes};
use super::turn::log;
use crate::settings::Form;
use crate::setup::{LegSetup, Reach, Setup};
use crate::window::{Beside, Change, Edge, LegSlot, Parts, Window};

/// How long the slope of a correction is carried on past the plant, in seconds.
const CARRIED: f64 = 0.1;

pub(crate) fn fade(window: &mut Window, setup: &Setup, frame: usize) {
    let root = match (window.slot(frame).root, setup.settings.form) {
        (Some(moved), _) => moved,
        // Smoothing has faded it away already.
        (None, Form::Cured) => Vec3::ZERO,
        (None, Form::Paper) => faded_root(window, setup, frame),
    };
    window.slot_mut(frame).root = Some(root);
    for leg in 0..setup.legs.len() {
        if window.leg(frame, leg).target.is_none() {
            let beside = beside(window, setup, frame, leg);
            window.fades[leg] = beside;
            let change = faded_change(window, setup, frame, leg, &beside, root);
            window.leg_mut(frame, leg).change = change;
        }
    }
    let (slot, legs) = window.parts_mut(frame);
    // Adding nothing would turn a minus zero into a zero.
    if root != Vec3::ZERO {
        slot.pose.offsets[setup.root.index()] += root;
    }
    for (slot_leg, leg) in legs.iter().zip(&setup.legs) {
        let Some(change) = &slot_leg.change else { continue };
        put(&mut slot.pose, leg, change);
        if let Some(floor) = &setup.floor {
            turn_toes(&mut slot.pose, &slot_leg.seen, leg, floor, change);
        }
    }
}

/// Puts a leg's change into a pose.
fn put(pose: &mut Pose, setup: &LegSetup, change: &Change) {
    for (joint, rotation) in joints(setup).into_iter().zip(change.rotations) {
        pose.rotations[joint.index()] = rotation;
    }
    if change.stretch != 0.0 {
        for joint in setup.thigh.iter().chain(&setup.shin) {
            pose.offsets[joint.index()] *= 1.0 + change.stretch;
        }
    }
}

fn joints(setup: &LegSetup) -> [JointId; 3] {
    [setup.leg.hip, setup.leg.knee, setup.leg.ankle]
}

/// The nearest frames behind and ahead, within the window, in which a leg that is free now is held.
///
/// What the frame before found still holds, but for the frames that have come into view.
fn beside(window: &Window, setup: &Setup, frame: usize, leg: usize) -> Beside<Edge> {
    let range = window.around(6, frame, setup.frames.blend.frames);
    let is_held = |at: usize| window.leg(at, leg).held_for > 0;
    let before = frame.checked_sub(1);
    let mut beside = match before {
        Some(before) if is_held(before) => {
            let far = before.checked_sub(1).filter(|far| range.contains(far) && is_held(*far));
            Beside { behind: Some((before, edge(window, leg, before, far))), ahead: None, seen: frame }
        }
        Some(_) => window.fades[leg],
        None => Beside { seen: frame, ..Beside::default() },
    };
    beside.behind = beside.behind.filter(|(at, _)| range.contains(at));
    if beside.ahead.is_some_and(|(_, edge)| edge.slope.is_none()) || beside.ahead.is_none() {
        // The first held frame has come into view, or the one after it.
        let from = beside.ahead.map_or(beside.seen + 1, |(at, _)| at);
        let first = (from..range.end).find(|&at| is_held(at));
        beside.seen = first.unwrap_or(range.end - 1);
        beside.ahead = first.map(|at| {
            let far = Some(at + 1).filter(|far| range.contains(far) && is_held(*far));
            (at, edge(window, leg, at, far))
        });
    }
    beside
}

/// The change at the edge of a stance; `far` is the frame next to it, further in.
#[inline(never)]
fn edge(window: &Window, leg: usize, at: usize, far: Option<usize>) -> Edge {
    let near = parts(window.leg(at, leg));
    let change = window.leg(at, leg).change.unwrap_or_default();
    Edge {
        slope: far.map(|far| near.less(&parts(window.leg(far, leg)))),
        parts: near,
        depth: change.depth,
        bent: window.leg(at, leg).bones.bend + change.bend,
    }
}

/// A change of a held leg as turns before the joints' own.
fn parts(slot: &LegSlot) -> Parts {
    let (change, seen) = (slot.change.unwrap_or_default(), &slot.seen);
    Parts {
        hip: log(change.rotations[0] * seen.hip_turn.conjugate() * seen.hip_holder),
        ankle: log(change.rotations[2] * seen.ankle_turn.conjugate() * seen.ankle_holder),
        bend: change.bend,
        stretch: change.stretch,
    }
}

fn sides(frame: usize, nearest: [Option<usize>; 2], window: Reach) -> Sides {
    Sides { back: nearest[0].map(|at| frame - at), ahead: nearest[1].map(|at| at - frame), window }
}

fn faded_root(window: &Window, setup: &Setup, frame: usize) -> Vec3 {
    let range = window.around(6, frame, setup.frames.blend.frames);
    let is_held = |at: &usize| window.legs(*at).iter().any(|leg| leg.held_for > 0);
    let nearest = [(range.start..frame).rev().find(is_held), (frame + 1..range.end).find(is_held)];
    let (back, ahead) = sides(frame, nearest, setup.frames.blend).paper_weights();
    let root = |at: Option<usize>| at.and_then(|at| window.slot(at).root).unwrap_or(Vec3::ZERO);
    root(nearest[0]) * back + root(nearest[1]) * ahead
}

/// The changes of the held frames around, faded to this one, and the foot kept out of the floor.
fn faded_change(
    window: &Window,
    setup: &Setup,
    frame: usize,
    leg: usize,
    beside: &Beside<Edge>,
    root: Vec3,
) -> Option<Change> {
    let edges = [&beside.behind, &beside.ahead];
    let nearest = edges.map(|edge| edge.as_ref().map(|(at, _)| *at));
    nearest[0].or(nearest[1])?;
    let sides = sides(frame, nearest, setup.frames.blend);
    let (weights, slopes) = match setup.settings.form {
        Form::Cured => (sides.weights(), sides.slope_weights(CARRIED * setup.fps)),
        Form::Paper => (sides.paper_weights(), (0.0, 0.0)),
    };
    let (mut parts, mut depth) = (Parts::default(), 0.0);
    // A knee that is held straighter than it should be comes back from there slowly.
    let mut least = SHORT_OF_STRAIGHT;
    for (edge, (weight, slope)) in edges.into_iter().zip([(weights.0, slopes.0), (weights.1, slopes.1)]) {
        let Some((_, edge)) = edge else { continue };
        parts.add(&edge.parts, weight);
        depth += weight * edge.depth;
        least += weight * (edge.bent - 2.0 * SHORT_OF_STRAIGHT).min(0.0);
        if let Some(grows) = edge.slope.as_ref().filter(|_| slope > 0.0) {
            parts.add(grows, slope);
        }
    }
    // A slope that is carried on may carry it over the limit.
    parts.stretch = parts.stretch.clamp(-setup.settings.stretch, setup.settings.stretch);
    let share = (weights.0 + weights.1).min(1.0);
    let (seen, leg) = (&window.leg(frame, leg).seen, &setup.legs[leg]);
    let bones = seen.bones();
    let bend = match setup.settings.form {
        Form::Cured => short_of_straight(bones.bend, parts.bend, least),
        Form::Paper => parts.bend,
    };
    let own = joints(leg).map(|joint| window.slot(frame).pose.rotations[joint.index()]);
    let change = Change { depth, ..made(seen, leg, own, root, &parts, bend, share) };
    let floor = setup.floor.as_ref();
    let limit = setup.settings.stretch;
    let lifted = floor.and_then(|floor| lifted(seen, leg, &own[1], &bones, floor, root, &change, limit));
    Some(lifted.unwrap_or(change))
}
