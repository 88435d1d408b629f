//! An adult of 1.75 m in a T-pose, with the joint names of MotionBuilder.
//!
//! Lengths follow the segment fractions of Drillis and Contini (in Winter, Biomechanics and Motor
//! Control of Human Movement): hip at 0.53 of the height, knee at 0.285, ankle at 0.039.

use super::{FootShape, Joints, KneeDirection, LegShape};
use surefoot_core::{JointId, Skeleton, Vec3};

/// A person's skeleton and the joints of its limbs.
#[derive(Clone, Debug)]
pub(crate) struct Human {
    pub skeleton: Skeleton,
    /// From the pelvis upwards.
    pub spine: [JointId; 3],
    pub neck: JointId,
    pub head: JointId,
    pub arms: [Arm; 2],
    pub legs: [LegShape; 2],
}

/// The joints of an arm.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub upper: JointId,
    pub fore: JointId,
    pub hand: JointId,
    /// 1 for the left arm, −1 for the right.
    pub side: f64,
}

/// Whether the foot has a toe joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Toes {
    /// The toes bend at the ball.
    Jointed,
    /// The foot is rigid and ends at its ball.
    None,
}

/// Length of the thigh, in metres.
const THIGH: f64 = 0.43;
/// Length of the shin, in metres.
const SHIN: f64 = 0.43;
/// Distance of a hip from the middle of the pelvis, in metres.
const HIP_HALF_WIDTH: f64 = 0.085;
/// Height of the hips relative to the root, in metres: the root is slightly above them, as in most files.
const HIP_BELOW_ROOT: f64 = -0.06;

impl Human {
    /// A person with or without toe joints.
    pub fn new(toes: Toes) -> Self {
        let mut joints = Joints::default();
        let hips = joints.add("Hips".into(), None, Vec3::new(0.0, 0.99, 0.0));
        let mut above = |name: &str, below, y, z| joints.add(name.into(), Some(below), Vec3::new(0.0, y, z));
        let low = above("Spine", hips, 0.07, -0.01);
        let middle = above("Spine1", low, 0.12, 0.0);
        let high = above("Spine2", middle, 0.12, 0.0);
        let neck = above("Neck", high, 0.17, 0.0);
        let head = above("Head", neck, 0.09, 0.01);
        joints.end(head, Vec3::new(0.0, 0.19, 0.0));
        let arms = [("Left", 1.0), ("Right", -1.0)].map(|side| arm(&mut joints, high, side));
        let legs = [("Left", 1.0), ("Right", -1.0)].map(|side| leg(&mut joints, hips, side, toes));
        Self { skeleton: joints.skeleton(), spine: [low, middle, high], neck, head, arms, legs }
    }
}

fn arm(joints: &mut Joints, chest: JointId, (name, side): (&str, f64)) -> Arm {
    let mut outward = |joint: &str, parent, x, y| {
        joints.add(format!("{name}{joint}"), Some(parent), Vec3::new(side * x, y, 0.0))
    };
    let shoulder = outward("Shoulder", chest, 0.04, 0.12);
    let upper = outward("Arm", shoulder, 0.14, 0.0);
    let fore = outward("ForeArm", upper, 0.29, 0.0);
    let hand = outward("Hand", fore, 0.26, 0.0);
    let fingers = outward("HandIndex", hand, 0.09, 0.0);
    joints.end(fingers, Vec3::new(side * 0.09, 0.0, 0.0));
    Arm { upper, fore, hand, side }
}

fn leg(joints: &mut Joints, hips: JointId, (name, side): (&str, f64), toes: Toes) -> LegShape {
    let mut down = |joint: &str, parent, offset| joints.add(format!("{name}{joint}"), Some(parent), offset);
    let hip_in_girdle = Vec3::new(side * HIP_HALF_WIDTH, HIP_BELOW_ROOT, 0.0);
    let hip = down("UpLeg", hips, hip_in_girdle);
    let knee = down("Leg", hip, Vec3::new(0.0, -THIGH, 0.0));
    let ankle = down("Foot", knee, Vec3::new(0.0, -SHIN, 0.0));
    let foot = foot(toes);
    let toes = match toes {
        Toes::Jointed => Some(down("ToeBase", ankle, foot.ball)),
        Toes::None => None,
    };
    match toes {
        Some(toes) => joints.end(toes, foot.toe_from_ball),
        None => joints.end(ankle, foot.ball),
    }
    LegShape {
        hip,
        knee,
        ankle,
        toes,
        hip_in_girdle,
        thigh: THIGH,
        shin: SHIN,
        foot,
        knee_direction: KneeDirection::Forward,
        side,
    }
}

/// The foot. Heel, ball, toe joint and toe tip are all on the sole.
///
/// A real toe joint is one or two centimetres above the sole. With such a joint the toes would slide as
/// the foot rolls, and no point of them would have a true spot.
fn foot(toes: Toes) -> FootShape {
    match toes {
        Toes::Jointed => FootShape::new(0.075, 0.125, 0.075),
        // A rigid foot rolls over a point nearer to its tip. Nothing may be in front of that point: it would
        // penetrate the floor.
        Toes::None => FootShape::new(0.075, 0.15, 0.0),
    }
}
