//! Transfers poses from one body to another.
//!
//! The world rotation of a target joint is that of its source joint times the constant alignment of
//! the rest poses: T(t) = S(t)·L. Limbs then point in the captured directions, whatever the local
//! axes of both bodies. The root is placed so that the hips are at the scaled captured position.

use surefoot_core::math::{Quat, Vec3};
use surefoot_core::{JointId, Leg, Motion, Pose, Skeleton, WorldPose};

use super::matching::Match;

/// Difference from the rest offset below which a bone is not stretched, in metres: rounding.
const MIN_STRETCH: f64 = 1e-12;

/// Largest stretch of a bone that is transferred, as a share of its length. A larger difference means
/// that the offsets of the file belong to another body.
const MAX_STRETCH: f64 = 0.25;

/// The constants of the transfer.
pub(super) struct PoseTransfer<'a> {
    pub from: &'a Skeleton,
    pub to: &'a Skeleton,
    /// For each target joint its match and the alignment at rest.
    pub rotations: Vec<Option<(Match, Quat)>>,
    /// Pairs of hips, source and target.
    pub hips: Vec<[JointId; 2]>,
    /// The target's root.
    pub root: JointId,
    /// Ratio of sizes, target to source.
    pub scale: f64,
    /// Whether source and target are the same body.
    pub is_same: bool,
}

impl PoseTransfer<'_> {
    /// The motion of the target. `map_hips` maps captured hip positions to those of the target.
    pub fn motion(&self, motion: &Motion, map_hips: impl Fn(Vec3) -> Vec3) -> Motion {
        let mut work = Work::default();
        let poses = motion.poses.iter().map(|pose| self.pose(pose, &map_hips, &mut work)).collect();
        Motion { skeleton: self.to.clone(), fps: motion.fps, poses }
    }

    fn pose(&self, pose: &Pose, map_hips: &impl Fn(Vec3) -> Vec3, work: &mut Work) -> Pose {
        let Work { from, to, world } = work;
        pose.forward_kinematics(self.from, from);
        let mut out = Pose::rest(self.to);
        world.clear();
        for joint in self.to.ids() {
            let above = self.to.parent(joint).map_or(Quat::IDENTITY, |parent| world[parent.index()]);
            let rotation = match &self.rotations[joint.index()] {
                Some((one, alignment)) => source_rotation(one, from) * *alignment,
                None => above,
            };
            out.rotations[joint.index()] = (above.conjugate() * rotation).normalize();
            out.offsets[joint.index()] += self.stretch(joint, pose, from, above);
            world.push(rotation);
        }
        out.offsets[self.root.index()] = Vec3::ZERO;
        out.forward_kinematics(self.to, to);
        let middle = |world: &WorldPose, which: usize| {
            self.hips.iter().map(|pair| world.joint(pair[which])).sum::<Vec3>() / self.hips.len() as f64
        };
        out.offsets[self.root.index()] = map_hips(middle(from, 0)) - middle(to, 1);
        out
    }

    /// The captured stretch of a bone, in the space of the target's parent and scaled.
    fn stretch(&self, joint: JointId, pose: &Pose, from: &WorldPose, above: Quat) -> Vec3 {
        let Some((one, _)) = self.rotations[joint.index()].as_ref().filter(|(one, _)| one.towards.is_none())
        else {
            return Vec3::ZERO;
        };
        let Some(parent) = self.from.parent(one.from).filter(|_| self.to.parent(joint).is_some()) else {
            return Vec3::ZERO;
        };
        let rest = self.from.joint(one.from).offset;
        let longer = pose.offsets[one.from.index()] - rest;
        let is_other = !self.is_same && longer.length() > MAX_STRETCH * rest.length();
        if longer.length() < MIN_STRETCH || is_other {
            return Vec3::ZERO;
        }
        above.conjugate() * (from.rotations[parent.index()] * longer) * self.scale
    }
}

/// The world rotation of the source at a target joint.
fn source_rotation(one: &Match, from: &WorldPose) -> Quat {
    let first = from.rotations[one.from.index()];
    match one.towards {
        Some((next, part)) => first.slerp(from.rotations[next.index()], part),
        None => first,
    }
}

/// Buffers reused for every frame.
#[derive(Default)]
struct Work {
    from: WorldPose,
    to: WorldPose,
    world: Vec<Quat>,
}

/// Pairs of hips, source and target, leg by leg.
pub(super) fn hips(from: &[Leg], to: &[Leg]) -> Vec<[JointId; 2]> {
    let pair = |leg: &Leg| from.iter().find(|other| other.side == leg.side).map(|other| [other.hip, leg.hip]);
    to.iter().filter_map(pair).collect()
}
