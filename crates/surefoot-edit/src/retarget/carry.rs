//! What does that make of every pose?
//!
//! A joint of the target is turned in the world as its counterpart is, after being laid against it
//! at rest: T(t) = S(t)·L. So limbs point as the captured ones do, whatever either body's own
//! axes are. The root is put where the hips come to lie where the captured ones do, scaled.

use surefoot_core::math::{Quat, Vec3};
use surefoot_core::{JointId, Leg, Motion, Pose, Skeleton, WorldPose};

use super::matching::Match;

/// Offsets that differ from those at rest by less than this, in metres, do not.
const NOT_MOVED: f64 = 1e-12;

/// A bone that is longer or shorter than at rest by more than this share is no stretched bone but
/// another body, and is not carried to a body that is not its own.
const STRETCHED: f64 = 0.25;

/// All that is the same in every frame.
pub(super) struct Carry<'a> {
    pub from: &'a Skeleton,
    pub to: &'a Skeleton,
    /// For each joint of the target what it is turned like, and how it lies at rest.
    pub turns: Vec<Option<(Match, Quat)>>,
    /// The hips of both, pair by pair.
    pub hips: Vec<[JointId; 2]>,
    /// The target's root.
    pub root: JointId,
    /// The target's size by the source's.
    pub scale: f64,
    /// Whether both are one body.
    pub is_same: bool,
}

impl Carry<'_> {
    /// The target's motion. `place` says where hips that are captured here come to lie.
    pub fn motion(&self, motion: &Motion, place: impl Fn(Vec3) -> Vec3) -> Motion {
        let mut work = Work::default();
        let poses = motion.poses.iter().map(|pose| self.pose(pose, &place, &mut work)).collect();
        Motion { skeleton: self.to.clone(), fps: motion.fps, poses }
    }

    fn pose(&self, pose: &Pose, place: &impl Fn(Vec3) -> Vec3, work: &mut Work) -> Pose {
        let Work { from, to, world } = work;
        pose.forward_kinematics(self.from, from);
        let mut out = Pose::rest(self.to);
        world.clear();
        for joint in self.to.ids() {
            let above = self.to.parent(joint).map_or(Quat::IDENTITY, |parent| world[parent.index()]);
            let turn = match &self.turns[joint.index()] {
                Some((one, laid)) => turned(one, from) * *laid,
                None => above,
            };
            out.rotations[joint.index()] = (above.conjugate() * turn).normalize();
            out.offsets[joint.index()] += self.stretch(joint, pose, from, above);
            world.push(turn);
        }
        out.offsets[self.root.index()] = Vec3::ZERO;
        out.forward_kinematics(self.to, to);
        let middle = |placed: &WorldPose, which: usize| {
            self.hips.iter().map(|pair| placed.joint(pair[which])).sum::<Vec3>() / self.hips.len() as f64
        };
        out.offsets[self.root.index()] = place(middle(from, 0)) - middle(to, 1);
        out
    }

    /// What the captured bone is longer than at rest, in the target's parent and size.
    fn stretch(&self, joint: JointId, pose: &Pose, from: &WorldPose, above: Quat) -> Vec3 {
        let Some((one, _)) = self.turns[joint.index()].as_ref().filter(|(one, _)| one.towards.is_none())
        else {
            return Vec3::ZERO;
        };
        let Some(parent) = self.from.parent(one.from).filter(|_| self.to.parent(joint).is_some()) else {
            return Vec3::ZERO;
        };
        let rest = self.from.joint(one.from).offset;
        let longer = pose.offsets[one.from.index()] - rest;
        let is_other = !self.is_same && longer.length() > STRETCHED * rest.length();
        if longer.length() < NOT_MOVED || is_other {
            return Vec3::ZERO;
        }
        above.conjugate() * (from.rotations[parent.index()] * longer) * self.scale
    }
}

/// How the source is turned where a joint of the target is.
fn turned(one: &Match, from: &WorldPose) -> Quat {
    let first = from.rotations[one.from.index()];
    match one.towards {
        Some((next, part)) => first.slerp(from.rotations[next.index()], part),
        None => first,
    }
}

/// Lists that are used again from frame to frame.
#[derive(Default)]
struct Work {
    from: WorldPose,
    to: WorldPose,
    world: Vec<Quat>,
}

/// The hips of both bodies, leg by leg.
pub(super) fn hips(from: &[Leg], to: &[Leg]) -> Vec<[JointId; 2]> {
    let pair = |leg: &Leg| from.iter().find(|other| other.side == leg.side).map(|other| [other.hip, leg.hip]);
    to.iter().filter_map(pair).collect()
}
