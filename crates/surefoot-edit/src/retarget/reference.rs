//! The reference pose of a body: an upright pose in which two bodies are compared.
//!
//! The rest pose of a file is the pose without rotations. In many files it is a T-pose, but where bones lie along a
//! local axis all limbs point the same way, and some rest poses sit or have limbs reversed. Such a rest pose says nothing
//! about which way the body faces. The reference pose is the rest pose where that is upright, otherwise the most upright
//! frame of the motion, otherwise a pose built from the skeleton.

use surefoot_core::math::{PI, Quat, Vec3};
use surefoot_core::{Leg, Pose, Skeleton, WorldPose};

use super::names::Side;
use super::roles::{Role, Roles};

/// Largest bend between the trunk and any leg bone of an upright pose, in radians: 40°. The legs of captured rest poses
/// are spread by up to 30°, those of a sitting rest pose by 60° and more.
const MAX_BEND: f64 = 40.0 * PI / 180.0;

/// Largest number of frames that are searched, evenly spread over the motion.
const MAX_SEARCHED_FRAMES: usize = 240;

/// The reference pose of a body, in world space.
pub(super) fn reference_pose(skeleton: &Skeleton, legs: &[Leg], roles: &Roles, poses: &[Pose]) -> WorldPose {
    let rest = Pose::rest(skeleton).world(skeleton);
    if bend(&rest, skeleton, legs, roles) < MAX_BEND {
        return rest;
    }
    let step = poses.len().div_ceil(MAX_SEARCHED_FRAMES).max(1);
    let searched = poses.iter().step_by(step).map(|pose| pose.world(skeleton));
    let bends = searched.map(|world| (bend(&world, skeleton, legs, roles), world));
    let straightest = bends.min_by(|a, b| a.0.total_cmp(&b.0));
    match straightest.filter(|(bend, _)| *bend < MAX_BEND) {
        Some((_, world)) => world,
        None => straightened(skeleton, legs, roles).world(skeleton),
    }
}

/// The largest angle between the trunk and any leg bone, and between the lines of hips and shoulders, in radians.
fn bend(world: &WorldPose, skeleton: &Skeleton, legs: &[Leg], roles: &Roles) -> f64 {
    let hips = middle(world, legs.iter().map(|leg| leg.hip));
    let Some(top) =
        TrunkTop::of(roles, skeleton).first().and_then(|top| top.position(world, skeleton, roles))
    else {
        return legs_bend(world, legs);
    };
    let down = hips - top;
    let angle = |bone: Vec3| if bone.length() > 0.0 { bone.angle_between(down) } else { 0.0 };
    let bones = legs.iter().flat_map(|leg| {
        [world.joint(leg.knee) - world.joint(leg.hip), world.joint(leg.ankle) - world.joint(leg.knee)]
    });
    let largest = bones.map(angle).fold(0.0, f64::max);
    largest.max(twist(world, legs, roles, down).unwrap_or(0.0))
}

/// For a body without a known trunk: the largest angle between any two leg bones.
fn legs_bend(world: &WorldPose, legs: &[Leg]) -> f64 {
    let down: Vec3 = legs.iter().map(|leg| world.joint(leg.ankle) - world.joint(leg.hip)).sum();
    let angle = |leg: &Leg| {
        let bone = world.joint(leg.ankle) - world.joint(leg.hip);
        if bone.length() * down.length() > 0.0 { bone.angle_between(down) } else { PI }
    };
    legs.iter().map(angle).fold(0.0, f64::max)
}

/// The angle between the lines of hips and shoulders about the trunk.
fn twist(world: &WorldPose, legs: &[Leg], roles: &Roles, along: Vec3) -> Option<f64> {
    let [left, right] = [Side::Left, Side::Right].map(|side| roles.joint(&Role::Shoulder(side)));
    let shoulders = world.joint(left?) - world.joint(right?);
    let along = along.try_normalize()?;
    let flat = |line: Vec3| (line - along * line.dot(along)).try_normalize();
    Some(flat(shoulders)?.angle_between(flat(super::align::left_of(legs, world))?))
}

fn middle(world: &WorldPose, joints: impl ExactSizeIterator<Item = surefoot_core::JointId>) -> Vec3 {
    let count = joints.len().max(1) as f64;
    joints.map(|joint| world.joint(joint)).sum::<Vec3>() / count
}

/// A point at the upper end of the trunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TrunkTop {
    /// The head joint.
    Head,
    /// The middle of both shoulders.
    Shoulders,
    /// The end of the last spine joint.
    ChestEnd,
}

impl TrunkTop {
    /// The points that a body has, in order of preference.
    pub fn of(roles: &Roles, skeleton: &Skeleton) -> Vec<Self> {
        let rest = Pose::rest(skeleton).world(skeleton);
        [Self::Head, Self::Shoulders, Self::ChestEnd]
            .into_iter()
            .filter(|top| top.position(&rest, skeleton, roles).is_some())
            .collect()
    }

    /// The point in a pose.
    pub fn position(self, world: &WorldPose, skeleton: &Skeleton, roles: &Roles) -> Option<Vec3> {
        match self {
            Self::Head => roles.joint(&Role::Head).map(|head| world.joint(head)),
            Self::Shoulders => {
                let [left, right] = [Side::Left, Side::Right].map(|side| roles.joint(&Role::Shoulder(side)));
                Some((world.joint(left?) + world.joint(right?)) * 0.5)
            }
            Self::ChestEnd => {
                let chest = roles.joint(&Role::Spine(roles.count(Role::Spine)))?;
                let end = skeleton.joint(chest).end?;
                Some(world.joint(chest) + world.rotations[chest.index()] * end)
            }
        }
    }
}

/// An upright pose built from the skeleton: legs down, trunk up, arms to the sides, each bone turned by the shortest arc.
fn straightened(skeleton: &Skeleton, legs: &[Leg], roles: &Roles) -> Pose {
    let rest = Pose::rest(skeleton).world(skeleton);
    let mut world: Vec<Quat> = Vec::with_capacity(skeleton.len());
    let mut pose = Pose::rest(skeleton);
    for joint in skeleton.ids() {
        let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| world[parent.index()]);
        let role = roles.all.iter().find(|(_, of, _)| *of == joint).map(|(role, ..)| role);
        let rotation = match role {
            Some(Role::Pelvis) => pelvis_axes(&rest, legs, roles).unwrap_or(above),
            Some(role) => match upright_bone(role, roles) {
                Some((end, to)) => turned(above, rest.joint(end) - rest.joint(joint), to),
                None => above,
            },
            None => above,
        };
        pose.rotations[joint.index()] = (above.conjugate() * rotation).normalize();
        world.push(rotation);
    }
    pose
}

/// The rotation that turns the bone of a joint to a direction by the shortest arc from its parent's rotation.
fn turned(above: Quat, bone: Vec3, to: Vec3) -> Quat {
    match (above * bone).try_normalize() {
        Some(now) => Quat::from_rotation_arc(now, to) * above,
        // A bone without length has no direction.
        None => above,
    }
}

/// The rotation of an upright pelvis: hips level, spine up.
fn pelvis_axes(rest: &WorldPose, legs: &[Leg], roles: &Roles) -> Option<Quat> {
    let hips = middle(rest, legs.iter().map(|leg| leg.hip));
    let chest = (1..=roles.count(Role::Spine)).rev().find_map(|n| roles.joint(&Role::Spine(n)));
    let up = rest.joint(chest.or(roles.joint(&Role::Head))?) - hips;
    let left = super::align::left_of(legs, rest);
    let own = super::align::axes(left, up.try_normalize()?);
    Some(Quat::from_mat3(&own.transpose()).normalize())
}

/// The end of a joint's bone and its direction in an upright pose, with the left side along X.
fn upright_bone(role: &Role, roles: &Roles) -> Option<(surefoot_core::JointId, Vec3)> {
    let sideways = |side: Side| if side == Side::Left { Vec3::X } else { Vec3::NEG_X };
    let (end, to) = match role {
        Role::Hip(side) => (Role::Knee(side.clone()), Vec3::NEG_Y),
        Role::Knee(side) => (Role::Ankle(side.clone()), Vec3::NEG_Y),
        Role::Ankle(side) => (Role::Toes(side.clone()), Vec3::new(0.0, -0.5, 0.866)),
        Role::Shoulder(side) => (Role::Elbow(*side), sideways(*side)),
        Role::Elbow(side) => (Role::Hand(*side), sideways(*side)),
        Role::Spine(n) => {
            let next = [Role::Spine(n + 1), Role::Neck(1), Role::Head];
            (next.into_iter().find(|role| roles.joint(role).is_some())?, Vec3::Y)
        }
        Role::Neck(n) => {
            let next = [Role::Neck(n + 1), Role::Head];
            (next.into_iter().find(|role| roles.joint(role).is_some())?, Vec3::Y)
        }
        _ => return None,
    };
    Some((roles.joint(&end)?, to.normalize()))
}
