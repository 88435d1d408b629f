//! A dog of 0.6 m shoulder height. In the rest pose the trunk is level and all legs point straight down.
//!
//! Shoulder, elbow and wrist of the front legs take the roles of hip, knee and ankle. A dog stands on
//! its toes, so hock and wrist are high above the floor.

use super::{FootShape, Joints, KneeDirection, LegShape};
use surefoot_core::{JointId, Skeleton, Vec3};

/// A dog's skeleton and the joints of its limbs.
#[derive(Clone, Debug)]
pub(crate) struct Dog {
    pub skeleton: Skeleton,
    pub neck: JointId,
    pub head: JointId,
    pub tail: [JointId; 2],
    /// Front left, front right, hind left, hind right.
    pub legs: [LegShape; 4],
}

/// Distance from the hind girdle to the front girdle, in metres.
pub(crate) const TRUNK_LENGTH: f64 = 0.56;

/// The dimensions of a pair of legs, in metres.
struct LegDimensions {
    half_width: f64,
    thigh: f64,
    shin: f64,
    ankle_height: f64,
    /// Distance of the ball in front of the ankle.
    ball: f64,
    knee_direction: KneeDirection,
    names: [&'static str; 4],
}

const FRONT: LegDimensions = LegDimensions {
    half_width: 0.075,
    thigh: 0.21,
    shin: 0.23,
    ankle_height: 0.07,
    ball: 0.04,
    knee_direction: KneeDirection::Backward,
    names: ["Arm", "ForeArm", "Hand", "FingerBase"],
};

const HIND: LegDimensions = LegDimensions {
    half_width: 0.065,
    thigh: 0.23,
    shin: 0.24,
    ankle_height: 0.13,
    ball: 0.06,
    knee_direction: KneeDirection::Forward,
    names: ["UpLeg", "Leg", "Foot", "ToeBase"],
};

impl Dog {
    /// The dog.
    pub fn new() -> Self {
        let mut joints = Joints::default();
        let hips = joints.add("Hips".into(), None, Vec3::new(0.0, 0.55, 0.0));
        let mut on = |name: &str, from, y, z| joints.add(name.into(), Some(from), Vec3::new(0.0, y, z));
        let low = on("Spine", hips, 0.0, 0.18);
        let middle = on("Spine1", low, 0.0, 0.19);
        let chest = on("Spine2", middle, 0.0, TRUNK_LENGTH - 0.37);
        let neck = on("Neck", chest, 0.07, 0.07);
        let head = on("Head", neck, 0.12, 0.15);
        let tail = on("Tail", hips, 0.05, -0.08);
        let tip = on("Tail1", tail, -0.08, -0.12);
        joints.end(head, Vec3::new(0.0, -0.03, 0.17));
        joints.end(tip, Vec3::new(0.0, -0.10, -0.10));
        let mut leg = |girdle, side, dimensions| leg(&mut joints, girdle, side, dimensions);
        let legs = [
            leg(chest, LEFT, &FRONT),
            leg(chest, RIGHT, &FRONT),
            leg(hips, LEFT, &HIND),
            leg(hips, RIGHT, &HIND),
        ];
        Self { skeleton: joints.skeleton(), neck, head, tail: [tail, tip], legs }
    }
}

const LEFT: (&str, f64) = ("Left", 1.0);
const RIGHT: (&str, f64) = ("Right", -1.0);

fn leg(
    joints: &mut Joints,
    girdle: JointId,
    (name, side): (&str, f64),
    dimensions: &LegDimensions,
) -> LegShape {
    let foot = FootShape::new(dimensions.ankle_height, dimensions.ball, 0.04);
    let hip_in_girdle = Vec3::new(side * dimensions.half_width, -0.05, 0.0);
    let mut parent = girdle;
    let offsets = [
        hip_in_girdle,
        Vec3::new(0.0, -dimensions.thigh, 0.0),
        Vec3::new(0.0, -dimensions.shin, 0.0),
        foot.ball,
    ];
    let mut next = 0;
    let [hip, knee, ankle, toes] = dimensions.names.map(|joint| {
        parent = joints.add(format!("{name}{joint}"), Some(parent), offsets[next]);
        next += 1;
        parent
    });
    joints.end(toes, foot.toe_from_ball);
    LegShape {
        hip,
        knee,
        ankle,
        toes: Some(toes),
        hip_in_girdle,
        thigh: dimensions.thigh,
        shin: dimensions.shin,
        foot,
        knee_direction: dimensions.knee_direction,
        side,
    }
}
