//! Phase 5: how do the changes fade into the frames around?
//!
//! A leg that is not held takes the changes of the held frames before and after it, each fading
//! out over the window. Held legs and the root are put into the pose as they are.
//!
//! Reads the changes (4) and the root (3); fills in the output. A frame that nothing reaches comes
//! out as it went in, to the bit.

use surefoot_core::{Pose, Vec3};

use super::fade::Sides;
use super::legs::{SHORT_OF_STRAIGHT, short_of_straight};
use super::lift::{lifted, made, rebent, turn_toes};
use crate::settings::Form;
use crate::setup::{LegSetup, Reach, Setup};
use crate::window::{Change, Parts, Window};

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
            let nearest = nearest(window, setup, frame, leg);
            window.slot_mut(frame).legs[leg].nearest = nearest;
            let change = faded_change(window, setup, frame, leg, nearest, root);
            window.slot_mut(frame).legs[leg].change = change;
        }
    }
    let slot = window.slot_mut(frame);
    // Adding nothing would turn a minus zero into a zero.
    if root != Vec3::ZERO {
        slot.pose.offsets[setup.root.index()] += root;
    }
    for (slot_leg, leg) in slot.legs.iter().zip(&setup.legs) {
        let Some(change) = &slot_leg.change else { continue };
        put(&mut slot.pose, leg, change);
        if let Some(floor) = &setup.floor {
            turn_toes(&mut slot.pose, &slot_leg.seen, leg, floor, change);
        }
    }
}

/// Puts a leg's change into a pose.
fn put(pose: &mut Pose, setup: &LegSetup, change: &Change) {
    let joints = [setup.leg.hip, setup.leg.knee, setup.leg.ankle];
    for (joint, turn) in joints.into_iter().zip(change.turns) {
        let rotation = &mut pose.rotations[joint.index()];
        *rotation = turn * *rotation;
    }
    if change.parts.stretch != 0.0 {
        for joint in setup.thigh.iter().chain(&setup.shin) {
            pose.offsets[joint.index()] *= 1.0 + change.parts.stretch;
        }
    }
}

/// The nearest frames behind and ahead, within the window, in which a leg that is free now is held.
///
/// What the frame before found still holds, but for the one frame that has come into view.
fn nearest(window: &Window, setup: &Setup, frame: usize, leg: usize) -> [Option<usize>; 2] {
    let range = window.around(6, frame, setup.frames.blend.frames);
    let is_held = |at: &usize| window.leg(*at, leg).held_for > 0;
    let Some(before) = frame.checked_sub(1) else {
        return [None, (frame + 1..range.end).find(is_held)];
    };
    if is_held(&before) {
        return [Some(before), (frame + 1..range.end).find(is_held)];
    }
    let [behind, ahead] = window.leg(before, leg).nearest;
    let newly = Some(frame + setup.frames.blend.frames).filter(|at| range.contains(at)).filter(is_held);
    [behind.filter(|at| range.contains(at)), ahead.or(newly)]
}

fn sides(frame: usize, nearest: [Option<usize>; 2], window: Reach) -> Sides {
    Sides { back: nearest[0].map(|at| frame - at), ahead: nearest[1].map(|at| at - frame), window }
}

fn faded_root(window: &Window, setup: &Setup, frame: usize) -> Vec3 {
    let range = window.around(6, frame, setup.frames.blend.frames);
    let is_held = |at: &usize| window.root_ask(*at).counts > 0.0;
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
    nearest: [Option<usize>; 2],
    root: Vec3,
) -> Option<Change> {
    let [back, ahead] = nearest;
    back.or(ahead)?;
    let sides = sides(frame, nearest, setup.frames.blend);
    let carried = CARRIED * setup.fps;
    let (weights, slopes) = match setup.settings.form {
        Form::Cured => (sides.weights(), sides.slope_weights(carried)),
        Form::Paper => (sides.paper_weights(), (0.0, 0.0)),
    };
    let (mut parts, mut depth) = (Parts::default(), 0.0);
    // A knee that is held straighter than it should be comes back from there slowly.
    let mut least = SHORT_OF_STRAIGHT;
    let range = window.around(6, frame, setup.frames.blend.frames);
    let held = |at: usize| Some(at).filter(|at| range.contains(at) && window.leg(*at, leg).held_for > 0);
    let further = [back.and_then(|at| at.checked_sub(1)), ahead.map(|at| at + 1)];
    let weights = [(weights.0, slopes.0), (weights.1, slopes.1)];
    for ((at, further), (weight, slope)) in nearest.into_iter().zip(further).zip(weights) {
        let change_at = |at: usize| window.leg(at, leg).change;
        let parts_at = |at: usize| change_at(at).map(|change| change.parts);
        let Some(Change { parts: near, depth: deep, bent, .. }) = at.and_then(change_at) else { continue };
        depth += weight * deep;
        least += weight * (bent - 2.0 * SHORT_OF_STRAIGHT).min(0.0);
        parts.add(&near, weight);
        // A plant of one frame has no slope.
        if let Some(far) = further.and_then(held).and_then(parts_at).filter(|_| slope > 0.0) {
            parts.add(&near, slope);
            parts.add(&far, -slope);
        }
    }
    // A slope that is carried on may carry it over the limit.
    parts.stretch = parts.stretch.clamp(-setup.settings.stretch, setup.settings.stretch);
    let share = (weights[0].0 + weights[1].0).min(1.0);
    let slot = window.leg(frame, leg);
    let bones = setup.legs[leg].bones(&slot.seen);
    let mut change = Change { depth, ..made(&slot.seen, &setup.legs[leg], root, parts, share) };
    if setup.settings.form == Form::Cured {
        let bend = short_of_straight(bones.bend, parts.bend, least);
        change = rebent(&slot.seen, &setup.legs[leg], root, change, bend);
    }
    let floor = setup.floor.as_ref();
    let limit = setup.settings.stretch;
    let lifted = floor.and_then(|floor| lifted(slot, &setup.legs[leg], &bones, floor, root, &change, limit));
    Some(lifted.unwrap_or(change))
}
