//! The five phases, in the order they run.

use surefoot_core::{Pose, Quat, Vec3};

use crate::cleaner::Held;
use crate::setup::Setup;
use crate::window::{Seen, Window};

pub(crate) mod plants;
pub(crate) mod ankles;
pub(crate) mod root;
pub(crate) mod legs;
pub(crate) mod blend;
mod lift;
mod fade;
mod turn;

/// Takes in one frame: the pose, and the legs as captured.
pub(crate) fn see(
    window: &mut Window,
    setup: &Setup,
    world: &mut [(Vec3, Quat)],
    frame: usize,
    pose: &Pose,
    held: &[Held],
) {
    for &joint in &setup.needed {
        let index = joint.index();
        let (place, turn) = match setup.skeleton.parent(joint) {
            None => (pose.offsets[index], pose.rotations[index]),
            Some(parent) => {
                let (place, turn) = world[parent.index()];
                (place + turn * pose.offsets[index], turn * pose.rotations[index])
            }
        };
        world[index] = (place, turn);
    }
    let slot = window.slot_mut(frame);
    slot.pose.copy_from(pose);
    for (n, (leg, setup_leg)) in slot.legs.iter_mut().zip(&setup.legs).enumerate() {
        leg.held = held.get(n).copied().unwrap_or_default();
        leg.seen = seen(setup, setup_leg, world);
    }
}

fn seen(setup: &Setup, leg: &crate::setup::LegSetup, world: &[(Vec3, Quat)]) -> Seen {
    let at = |joint: surefoot_core::JointId| world[joint.index()];
    let holder = |joint| setup.skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| at(parent).1);
    let point = |point: &surefoot_core::PointOn| {
        let (place, turn) = at(point.joint);
        place + turn * point.offset
    };
    let leg = &leg.leg;
    Seen {
        hip: at(leg.hip).0,
        knee: at(leg.knee).0,
        ankle: at(leg.ankle).0,
        heel: point(&leg.heel),
        ball: point(&leg.ball),
        toe: point(&leg.toe),
        toe_joint: at(leg.toe.joint).0,
        toe_holder: holder(leg.toe.joint),
        hip_holder: holder(leg.hip),
        knee_holder: holder(leg.knee),
        ankle_holder: holder(leg.ankle),
        ankle_turn: at(leg.ankle).1,
    }
}

/// Moves every phase on by one frame. Gives back the frame that is done.
pub(crate) fn advance(window: &mut Window, setup: &Setup) -> Option<usize> {
    let ahead = setup.frames;
    loop {
        let mut moved = false;
        moved |= step(window, setup, 0, ahead.spots, plants::settle);
        moved |= step(window, setup, 1, ahead.ankles.frames, ankles::aim);
        moved |= step(window, setup, 2, ahead.root.frames, root::place);
        moved |= step(window, setup, 3, ahead.ease.frames, root::ease);
        moved |= step(window, setup, 4, 0, legs::ask);
        moved |= step(window, setup, 5, ahead.knee.frames, legs::bend);
        if step(window, setup, 6, ahead.blend.frames, blend::fade) {
            return Some(window.done[6] - 1);
        }
        // While frames come in, each phase moves once a frame; at the end, until one comes out.
        if !moved || !window.ended {
            return None;
        }
    }
}

fn step(
    window: &mut Window,
    setup: &Setup,
    phase: usize,
    ahead: usize,
    work: fn(&mut Window, &Setup, usize),
) -> bool {
    let Some(frame) = window.next(phase, ahead) else { return false };
    work(window, setup, frame);
    window.done[phase] += 1;
    true
}
