//! Raises toes out of the floor by rotating them at their joint.
//!
//! In proportion to the correction of the leg, as in [`lift`](super::lift). Toes without a joint of their own are left
//! alone.

use surefoot_core::{Floor, JointId, Pose, Quat, Vec3};

use super::lift::lift_share;
use crate::kinematics::leg::{CapturedLeg, LegCorrection};
use crate::kinematics::rotation::{raise_above_floor, rotate, to_parent};
use crate::setup::LegSetup;

/// Raises the toes of a corrected leg.
pub(crate) fn raise_toes(
    pose: &mut Pose,
    captured: &CapturedLeg,
    leg: &LegSetup,
    floor: &Floor,
    correction: &LegCorrection,
) {
    let Some(toe) = leg.toe_joint else { return };
    let foot = &correction.foot;
    let tip = foot.position + rotate(foot.rotation_correction, captured.toe - captured.ankle);
    // Most toes are above the floor. Less than 1e-12 m below it is rounding.
    if floor.above(tip) < -1e-12 {
        raise(pose, captured, leg, floor, correction, toe);
    }
}

/// Raises toes that are below the floor. Rarely needed, hence not inlined.
#[cold]
#[inline(never)]
fn raise(
    pose: &mut Pose,
    captured: &CapturedLeg,
    leg: &LegSetup,
    floor: &Floor,
    correction: &LegCorrection,
    toe: JointId,
) {
    let foot = &correction.foot;
    let ankle_to_tip = rotate(foot.rotation_correction, captured.toe - captured.ankle);
    let ToeJoint { position, parent } = toe_joint(pose, captured, leg, correction);
    let depth = |point: Vec3| -floor.above(point).min(0.0);
    let share = lift_share(correction, depth(foot.position + ankle_to_tip), || depth(captured.toe));
    let arm = ankle_to_tip + foot.position - position;
    let up = raise_above_floor(floor, position, arm, |plane| {
        let now = arm.dot(plane.normal);
        // Toes whose joint is below the floor are laid level.
        let missing = (-plane.above(position)).min(0.0) - now;
        now + missing.max(0.0) * share
    });
    if up == Quat::IDENTITY {
        return;
    }
    pose.rotations[toe.index()] = to_parent(parent, up) * pose.rotations[toe.index()];
}

/// The joint of the toes, in world space.
struct ToeJoint {
    position: Vec3,
    /// Rotation of its parent.
    parent: Quat,
}

fn toe_joint(pose: &Pose, captured: &CapturedLeg, leg: &LegSetup, correction: &LegCorrection) -> ToeJoint {
    let (mut position, mut parent) = (Vec3::ZERO, Quat::IDENTITY);
    let chain = &leg.toe.chain;
    let last = chain.len() - 1;
    for (n, joint) in chain.iter().enumerate() {
        position += rotate(parent, pose.offsets[joint.index()]);
        if n < last {
            parent *= pose.rotations[joint.index()];
        }
    }
    let foot = &correction.foot;
    let ankle = foot.rotation_correction * captured.ankle_rotation;
    ToeJoint { position: foot.position + rotate(ankle, position), parent: ankle * parent }
}
