//! What the rebuilt programs do to a body: turning joints, and two-bone inverse kinematics.

use surefoot::core::math::{acos, sincos, sqrt};
use surefoot::core::{JointId, Leg, Motion, Pose, Quat, Skeleton, Vec3, WorldPose};

/// A pose with its positions in the world.
pub struct Body<'a> {
    skeleton: &'a Skeleton,
    pub pose: Pose,
    pub world: WorldPose,
}

impl<'a> Body<'a> {
    pub fn new(skeleton: &'a Skeleton, pose: &Pose) -> Self {
        Self { skeleton, pose: pose.clone(), world: pose.world(skeleton) }
    }

    /// Turns a joint by a rotation in the world.
    pub fn turn(&mut self, joint: JointId, rotation: Quat) {
        let index = joint.index();
        let parent = self.skeleton.parent(joint);
        let parent_rotation = parent.map_or(Quat::IDENTITY, |parent| self.world.rotations[parent.index()]);
        let turned = rotation * self.world.rotations[index];
        self.pose.rotations[index] = (parent_rotation.conjugate() * turned).normalize();
        self.pose.forward_kinematics(self.skeleton, &mut self.world);
    }

    /// Bends a leg so that its ankle is at `target`, or as near as `reserve` short of the straight leg allows. `knee_axis` is
    /// that of the knee, in the frame of the thigh, for a leg that is captured straight.
    pub fn reach(&mut self, leg: &Leg, knee_axis: Vec3, target: Vec3, reserve: f64) {
        let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| self.world.joint(joint));
        let (thigh, shin) = (knee - hip, ankle - knee);
        let distance = target.distance(hip).min(thigh.length() + shin.length() - reserve);
        let bent = thigh.cross(shin);
        let is_straight = bent.length() < STRAIGHT * thigh.length() * shin.length();
        let hinge = self.world.rotations[leg.hip.index()] * knee_axis;
        let axis = if is_straight { hinge } else { bent };
        let bend = thigh.angle_between(shin);
        self.turn(leg.knee, Quat::from_axis_angle(axis.normalize(), bend_for(thigh, shin, distance) - bend));
        let reached = self.world.joint(leg.ankle) - hip;
        self.turn(leg.hip, Quat::from_rotation_arc(reached.normalize(), (target - hip).normalize()));
    }

    /// Turns a joint so that a point which it carries lies in the direction of `target`.
    pub fn aim(&mut self, joint: JointId, point: Vec3, target: Vec3) {
        let [from, to] = [point, target].map(|point| point - self.world.joint(joint));
        if from.length() > 0.0 && to.length() > 0.0 {
            self.turn(joint, Quat::from_rotation_arc(from.normalize(), to.normalize()));
        }
    }
}

/// Sine of the bend below which the plane of a leg is not known.
const STRAIGHT: f64 = 0.05;

/// The angle between thigh and shin at which the leg has this length, by the law of cosines.
fn bend_for(thigh: Vec3, shin: Vec3, length: f64) -> f64 {
    let (thigh, shin) = (thigh.length(), shin.length());
    acos(((length * length - thigh * thigh - shin * shin) / (2.0 * thigh * shin)).clamp(-1.0, 1.0))
}

/// The mean axis about which a knee bends, in the frame of the thigh.
pub fn knee_axis(motion: &Motion, leg: &Leg) -> Vec3 {
    let mut world = WorldPose::default();
    let mut sum = Vec3::ZERO;
    for pose in &motion.poses {
        pose.forward_kinematics(&motion.skeleton, &mut world);
        let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| world.joint(joint));
        sum += world.rotations[leg.hip.index()].conjugate() * (knee - hip).cross(ankle - knee);
    }
    sum.normalize_or(Vec3::X)
}

/// The rotation about a vector by its length.
pub fn rotation_by(vector: Vec3) -> Quat {
    let angle = sqrt(vector.length_squared());
    let (sin, cos) = sincos(angle / 2.0);
    let axis = vector.normalize_or_zero() * sin;
    Quat::from_xyzw(axis.x, axis.y, axis.z, cos)
}
