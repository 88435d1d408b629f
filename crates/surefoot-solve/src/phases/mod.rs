//! The five phases, in the order they run.

use surefoot_core::{Pose, Quat, Vec3};

use crate::cleaner::Held;
use crate::setup::{LegSetup, Setup};
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
    place(setup, world, pose);
    let (slot, legs) = window.parts_mut(frame);
    slot.pose.copy_from(pose);
    for (n, (leg, setup_leg)) in legs.iter_mut().zip(&setup.legs).enumerate() {
        leg.held = held.get(n).copied().unwrap_or_default();
        leg.seen = seen(setup_leg, world);
    }
}

/// The same for the legs alone, of which it is not known yet who is held.
pub(crate) fn see_legs(
    window: &mut Window,
    setup: &Setup,
    world: &mut [(Vec3, Quat)],
    frame: usize,
    pose: &Pose,
) {
    place(setup, world, pose);
    for (leg, setup_leg) in window.legs_mut(frame).iter_mut().zip(&setup.legs) {
        leg.seen = seen(setup_leg, world);
    }
}

fn place(setup: &Setup, world: &mut [(Vec3, Quat)], pose: &Pose) {
    for (n, needed) in setup.needed.iter().enumerate() {
        let (offset, rotation) = (pose.offsets[needed.joint.index()], pose.rotations[needed.joint.index()]);
        world[n] = match needed.parent {
            None => (offset, rotation),
            Some(parent) => {
                let (place, turn) = world[parent];
                (place + turn * offset, turn * rotation)
            }
        };
    }
}

fn seen(setup: &LegSetup, world: &[(Vec3, Quat)]) -> Seen {
    let (leg, at) = (&setup.leg, &setup.at);
    let [hip_holder, knee_holder, ankle_holder] =
        at.holders.map(|holder| holder.map_or(Quat::IDENTITY, |holder| world[holder].1));
    let [heel, ball, toe] = core::array::from_fn(|n| {
        let (place, turn) = world[at.points[n]];
        let offset = [leg.heel.offset, leg.ball.offset, leg.toe.offset][n];
        if offset == Vec3::ZERO { place } else { place + turn * offset }
    });
    let ((hip, hip_turn), (ankle, ankle_turn)) = (world[at.hip], world[at.ankle]);
    Seen {
        hip,
        knee: world[at.knee].0,
        ankle,
        heel,
        ball,
        toe,
        axis: knee_holder * setup.hinge.axis,
        hip_holder,
        hip_turn,
        ankle_holder,
        ankle_turn,
    }
}

/// Work on one frame of a window.
pub(crate) type Work = fn(&mut Window, &Setup, usize);

/// Moves every phase on by one frame. Gives back the frame that is done.
///
/// The first phase comes from outside: [`plants::settle`], or nothing where all spots are known.
pub(crate) fn advance(window: &mut Window, setup: &Setup, settle: Work) -> Option<usize> {
    let ahead = setup.frames;
    loop {
        let mut moved = false;
        moved |= step(window, setup, 0, ahead.spots, settle);
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

fn step(window: &mut Window, setup: &Setup, phase: usize, ahead: usize, work: Work) -> bool {
    let Some(frame) = window.next(phase, ahead) else { return false };
    work(window, setup, frame);
    window.done[phase] += 1;
    true
}
