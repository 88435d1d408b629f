//! Feet of a file that holds positions alone, after cleaning.
//!
//! Such a file does not tell how a foot is rolled about the line from ankle to toes: its reader takes the side of the foot
//! to be level. The solver may roll a foot by a degree to spare the knee, and the heel, which the file does not store,
//! would be found a millimetre off its spot. So where a heel is held, the ankle is placed where the reader finds heel and
//! ball at their spots, and the knee follows. The ankle moves sideways by a millimetre, which does not bend the knee. Other
//! frames stay as they are: the heading of a steep foot hardly depends on where heel and ball are.

use surefoot_core::math::{atan2, sqrt};
use surefoot_core::{Clip, FootPoint, JointId, Leg, Motion, Pose, Quat, Skeleton, Vec3, WorldPose};

/// Moves the ankles of a cleaned motion so that its heels and balls are found again from positions alone. `captured` is
/// the motion before it was cleaned.
pub(super) fn level_feet(clip: &mut Clip, captured: &Motion) {
    let Clip { motion, legs, plants, .. } = clip;
    let Motion { skeleton, poses, .. } = motion;
    for plant in plants.plants.iter().filter(|plant| plant.point == FootPoint::Heel) {
        let leg = &legs[plant.leg];
        if !has_constructed_heel(leg, skeleton) {
            continue;
        }
        for frame in plant.frames.start..plant.frames.end.min(poses.len()).min(captured.poses.len()) {
            if let Some(level) = level_foot(leg, skeleton, &poses[frame], &captured.poses[frame]) {
                poses[frame] = level;
            }
        }
    }
}

/// Whether the heel of a leg follows from ankle and toes, and its joints are a chain.
fn has_constructed_heel(leg: &Leg, skeleton: &Skeleton) -> bool {
    let chain = [(leg.knee, leg.hip), (leg.ankle, leg.knee), (leg.ball.joint, leg.ankle)];
    leg.heel.joint == leg.ankle && chain.iter().all(|&(joint, parent)| skeleton.parent(joint) == Some(parent))
}

/// The pose with a level foot; `None` where the foot is as captured.
fn level_foot(leg: &Leg, skeleton: &Skeleton, pose: &Pose, captured: &Pose) -> Option<Pose> {
    let (world, before) = (pose.world(skeleton), captured.world(skeleton));
    let toes = leg.ball.joint;
    let is_moved = |joint: JointId| world.joint(joint) != before.joint(joint);
    if !is_moved(leg.ankle) && !is_moved(toes) {
        return None;
    }
    let foot = Foot::new(leg, pose.offsets[toes.index()], before.rotations[leg.ankle.index()])?;
    let rotation =
        foot.level_rotation(world.point(&leg.heel) - world.joint(toes), world.rotations[leg.ankle.index()])?;
    let ankle = world.joint(toes) - rotation * pose.offsets[toes.index()];
    Some(with_ankle(leg, skeleton, pose, &world, (ankle, rotation)))
}

/// A foot in the frame of its ankle.
struct Foot {
    /// Its left, its up and the direction of the toes, as columns.
    axes: [Vec3; 3],
    /// From the toe joint to the heel, along these axes.
    heel: Vec3,
}

impl Foot {
    /// `captured` is the rotation of the ankle as it was read, whose left is level.
    fn new(leg: &Leg, toes: Vec3, captured: Quat) -> Option<Self> {
        let ahead = toes.try_normalize()?;
        let left = captured.conjugate() * Vec3::Y.cross(captured * ahead).try_normalize()?;
        let axes = [left, ahead.cross(left), ahead];
        let heel = leg.heel.offset - toes;
        Some(Self { axes, heel: Vec3::from_array(axes.map(|axis| axis.dot(heel))) })
    }

    /// The rotation with a level left that turns the vector from toe joint to heel into `wanted`. `None` for a vertical foot.
    fn level_rotation(&self, wanted: Vec3, current: Quat) -> Option<Quat> {
        let Vec3 { x: side, y: up, z: ahead } = self.heel;
        let radius_squared = up * up + ahead * ahead;
        // Where the foot points ahead of the heel now, it does so afterwards.
        let forward = (current * self.axes[2]).reject_from_normalized(Vec3::Y).try_normalize()?;
        let sign = (current * (self.axes[1] * up + self.axes[2] * ahead)).dot(forward);
        let level =
            sqrt((radius_squared - wanted.y * wanted.y).max(0.0)) * if sign < 0.0 { -1.0 } else { 1.0 };
        // wanted = side · left + level · forward + wanted.y · up, with left = up × forward.
        let forward = Vec3::new(level * wanted.x - side * wanted.z, 0.0, level * wanted.z + side * wanted.x);
        let forward = forward.try_normalize()?;
        let left = Vec3::Y.cross(forward);
        // The heel is at the angle atan2(up, ahead) in the foot and at atan2(wanted.y, level) in the world.
        let pitch = atan2(wanted.y, level) - atan2(up, ahead);
        let (sin, cos) = surefoot_core::math::sincos(pitch);
        let toes = forward * cos + Vec3::Y * sin;
        let from = surefoot_core::glam::DMat3::from_cols(self.axes[0], self.axes[1], self.axes[2]);
        let to = surefoot_core::glam::DMat3::from_cols(left, toes.cross(left), toes);
        Some(Quat::from_mat3(&(to * from.transpose())).normalize())
    }
}

/// The pose with the ankle at another place, with another rotation, and the knee bent as far as that needs.
fn with_ankle(leg: &Leg, skeleton: &Skeleton, pose: &Pose, world: &WorldPose, ankle: (Vec3, Quat)) -> Pose {
    let [hip, knee, old_ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| world.joint(joint));
    let (ankle, ankle_rotation) = ankle;
    let new_knee = bent_knee(hip, knee, old_ankle, ankle);
    let swing = |from: Vec3, to: Vec3| match (from.try_normalize(), to.try_normalize()) {
        (Some(from), Some(to)) => Quat::from_rotation_arc(from, to),
        _ => Quat::IDENTITY,
    };
    let rotation = |joint: JointId| world.rotations[joint.index()];
    let thigh = swing(knee - hip, new_knee - hip) * rotation(leg.hip);
    let shin = swing(old_ankle - knee, ankle - new_knee) * rotation(leg.knee);
    let above = skeleton.parent(leg.hip).map_or(Quat::IDENTITY, rotation);
    let mut pose = pose.clone();
    let mut set = |joint: JointId, parent: Quat, own: Quat| {
        pose.rotations[joint.index()] = (parent.conjugate() * own).normalize();
    };
    set(leg.hip, above, thigh);
    set(leg.knee, thigh, shin);
    set(leg.ankle, shin, ankle_rotation);
    set(leg.ball.joint, ankle_rotation, ankle_rotation);
    pose
}

/// The knee of a leg whose ankle moves, on the side to which it is bent. A leg that does not reach is straight.
fn bent_knee(hip: Vec3, knee: Vec3, old_ankle: Vec3, ankle: Vec3) -> Vec3 {
    let (thigh, shin) = (hip.distance(knee), knee.distance(old_ankle));
    let reach = ankle - hip;
    let distance = reach.length();
    let Some(along) = reach.try_normalize() else { return knee };
    let share = ((thigh * thigh - shin * shin + distance * distance) / (2.0 * distance)).clamp(-thigh, thigh);
    let side = (knee - hip).reject_from_normalized(along).normalize_or_zero();
    hip + along * share + side * sqrt((thigh * thigh - share * share).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math::axis_rotation;

    #[test]
    fn a_rolled_foot_becomes_level_with_heel_and_toes_in_place() {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        for (pitch, heading) in [(0.0, 0.3), (-0.4, 2.0), (0.3, -1.1)] {
            let foot = Foot { axes, heel: Vec3::new(0.005, -0.02, -0.16) };
            let rolled = axis_rotation(1, heading) * axis_rotation(0, pitch) * axis_rotation(2, 0.05);
            let wanted = rolled * foot.heel;
            let level = foot.level_rotation(wanted, rolled).unwrap();
            assert!((level * foot.heel - wanted).length() < 1e-12, "pitch {pitch}");
            assert!((level * Vec3::X).y.abs() < 1e-12, "pitch {pitch}");
        }
    }

    #[test]
    fn a_knee_keeps_the_lengths_of_thigh_and_shin() {
        let (hip, knee, ankle) = (Vec3::Y, Vec3::new(0.0, 0.55, 0.1), Vec3::new(0.0, 0.1, 0.05));
        let moved = ankle + Vec3::new(0.002, 0.001, -0.003);
        let new = bent_knee(hip, knee, ankle, moved);
        assert!((hip.distance(new) - hip.distance(knee)).abs() < 1e-12);
        assert!((moved.distance(new) - ankle.distance(knee)).abs() < 1e-12);
        assert!(new.z > 0.05);
    }
}
