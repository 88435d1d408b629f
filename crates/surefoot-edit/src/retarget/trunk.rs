//! Turns the spine of the target so that the direction from its hips to its head is the captured one.
//!
//! Spines differ in the number and place of their joints. With equal rotations the trunks of two bodies lean
//! differently, by as much as 30° where one has a single joint behind the pelvis. The joints of the spine, or the pelvis
//! where there are none, are turned together by the arc that closes this difference.

use surefoot_core::math::{Quat, Vec3};
use surefoot_core::{JointId, Pose, Skeleton, WorldPose};

use super::reference::TrunkTop;
use super::roles::{Role, Roles};
use super::transfer::Work;

/// Largest angle that is left, in radians. Each step closes about four fifths of the rest, since the
/// hips are below the joint that turns.
const TOLERANCE: f64 = 1e-6;

/// Largest number of steps. An arc of 90° takes about eight.
const MAX_STEPS: usize = 12;

/// The turn of a trunk.
pub(super) struct TrunkTurn<'a> {
    pub from: (&'a Skeleton, &'a Roles),
    pub to: (&'a Skeleton, &'a Roles),
    /// Hips of source and target.
    pub hips: &'a [[JointId; 2]],
    top: TrunkTop,
    is_turned: Vec<bool>,
}

impl<'a> TrunkTurn<'a> {
    /// The turn between two bodies; `None` if they have no common point at the top of the trunk.
    pub fn new(
        from: (&'a Skeleton, &'a Roles),
        to: (&'a Skeleton, &'a Roles),
        hips: &'a [[JointId; 2]],
    ) -> Option<Self> {
        let own = TrunkTop::of(to.1, to.0);
        let top = TrunkTop::of(from.1, from.0).into_iter().find(|top| own.contains(top))?;
        let is_spine = |role: &Role| matches!(role, Role::Spine(_) | Role::Collar(_));
        let has_spine = to.1.joint(&Role::Spine(1)).is_some();
        let mut is_turned = vec![false; to.0.len()];
        for (role, joint, _) in &to.1.all {
            is_turned[joint.index()] = is_spine(role) || (!has_spine && *role == Role::Pelvis);
        }
        Some(Self { from, to, hips, top, is_turned })
    }

    /// Whether a joint of the target turns with the trunk.
    pub fn is_turned(&self, joint: JointId) -> bool {
        self.is_turned[joint.index()]
    }

    /// Turns the trunk of a pose; `rotate` sets the rotations of the pose for a turn.
    pub fn turn(&self, pose: &mut Pose, work: &mut Work, rotate: impl Fn(&mut Pose, Quat, &mut Work)) {
        let Some(wanted) = self.direction(&work.from, self.from, 0) else { return };
        let mut turn = Quat::IDENTITY;
        for _ in 0..MAX_STEPS {
            pose.forward_kinematics(self.to.0, &mut work.to);
            let Some(now) = self.direction(&work.to, self.to, 1) else { return };
            if now.angle_between(wanted) < TOLERANCE {
                return;
            }
            turn = (Quat::from_rotation_arc(now, wanted) * turn).normalize();
            rotate(pose, turn, work);
        }
    }

    /// Unit vector from the hips to the top of the trunk.
    fn direction(&self, world: &WorldPose, body: (&Skeleton, &Roles), which: usize) -> Option<Vec3> {
        let hips = self.hips.iter().map(|pair| world.joint(pair[which])).sum::<Vec3>();
        let top = self.top.position(world, body.0, body.1)?;
        (top - hips / self.hips.len() as f64).try_normalize()
    }
}
