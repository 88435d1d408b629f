//! Phase 5: how do the changes fade into the frames around?
//!
//! A leg that is not held takes the changes of the held frames before and after it, each fading
//! out over the window. Held legs and the root are put into the pose as they are.
//!
//! Reads the bends (4) and the root (3); fills in the output. A frame that nothing reaches comes
//! out as it went in, to the bit.

use surefoot_core::Vec3;

use super::clearance::landing::{HIGH, due};
use super::clearance::lift::{SOFT, lift_out, made};
use super::clearance::toes::turn_toes;
use super::legs::{NEARLY_STRAIGHT, changed, depth, short_of_straight};
use crate::kinematics::blend_weights::Sides;
use crate::kinematics::rotation::log;
use crate::settings::Form;
use crate::setup::Setup;
use crate::stream::frame_windows::Reach;
use crate::stream::poses::Out;
use crate::stream::slots::{Beside, Change, Edge, Paid, Parts, Seen};
use crate::stream::window::Window;

/// How long the slope of a correction is carried on past the plant, in seconds.
const CARRIED: f64 = 0.1;

pub(crate) fn fade(window: &mut Window, out: &mut Out, setup: &Setup, frame: usize) {
    let root = match (window.root(frame), setup.settings.form) {
        (Some(moved), _) => moved,
        // Smoothing has faded it away already.
        (None, Form::Improved) => Vec3::ZERO,
        (None, Form::Paper) => faded_root(window, setup, frame),
    };
    window.set_root(frame, Some(root));
    window.take_out(setup, frame, out);
    // Adding nothing would turn a minus zero into a zero.
    if root != Vec3::ZERO {
        out.pose.offsets[setup.root.index()] += root;
    }
    for leg in 0..setup.legs.len() {
        fade_leg(window, setup, frame, leg, root, out);
    }
}

/// Puts what a frame changes in a leg into its pose.
#[inline(never)]
fn fade_leg(window: &mut Window, setup: &Setup, frame: usize, leg: usize, root: Vec3, out: &mut Out) {
    let change = if window.is_held(frame, leg) {
        Some(changed(window.leg(frame, leg), setup, leg, root))
    } else {
        look_beside(window, setup, frame, leg);
        faded_change(window, setup, frame, leg, root)
    };
    let shape = &setup.legs[leg];
    let Some(change) = change else {
        out.make_longer(&shape.bones, 0.0);
        window.doing[leg].paid = Paid::default();
        return;
    };
    window.doing[leg].paid = Paid { stretch: change.stretch, slide: change.slide };
    out.make_longer(&shape.bones, change.stretch);
    let turned = [shape.leg.hip, shape.leg.knee, shape.leg.ankle].into_iter().zip(change.turns);
    for (joint, turn) in turned {
        let own = &mut out.pose.rotations[joint.index()];
        *own = turn * *own;
    }
    if let Some(floor) = &setup.floor {
        turn_toes(&mut out.pose, &window.leg(frame, leg).seen, shape, floor, &change);
    }
}

/// The nearest frames behind and ahead, within the window, in which a leg that is free now is held.
///
/// What the frame before found still holds, but for the frames that have come into view.
fn look_beside(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let range = window.around(6, frame, setup.frames.blend.frames);
    let is_held = |window: &Window, at: usize| window.is_held(at, leg);
    let before = frame.checked_sub(1);
    if before.is_none_or(|before| is_held(window, before)) {
        let edge = before.map(|before| {
            let far = before.checked_sub(1).filter(|far| range.contains(far) && is_held(window, *far));
            (before, edge(window, setup, leg, before, far))
        });
        window.doing[leg].fades = Beside { behind: edge, ahead: None, seen: frame };
    }
    let beside = &mut window.doing[leg].fades;
    if beside.behind.as_ref().is_some_and(|(at, _)| !range.contains(at)) {
        beside.behind = None;
    }
    // The first held frame may have come into view, or the one after it.
    let from = match &beside.ahead {
        Some((_, Edge { slope: Some(_), .. })) => return,
        Some((at, _)) => *at,
        None => beside.seen + 1,
    };
    let first = (from..range.end).find(|&at| is_held(window, at));
    window.doing[leg].fades.seen = first.unwrap_or(range.end - 1);
    if let Some(at) = first {
        let far = Some(at + 1).filter(|far| range.contains(far) && is_held(window, *far));
        window.doing[leg].fades.ahead = Some((at, edge(window, setup, leg, at, far)));
    }
}

/// The change at the edge of a stance; `far` is the frame next to it, further in.
#[inline(never)]
fn edge(window: &Window, setup: &Setup, leg: usize, at: usize, far: Option<usize>) -> Edge {
    let near = parts(window, setup, leg, at);
    Edge {
        slope: far.map(|far| near.less(&parts(window, setup, leg, far))),
        depth: setup.floor.as_ref().map_or(0.0, |floor| depth(window, floor, at, leg)),
        bent: window.stance(at, leg).bones.bend + near.bend,
        parts: near,
    }
}

/// A change of a held leg as turns before the joints' own.
#[inline(never)]
fn parts(window: &Window, setup: &Setup, leg: usize, at: usize) -> Parts {
    let change = changed(window.leg(at, leg), setup, leg, window.root(at).unwrap_or(Vec3::ZERO));
    let [hip, _, ankle] = change.turns;
    Parts { hip: log(hip), ankle: log(ankle), bend: change.bend, stretch: change.stretch }
}

fn sides(frame: usize, nearest: [Option<usize>; 2], window: Reach) -> Sides {
    Sides { back: nearest[0].map(|at| frame - at), ahead: nearest[1].map(|at| at - frame), window }
}

fn faded_root(window: &Window, setup: &Setup, frame: usize) -> Vec3 {
    let range = window.around(6, frame, setup.frames.blend.frames);
    let is_held = |at: &usize| window.held_legs(*at).next().is_some();
    let nearest = [(range.start..frame).rev().find(is_held), (frame + 1..range.end).find(is_held)];
    let (back, ahead) = sides(frame, nearest, setup.frames.blend).paper_weights();
    let root = |at: Option<usize>| at.and_then(|at| window.root(at)).unwrap_or(Vec3::ZERO);
    root(nearest[0]) * back + root(nearest[1]) * ahead
}

/// The changes of the held frames around, faded to this one, and the foot kept out of the floor; none where
/// nothing reaches the leg.
fn faded_change(window: &Window, setup: &Setup, frame: usize, leg: usize, root: Vec3) -> Option<Change> {
    let beside = &window.doing[leg].fades;
    let edges = [&beside.behind, &beside.ahead];
    let nearest = edges.map(|edge| edge.as_ref().map(|(at, _)| *at));
    if nearest == [None; 2] && !sinks(&window.leg(frame, leg).seen, setup, root) {
        return None;
    }
    let sides = sides(frame, nearest, setup.frames.blend);
    let (weights, slopes) = match setup.settings.form {
        Form::Improved => (sides.weights(), sides.slope_weights(CARRIED * setup.fps)),
        Form::Paper => (sides.paper_weights(), (0.0, 0.0)),
    };
    let (mut parts, mut depth) = (Parts::default(), 0.0);
    // A knee that is held straighter than it should be comes back from there slowly.
    let mut from = NEARLY_STRAIGHT;
    let mut add = |edge: &Option<(usize, Edge)>, weight: f64, slope: f64| {
        let Some((_, edge)) = edge else { return };
        parts.add(&edge.parts, weight);
        depth += weight * edge.depth;
        from += weight * (edge.bent - NEARLY_STRAIGHT).min(0.0);
        if let Some(grows) = edge.slope.as_ref().filter(|_| slope > 0.0) {
            parts.add(grows, slope);
        }
    };
    add(edges[0], weights.0, slopes.0);
    add(edges[1], weights.1, slopes.1);
    // A slope that is carried on may carry it over the limit.
    parts.stretch = parts.stretch.clamp(-setup.settings.stretch_limit, setup.settings.stretch_limit);
    let share = (weights.0 + weights.1).min(1.0);
    let number = leg;
    let (seen, leg) = (&window.leg(frame, leg).seen, &setup.legs[leg]);
    let bend = match setup.settings.form {
        // What bends it does not straighten it.
        Form::Improved if parts.bend < 0.0 => short_of_straight(seen.bones().bend, parts.bend, from),
        _ => parts.bend,
    };
    let mut change = made(seen, leg, root, &parts, [bend, depth, share]);
    if let Some(floor) = &setup.floor {
        let soft = match setup.settings.form {
            Form::Improved => SOFT * setup.landing.begun(frame, nearest),
            Form::Paper => 0.0,
        };
        let due = |change: &Change, heights| due(window, setup, frame, number, change, heights, nearest);
        lift_out(&mut change, seen, leg, floor, root, [setup.settings.stretch_limit, soft], due);
    }
    Some(change)
}

/// Whether the root takes a foot that no plant reaches down with it, near the floor.
fn sinks(seen: &Seen, setup: &Setup, root: Vec3) -> bool {
    let Some(floor) = setup.floor.as_ref().filter(|_| setup.settings.form == Form::Improved) else {
        return false;
    };
    let is_near = || floor.above(seen.heel).min(floor.above(seen.ball)) < HIGH;
    root != Vec3::ZERO && is_near() && floor.plane_under(seen.ankle).normal.dot(root) < 0.0
}
