//! The end of phase 5: what is below the floor comes up.
//!
//! A foot that is not held is lifted by the least that brings heel and ball out of the floor, and
//! its leg bends for it. Then toes that are still below are turned up at the ball. Both only as
//! far as the leg is changed at all: what no plant reaches stays as captured.

use surefoot_core::{Floor, Pose, Quat, Vec3};

use super::legs::{damped, limited, pose_leg};
use super::turn::{about, between, exp, log, raised, raised_over};
use crate::hinge::Bones;
use crate::setup::LegSetup;
use crate::window::{Change, LegSlot, Parts, Seen, Target};

/// The change that these parts make of a leg.
pub(super) fn made(seen: &Seen, leg: &LegSetup, root: Vec3, parts: Parts, share: f64) -> Change {
    let turns = [exp(parts.hip), about(leg.hinge.axis, parts.bend), exp(parts.ankle)];
    let hip = seen.hip_holder * turns[0] * seen.hip_holder.conjugate();
    let knee = seen.knee_holder * turns[1] * seen.knee_holder.conjugate();
    let reach = (seen.knee - seen.hip + knee * (seen.ankle - seen.knee)) * (1.0 + parts.stretch);
    let holder = hip * knee * seen.ankle_holder;
    let own = seen.ankle_holder.conjugate() * seen.ankle_turn;
    let foot = Target { position: seen.hip + root + hip * reach, turn: holder * turns[2] * own };
    Change { parts, turns, foot, slide: 0.0, depth: 0.0, bent: 0.0, share }
}

/// The same change with another bend of the knee: the hip turns so that the ankle stays in line, and
/// the foot stays turned as it was.
pub(super) fn rebent(seen: &Seen, leg: &LegSetup, root: Vec3, change: Change, bend: f64) -> Change {
    if bend == change.parts.bend {
        return change;
    }
    let axis = seen.knee_holder * leg.hinge.axis;
    let reach = |bend: f64| seen.knee - seen.hip + about(axis, bend) * (seen.ankle - seen.knee);
    let before = seen.hip_holder * change.turns[0] * seen.hip_holder.conjugate();
    let to = reach(bend);
    let hip_turn = before * between(to, reach(change.parts.bend));
    let holder = hip_turn * about(axis, bend) * seen.ankle_holder;
    let own = seen.ankle_holder.conjugate() * seen.ankle_turn;
    let hip = seen.hip_holder.conjugate() * hip_turn * seen.hip_holder;
    let ankle = holder.conjugate() * change.foot.turn * own.conjugate();
    let position = seen.hip + root + hip_turn * to * (1.0 + change.parts.stretch);
    Change {
        parts: Parts { hip: log(hip), ankle: log(ankle), bend, ..change.parts },
        turns: [hip, about(leg.hinge.axis, bend), ankle],
        foot: Target { position, ..change.foot },
        ..change
    }
}

/// The change that brings a free foot out of the floor, `share` of the way; none if it is out of it.
///
/// As far as the foot can turn one end up without the other going down into the floor, it does; a
/// knee that lifts every toe that drags would jerk. The rest the leg lifts.
pub(super) fn lifted(
    slot: &LegSlot,
    leg: &LegSetup,
    bones: &Bones,
    floor: &Floor,
    root: Vec3,
    change: &Change,
    limit: f64,
) -> Option<Change> {
    let (seen, now) = (&slot.seen, change.foot);
    let turned = now.turn * seen.ankle_turn.conjugate();
    let (heel, ball) = (turned * (seen.heel - seen.ankle), turned * (seen.ball - seen.ankle));
    // A foot that comes from a plant below the floor leaves it as slowly as it leaves the plant.
    let height = |arm: Vec3| floor.above(now.position + arm) + change.depth;
    let (of_heel, of_ball) = (height(heel), height(ball));
    if of_heel.min(of_ball) >= -1e-12 {
        return None;
    }
    let arms = if of_heel < of_ball { (heel, ball) } else { (ball, heel) };
    Some(lift(slot, leg, bones, floor, root, change, limit, arms))
}

/// The same for a foot that is in the floor, `low` deeper than `high`. Few are: kept out of the way.
#[cold]
#[inline(never)]
#[allow(clippy::too_many_arguments)]
fn lift(
    slot: &LegSlot,
    leg: &LegSetup,
    bones: &Bones,
    floor: &Floor,
    root: Vec3,
    change: &Change,
    limit: f64,
    (low, high): (Vec3, Vec3),
) -> Change {
    let (seen, share, now) = (&slot.seen, lift_share(change.share), change.foot);
    let height = |arm: Vec3| floor.above(now.position + arm) + change.depth;
    let up = floor.plane_under(now.position + low).normal;
    // Turning raises the low end and lowers the high one, by as much as each is out from the ankle.
    let out = |arm: Vec3| (arm - up * arm.dot(up)).length().max(1e-6);
    let room = (height(high) / out(high)).max(0.0) * out(low);
    // An end below the ankle is hardly raised by any turn: a heel so would throw the toes down.
    let lever = out(low) / low.length().max(1e-6);
    let raise = (-height(low)).min(room) * share * lever * lever;
    let turn = raised(low, up, low.dot(up) + raise);
    let depth = -height(turn * low).min(height(turn * high));
    let position = now.position + up * (depth * share).max(0.0);
    let position = match floor.as_plane() {
        Some(_) => position,
        None => over_ground(floor, position, [turn * low, turn * high], depth.max(0.0) * (1.0 - share)),
    };
    let target = Target { position, turn: turn * now.turn };
    let hip = seen.hip + root;
    let (was, reach) = ((now.position - hip).length(), (target.position - hip).length());
    // Knee and bones share it as in phase 4. The bend is taken as a difference, so that a lift of
    // nothing changes nothing, whichever way the knee is bent.
    let longer = 1.0 + change.parts.stretch;
    let by = reach / was.max(1e-9) - 1.0;
    let room = limit - change.parts.stretch.copysign(change.parts.stretch * by);
    let shorter = longer * (1.0 + limited(by, room / longer));
    let bent = bones.bend + change.parts.bend;
    let more = bones.bend_for(reach / shorter) - bones.bend_for(was / longer);
    let more = if limit > 0.0 { damped(bent, more) } else { more };
    let stretch = (reach / bones.reach(bent + more).max(1e-9) - 1.0).clamp(-limit, limit);
    let bend = change.parts.bend + more;
    Change { share: change.share, depth: change.depth, ..pose_leg(slot, leg, target, root, bend, stretch) }
}

/// A place straight above this one, from which neither arm ends deeper than `left` in the ground.
///
/// A foot that is lifted out of a slope comes to be over other ground.
#[cold]
#[inline(never)]
fn over_ground(floor: &Floor, position: Vec3, arms: [Vec3; 2], left: f64) -> Vec3 {
    let deep = |arm: Vec3| {
        let plane = floor.plane_under(position + arm);
        -(plane.above(position + arm) + left) / plane.normal.y
    };
    position + Vec3::Y * deep(arms[0]).max(deep(arms[1])).max(0.0)
}

/// How much of a foot's depth in the floor is taken away, where the leg is changed by `share`.
///
/// All of it as soon as a third of the change is left: a foot half out of the floor is no use, but
/// where the change begins it must begin at nothing.
fn lift_share(share: f64) -> f64 {
    (3.0 * share).min(1.0)
}

/// Turns the toes of a changed leg up out of the floor.
pub(super) fn turn_toes(pose: &mut Pose, seen: &Seen, leg: &LegSetup, floor: &Floor, change: &Change) {
    let Some(toe) = leg.toe else { return };
    let now = change.foot;
    let turned = now.turn * seen.ankle_turn.conjugate();
    let joint = now.position + turned * (seen.toe_joint - seen.ankle);
    let arm = turned * (seen.toe - seen.toe_joint);
    // Toes whose joint is itself below the floor are laid level.
    let share = lift_share(change.share);
    let up = raised_over(floor, joint, arm, |plane| {
        let now = arm.dot(plane.normal);
        let below = (-plane.above(joint)).min(0.0) - now;
        now + below.max(0.0) * share
    });
    if up == Quat::IDENTITY {
        return;
    }
    let holder = turned * seen.toe_holder;
    pose.rotations[toe.index()] = holder.conjugate() * up * holder * pose.rotations[toe.index()];
}
