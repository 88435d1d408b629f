//! The joints above the pelvis of the target: where its root lies and what it carries.
//!
//! In most captures the root is the pelvis. Game rigs have a root on the ground below it, some files a root at the
//! origin that never moves. The frames of the target show which of these it is.

use surefoot_core::math::{Quat, Vec3, atan2, axis_rotation};
use surefoot_core::{JointId, Pose, Skeleton, WorldPose};

/// What the root of the target carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RootHabit {
    /// The root carries the whole motion and turns with the pelvis.
    IsPelvis,
    /// The root carries the position of the body and keeps this rotation; the pelvis turns.
    Carries(Quat),
    /// The root keeps this pose; the pelvis carries the motion.
    Still(Vec3, Quat),
    /// The root is on the ground below the pelvis and turns with the facing of the body: by this rotation after it.
    OnGround(Quat),
}

/// Smallest movement of a joint that carries a motion, as a share of the leg. Rounding in files is below 1e-5.
const MIN_MOVEMENT: f64 = 1e-3;

/// Smallest turn of a root that turns, in radians: half a degree.
const MIN_TURN: f64 = 0.01;

/// Smallest distance from root to pelvis of a root on the ground, as a share of the leg.
const MIN_GROUND_DISTANCE: f64 = 0.3;

/// The joints that place a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootJoints {
    pub root: JointId,
    pub pelvis: JointId,
    /// A left and a right hip.
    pub hips: [JointId; 2],
}

/// Finds the habit of a body from its frames. Without frames the root is taken to carry the position.
pub(super) fn root_habit(
    skeleton: &Skeleton,
    joints: RootJoints,
    poses: &[Pose],
    leg_length: f64,
) -> RootHabit {
    let RootJoints { root, pelvis, .. } = joints;
    if root == pelvis {
        return RootHabit::IsPelvis;
    }
    let Some(first) = poses.first() else {
        let rest = Pose::rest(skeleton).world(skeleton);
        let is_far = rest.joint(root).distance(rest.joint(pelvis)) > MIN_GROUND_DISTANCE * leg_length;
        return if is_far { RootHabit::Carries(Quat::IDENTITY) } else { RootHabit::IsPelvis };
    };
    let moves = |joint: JointId| {
        let at = |pose: &Pose| pose.offsets[joint.index()];
        poses.iter().any(|pose| at(pose).distance(at(first)) > MIN_MOVEMENT * leg_length)
    };
    let turns = |joint: JointId| {
        let at = |pose: &Pose| pose.rotations[joint.index()];
        poses.iter().any(|pose| at(pose).angle_between(at(first)) > MIN_TURN)
    };
    let index = root.index();
    match (moves(pelvis), moves(root), turns(pelvis)) {
        (true, true, _) => {
            let world = first.world(skeleton);
            RootHabit::OnGround(facing(&world, joints.hips).conjugate() * first.rotations[index])
        }
        (true, false, _) => RootHabit::Still(first.offsets[index], first.rotations[index]),
        (false, true, true) if !turns(root) => RootHabit::Carries(first.rotations[index]),
        _ => RootHabit::IsPelvis,
    }
}

/// The rotation about up that turns from facing along Z to the facing of the body.
pub(super) fn facing(world: &WorldPose, hips: [JointId; 2]) -> Quat {
    let left = world.joint(hips[0]) - world.joint(hips[1]);
    // The body faces along left × up; X is to the left of a body that faces Z.
    axis_rotation(1, atan2(-left.z, left.x))
}
