//! Transfers poses from one body to another.
//!
//! The world rotation of a target joint is that of its source joint times the constant alignment of
//! the reference poses: T(t) = S(t)·L. Limbs then point in the captured directions, whatever the local
//! axes of both bodies. The spine is then turned so that the head is over the hips as captured
//! (`trunk.rs`), and the body is placed so that its hips are at the scaled captured position.

use surefoot_core::math::{Quat, Vec3};
use surefoot_core::{JointId, Leg, Motion, Pose, Skeleton, WorldPose};

use super::limbs::Limb;
use super::matching::Match;
use super::root::{RootConvention, RootJoints, facing};
use super::trunk::TrunkTurn;

/// Difference from the rest offset below which a bone is not stretched, in metres: rounding.
const MIN_STRETCH: f64 = 1e-12;

/// Largest stretch of a bone that is transferred, as a share of its length. A larger difference means
/// that the offsets of the file belong to another body, or that the joint slides.
const MAX_STRETCH: f64 = 0.25;

/// For each joint of the source whether its bone stretches little enough to be transferred, in every frame: transferred in
/// some frames only, the end of the bone would jump by a quarter of its length.
pub(super) fn stretching_bones(motion: &Motion) -> Vec<bool> {
    let is_short = |pose: &Pose, joint: JointId| {
        let rest = motion.skeleton.joint(joint).offset;
        (pose.offsets[joint.index()] - rest).length() <= MAX_STRETCH * rest.length()
    };
    let all = motion.skeleton.ids();
    all.map(|joint| motion.poses.iter().all(|pose| is_short(pose, joint))).collect()
}

/// The constants of the transfer.
pub(super) struct PoseTransfer<'a> {
    pub from: &'a Skeleton,
    pub to: &'a Skeleton,
    /// For each target joint its match and the alignment.
    pub rotations: Vec<Option<(Match, Quat)>>,
    /// For each source joint whether the stretch of its bone is transferred.
    pub stretching: Vec<bool>,
    /// For each target joint the limb bone that it turns; empty for the same body.
    pub limbs: Vec<Option<Limb>>,
    /// Pairs of hips, source and target.
    pub hips: &'a [[JointId; 2]],
    /// The turn of the spine. `None` for the same body, or one without a known trunk.
    pub trunk: Option<TrunkTurn<'a>>,
    /// The joints that place the target, and what its root carries.
    pub joints: RootJoints,
    pub convention: RootConvention,
    /// Ratio of sizes, target to source.
    pub scale: f64,
    /// Whether source and target are the same body.
    pub is_same: bool,
}

/// Maps positions of the source to those of the target.
pub(super) trait Placement {
    /// The position of the hips of the target.
    fn hips(&self, captured: Vec3) -> Vec3;
    /// The point of the ground below a position of the target.
    fn ground_below(&self, position: Vec3) -> Vec3;
}

impl PoseTransfer<'_> {
    /// The motion of the target.
    pub fn motion(&self, motion: &Motion, place: &impl Placement) -> Motion {
        let mut work = Work::default();
        let poses = motion.poses.iter().map(|pose| self.pose(pose, place, &mut work)).collect();
        Motion { skeleton: self.to.clone(), fps: motion.fps, poses }
    }

    fn pose(&self, pose: &Pose, place: &impl Placement, work: &mut Work) -> Pose {
        pose.forward_kinematics(self.from, &mut work.from);
        let mut out = Pose::rest(self.to);
        self.rotate(&mut out, pose, Quat::IDENTITY, work);
        self.stretch(&mut out, pose, work);
        out.offsets[self.joints.root.index()] = Vec3::ZERO;
        if let Some(trunk) = &self.trunk {
            trunk.turn(&mut out, work, |out, turn, work| self.rotate(out, pose, turn, work));
        }
        out.forward_kinematics(self.to, &mut work.to);
        self.place(&mut out, place, work);
        out
    }

    /// Sets the rotations of a pose, with the trunk turned by `turn` in world space.
    fn rotate(&self, out: &mut Pose, pose: &Pose, turn: Quat, work: &mut Work) {
        work.world.clear();
        for joint in self.to.ids() {
            let above = self.to.parent(joint).map_or(Quat::IDENTITY, |parent| work.world[parent.index()]);
            let rotation = self.rotation(joint, pose, turn, &work.from).unwrap_or(above);
            out.rotations[joint.index()] = (above.conjugate() * rotation).normalize();
            work.world.push(rotation);
        }
    }

    /// The world rotation of a target joint; `None` for a joint that keeps its rest rotation.
    fn rotation(&self, joint: JointId, pose: &Pose, turn: Quat, from: &WorldPose) -> Option<Quat> {
        if let RootConvention::Carries(rotation) = self.convention
            && joint == self.joints.root
        {
            return Some(rotation);
        }
        let (one, alignment) = self.rotations[joint.index()].as_ref()?;
        let rotation = one.source_rotation(from) * *alignment;
        let is_turned = self.trunk.as_ref().is_some_and(|trunk| trunk.is_turned(joint));
        if is_turned {
            return Some(turn * rotation);
        }
        let limb = self.limbs.get(joint.index()).and_then(Option::as_ref);
        Some(
            limb.map_or(rotation, |limb| limb.point(rotation, self.bone_stretch(limb.end, pose, from), from)),
        )
    }

    /// Moves the hips to their place: by the root, or by the pelvis under a root with a convention of its own.
    fn place(&self, out: &mut Pose, place: &impl Placement, work: &mut Work) {
        let middle = |world: &WorldPose, which: usize| {
            self.hips.iter().map(|pair| world.joint(pair[which])).sum::<Vec3>() / self.hips.len() as f64
        };
        let hips = place.hips(middle(&work.from, 0));
        let shift = hips - middle(&work.to, 1);
        let RootJoints { root, pelvis, .. } = self.joints;
        let pelvis_at = work.to.joint(pelvis) + shift;
        let (position, rotation) = match self.convention {
            RootConvention::IsPelvis | RootConvention::Carries(_) => {
                out.offsets[root.index()] += shift;
                return;
            }
            RootConvention::Still(position, rotation) => (position, rotation),
            RootConvention::OnGround(turn) => {
                (place.ground_below(hips), facing(&work.to, self.joints.hips) * turn)
            }
        };
        self.put_root(out, position, rotation, work.to.rotations[pelvis.index()], pelvis_at);
    }

    /// Places the root and moves the pelvis below it back to its world pose.
    fn put_root(&self, out: &mut Pose, position: Vec3, rotation: Quat, pelvis_turn: Quat, pelvis_at: Vec3) {
        let RootJoints { root, pelvis, .. } = self.joints;
        (out.offsets[root.index()], out.rotations[root.index()]) = (position, rotation);
        let mut above = (position, rotation);
        for joint in super::roles::path(self.to, pelvis).into_iter().skip(1).filter(|&joint| joint != pelvis)
        {
            above.0 += above.1 * out.offsets[joint.index()];
            out.rotations[joint.index()] = Quat::IDENTITY;
        }
        out.offsets[pelvis.index()] = above.1.conjugate() * (pelvis_at - above.0);
        out.rotations[pelvis.index()] = (above.1.conjugate() * pelvis_turn).normalize();
    }

    /// Moves the whole body of the target.
    pub fn shift(&self, pose: &mut Pose, by: Vec3) {
        let RootJoints { root, pelvis, .. } = self.joints;
        match self.convention {
            RootConvention::IsPelvis | RootConvention::Carries(_) => pose.offsets[root.index()] += by,
            RootConvention::Still(..) | RootConvention::OnGround(_) => {
                let above = pose.rotations[root.index()];
                pose.offsets[pelvis.index()] += above.conjugate() * by;
            }
        }
    }

    /// Adds the captured stretch of bones, in the space of the target's parent and scaled.
    fn stretch(&self, out: &mut Pose, pose: &Pose, work: &Work) {
        for joint in self.to.ids() {
            let Some(parent) = self.to.parent(joint) else { continue };
            let above = work.world[parent.index()];
            out.offsets[joint.index()] += above.conjugate() * self.bone_stretch(joint, pose, &work.from);
        }
    }

    /// What the end of a bone is moved by, in world space.
    fn bone_stretch(&self, joint: JointId, pose: &Pose, from: &WorldPose) -> Vec3 {
        let Some((one, _)) = self.rotations[joint.index()].as_ref().filter(|(one, _)| one.towards.is_none())
        else {
            return Vec3::ZERO;
        };
        let Some(parent) = self.from.parent(one.from) else { return Vec3::ZERO };
        // The position of a pelvis below a root is no bone.
        if joint == self.joints.pelvis && !self.is_same {
            return Vec3::ZERO;
        }
        let rest = self.from.joint(one.from).offset;
        let longer = pose.offsets[one.from.index()] - rest;
        let is_other = !self.is_same && !self.stretching[one.from.index()];
        if longer.length() < MIN_STRETCH || is_other {
            return Vec3::ZERO;
        }
        from.rotations[parent.index()] * longer * self.scale
    }
}

/// Buffers reused for every frame.
#[derive(Default)]
pub(super) struct Work {
    /// The source in world space.
    pub from: WorldPose,
    /// The target in world space.
    pub to: WorldPose,
    /// The world rotations of the target.
    pub world: Vec<Quat>,
}

/// Pairs of hips, source and target, leg by leg.
pub(super) fn hips(from: &[Leg], to: &[Leg]) -> Vec<[JointId; 2]> {
    let pair = |leg: &Leg| from.iter().find(|other| other.side == leg.side).map(|other| [other.hip, leg.hip]);
    to.iter().filter_map(pair).collect()
}
