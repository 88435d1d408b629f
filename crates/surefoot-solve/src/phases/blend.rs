//! Phase 5: how do the changes fade into the frames around?
//!
//! A leg that is not held takes the changes of the held frames before and after it, each fading
//! out over the window. Held legs and the root are put into the pose as they are.
//!
//! Reads the changes (4) and the root (3); fills in the output. A frame that nothing reaches comes
//! out as it went in, to the bit.

use surefoot_core::{Pose, Vec3};

use super::fade::Sides;
use super::lift::{lifted, turn_toes};
use super::turn::{about, exp};
use crate::settings::Form;
use crate::setup::{LegSetup, Setup};
use crate::window::{Change, Window};

/// How long the slope of a correction is carried on past the plant, in seconds.
const CARRIED: f64 = 0.1;

pub(crate) fn fade(window: &mut Window, setup: &Setup, frame: usize) {
    let root = match window.slot(frame).root {
        Some(moved) => moved,
        None => faded_root(window, setup, frame),
    };
    window.slot_mut(frame).root = Some(root);
    for leg in 0..setup.legs.len() {
        let change = match window.leg(frame, leg).target {
            Some(_) => window.leg(frame, leg).change,
            None => faded_change(window, setup, frame, leg).map(|change| match &setup.floor {
                Some(floor) => lifted(
                    window.leg(frame, leg),
                    &setup.legs[leg],
                    floor,
                    root,
                    change,
                    setup.settings.stretch,
                ),
                None => change,
            }),
        };
        window.slot_mut(frame).legs[leg].change = change;
    }
    let slot = window.slot_mut(frame);
    slot.output.clone_from(&slot.input);
    slot.output.offsets[setup.root.index()] += root;
    for (slot_leg, leg) in slot.legs.iter().zip(&setup.legs) {
        if let Some(change) = &slot_leg.change {
            put(&mut slot.output, leg, change);
            turn_toes(&mut slot.output, slot_leg, leg, setup, root, change.share);
        }
    }
}

/// Puts a leg's change into a pose.
fn put(pose: &mut Pose, setup: &LegSetup, change: &Change) {
    let (hip, knee, ankle) = (setup.leg.hip.index(), setup.leg.knee.index(), setup.leg.ankle.index());
    pose.rotations[hip] = exp(change.hip) * pose.rotations[hip];
    pose.rotations[knee] = about(setup.hinge.axis, change.bend) * pose.rotations[knee];
    pose.rotations[ankle] = exp(change.ankle) * pose.rotations[ankle];
    if change.stretch != 0.0 {
        for joint in setup.thigh.iter().chain(&setup.shin) {
            pose.offsets[joint.index()] *= 1.0 + change.stretch;
        }
    }
}

/// The nearest frames behind and ahead, within the window, for which `is_set` holds.
fn sides(
    window: &Window,
    setup: &Setup,
    frame: usize,
    is_set: impl Fn(usize) -> bool,
) -> (Sides, [Option<usize>; 2]) {
    let reach = setup.frames.blend;
    let range = window.around(5, frame, reach);
    let back = (range.start..frame).rev().find(|&at| is_set(at));
    let ahead = (frame + 1..range.end).find(|&at| is_set(at));
    (
        Sides { back: back.map(|at| frame - at), ahead: ahead.map(|at| at - frame), window: reach },
        [back, ahead],
    )
}

fn faded_root(window: &Window, setup: &Setup, frame: usize) -> Vec3 {
    let is_set = |at: usize| window.slot(at).legs.iter().any(|leg| leg.target.is_some());
    let (sides, [back, ahead]) = sides(window, setup, frame, is_set);
    let (w_back, w_ahead) = sides.paper_weights();
    let root = |at: Option<usize>| at.and_then(|at| window.slot(at).root).unwrap_or(Vec3::ZERO);
    root(back) * w_back + root(ahead) * w_ahead
}

fn faded_change(window: &Window, setup: &Setup, frame: usize, leg: usize) -> Option<Change> {
    let is_set = |at: usize| window.leg(at, leg).target.is_some();
    let (sides, [back, ahead]) = sides(window, setup, frame, is_set);
    let change = |at: usize| window.leg(at, leg).change;
    let (back, ahead) =
        (back.and_then(|at| Some((at, change(at)?))), ahead.and_then(|at| Some((at, change(at)?))));
    if back.is_none() && ahead.is_none() {
        return None;
    }
    let mut faded = Change::default();
    let is_paper = setup.settings.form == Form::Paper;
    let (w_back, w_ahead) = if is_paper { sides.paper_weights() } else { sides.weights() };
    let within = (CARRIED * setup.fps).round() as usize;
    let (s_back, s_ahead) = if is_paper { (0.0, 0.0) } else { sides.slope_weights(within) };
    if let Some((at, value)) = back {
        add(&mut faded, &value, w_back);
        let before =
            at.checked_sub(1).filter(|&at| frame - at <= setup.frames.blend && is_set(at)).and_then(change);
        if let Some(before) = before {
            add(&mut faded, &value, s_back);
            add(&mut faded, &before, -s_back);
        }
    }
    if let Some((at, value)) = ahead {
        add(&mut faded, &value, w_ahead);
        let after = Some(at + 1)
            .filter(|&at| window.around(5, frame, setup.frames.blend).contains(&at) && is_set(at));
        if let Some(after) = after.and_then(change) {
            add(&mut faded, &value, s_ahead);
            add(&mut faded, &after, -s_ahead);
        }
    }
    faded.share = (w_back + w_ahead).min(1.0);
    Some(faded)
}

fn add(sum: &mut Change, change: &Change, weight: f64) {
    sum.hip += change.hip * weight;
    sum.ankle += change.ankle * weight;
    sum.bend += change.bend * weight;
    sum.stretch += change.stretch * weight;
}
