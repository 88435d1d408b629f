//! Aligns the reference poses of two bodies.
//!
//! Reference poses differ: T-pose, A-pose, a captured pose, another up axis. First the whole body is
//! rotated to the facing and up direction of the other. Then each limb bone is rotated by the
//! shortest arc to the direction of its counterpart. Trunk, neck, head and collars keep their shape,
//! and feet are aligned by their soles. The result is one constant rotation per joint.

use surefoot_core::math::{Mat3, Quat, Vec3};
use surefoot_core::{JointId, Leg, Skeleton, WorldPose};

use super::matching::Match;
use super::roles::{Role, Roles};

/// Cosine of 25°. An axis closer to the measured up direction is taken as the exact up direction;
/// feet are rarely straight below the hips.
const NEAR_AXIS: f64 = 0.906;

/// A body in its reference pose.
#[derive(Clone)]
pub(super) struct ReferenceBody<'a> {
    pub skeleton: &'a Skeleton,
    pub legs: &'a [Leg],
    pub roles: &'a Roles,
    pub world: WorldPose,
    /// The sole normal of each leg in the space of its ankle.
    pub soles: Vec<Vec3>,
}

/// Unit vector from the right to the left hip.
pub(super) fn left_of(legs: &[Leg], world: &WorldPose) -> Vec3 {
    let sign = |leg: &Leg| if leg.side.contains("right") { -1.0 } else { 1.0 };
    let middle = legs.iter().map(|leg| world.joint(leg.hip)).sum::<Vec3>() / legs.len().max(1) as f64;
    let left: Vec3 = legs.iter().map(|leg| (world.joint(leg.hip) - middle) * sign(leg)).sum();
    // One leg, or hips at one point: any direction orthogonal to up.
    left.try_normalize().unwrap_or_else(|| up_of(legs, world).any_orthonormal_vector())
}

/// Unit vector from the feet to the hips: up in the reference pose, which may differ from up in the motion.
pub(super) fn up_of(legs: &[Leg], world: &WorldPose) -> Vec3 {
    let up: Vec3 = legs.iter().map(|leg| world.joint(leg.hip) - world.joint(leg.ankle)).sum();
    let up = up.try_normalize().unwrap_or(Vec3::Y);
    let axis = Vec3::AXES.into_iter().find(|axis| axis.dot(up).abs() > NEAR_AXIS);
    axis.map_or(up, |axis| axis * axis.dot(up).signum())
}

/// Orthonormal axes with exact `up` and the nearest `left`.
pub(super) fn axes(left: Vec3, up: Vec3) -> Mat3 {
    let left = (left - up * left.dot(up)).try_normalize().unwrap_or_else(|| up.any_orthonormal_vector());
    Mat3::from_cols(left, up, left.cross(up))
}

impl ReferenceBody<'_> {
    fn axes(&self) -> Mat3 {
        let up = up_of(self.legs, &self.world);
        axes(left_of(self.legs, &self.world), up)
    }

    /// Unit vector to the front of the body.
    pub fn forward(&self) -> Vec3 {
        self.axes().z_axis
    }

    /// Axes of the sole of a foot, or of its toes: left, up, forward.
    fn sole_axes(&self, side: &str, of_toes: bool) -> Option<Mat3> {
        let at = self.legs.iter().position(|leg| leg.side == side)?;
        let leg = &self.legs[at];
        let up = self.world.rotations[leg.ankle.index()] * self.soles[at];
        let ball = self.world.point(&leg.ball);
        let sole = ball - self.world.point(&leg.heel);
        let beyond = self.world.point(&leg.toe) - ball;
        // Toes without a tip beyond the ball have the direction of the sole.
        let forward = if of_toes && beyond.length() > 0.05 * sole.length() { beyond } else { sole };
        let forward = forward.try_normalize()?;
        let up = (up - forward * up.dot(forward)).try_normalize()?;
        Some(Mat3::from_cols(up.cross(forward), up, forward))
    }

    /// Mean height of the ankles above their soles, in metres.
    pub fn mean_ankle_height(&self) -> f64 {
        self.legs.iter().map(|leg| self.ankle_height(&leg.side)).sum::<f64>() / self.legs.len() as f64
    }

    /// Height of the ankle above the sole, in metres.
    pub fn ankle_height(&self, side: &str) -> f64 {
        let Some(axes) = self.sole_axes(side, false) else { return 0.0 };
        let leg = self.legs.iter().find(|leg| leg.side == side);
        leg.map_or(0.0, |leg| (self.world.joint(leg.ankle) - self.world.point(&leg.heel)).dot(axes.y_axis))
    }

    /// Direction of a limb bone.
    fn direction(&self, role: &Role, joint: JointId) -> Option<Vec3> {
        let to = |role: Role| self.roles.joint(&role).map(|joint| self.world.joint(joint));
        let end = match role {
            Role::Hip(side) => to(Role::Knee(side.clone())),
            Role::Knee(side) => to(Role::Ankle(side.clone())),
            Role::Shoulder(side) => to(Role::Elbow(*side)),
            Role::Elbow(side) => to(Role::Hand(*side)),
            Role::Hand(side) => {
                let first = |finger| [1, 0].into_iter().find_map(|n| to(Role::Finger(*side, finger, n)));
                [2, 1, 3].into_iter().find_map(first).or_else(|| self.end(joint))
            }
            Role::Finger(side, finger, n) => {
                to(Role::Finger(*side, *finger, n + 1)).or_else(|| self.end(joint))
            }
            Role::Named(_) => self.end(joint),
            _ => None,
        };
        (end? - self.world.joint(joint)).try_normalize()
    }

    /// End of a joint's bone: its only child, or the end site of the file.
    fn end(&self, joint: JointId) -> Option<Vec3> {
        let mut children = self.skeleton.ids().filter(|&child| self.skeleton.parent(child) == Some(joint));
        match (children.next(), children.next()) {
            (Some(child), None) => Some(self.world.joint(child)),
            (None, _) => {
                let end = self.skeleton.joint(joint).end?;
                Some(self.world.joint(joint) + self.world.rotations[joint.index()] * end)
            }
            _ => None,
        }
    }
}

/// Rotations that align joints of `to` with their counterparts in `from`.
///
/// With S and T the world rotations of a pair of joints in the reference poses and A the rotation that takes the bone of
/// `to` to that of `from`, the alignment is L = S⁻¹·A·T: a target joint with the rotation S(t)·L has the captured direction.
pub(super) struct Alignment<'a> {
    from: &'a ReferenceBody<'a>,
    to: &'a ReferenceBody<'a>,
    /// Rotation of the whole body from `to` to `from`.
    whole: Quat,
}

impl<'a> Alignment<'a> {
    pub fn new(from: &'a ReferenceBody<'a>, to: &'a ReferenceBody<'a>) -> Self {
        let whole = from.axes() * to.axes().transpose();
        Self { from, to, whole: Quat::from_mat3(&whole).normalize() }
    }

    /// The alignment of a pair of joints with the same role.
    pub fn of(&self, one: &Match) -> Quat {
        let rotation = match one.towards {
            None => self.between_bones(&one.role, one.from, one.to),
            // A joint between two source joints has no source bone to align with.
            Some(_) => self.whole,
        };
        let before = one.source_rotation(&self.from.world);
        (before.conjugate() * rotation * self.to.world.rotations[one.to.index()]).normalize()
    }

    /// The rotation in world space from the bone of `to` to that of `from`.
    fn between_bones(&self, role: &Role, from: JointId, to: JointId) -> Quat {
        let soles = |side: &str, of_toes: bool| {
            let pair = self.from.sole_axes(side, of_toes).zip(self.to.sole_axes(side, of_toes));
            pair.map(|(from, to)| Quat::from_mat3(&(from * to.transpose())).normalize())
        };
        let rotation = match role {
            Role::Ankle(side) => soles(side, false),
            Role::Toes(side) => soles(side, true),
            _ => {
                let pair = self.from.direction(role, from).zip(self.to.direction(role, to));
                pair.map(|(from, to)| Quat::from_rotation_arc(self.whole * to, from) * self.whole)
            }
        };
        let rotation = rotation.or_else(|| match role {
            // A hand without a known end is aligned like its forearm.
            Role::Hand(side) => {
                let elbow = Role::Elbow(*side);
                let [from, to] = [self.from, self.to].map(|body| body.roles.joint(&elbow));
                Some(self.between_bones(&elbow, from?, to?))
            }
            _ => None,
        });
        rotation.unwrap_or(self.whole)
    }
}
