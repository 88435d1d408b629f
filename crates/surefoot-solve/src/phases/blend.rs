//! Phase 5: how do the changes fade into the frames around?
//!
//! A leg that is not held takes the changes of the held frames before and after it, each fading
//! out over the window. Held legs and the root are put into the pose as they are.
//!
//! Reads the bends (4) and the root (3); fills in the output. A frame that nothing reaches comes
//! out as it went in, to the bit.

use surefoot_core::{Pose, Vec3};

use super::fade::Sides;
use super::landing::{begun, due};
use super::legs::{NEARLY_STRAIGHT, changed, depth, short_of_straight};
use super::lift::{SOFT, lift_out, made, turn_toes};
use super::turn::log;
use crate::settings::Form;
use crate::setup::{LegSetup, Setup};
use crate::slots::{Beside, Change, Edge, Paid, Parts};
use crate::window::Window;
use crate::windows::Reach;

/// How long the slope of a correction is carried on past the plant, in seconds.
const CARRIED: f64 = 0.1;

pub(crate) fn fade(window: &mut Window, setup: &Setup, frame: usize) {
    let root = match (window.root(frame), setup.settings.form) {
        (Some(moved), _) => moved,
        // Smoothing has faded it away already.
        (None, Form::Cured) => Vec3::ZERO,
        (None, Form::Paper) => faded_root(window, setup, frame),
    };
    window.set_root(frame, Some(root));
    let mut pose = window.take_out(setup, frame);
    // Adding nothing would turn a minus zero into a zero.
    if root != Vec3::ZERO {
        pose.offsets[setup.root.index()] += root;
    }
    for (n, leg) in setup.legs.iter().enumerate() {
        let change = if window.stance(frame, n).is_held() {
            Some(changed(window, setup, frame, n))
        } else {
            look_beside(window, setup, frame, n);
            faded_change(window, setup, frame, n, root).filter(|change| change.share != 0.0)
        };
        let Some(change) = change else {
            window.doing[n].paid = Paid::default();
            continue;
        };
        window.doing[n].paid = Paid { stretch: change.stretch, slide: change.slide };
        put(&mut pose, leg, &change);
        if let Some(floor) = &setup.floor {
            turn_toes(&mut pose, &window.leg(frame, n).seen, leg, floor, &change);
        }
    }
    window.put_out(pose);
}

/// Puts a leg's change into a pose.
fn put(pose: &mut Pose, setup: &LegSetup, change: &Change) {
    let joints = [setup.leg.hip, setup.leg.knee, setup.leg.ankle];
    for (joint, turn) in joints.into_iter().zip(change.turns) {
        let own = &mut pose.rotations[joint.index()];
        *own = turn * *own;
    }
    if change.stretch != 0.0 {
        for joint in setup.thigh.iter().chain(&setup.shin) {
            pose.offsets[joint.index()] *= 1.0 + change.stretch;
        }
    }
}

/// The nearest frames behind and ahead, within the window, in which a leg that is free now is held.
///
/// What the frame before found still holds, but for the frames that have come into view.
fn look_beside(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let range = window.around(6, frame, setup.frames.blend.frames);
    let is_held = |window: &Window, at: usize| window.stance(at, leg).is_held();
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
fn parts(window: &Window, setup: &Setup, leg: usize, at: usize) -> Parts {
    let change = changed(window, setup, at, leg);
    let [hip, _, ankle] = change.turns;
    Parts { hip: log(hip), ankle: log(ankle), bend: change.bend, stretch: change.stretch }
}

fn sides(frame: usize, nearest: [Option<usize>; 2], window: Reach) -> Sides {
    Sides { back: nearest[0].map(|at| frame - at), ahead: nearest[1].map(|at| at - frame), window }
}

fn faded_root(window: &Window, setup: &Setup, frame: usize) -> Vec3 {
    let range = window.around(6, frame, setup.frames.blend.frames);
    let is_held = |at: &usize| window.legs(*at).iter().any(|leg| leg.stance.is_held());
    let nearest = [(range.start..frame).rev().find(is_held), (frame + 1..range.end).find(is_held)];
    let (back, ahead) = sides(frame, nearest, setup.frames.blend).paper_weights();
    let root = |at: Option<usize>| at.and_then(|at| window.root(at)).unwrap_or(Vec3::ZERO);
    root(nearest[0]) * back + root(nearest[1]) * ahead
}

/// The changes of the held frames around, faded to this one, and the foot kept out of the floor.
fn faded_change(window: &Window, setup: &Setup, frame: usize, leg: usize, root: Vec3) -> Option<Change> {
    let beside = &window.doing[leg].fades;
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
    let mut from = NEARLY_STRAIGHT;
    for (edge, (weight, slope)) in edges.into_iter().zip([(weights.0, slopes.0), (weights.1, slopes.1)]) {
        let Some((_, edge)) = edge else { continue };
        parts.add(&edge.parts, weight);
        depth += weight * edge.depth;
        from += weight * (edge.bent - NEARLY_STRAIGHT).min(0.0);
        if let Some(grows) = edge.slope.as_ref().filter(|_| slope > 0.0) {
            parts.add(grows, slope);
        }
    }
    // A slope that is carried on may carry it over the limit.
    parts.stretch = parts.stretch.clamp(-setup.settings.stretch, setup.settings.stretch);
    let share = (weights.0 + weights.1).min(1.0);
    let number = leg;
    let (seen, leg) = (&window.leg(frame, leg).seen, &setup.legs[leg]);
    let bend = match setup.settings.form {
        Form::Cured => short_of_straight(seen.bones().bend, parts.bend, from),
        Form::Paper => parts.bend,
    };
    let mut change = made(seen, leg, root, &parts, [bend, depth, share]);
    if let Some(floor) = &setup.floor {
        let begun = match setup.settings.form {
            Form::Cured => begun(frame, nearest, setup.fps),
            Form::Paper => 0.0,
        };
        let due = |change: &Change, heights| due(window, setup, frame, number, change, heights, nearest);
        lift_out(&mut change, seen, leg, floor, root, [setup.settings.stretch, SOFT * begun], due);
    }
    Some(change)
}
