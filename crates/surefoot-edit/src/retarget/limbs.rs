//! Points limb bones exactly in the captured directions.
//!
//! A constant alignment keeps the direction of a limb only where the next joint of the source is fixed in the space of the
//! first. In files with roll joints between hip and knee, or with joints that slide, it is not, and thighs and upper arms
//! were off by up to 10°. The direction from joint to joint is what a viewer sees, so each limb joint is turned by the
//! shortest arc from where its bone would point to where the captured one does.

use surefoot_core::math::{Quat, Vec3, sqrt};
use surefoot_core::{JointId, Skeleton, WorldPose};

use super::matching::Match;
use super::roles::{Role, Roles};

/// Angle below which a bone points in the captured direction, in radians: rounding.
const MIN_TURN: f64 = 1e-9;

/// A limb bone of the target, and its counterpart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limb {
    /// The joint at the end of the bone, in the target.
    pub end: JointId,
    /// From the joint to the end of its bone, in the space of the joint.
    bone: Vec3,
    /// The joints at both ends of the bone of the source.
    source: [JointId; 2],
}

impl Limb {
    /// The limbs of the target, by the joint that turns them.
    pub fn all(
        (from, to): (&Roles, &Roles),
        skeleton: &Skeleton,
        rotations: &[Option<(Match, Quat)>],
    ) -> Vec<Option<Self>> {
        let mut limbs = vec![None; skeleton.len()];
        for (role, joint, _) in &to.all {
            let Some(next) = next(role) else { continue };
            let (Some(end), Some(from_joint), Some(from_end)) =
                (to.joint(&next), from.joint(role), from.joint(&next))
            else {
                continue;
            };
            limbs[joint.index()] = bone(skeleton, *joint, end, rotations).map(|bone| Self {
                end,
                bone,
                source: [from_joint, from_end],
            });
        }
        limbs
    }

    /// The rotation of the joint with the bone turned into the captured direction. `stretch` is what the end of the bone is
    /// moved by, in world space.
    pub fn point(&self, rotation: Quat, stretch: Vec3, from: &WorldPose) -> Quat {
        let [joint, end] = self.source;
        let bone = rotation * self.bone;
        let turned = (from.joint(end) - from.joint(joint)).try_normalize().and_then(|along| {
            // The point on the captured line at which the turned bone and the stretch together end.
            let (across, length) = (along.dot(stretch), bone.length());
            let square = across * across - stretch.length_squared() + length * length;
            // A stretch that is longer than the bone.
            (square > 0.0).then(|| along * (across + sqrt(square)) - stretch)
        });
        match turned {
            Some(turned) if bone.angle_between(turned) > MIN_TURN => {
                (Quat::from_rotation_arc(bone.normalize(), turned.normalize()) * rotation).normalize()
            }
            _ => rotation,
        }
    }
}

/// The role at the end of a limb bone.
fn next(role: &Role) -> Option<Role> {
    Some(match role {
        Role::Hip(side) => Role::Knee(side.clone()),
        Role::Knee(side) => Role::Ankle(side.clone()),
        Role::Shoulder(side) => Role::Elbow(*side),
        Role::Elbow(side) => Role::Hand(*side),
        _ => return None,
    })
}

/// The vector from a joint to the end of its bone, in the space of the joint. `None` if a joint in between turns by itself.
fn bone(
    skeleton: &Skeleton,
    joint: JointId,
    end: JointId,
    rotations: &[Option<(Match, Quat)>],
) -> Option<Vec3> {
    let (mut bone, mut at) = (Vec3::ZERO, end);
    while at != joint {
        if at != end && rotations[at.index()].is_some() {
            return None;
        }
        bone += skeleton.joint(at).offset;
        at = skeleton.parent(at)?;
    }
    (bone.length() > 0.0).then_some(bone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math::axis_rotation;

    fn limb() -> (Limb, WorldPose) {
        let from = WorldPose {
            positions: vec![Vec3::ZERO, Vec3::new(0.3, -0.4, 0.0)],
            rotations: vec![Quat::IDENTITY; 2],
        };
        (Limb { end: JointId(1), bone: Vec3::new(0.0, -0.2, 0.0), source: [JointId(0), JointId(1)] }, from)
    }

    #[test]
    fn a_bone_points_in_the_captured_direction() {
        let (limb, from) = limb();
        let rotation = limb.point(axis_rotation(0, 0.4), Vec3::ZERO, &from);
        assert!((rotation * limb.bone - Vec3::new(0.12, -0.16, 0.0)).length() < 1e-12);
    }

    #[test]
    fn a_stretched_bone_points_in_the_captured_direction() {
        let (limb, from) = limb();
        let stretch = Vec3::new(0.01, 0.0, 0.02);
        let end = limb.point(Quat::IDENTITY, stretch, &from) * limb.bone + stretch;
        assert!(end.angle_between(Vec3::new(0.3, -0.4, 0.0)) < 1e-7);
    }

    #[test]
    fn a_bone_that_points_there_keeps_its_rotation_bit_for_bit() {
        let (limb, from) = limb();
        let rotation = limb.point(Quat::IDENTITY, Vec3::ZERO, &from);
        assert_eq!(limb.point(rotation, Vec3::ZERO, &from), rotation);
    }
}
