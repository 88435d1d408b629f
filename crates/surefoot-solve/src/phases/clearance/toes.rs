//! The end of phase 5: toes that would be in the floor turn up at their joint.
//!
//! As far as the leg is changed at all, as with [`lift`](super::lift). Toes that no joint turns are left alone.

use surefoot_core::{Floor, JointId, Pose, Quat, Vec3};

use super::lift::lift_share;
use crate::kinematics::rotation::{raised_over, seen_from, turned};
use crate::setup::LegSetup;
use crate::stream::slots::{Change, Seen};

/// Turns the toes of a changed leg up out of the floor.
pub(crate) fn turn_toes(pose: &mut Pose, seen: &Seen, leg: &LegSetup, floor: &Floor, change: &Change) {
    let Some(toe) = leg.toe else { return };
    let now = &change.foot;
    let arm = turned(now.added, seen.toe - seen.ankle);
    // Toes that are clear of the floor, most by far, need no more; what is less than this below it is rounding.
    if floor.above(now.position + arm) < -1e-12 {
        turn_up(pose, seen, leg, floor, change, arm, toe);
    }
}

/// The same for toes that are below it, their tip `arm` from the ankle. Few are: kept out of the way.
#[cold]
#[inline(never)]
fn turn_up(
    pose: &mut Pose,
    seen: &Seen,
    leg: &LegSetup,
    floor: &Floor,
    change: &Change,
    arm: Vec3,
    toe: JointId,
) {
    let now = &change.foot;
    let (mut joint, mut holder) = (Vec3::ZERO, Quat::IDENTITY);
    let foot = &leg.foot[2].path;
    let last = foot.len() - 1;
    for (n, below) in foot.iter().enumerate() {
        joint += turned(holder, pose.offsets[below.index()]);
        if n < last {
            holder *= pose.rotations[below.index()];
        }
    }
    let ankle = now.added * seen.ankle_turn;
    let joint = now.position + turned(ankle, joint);
    let holder = ankle * holder;
    // Toes whose joint is itself below the floor are laid level.
    let own = || -floor.above(seen.toe).min(0.0);
    let share = lift_share(change, -floor.above(now.position + arm).min(0.0), own);
    let arm = arm + now.position - joint;
    let up = raised_over(floor, joint, arm, |plane| {
        let now = arm.dot(plane.normal);
        let below = (-plane.above(joint)).min(0.0) - now;
        now + below.max(0.0) * share
    });
    if up == Quat::IDENTITY {
        return;
    }
    pose.rotations[toe.index()] = seen_from(holder, up) * pose.rotations[toe.index()];
}
