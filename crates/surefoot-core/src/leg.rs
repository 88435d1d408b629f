//! Legs and feet: which joints they are, and which of their points touch the floor.

use crate::math::Vec3;
use crate::skeleton::JointId;

/// A point that moves with a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPoint {
    /// The joint it moves with.
    pub joint: JointId,
    /// Where it is in that joint.
    pub offset: Vec3,
}

/// One leg: hip, knee and ankle, and the three points of its foot.
///
/// Heel and ball are what can be planted. The toe tip turns at the ball.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// What people call it: `left`, `right`; with four legs `front left` and so on.
    pub side: String,
    /// The joint the thigh hangs from.
    pub hip: JointId,
    /// The joint between thigh and shin.
    pub knee: JointId,
    /// The joint between shin and foot.
    pub ankle: JointId,
    /// Where the heel meets the floor.
    pub heel: JointPoint,
    /// Where the ball of the foot meets the floor.
    pub ball: JointPoint,
    /// The tip of the toes.
    pub toe: JointPoint,
}

impl Leg {
    /// Its joints, and those that its points are on.
    pub fn joints(&self) -> [JointId; 6] {
        [self.hip, self.knee, self.ankle, self.heel.joint, self.ball.joint, self.toe.joint]
    }
}
