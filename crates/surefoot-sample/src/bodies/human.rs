//! An adult of 1.75 m in a T-pose, with MotionBuilder's names.
//!
//! Lengths follow the segment fractions of Drillis and Contini (in Winter, Biomechanics and Motor
//! Control of Human Movement): hip at 0.53 of the height, knee at 0.285, ankle at 0.039.

use super::{Bends, FootShape, Joints, LegShape};
use surefoot_core::{JointId, Skeleton, Vec3};

/// A person: the skeleton and where its parts are in it.
#[derive(Clone, Debug)]
pub(crate) struct Human {
    pub skeleton: Skeleton,
    /// From the pelvis up.
    pub spine: [JointId; 3],
    pub neck: JointId,
    pub head: JointId,
    pub arms: [Arm; 2],
    pub legs: [LegShape; 2],
}

/// One arm of a person.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub upper: JointId,
    pub fore: JointId,
    pub hand: JointId,
    /// 1 for the left arm, −1 for the right one.
    pub side: f64,
}

/// Whether the foot has a joint at its ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Toes {
    /// Toes that bend at the ball.
    Jointed,
    /// A stiff foot that ends at its ball.
    None,
}

const THIGH: f64 = 0.43;
const SHIN: f64 = 0.43;
/// Sideways from the middle of the pelvis to a hip, in metres.
const HIP_HALF_WIDTH: f64 = 0.085;
/// The hips' height in the root, in metres: the root sits a little above them, as in most files.
const HIP_BELOW_ROOT: f64 = -0.06;

impl Human {
    /// The person, with or without toes.
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
    let mut out = |part: &str, parent, x, y| {
        joints.add(format!("{name}{part}"), Some(parent), Vec3::new(side * x, y, 0.0))
    };
    let shoulder = out("Shoulder", chest, 0.04, 0.12);
    let upper = out("Arm", shoulder, 0.14, 0.0);
    let fore = out("ForeArm", upper, 0.29, 0.0);
    let hand = out("Hand", fore, 0.26, 0.0);
    let fingers = out("HandIndex", hand, 0.09, 0.0);
    joints.end(fingers, Vec3::new(side * 0.09, 0.0, 0.0));
    Arm { upper, fore, hand, side }
}

fn leg(joints: &mut Joints, hips: JointId, (name, side): (&str, f64), toes: Toes) -> LegShape {
    let mut down = |part: &str, parent, offset| joints.add(format!("{name}{part}"), Some(parent), offset);
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
        bends: Bends::Forward,
        side,
    }
}

/// The sole: heel, ball and toe tip on one line, the toe joint on the sole itself.
///
/// A real toe joint sits a centimetre or two above the sole; then the toes slide a little as the
/// foot rolls over the ball, and no point of them has a true place.
fn foot(toes: Toes) -> FootShape {
    match toes {
        Toes::Jointed => FootShape::new(0.075, 0.125, 0.075),
        // A stiff foot rolls over a point nearer to its tip, and nothing can lie in front of it:
        // it would go through the floor.
        Toes::None => FootShape::new(0.075, 0.15, 0.0),
    }
}
