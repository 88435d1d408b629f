//! The joints of a leg, resolved once.

use surefoot_core::{JointId, JointPoint, Leg, Pose, Quat, Skeleton, Vec3};

use super::{LegShape, SetupError};
use crate::kinematics::knee_hinge::Hinge;

/// Length below which a bone has no direction, in metres.
const SHORTEST_BONE: f64 = 1e-6;

/// A leg as the phases use it.
#[derive(Clone, Debug)]
pub(crate) struct LegSetup {
    pub leg: Leg,
    /// The joints from the root to the parent of the hip.
    pub above_hip: Vec<JointId>,
    /// The joints below the hip down to the knee: more than one if the thigh has twist joints.
    pub thigh: Vec<JointId>,
    /// The joints below the knee down to the ankle.
    pub shin: Vec<JointId>,
    /// Thigh and shin with the offsets of the skeleton: what stretching changes.
    pub bones: Vec<(JointId, Vec3)>,
    pub heel: FootPointSetup,
    pub ball: FootPointSetup,
    pub toe: FootPointSetup,
    pub hinge: Hinge,
    /// The joint of the toes, if rotating it leaves heel and ball in place.
    pub toe_joint: Option<JointId>,
    /// Hinge axis of the toes, of unit length, in the space of their parent.
    pub toe_axis: Vec3,
    /// Upward normal of the sole in the space of the ankle.
    pub sole_normal: Vec3,
}

impl LegSetup {
    pub fn new(skeleton: &Skeleton, leg: &Leg, shape: Option<&LegShape>) -> Result<Self, SetupError> {
        let Chains { thigh, shin } = Chains::new(skeleton, leg)?;
        let is_valid =
            |shape: &&LegShape| shape.knee_axis.is_normalized() && shape.sole_normal.is_normalized();
        let shape =
            shape.filter(is_valid).ok_or_else(|| SetupError::InvalidLegShape { side: leg.side.clone() })?;
        let point = |point: &JointPoint| FootPointSetup::new(skeleton, leg.ankle, point);
        Ok(Self {
            leg: leg.clone(),
            above_hip: ancestors(skeleton, leg.hip),
            heel: point(&leg.heel),
            ball: point(&leg.ball),
            toe: point(&leg.toe),
            bones: thigh.iter().chain(&shin).map(|&joint| (joint, skeleton.joint(joint).offset)).collect(),
            thigh,
            shin,
            hinge: Hinge { axis: shape.knee_axis },
            toe_joint: toe_joint(leg),
            toe_axis: toe_axis(skeleton, leg, shape),
            sole_normal: shape.sole_normal,
        })
    }

    /// Whether all joint chains of two legs are equally long.
    pub fn has_chains_like(&self, other: &Self) -> bool {
        let lengths = |leg: &Self| {
            let points = [&leg.heel, &leg.ball, &leg.toe];
            let points = points.map(|point| [point.moving_joints.len(), point.chain.len()]);
            ([&leg.above_hip, &leg.thigh, &leg.shin].map(Vec::len), points)
        };
        lengths(self) == lengths(other)
    }
}

/// A point on the ankle or on a joint below it.
#[derive(Clone, Debug)]
pub(crate) struct FootPointSetup {
    /// The joints below the ankle down to the one that the point is on; empty if that is the ankle.
    pub chain: Vec<JointId>,
    /// The joints of `chain` whose rotation moves the point, from the last up. The last joint is left out if the point
    /// coincides with it.
    pub moving_joints: Vec<JointId>,
    /// The joint that the point coincides with, if it does.
    pub at_joint: Option<JointId>,
    /// The point in the space of its joint.
    pub offset: Vec3,
}

impl FootPointSetup {
    fn new(skeleton: &Skeleton, ankle: JointId, point: &JointPoint) -> Self {
        let chain = chain(skeleton, ankle, point.joint).unwrap_or_default();
        let at_joint = chain.last().copied().filter(|_| point.offset == Vec3::ZERO);
        let moving = if at_joint.is_some() { &chain[..chain.len() - 1] } else { &chain[..] };
        let moving_joints = moving.iter().rev().copied().collect();
        Self { moving_joints, at_joint, offset: point.offset, chain }
    }
}

/// The joint chains of thigh and shin, each from below its first joint to its last.
pub(super) struct Chains {
    thigh: Vec<JointId>,
    shin: Vec<JointId>,
}

impl Chains {
    /// Checks that a leg fits the skeleton.
    pub fn new(skeleton: &Skeleton, leg: &Leg) -> Result<Self, SetupError> {
        let not_a_leg = || SetupError::NotALeg { side: leg.side.clone() };
        if [leg.hip, leg.knee, leg.ankle].iter().any(|joint| joint.index() >= skeleton.len()) {
            return Err(not_a_leg());
        }
        for (name, point) in [("heel", leg.heel), ("ball", leg.ball), ("toe", leg.toe)] {
            let exists = point.joint.index() < skeleton.len() && point.offset.is_finite();
            if !exists || (point.joint != leg.ankle && chain(skeleton, leg.ankle, point.joint).is_none()) {
                return Err(SetupError::PointNotOnFoot { side: leg.side.clone(), point: name });
            }
        }
        let thigh = chain(skeleton, leg.hip, leg.knee).ok_or_else(not_a_leg)?;
        let shin = chain(skeleton, leg.knee, leg.ankle).ok_or_else(not_a_leg)?;
        let length =
            |chain: &[JointId]| chain.iter().map(|&joint| skeleton.joint(joint).offset.length()).sum::<f64>();
        if length(&thigh) < SHORTEST_BONE || length(&shin) < SHORTEST_BONE {
            return Err(SetupError::ZeroLengthBone { side: leg.side.clone() });
        }
        Ok(Self { thigh, shin })
    }
}

/// The joint of the toes, if rotating it leaves heel and ball in place.
fn toe_joint(leg: &Leg) -> Option<JointId> {
    let moves_with_toe = |point: &JointPoint| point.joint == leg.toe.joint && point.offset != Vec3::ZERO;
    let is_separate = leg.toe.joint != leg.ankle && !moves_with_toe(&leg.heel) && !moves_with_toe(&leg.ball);
    is_separate.then_some(leg.toe.joint)
}

/// Cosine of the largest angle between the toe axis and the direction across the foot: 60°. Toes captured about an axis
/// further off do not bend as toes do, and a rotation about it would swing them sideways before it raised them.
const LEAST_ACROSS: f64 = 0.5;

/// The hinge axis of the toes in the space of their parent: that of the shape, or else across the foot. A positive
/// rotation raises the toes.
fn toe_axis(skeleton: &Skeleton, leg: &Leg, shape: &LegShape) -> Vec3 {
    let rest = Pose::rest(skeleton).world(skeleton);
    let up = rest.rotations[leg.ankle.index()] * shape.sole_normal;
    let ahead = rest.point(&leg.toe) - rest.point(&leg.heel);
    let parent =
        skeleton.parent(leg.toe.joint).map_or(Quat::IDENTITY, |parent| rest.rotations[parent.index()]);
    let across = (parent.conjugate() * ahead.cross(up)).try_normalize().unwrap_or(Vec3::X);
    let estimate = shape.toe_axis.map(|axis| axis * axis.dot(across).signum());
    estimate.filter(|axis| axis.dot(across) > LEAST_ACROSS).unwrap_or(across)
}

/// The joints below `top` down to `bottom`; `None` if `bottom` is not below `top`.
fn chain(skeleton: &Skeleton, top: JointId, bottom: JointId) -> Option<Vec<JointId>> {
    let mut chain = vec![bottom];
    while let Some(parent) = skeleton.parent(*chain.last()?) {
        if parent == top {
            chain.reverse();
            return Some(chain);
        }
        chain.push(parent);
    }
    None
}

/// The joints from the root down to the parent of `joint`.
fn ancestors(skeleton: &Skeleton, joint: JointId) -> Vec<JointId> {
    let mut joints: Vec<JointId> =
        core::iter::successors(skeleton.parent(joint), |&next| skeleton.parent(next)).collect();
    joints.reverse();
    joints
}
