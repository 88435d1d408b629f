//! Raises toes out of the floor by rotating them about their own hinge, and holds tips that are planted beside the ball, when
//! the pose is written.
//!
//! Toes bend about one axis, like knees: the least rotation that raises a toe tip would twist the toes sideways. Toes
//! without a joint of their own move with the foot and are left where it takes them.

use surefoot_core::math::{PI, acos, atan2, cos, sin};
use surefoot_core::{Floor, Hold, JointId, Pose, Quat, Vec3};

use crate::kinematics::leg::{CapturedLeg, LegCorrection, Target};
use crate::kinematics::leg_ik::NO_LENGTH;
use crate::kinematics::rotation::{about_axis, half_angle, rotate, shortest_arc};
use crate::phases::clearance::NEGLIGIBLE_DEPTH;
use crate::setup::LegSetup;
use crate::stream::slots::LegSlot;

/// Angle by which toes bend further rather than end up pointing back under the foot, in radians. A smaller value lets
/// them flip between both sides when they point straight down.
const FORWARD_PREFERENCE: f64 = 4.0;

/// Sine of the slope of the hinge up to which toes are raised about it alone, 55°, and from which about the axis that
/// takes the least rotation, 70°.
const HINGE_SLOPES: [f64; 2] = [0.82, 0.94];

/// Raises the toes of a leg.
pub(crate) fn raise_toes(
    pose: &mut Pose,
    slot: &LegSlot,
    leg: &LegSetup,
    floor: &Floor,
    correction: Option<&LegCorrection>,
) {
    let Some(toe) = leg.toe_joint else { return };
    let captured = &slot.captured;
    let foot = correction
        .map_or(Target { position: captured.ankle, rotation_correction: Quat::IDENTITY }, |correction| {
            correction.foot
        });
    let tip = foot.position + rotate(foot.rotation_correction, captured.toe - captured.ankle);
    // Most toes are above the floor.
    if floor.above(tip) < -NEGLIGIBLE_DEPTH {
        raise(pose, captured, leg, floor, &foot, toe);
    }
}

/// Turns toes at their joint until the tip is where its plant holds it, beside a planted ball. Returns how far the tip stays
/// from there, in metres; `None` for toes without a joint of their own.
#[cold]
#[inline(never)]
pub(crate) fn hold_tip(
    pose: &mut Pose,
    slot: &LegSlot,
    leg: &LegSetup,
    floor: Option<&Floor>,
    foot: &Target,
    held: &HeldTip,
) -> Option<f64> {
    let toe = leg.toe_joint?;
    let captured = &slot.captured;
    let tip = foot.position + rotate(foot.rotation_correction, captured.toe - captured.ankle);
    let ToeJoint { position, parent } = toe_joint(pose, captured, leg, foot);
    let target = held.hold.position(held.spot, tip, floor);
    let turn = shortest_arc(tip - position, target - position);
    pose.rotations[toe.index()] = parent.conjugate() * turn * parent * pose.rotations[toe.index()];
    Some((position + rotate(turn, tip - position)).distance(target))
}

/// A toe tip that is planted beside the ball.
pub(crate) struct HeldTip {
    pub spot: Vec3,
    pub hold: Hold,
}

/// Raises toes that are below the floor. Rarely needed, hence not inlined.
#[cold]
#[inline(never)]
fn raise(
    pose: &mut Pose,
    captured: &CapturedLeg,
    leg: &LegSetup,
    floor: &Floor,
    foot: &Target,
    toe: JointId,
) {
    let ankle_to_tip = rotate(foot.rotation_correction, captured.toe - captured.ankle);
    let ToeJoint { position, parent } = toe_joint(pose, captured, leg, foot);
    let arm = ankle_to_tip + foot.position - position;
    let plane = floor.plane_under(position + arm);
    // Toes whose joint is below the floor are laid level.
    let height = (-plane.above(position)).min(0.0);
    let axis = raising_axis(rotate(parent, leg.toe_axis), arm, plane.normal);
    let forward = rotate(foot.rotation_correction, forward_of_toes(captured, leg));
    let angle = raise_about(axis, arm, forward, plane.normal, height);
    let up = about_axis(rotate(parent.conjugate(), axis), half_angle(angle));
    pose.rotations[toe.index()] = up * pose.rotations[toe.index()];
}

/// The axis about which toes are raised: their hinge, unless the foot lies on its side. Then the hinge is upright, and a
/// rotation about it swings the toes sideways by centimetres to raise them by millimetres; the axis that raises them
/// with the least rotation takes over.
fn raising_axis(hinge: Vec3, arm: Vec3, up: Vec3) -> Vec3 {
    let [level, upright] = HINGE_SLOPES;
    let weight = ((hinge.dot(up).abs() - level) / (upright - level)).clamp(0.0, 1.0);
    let Some(steepest) = arm.cross(up).try_normalize().filter(|_| weight > 0.0) else { return hinge };
    let hinge = hinge * hinge.dot(steepest).signum();
    hinge.lerp(steepest, weight).try_normalize().unwrap_or(steepest)
}

/// The middle of the directions in which toes can point, from flat to bent upwards by 90°; of unit length.
fn forward_of_toes(captured: &CapturedLeg, leg: &LegSetup) -> Vec3 {
    let flat = (captured.ball - captured.ankle).normalize_or_zero();
    let up = rotate(captured.ankle_rotation, leg.sole_normal);
    (flat + up).normalize_or_zero()
}

/// The angle of rotation about `axis` that brings the end of `arm` to `height`, measured along `up`; where none does, the
/// angle that raises it most. Of the two angles that do, the one that leaves the arm pointing `forward`. In radians.
fn raise_about(axis: Vec3, arm: Vec3, forward: Vec3, up: Vec3, height: f64) -> f64 {
    // The height is `constant + cosine · cos(angle) + sine · sin(angle)`.
    let along = axis * arm.dot(axis);
    let (across, ahead) = (arm - along, axis.cross(arm));
    let (constant, cosine, sine) = (along.dot(up), across.dot(up), ahead.dot(up));
    let amplitude = (cosine * cosine + sine * sine).sqrt();
    // An arm along the axis, or an upright axis: no rotation raises the end.
    if amplitude < NO_LENGTH {
        return 0.0;
    }
    let highest = atan2(sine, cosine);
    let before = acos(((height - constant) / amplitude).clamp(-1.0, 1.0));
    let cost = |angle: f64| {
        let rotated = across * cos(angle) + ahead * sin(angle);
        angle.abs() - FORWARD_PREFERENCE * rotated.normalize_or_zero().dot(forward)
    };
    let [first, second] = [highest - before, highest + before].map(to_half_turn);
    if cost(first) < cost(second) { first } else { second }
}

/// The angle of the same rotation between −π and π.
fn to_half_turn(angle: f64) -> f64 {
    match angle {
        _ if angle > PI => angle - 2.0 * PI,
        _ if angle < -PI => angle + 2.0 * PI,
        _ => angle,
    }
}

/// The joint of the toes, in world space.
struct ToeJoint {
    position: Vec3,
    /// Rotation of its parent.
    parent: Quat,
}

fn toe_joint(pose: &Pose, captured: &CapturedLeg, leg: &LegSetup, foot: &Target) -> ToeJoint {
    let (mut position, mut parent) = (Vec3::ZERO, Quat::IDENTITY);
    let chain = &leg.toe.chain;
    let last = chain.len() - 1;
    for (n, joint) in chain.iter().enumerate() {
        position += rotate(parent, pose.offsets[joint.index()]);
        if n < last {
            parent *= pose.rotations[joint.index()];
        }
    }
    let ankle = foot.rotation_correction * captured.ankle_rotation;
    ToeJoint { position: foot.position + rotate(ankle, position), parent: ankle * parent }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Raises the end of an arm to the height of its start; returns the end.
    fn raised(hinge: Vec3, arm: Vec3) -> Vec3 {
        let axis = raising_axis(hinge, arm, Vec3::Y);
        let angle = raise_about(axis, arm, arm.with_y(0.0).normalize(), Vec3::Y, 0.0);
        rotate(about_axis(axis, half_angle(angle)), arm)
    }

    #[test]
    fn toes_of_a_foot_that_stands_bend_about_their_hinge() {
        let hinge = Vec3::new(0.2, 0.3, -1.0).normalize();
        let arm = Vec3::new(0.06, -0.02, 0.01);
        assert_eq!(raising_axis(hinge, arm, Vec3::Y), hinge);
        let end = raised(hinge, arm);
        assert!(end.y.abs() < 1e-12 && (end - arm).dot(hinge).abs() < 1e-12, "{end}");
    }

    #[test]
    fn toes_of_a_foot_on_its_side_are_raised_without_a_swing() {
        let arm = Vec3::new(0.056, -0.003, -0.011);
        for tilt in [-0.2, -0.05, 0.0, 0.05, 0.2] {
            let end = raised(Vec3::new(tilt, 1.0, 0.18).normalize(), arm);
            assert!(end.y.abs() < 1e-12, "{end}");
            assert!((end - arm).with_y(0.0).length() < 0.002, "{tilt}: {end}");
        }
    }
}
