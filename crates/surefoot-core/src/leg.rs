//! Legs: hip, knee and ankle joints, and the foot points that touch the floor.

use crate::math::Vec3;
use crate::skeleton::JointId;

/// A point fixed to a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPoint {
    /// The joint.
    pub joint: JointId,
    /// The position in the local frame of the joint.
    pub offset: Vec3,
}

/// One leg: the hip–knee–ankle chain and the three points of its foot.
///
/// Heel and ball can be planted. The toe tip rotates about the ball.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// The name: `left` or `right`, with more legs `front left` and so on.
    pub side: String,
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
}
