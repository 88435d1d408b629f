//! Legs: hip, knee and ankle joints, and the foot points that touch the floor. Arms are the same kind of chain.

use crate::footplants::FootPoint;
use crate::math::Vec3;
use crate::skeleton::{JointId, Skeleton};

/// A point fixed to a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPoint {
    /// The joint.
    pub joint: JointId,
    /// The position in the local frame of the joint.
    pub offset: Vec3,
}

/// What a chain of three joints is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Limb {
    /// Hip, knee and ankle: the foot has a heel and a ball.
    #[default]
    Leg,
    /// Shoulder, elbow and wrist, in the fields `hip`, `knee` and `ankle` of a [`Leg`]. The palm is its ball, and the
    /// wrist its heel.
    Arm,
}

/// One leg: the hip–knee–ankle chain and the three points of its foot. Or one arm, whose hand can be planted.
///
/// Heel, ball and toe tip can be planted. The toe tip rotates about the ball.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// The name: `left` or `right`, with more legs `front left` and so on; of an arm `left hand` or `right hand`.
    pub side: String,
    /// Whether this is a leg or an arm. In a list of both, all legs come before the arms.
    pub limb: Limb,
    /// The joint at the top of the thigh.
    pub hip: JointId,
    /// The joint between thigh and shin.
    pub knee: JointId,
    /// The joint between shin and foot.
    pub ankle: JointId,
    /// The point of the heel that touches the floor.
    pub heel: JointPoint,
    /// The point of the ball that touches the floor.
    pub ball: JointPoint,
    /// The tip of the toes.
    pub toe: JointPoint,
}

impl Leg {
    /// The joints of the leg and of its foot points.
    pub fn joints(&self) -> [JointId; 6] {
        [self.hip, self.knee, self.ankle, self.heel.joint, self.ball.joint, self.toe.joint]
    }

    /// Whether this is an arm.
    pub fn is_arm(&self) -> bool {
        self.limb == Limb::Arm
    }

    /// The name of one of its points in files and messages: `heel` or `ball`, of an arm `heel` or `palm`.
    pub fn point_name(&self, point: FootPoint) -> &'static str {
        match (self.limb, point) {
            (Limb::Arm, FootPoint::Ball) => "palm",
            (_, point) => point.as_str(),
        }
    }

    /// The joint that all legs are attached to, the pelvis, if there is one. Arms of the list do not count.
    pub fn pelvis(legs: &[Self], skeleton: &Skeleton) -> Option<JointId> {
        skeleton.common_ancestor(Self::without_arms(legs).iter().map(|leg| leg.hip))
    }

    /// The position of one of its points on its joint.
    pub fn point(&self, point: FootPoint) -> &JointPoint {
        match point {
            FootPoint::Heel => &self.heel,
            FootPoint::Ball => &self.ball,
            FootPoint::Toe => &self.toe,
        }
    }

    /// The legs of a list without its arms, which come last.
    pub fn without_arms(legs: &[Self]) -> &[Self] {
        &legs[..legs.iter().position(Self::is_arm).unwrap_or(legs.len())]
    }
}
