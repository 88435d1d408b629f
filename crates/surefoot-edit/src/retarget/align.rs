//! How do two bodies lie to each other at rest?
//!
//! Rest poses differ: arms out (T), arms down (A), as captured, lying on the floor of another
//! axis. First the whole of one is turned to face as the other does. Then each limb's bone is
//! turned, by the shortest way, to point as its counterpart does; trunk, neck, head and collars
//! keep their own shape, and feet are laid sole to sole. What is left of the difference is what a
//! joint of one body must be turned by so that it stands as the other's.

use surefoot_core::math::{Mat3, Quat, Vec3};
use surefoot_core::{JointId, Leg, Skeleton, WorldPose};

use super::roles::{Role, Roles};

/// The cosine of 25°: nearer than that, an axis is the one that was meant.
const NEAR_AXIS: f64 = 0.906;

/// A body at rest, as far as it must be known to lie it against another.
pub(super) struct AtRest<'a> {
    pub skeleton: &'a Skeleton,
    pub legs: &'a [Leg],
    pub roles: &'a Roles,
    pub placed: WorldPose,
    /// Up from each leg's sole, seen from its ankle, which is how it lies at rest.
    pub soles: Vec<Vec3>,
}

/// From right to left along the hips.
pub(super) fn left_of(legs: &[Leg], placed: &WorldPose) -> Vec3 {
    let sign = |leg: &Leg| if leg.side.contains("right") { -1.0 } else { 1.0 };
    let middle = legs.iter().map(|leg| placed.joint(leg.hip)).sum::<Vec3>() / legs.len().max(1) as f64;
    let left: Vec3 = legs.iter().map(|leg| (placed.joint(leg.hip) - middle) * sign(leg)).sum();
    // One leg, or hips in one point: any direction square to up will do.
    left.try_normalize().unwrap_or_else(|| up_of(legs, placed).any_orthonormal_vector())
}

/// From the feet to the hips: up at rest, which need not be up in the motion.
pub(super) fn up_of(legs: &[Leg], placed: &WorldPose) -> Vec3 {
    let up: Vec3 = legs.iter().map(|leg| placed.joint(leg.hip) - placed.joint(leg.ankle)).sum();
    let up = up.try_normalize().unwrap_or(Vec3::Y);
    let axis = Vec3::AXES.into_iter().find(|axis| axis.dot(up).abs() > NEAR_AXIS);
    axis.map_or(up, |axis| axis * axis.dot(up).signum())
}

/// Axes with `up` as it is and `left` as near as can be.
fn axes(left: Vec3, up: Vec3) -> Mat3 {
    let left = (left - up * left.dot(up)).try_normalize().unwrap_or_else(|| up.any_orthonormal_vector());
    Mat3::from_cols(left, up, left.cross(up))
}

impl AtRest<'_> {
    fn axes(&self) -> Mat3 {
        let up = up_of(self.legs, &self.placed);
        axes(left_of(self.legs, &self.placed), up)
    }

    /// Forward along the sole of a foot, and up from it; or of its toes.
    fn sole_axes(&self, side: &str, of_toes: bool) -> Option<Mat3> {
        let at = self.legs.iter().position(|leg| leg.side == side)?;
        let (leg, up) = (&self.legs[at], self.soles[at]);
        let ball = self.placed.point(&leg.ball);
        let sole = ball - self.placed.point(&leg.heel);
        let beyond = self.placed.point(&leg.toe) - ball;
        // Toes without a tip, or right below the ball, lie as the sole does.
        let forward = if of_toes && beyond.length() > 0.05 * sole.length() { beyond } else { sole };
        let forward = forward.try_normalize()?;
        let up = (up - forward * up.dot(forward)).try_normalize()?;
        Some(Mat3::from_cols(up.cross(forward), up, forward))
    }

    /// How high an ankle is over the sole of its foot.
    pub fn ankle_height(&self, side: &str) -> f64 {
        let Some(axes) = self.sole_axes(side, false) else { return 0.0 };
        let leg = self.legs.iter().find(|leg| leg.side == side);
        leg.map_or(0.0, |leg| (self.placed.joint(leg.ankle) - self.placed.point(&leg.heel)).dot(axes.y_axis))
    }

    /// Which way a limb's bone points at rest.
    fn direction(&self, role: &Role, joint: JointId) -> Option<Vec3> {
        let to = |role: Role| self.roles.joint(&role).map(|joint| self.placed.joint(joint));
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
        (end? - self.placed.joint(joint)).try_normalize()
    }

    /// Where a joint's bone ends: at its only child, or where the file says.
    fn end(&self, joint: JointId) -> Option<Vec3> {
        let mut children = self.skeleton.ids().filter(|&child| self.skeleton.parent(child) == Some(joint));
        match (children.next(), children.next()) {
            (Some(child), None) => Some(self.placed.joint(child)),
            (None, _) => self.skeleton.joint(joint).end.map(|end| self.placed.joint(joint) + end),
            _ => None,
        }
    }
}

/// What turns a joint of `to` at rest so that it lies as its counterpart in `from` does.
pub(super) struct Lay<'a> {
    from: &'a AtRest<'a>,
    to: &'a AtRest<'a>,
    /// The whole of `to` to the whole of `from`.
    whole: Quat,
}

impl<'a> Lay<'a> {
    pub fn new(from: &'a AtRest<'a>, to: &'a AtRest<'a>) -> Self {
        let whole = from.axes() * to.axes().transpose();
        Self { from, to, whole: Quat::from_mat3(&whole).normalize() }
    }

    /// For a pair of joints that play one part.
    pub fn turn(&self, role: &Role, from: JointId, to: JointId) -> Quat {
        let soles = |side: &str, of_toes: bool| {
            let pair = self.from.sole_axes(side, of_toes).zip(self.to.sole_axes(side, of_toes));
            pair.map(|(from, to)| Quat::from_mat3(&(from * to.transpose())).normalize())
        };
        let turn = match role {
            Role::Ankle(side) => soles(side, false),
            Role::Toes(side) => soles(side, true),
            _ => {
                let pair = self.from.direction(role, from).zip(self.to.direction(role, to));
                pair.map(|(from, to)| Quat::from_rotation_arc(self.whole * to, from) * self.whole)
            }
        };
        let turn = turn.or_else(|| match role {
            // A hand of which no end is known lies as its forearm does.
            Role::Hand(side) => {
                let elbow = Role::Elbow(*side);
                let [from, to] = [self.from, self.to].map(|body| body.roles.joint(&elbow));
                Some(self.turn(&elbow, from?, to?))
            }
            _ => None,
        });
        turn.unwrap_or(self.whole)
    }

    /// For joints that keep their own shape.
    pub fn whole(&self) -> Quat {
        self.whole
    }
}
