//! Two-bone inverse kinematics of an arm.

use crate::bodies::human::{Arm, Human};
use surefoot_core::Pose;
use surefoot_core::math::{Mat3, Quat, Vec3, acos, axis_rotation};

/// Rotates shoulder, elbow and hand of a pose so that the wrist is at `wrist` and the hand has `rotation` in world space.
///
/// The elbow points away from the chest and backwards, as on a person who leans on the hands.
pub(super) fn pose_arm(pose: &mut Pose, human: &Human, arm: &Arm, wrist: Vec3, rotation: Quat) {
    let world = pose.world(&human.skeleton);
    let parent =
        human.skeleton.parent(arm.upper).map_or(Quat::IDENTITY, |joint| world.rotations[joint.index()]);
    let shoulder = world.joint(arm.upper);
    let [upper, fore] = [arm.fore, arm.hand].map(|joint| human.skeleton.joint(joint).offset.length());
    let reach = wrist - shoulder;
    let angle = |a: f64, b: f64, opposite: f64| {
        // Every planned reach is within the arm's length; the clamp is for rounding errors.
        acos(((a * a + b * b - opposite * opposite) / (2.0 * a * b)).clamp(-1.0, 1.0))
    };
    let length = reach.length();
    let (at_shoulder, at_elbow) = (angle(upper, length, fore), angle(upper, fore, length));
    let along = reach.normalize();
    let back = parent * Vec3::new(0.5 * arm.side, -0.5, -0.7);
    let out = (back - along * back.dot(along)).normalize();
    // The forearm bends towards Z of the upper arm; the elbow is on the other side.
    let hinge = (-out).cross(along * arm.side);
    let straight = Quat::from_mat3(&Mat3::from_cols(along * arm.side, hinge, -out));
    let upper = straight * axis_rotation(1, arm.side * at_shoulder);
    let bend = axis_rotation(1, -arm.side * (core::f64::consts::PI - at_elbow));
    pose.rotations[arm.upper.index()] = parent.inverse() * upper;
    pose.rotations[arm.fore.index()] = bend;
    pose.rotations[arm.hand.index()] = (upper * bend).inverse() * rotation;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies::human::Toes;

    #[test]
    fn an_arm_ends_at_its_wrist_with_the_elbow_behind() {
        let human = Human::new(Toes::Jointed);
        for (arm, x) in human.arms.iter().zip([0.3, -0.3]) {
            let mut pose = Pose::rest(&human.skeleton);
            let (wrist, rotation) = (Vec3::new(x, 1.2, 0.4), axis_rotation(0, 0.3));
            pose_arm(&mut pose, &human, arm, wrist, rotation);
            let world = pose.world(&human.skeleton);
            assert!((world.joint(arm.hand) - wrist).length() < 1e-14);
            assert!(world.rotations[arm.hand.index()].dot(rotation).abs() > 1.0 - 1e-14);
            let middle = 0.5 * (world.joint(arm.upper) + wrist);
            assert!((world.joint(arm.fore) - middle).z < -0.05);
        }
    }
}
