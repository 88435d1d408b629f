//! Skeletons with the dimensions of their legs and feet.

pub(crate) mod dog;
pub(crate) mod human;

use surefoot_core::math::hypot;
use surefoot_core::{Joint, JointId, JointPoint, Leg, Limb, Skeleton, Vec3};

/// The dimensions of a leg, in metres. In the rest pose X is left, Y up and Z forward.
#[derive(Clone, Debug)]
pub(crate) struct LegShape {
    pub hip: JointId,
    pub knee: JointId,
    pub ankle: JointId,
    /// The toe joint; `None` for a rigid foot.
    pub toes: Option<JointId>,
    /// The hip relative to its girdle: the pelvis, or the chest of a four-legged body.
    pub hip_in_girdle: Vec3,
    pub thigh: f64,
    pub shin: f64,
    pub foot: FootShape,
    /// The direction the knee points in.
    pub knee_direction: KneeDirection,
    /// 1 for a left leg, −1 for a right one.
    pub side: f64,
}

impl LegShape {
    /// Length of the straight leg from hip to ankle.
    pub fn length(&self) -> f64 {
        self.thigh + self.shin
    }
}

/// The direction a knee points in when it bends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum KneeDirection {
    /// Like a knee.
    Forward,
    /// Like an elbow: the front leg of a four-legged body.
    Backward,
}

/// The contact points of a flat foot, relative to its ankle, in metres.
#[derive(Clone, Debug)]
pub(crate) struct FootShape {
    pub heel: Vec3,
    pub ball: Vec3,
    /// The toe tip relative to the ball; zero for a foot that ends at its ball.
    pub toe_from_ball: Vec3,
}

impl FootShape {
    /// A foot with the ankle `height` above the sole, the ball `ball` in front of the ankle and the toe
    /// tip `toes` in front of the ball.
    ///
    /// The heel is on the sole, behind the ankle by a quarter of the distance from ankle to ball, where
    /// inference places the heel of a foot without a heel joint.
    pub fn new(height: f64, ball: f64, toes: f64) -> Self {
        Self {
            heel: Vec3::new(0.0, -height, -0.25 * hypot(height, ball)),
            ball: Vec3::new(0.0, -height, ball),
            toe_from_ball: Vec3::new(0.0, 0.0, toes),
        }
    }

    /// The height of the ankle of a flat foot.
    pub fn ankle_height(&self) -> f64 {
        -self.ball.y
    }
}

/// Collects the joints of a skeleton; each is added after its parent.
#[derive(Default)]
pub(crate) struct Joints {
    joints: Vec<Joint>,
}

impl Joints {
    /// Adds a child of `parent`, or the root.
    pub fn add(&mut self, name: String, parent: Option<JointId>, offset: Vec3) -> JointId {
        self.joints.push(Joint { name, parent, offset, end: None });
        JointId(self.joints.len() as u32 - 1)
    }

    /// Sets the end site of a joint.
    pub fn end(&mut self, joint: JointId, end: Vec3) {
        self.joints[joint.index()].end = Some(end);
    }

    /// The skeleton of these joints.
    pub fn skeleton(self) -> Skeleton {
        Skeleton::new(self.joints).expect("joints are added after their parents")
    }
}

/// The leg as the other crates describe it.
pub(crate) fn leg(side: &str, shape: &LegShape) -> Leg {
    let point = |joint, offset| JointPoint { joint, offset };
    let foot = &shape.foot;
    Leg {
        side: side.into(),
        limb: Limb::Leg,
        hip: shape.hip,
        knee: shape.knee,
        ankle: shape.ankle,
        heel: point(shape.ankle, foot.heel),
        ball: point(shape.ankle, foot.ball),
        toe: match shape.toes {
            Some(toes) => point(toes, foot.toe_from_ball),
            None => point(shape.ankle, foot.ball + foot.toe_from_ball),
        },
    }
}
