//! The five phases, in the order they run.

use surefoot_core::{JointId, PointOn, Pose, Quat, Vec3};

use crate::cleaner::Held;
use crate::setup::{LegSetup, Setup};
use crate::slots::Seen;
use crate::window::Window;
use turn::turned;

pub(crate) mod plants;
pub(crate) mod ankles;
pub(crate) mod root;
mod balls;
pub(crate) mod legs;
pub(crate) mod blend;
mod lift;
pub(crate) mod landing;
pub(crate) mod fade;
pub(crate) mod turn;

/// Takes in one frame: the pose, and the legs as captured.
pub(crate) fn see(window: &mut Window, setup: &Setup, frame: usize, pose: &Pose, held: &[Held]) {
    for (n, leg) in setup.legs.iter().enumerate() {
        let held = held.get(n).unwrap_or(&FREE);
        window.plants_mut(frame, n).plants = held.plants();
        let slot = window.leg_mut(frame, n);
        slot.held = *held;
        slot.seen = seen(leg, pose);
    }
}

/// The same for the legs alone, of which it is not known yet who is held.
pub(crate) fn see_legs(window: &mut Window, setup: &Setup, frame: usize, pose: &Pose) {
    for (n, leg) in setup.legs.iter().enumerate() {
        window.leg_mut(frame, n).seen = seen(leg, pose);
    }
}

const FREE: Held = Held { heel: None, ball: None };

/// A joint's place in the world, and how it is turned there.
type Placed = (Vec3, Quat);

#[inline(always)]
fn seen(setup: &LegSetup, pose: &Pose) -> Seen {
    let leg = &setup.leg;
    let own = |joint: JointId| (pose.offsets[joint.index()], pose.rotations[joint.index()]);
    let above = match setup.above.split_first() {
        Some((root, rest)) => down(own(*root), rest, pose).1,
        None => (Vec3::ZERO, Quat::IDENTITY),
    };
    let hip = below(above, leg.hip, pose);
    let (knee_holder, knee) = down(hip, &setup.thigh, pose);
    let (ankle_holder, ankle) = down(knee, &setup.shin, pose);
    let [to_heel, to_ball, to_toe] = &setup.foot;
    Seen {
        hip: hip.0,
        knee: knee.0,
        ankle: ankle.0,
        heel: on_foot(ankle, &leg.heel, to_heel, pose),
        ball: on_foot(ankle, &leg.ball, to_ball, pose),
        toe: on_foot(ankle, &leg.toe, to_toe, pose),
        axis: turned(knee_holder, setup.hinge.axis),
        hip_holder: above.1,
        ankle_holder,
        ankle_turn: ankle.1,
    }
}

/// Goes down from a joint along a path. Gives back how the joint before the last is turned, and the last.
#[inline(always)]
fn down(from: Placed, path: &[JointId], pose: &Pose) -> (Quat, Placed) {
    let (mut holder, mut last) = (from.1, from);
    for joint in path {
        (holder, last) = (last.1, below(last, *joint, pose));
    }
    (holder, last)
}

#[inline(always)]
fn below((place, turn): Placed, joint: JointId, pose: &Pose) -> Placed {
    (place + turned(turn, pose.offsets[joint.index()]), turn * pose.rotations[joint.index()])
}

/// A point on the last joint of a path down from the ankle, or on the ankle itself.
#[inline(always)]
fn on_foot(ankle: Placed, on: &PointOn, path: &[JointId], pose: &Pose) -> Vec3 {
    let mut point = on.offset;
    for joint in path.iter().rev() {
        let place = pose.offsets[joint.index()];
        point =
            if point == Vec3::ZERO { place } else { place + turned(pose.rotations[joint.index()], point) };
    }
    ankle.0 + turned(ankle.1, point)
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
