//! The bodies that can move: their joints, their legs and the measures of both.

pub(crate) mod dog;
pub(crate) mod human;

use surefoot_core::math::hypot;
use surefoot_core::{Joint, JointId, JointPoint, Leg, Skeleton, Vec3};

/// One leg, measured. Metres, in the axes of the rest pose: X left, Y up, Z forward.
#[derive(Clone, Debug)]
pub(crate) struct LegShape {
    pub hip: JointId,
    pub knee: JointId,
    pub ankle: JointId,
    /// The joint the toes turn at; `None` for a stiff foot.
    pub toes: Option<JointId>,
    /// The hip in the girdle it hangs from: pelvis, or the chest of a four-legged body.
    pub hip_in_girdle: Vec3,
    pub thigh: f64,
    pub shin: f64,
    pub foot: FootShape,
    /// Which way the knee points.
    pub bends: Bends,
    /// 1 for a left leg, −1 for a right one.
    pub side: f64,
}

impl LegShape {
    /// The straight leg, hip to ankle.
    pub fn length(&self) -> f64 {
        self.thigh + self.shin
    }
}

/// Which way a knee points when it bends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bends {
    /// A knee.
    Forward,
    /// An elbow: the front leg of a four-legged body.
    Backward,
}

/// The points of a foot that touch the floor, in its ankle, as it stands flat.
#[derive(Clone, Debug)]
pub(crate) struct FootShape {
    pub heel: Vec3,
    pub ball: Vec3,
    /// The toe tip from the ball; zero for a foot that ends at its ball.
    pub toe_from_ball: Vec3,
}

impl FootShape {
    /// A foot flat on its sole: ankle `height` above it, ball and toe tip so far in front.
    ///
    /// The heel is below the ankle and back by a quarter of the way from ankle to ball, where
    /// surefoot looks for the heel of a foot that has no heel joint.
    pub fn new(height: f64, ball: f64, toes: f64) -> Self {
        Self {
            heel: Vec3::new(0.0, -height, -0.25 * hypot(height, ball)),
            ball: Vec3::new(0.0, -height, ball),
            toe_from_ball: Vec3::new(0.0, 0.0, toes),
        }
    }

    /// The ankle's height over a floor it stands flat on.
    pub fn ankle_height(&self) -> f64 {
        -self.ball.y
    }
}

/// Joints in the making: each is added after its parent, and found by name.
#[derive(Default)]
pub(crate) struct Joints {
    joints: Vec<Joint>,
}

impl Joints {
    /// Adds a joint below `parent`.
    pub fn add(&mut self, name: String, parent: Option<JointId>, offset: Vec3) -> JointId {
        self.joints.push(Joint { name, parent, offset, end: None });
        JointId(self.joints.len() as u32 - 1)
    }

    /// Says where the bone of `joint` ends.
    pub fn end(&mut self, joint: JointId, end: Vec3) {
        self.joints[joint.index()].end = Some(end);
    }

    /// The skeleton they make.
    pub fn skeleton(self) -> Skeleton {
        Skeleton::new(self.joints).expect("our own joints come after their parents")
    }
}

/// The leg as the rest of surefoot knows it.
pub(crate) fn leg(side: &str, shape: &LegShape) -> Leg {
    let on = |joint, offset| JointPoint { joint, offset };
    let foot = &shape.foot;
    Leg {
        side: side.into(),
        hip: shape.hip,
        knee: shape.knee,
        ankle: shape.ankle,
        heel: on(shape.ankle, foot.heel),
        ball: on(shape.ankle, foot.ball),
        toe: match shape.toes {
            Some(toes) => on(toes, foot.toe_from_ball),
            None => on(shape.ankle, foot.ball + foot.toe_from_ball),
        },
    }
}
